import type { Resource } from '@muster/model'
import { Problem } from '../../errors.ts'
import { readRecordHistory, recordHistorySource } from '../../queries/record-history.ts'
import { needsOf } from '../access/rights.ts'
import type { Dependencies } from '../dependencies.ts'
import { readItemId } from '../request/list-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { authorizeRead, preferHandling, sendRead } from './read.ts'
import type { Handler } from './route.ts'

/** The history of one record. No tracked field is personal, so it is the same for every client. */
export const historyHandler = (resource: Resource, { reader, cache, limits, admission }: Dependencies): Handler => ({
  handle: async (request, reply) => {
    const caller = await authorizeRead(request, reply, limits)
    const source = recordHistorySource(resource)
    const visibility = caller.visibilityOf(needsOf(source))
    const parameters = parseQuery(request.query as string)
    const applyHandling = preferHandling(request, reply, parameters, { parameterNames: [] })
    const id = applyHandling(() => readItemId((request.params as { item_id: string }).item_id))
    return sendRead(
      request,
      reply,
      { cache, source, visibility },
      {
        execute: async () =>
          id === undefined
            ? undefined
            : readRecordHistory(reader.forClient(admission.clientOf(request.raw)), resource, id),
        render: (result) => {
          if (result === undefined) throw new Problem('not_found')
          const { version, entries, total, completeFrom } = result
          return {
            version,
            rows: total,
            pieces: [`{"data":[${entries}],"meta":{"total":${total},"history_from":"${completeFrom}"}}`],
          }
        },
      },
    )
  },
})
