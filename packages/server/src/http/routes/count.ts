import type { Resource } from '@muster/model'
import { fieldNames, queryNames } from '@muster/model'
import { countGroups } from '../../queries/count.ts'
import { filteredTables, tableOfRelation, withJoinedTables } from '../../queries/filters.ts'
import type { Dependencies } from '../dependencies.ts'
import { readCountQuery, tooManyGroups } from '../request/count-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { countsJson, rowsOnPage } from '../response/json-response.ts'
import { authorizeRead, byVisibility, preferHandling, sendRead } from './read.ts'
import type { Handler } from './route.ts'

/** Authorize, parse, execute, render: the path of a request for counts. */
export const countHandler = (resource: Resource, { reader, cache, limits, admission }: Dependencies): Handler => {
  const resourceViews = byVisibility(resource)
  const parameterNames = queryNames(resource).count
  const fields = fieldNames(resource)
  return {
    handle: async (request, reply) => {
      const visibility = await authorizeRead(request, reply, limits)
      const parameters = parseQuery(request.query as string)
      const applyHandling = preferHandling(request, reply, parameters, { parameterNames, fields })
      const query = applyHandling(() => readCountQuery(resourceViews[visibility], parameters))
      const grouped = query.groupings.flatMap(({ relation }) =>
        relation === undefined ? [] : tableOfRelation(relation),
      )
      const source = withJoinedTables(resourceViews[visibility], [...filteredTables(query), ...grouped])
      return sendRead(
        request,
        reply,
        { cache, source, visibility, isExpensive: true },
        {
          execute: () => countGroups(reader.forClient(admission.clientOf(request.raw)), source, query),
          render: (counts) => {
            if (counts === undefined) throw tooManyGroups(parameters)
            return {
              version: counts.version,
              pieces: [countsJson(counts, query.window)],
              rows: rowsOnPage({ total: counts.groups }, query.window ?? { offset: 0n }),
            }
          },
        },
      )
    },
  }
}
