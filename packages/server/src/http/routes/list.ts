import type { Resource } from '@muster/model'
import { fieldNames, queryNames } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { executeList, planList } from '../../queries/list/list.ts'
import type { Dependencies } from '../dependencies.ts'
import { readFileFormat, readListQuery } from '../request/list-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { pageLinks, pagePieces, rowsOnPage } from '../response/json-response.ts'
import { sendExport } from './export.ts'
import { authorizeRead, byVisibility, listedResource, preferHandling, sendRead } from './read.ts'
import type { Handler } from './route.ts'
import { pathOf } from './route.ts'

/** Authorize, parse, plan, execute, render: the path of a list request. */
export const listHandler = (resource: Resource, dependencies: Dependencies): Handler => {
  const { reader, searches, cache, limits, admission } = dependencies
  const resourceViews = byVisibility(resource)
  const parameterNames = queryNames(resource).list
  const fields = fieldNames(resource)
  const path = pathOf(resource)
  return {
    handle: async (request: FastifyRequest, reply: FastifyReply) => {
      const visibility = await authorizeRead(request, reply, limits)
      const queryString = request.query as string
      const parameters = parseQuery(queryString)
      const applyHandling = preferHandling(request, reply, parameters, { parameterNames, fields })
      const format = readFileFormat(parameters, request.headers.accept)
      if (format !== undefined)
        return sendExport(request, reply, {
          dependencies,
          resourceViews,
          visibility,
          parameters,
          applyHandling,
          format,
        })
      const query = applyHandling(() => readListQuery(resourceViews[visibility], parameters))
      const plan = planList(query)
      const source = listedResource(resourceViews, visibility, query)
      return sendRead(
        request,
        reply,
        { cache, source, visibility },
        {
          execute: () => {
            const runner = reader.forClient(admission.clientOf(request.raw))
            return executeList(plan, { reader: runner, searches }, source, query)
          },
          render: (page) => ({
            version: page.version,
            pieces: pagePieces(page, query),
            rows: rowsOnPage(page, query),
            link: pageLinks({ path, query: queryString, known: parameterNames }, query, page.total),
          }),
        },
      )
    },
  }
}
