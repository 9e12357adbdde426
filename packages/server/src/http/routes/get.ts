import type { Resource } from '@muster/model'
import { queryNames } from '@muster/model'
import { Problem } from '../../errors.ts'
import { getOne, openGetter } from '../../queries/get.ts'
import { tablesOfAll } from '../access/rights.ts'
import type { Dependencies } from '../dependencies.ts'
import { readItemId, readItemProjection } from '../request/list-query.ts'
import { parseQuery } from '../request/query-string.ts'
import { authorizeRead, byVisibility, preferHandling, readAs, sendRead, visibleResource } from './read.ts'
import type { Handler } from './route.ts'

/** Authorize, parse, execute, render: the path of a request for one record. */
export const getHandler = (resource: Resource, { reader, cache, limits, admission }: Dependencies): Handler => {
  const resourceViews = byVisibility(resource)
  const parameterNames = queryNames(resource).get
  const needsOfRecord = { tables: tablesOfAll(resource) }
  const getters = { full: openGetter(reader, resourceViews.full), redacted: openGetter(reader, resourceViews.redacted) }
  return {
    handle: async (request, reply) => {
      const caller = await authorizeRead(request, reply, limits)
      const parameters = parseQuery(request.query as string)
      const applyHandling = preferHandling(request, reply, parameters, { parameterNames })
      const { id, source, visibility } = readAs(caller, needsOfRecord, (visible) => {
        const { projection, ...rest } = applyHandling(() => ({
          id: readItemId((request.params as { item_id: string }).item_id),
          projection: readItemProjection(resource, parameters),
        }))
        return { ...rest, source: visibleResource(resourceViews, visible, projection) }
      })
      return sendRead(
        request,
        reply,
        { cache, source, visibility },
        {
          execute: async () => {
            if (id === undefined) return undefined
            // Concurrent gets without a projection share one statement.
            const isPlain = source === resourceViews[visibility]
            return isPlain
              ? getters[visibility](id)
              : getOne(reader.forClient(admission.clientOf(request.raw)), source, id)
          },
          render: (result) => {
            if (result === undefined) throw new Problem('not_found')
            return { version: result.version, pieces: [result.record], rows: 1 }
          },
        },
      )
    },
  }
}
