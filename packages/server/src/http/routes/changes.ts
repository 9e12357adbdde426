import { Readable } from 'node:stream'
import type { Resource } from '@muster/model'
import { basePath, changesParameters, eventStreamType, resources } from '@muster/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readChanges, readCursorSince } from '../../queries/changes.ts'
import type { Caller, Visibility } from '../access/callers.ts'
import { tablesOfAll } from '../access/rights.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ChangesParameters } from '../request/changes-query.ts'
import { readChangesQuery, readLastEventId, wantsEventStream } from '../request/changes-query.ts'
import { contextOf } from '../request/context.ts'
import { parseQuery } from '../request/query-string.ts'
import { changesJson } from '../response/changes-response.ts'
import { sendJson } from '../response/json-response.ts'
import { authorizeRead, preferHandling } from './read.ts'
import { addRoute } from './route.ts'

export const addChangesRoute = (app: FastifyInstance, dependencies: Dependencies): void => {
  const { database, limits, admission } = dependencies
  addRoute(app, `${basePath}/v1/changes`, {
    GET: {
      handle: async (request, reply) => {
        const caller = await authorizeRead(request, reply, limits)
        const parameters = parseQuery(request.query as string)
        const applyHandling = preferHandling(request, reply, parameters, { parameterNames: changesParameters })
        const parsed = applyHandling(() => readChangesQuery(parameters))
        const query = { ...parsed, resources: readableResources(caller, parsed.resources) }
        const visibility = caller.visibilityOf({ tables: (query.resources ?? resources).flatMap(tablesOfAll) })
        reply.header('cache-control', 'no-store')
        if (wantsEventStream(request.headers.accept))
          return sendEventStream(request, reply, { dependencies, query, visibility, expiresAt: caller.expiresAt })
        const runner = database.forClient(admission.clientOf(request.raw))
        const after = query.since === undefined ? query.after : await readCursorSince(runner, query.since)
        const page = await readChanges(runner, { ...query, after })
        contextOf(request.raw).log = { cache: 'none', rows: page.changes.length }
        return sendJson(reply, changesJson(page, visibility))
      },
    },
  })
  app.addHook('preClose', async () => dependencies.changeStreams.close())
}

/** The resources whose changes the caller gets; undefined for all. Throws `forbidden` if the request names another. */
const readableResources = (caller: Caller, named: readonly Resource[] | undefined): readonly Resource[] | undefined => {
  if (!caller.isConfined) return named
  if (named === undefined) return resources.filter((resource) => caller.hasRightTo(resource))
  caller.visibilityOf({ tables: named.flatMap(tablesOfAll) })
  return named
}

interface StreamRequest {
  readonly dependencies: Dependencies
  readonly query: ChangesParameters
  readonly visibility: Visibility
  readonly expiresAt: number
}

const sendEventStream = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { dependencies, query, visibility, expiresAt }: StreamRequest,
): Promise<FastifyReply> => {
  const { changeStreams, admission, database } = dependencies
  const client = admission.clientOf(request.raw)
  const lastEventId = readLastEventId(request.headers['last-event-id'])
  const after =
    lastEventId === undefined && query.since !== undefined
      ? await readCursorSince(database.forClient(client), query.since)
      : (lastEventId ?? query.after)
  const options = { after, resources: query.resources, visibility, expiresAt, client }
  // HEAD opens no stream, but has the status of GET.
  if (request.method === 'HEAD') await readChanges(database.forClient(client), { ...options, limit: 1 })
  const stream = request.method === 'HEAD' ? Readable.from([]) : await changeStreams.open(options)
  // A stream waits most of the time, so it does not count toward the client's requests in progress.
  admission.release(request.raw)
  // nginx would otherwise collect events until its buffer is full.
  return reply.header('content-type', eventStreamType).header('x-accel-buffering', 'no').send(stream)
}
