import type { Resource } from '@muster/model'
import { fieldNames, queryNames } from '@muster/model'
import { countGroups } from '../../queries/count.ts'
import { filteredTables, tableOfRelation, withJoinedTables } from '../../queries/filters.ts'
import { tablesOfAll } from '../access/rights.ts'
import type { Dependencies } from '../dependencies.ts'
import { readCountQuery, tooManyGroups } from '../request/count-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { countsJson, rowsOnPage } from '../response/json-response.ts'
import { readableHistory, withinHistory } from './history-limits.ts'
import { authorizeRead, byVisibility, preferHandling, readAs, sendRead } from './read.ts'
import type { Handler } from './route.ts'

/** Authorize, parse, execute, render: the path of a request for counts. */
export const countHandler = (resource: Resource, { reader, cache, limits, admission }: Dependencies): Handler => {
  const resourceViews = byVisibility(resource)
  const parameterNames = queryNames(resource).count
  const fields = fieldNames(resource)
  return {
    handle: async (request, reply) => {
      const caller = await authorizeRead(request, reply, limits)
      const parameters = parseQuery(request.query as string)
      const applyHandling = preferHandling(request, reply, parameters, { parameterNames, fields })
      const historyOf = caller.isConfined ? readableHistory(caller, resource) : undefined
      const known = { tables: caller.isLimited && historyOf === undefined ? tablesOfAll(resource) : [resource.table] }
      const { query, source, visibility } = readAs(caller, known, (visible) => {
        const counted = applyHandling(() => readCountQuery(resourceViews[visible], parameters))
        const query = historyOf === undefined ? counted : withinHistory(counted, historyOf)
        const grouped = query.groupings.flatMap(({ relation }) =>
          relation === undefined ? [] : tableOfRelation(relation),
        )
        return { query, source: withJoinedTables(resourceViews[visible], [...filteredTables(query), ...grouped]) }
      })
      return sendRead(
        request,
        reply,
        { cache, source, visibility, variant: historyOf?.join(), isExpensive: true },
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
