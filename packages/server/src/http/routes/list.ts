import type { Resource } from '@muster/model'
import { fieldNames, queryNames } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { executeList, planList } from '../../queries/list/list.ts'
import { cacheKey } from '../cache/response-cache.ts'
import type { Dependencies } from '../dependencies.ts'
import { readFileFormat, readListQuery } from '../request/list-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { pageEnd, pageLinks, pageStart, rowsOnPage } from '../response/json-response.ts'
import { LargePage, sendLargePage } from '../response/large-page-response.ts'
import { sendExport } from './export.ts'
import { authorizeRead, byVisibility, preferHandling, readListAs, sendRead } from './read.ts'
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
      const caller = await authorizeRead(request, reply, limits)
      const queryString = request.query as string
      const parameters = parseQuery(queryString)
      const applyHandling = preferHandling(request, reply, parameters, { parameterNames, fields })
      const format = readFileFormat(parameters, request.headers.accept)
      if (format !== undefined)
        return sendExport(request, reply, {
          dependencies,
          resourceViews,
          caller,
          parameters,
          applyHandling,
          format,
        })
      const { query, source, visibility, variant } = readListAs(caller, resourceViews, (visible) =>
        applyHandling(() => readListQuery(visible, parameters)),
      )
      const plan = planList(query)
      const linksOf = (total: number) => pageLinks({ path, query: queryString, known: parameterNames }, query, total)
      return sendRead(
        request,
        reply,
        { cache, source, visibility, variant },
        {
          execute: () => {
            const runner = reader.forClient(admission.clientOf(request.raw))
            return executeList(plan, { reader: runner, searches }, source, query)
          },
          render: (page) => {
            const { version, total, records } = page
            if (records === null) throw new LargePage(page)
            return {
              version,
              pieces: [pageStart, records, pageEnd(page, query)],
              rows: rowsOnPage(page, query),
              link: linksOf(total),
            }
          },
        },
      ).catch((error: unknown) => {
        if (!(error instanceof LargePage)) throw error
        const key = cacheKey(visibility, request.raw.url ?? '', variant)
        return sendLargePage(request, reply, dependencies, error, { key, plan, source, query, linksOf })
      })
    },
  }
}
