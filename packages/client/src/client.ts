import { reports, resources } from './generated/tables.ts'
import { queryString } from './query-string.ts'
import type { ClientOptions, Transport } from './transport.ts'
import { createTransport } from './transport.ts'
import type { Change, ChangesPage, ChangesQuery, LiveChange, LiveChangesQuery } from './types/changes.ts'
import type { CreateOptions, ReadOptions, ReportClients, ResourceClients, ServiceClient } from './types/client-types.ts'

export type { ClientOptions }
/** Has one property for each resource, such as `employees`, the property `reports`, and methods for the service itself. */
export type Client = ResourceClients & ReportClients & ServiceClient

export const createClient = (options: ClientOptions): Client => {
  const transport = createTransport(options)
  const clients = Object.entries(resources).map(([path, methods]) => [
    path.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    createResourceClient(transport, path, methods),
  ])
  const reportMethods = Object.entries(reports).map(([key, name]) => [
    key,
    async (query: object = {}, { signal }: ReadOptions = {}) =>
      transport.get(`/v1/reports/${name}${queryString(query)}`, signal),
  ])
  return {
    ...Object.fromEntries(clients),
    reports: Object.fromEntries(reportMethods),
    careerVisibility: {
      sites: async (query: object = {}, { signal }: ReadOptions = {}) =>
        transport.get(`/v1/career-visibility${queryString(query)}`, signal),
      postings: async (siteId: number, query: object = {}, { signal }: ReadOptions = {}) =>
        transport.get(`/v1/career-visibility/${encodeURIComponent(siteId)}${queryString(query)}`, signal),
    },
    search: async (query: object, { signal }: ReadOptions = {}) =>
      transport.get(`/v1/search${queryString(query)}`, signal),
    changes: (query: ChangesQuery = {}, { signal }: ReadOptions = {}) => followChanges(transport, query, signal),
    liveChanges: (query: LiveChangesQuery = {}, { signal }: ReadOptions = {}) => liveChanges(transport, query, signal),
    resource: (path: string) => createResourceClient(transport, path, { count: true, create: false, history: true }),
    info: ({ signal }: ReadOptions = {}) => transport.get('', signal),
    health: ({ signal }: ReadOptions = {}) => transport.get('/v1/health', signal),
    session: ({ signal }: ReadOptions = {}) => transport.get('/v1/session', signal),
  } as Client
}

/** Yields the pages until there are no more changes. The last page may be empty; it has the cursor to continue with. */
async function* followChanges(
  { get }: Transport,
  query: ChangesQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChangesPage, void, undefined> {
  for (let start: ChangesQuery = query; ; ) {
    const page = (await get(`/v1/changes${queryString(start)}`, signal)) as ChangesPage
    yield page
    if (!page.meta.more) return
    start = { ...query, since: undefined, after: page.meta.next }
  }
}

async function* liveChanges(
  { events }: Transport,
  query: LiveChangesQuery,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveChange, void, undefined> {
  for await (const { id, data } of events(`/v1/changes${queryString({ ...query })}`, signal))
    yield { cursor: id, change: data as Change | undefined }
}

/**
 * These methods are untyped: `ResourceClient` declares what each of them takes and returns. They are async so that an
 * invalid query rejects the promise instead of throwing at once.
 */
const createResourceClient = (
  { get, post, stream }: Transport,
  path: string,
  methods: { readonly count: boolean; readonly create: boolean; readonly history: boolean },
) => ({
  list: async (query: object = {}, { signal }: ReadOptions = {}) => get(`/v1/${path}${queryString(query)}`, signal),

  each: (query: object = {}, { signal }: ReadOptions = {}) =>
    stream(`/v1/${path}${queryString({ ...query, format: 'ndjson' })}`, signal),

  get: async (id: number, selection: object = {}, { signal }: ReadOptions = {}) =>
    get(`/v1/${path}/${encodeURIComponent(id)}${queryString(selection)}`, signal),

  ...(methods.count && {
    count: async (query: object, { signal }: ReadOptions = {}) =>
      get(`/v1/counts/${path}${queryString(query)}`, signal),
  }),

  ...(methods.history && {
    history: async (id: number, { signal }: ReadOptions = {}) =>
      get(`/v1/${path}/${encodeURIComponent(id)}/history`, signal),
  }),

  ...(methods.create && {
    create: async (body: object, { idempotencyKey = randomIdempotencyKey(), signal }: CreateOptions = {}) =>
      post(`/v1/${path}`, body, idempotencyKey, signal),
  }),
})

/** Does not use `crypto.randomUUID`, because browsers offer it only on secure origins. */
const randomIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
