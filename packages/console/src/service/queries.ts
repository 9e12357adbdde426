/**
 * The requests of the console as options of TanStack Query, and hooks for components. While a request with new
 * parameters runs, the earlier result stays on the screen, see `components/Loadable.tsx`.
 */
import type {
  AnyQuery,
  CareerSitesQuery,
  Client,
  CountableName,
  CountClients,
  Counts,
  Group,
  Grouping,
  HiddenPostingsQuery,
  Page,
  ReadOptions,
  RecordHistory,
  ReportClients,
  ReportName,
  ReportQueries,
  ReportResult,
  ReportRows,
  ResourceClients,
  ResourceName,
  Resources,
  SearchQuery,
  SelectedRecord,
  Selection,
} from '@muster/client'
import type { QueryFunction, QueryKey, UseQueryResult } from '@tanstack/react-query'
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from './session.tsx'

/** The result of a request, as screens receive it. */
export type Result<T> = UseQueryResult<T, Error>

interface RequestOptions {
  /** If false, the request is not sent yet. */
  readonly enabled?: boolean | undefined
  /** The result is not part of the screen, so changes of it are not announced. */
  readonly isOfFrame?: boolean
}

type Field<N extends ResourceName> = keyof Resources[N]['record']
type Relation<N extends ResourceName> = Resources[N]['relation']
type ListQuery<N extends ResourceName, F, E> = Resources[N]['query'] & Selection<F, E>
/** Resources with fields whose changes are recorded. */
type TrackedName = { [N in ResourceName]: [Resources[N]['trackedField']] extends [never] ? never : N }[ResourceName]
type History<N extends ResourceName> = RecordHistory<Resources[N]['trackedField']>
type HistoryClients = {
  readonly [N in TrackedName]: { history(id: number, options: ReadOptions): Promise<History<N>> }
}
type CountQuery<N extends CountableName, G> = Resources[N]['filters'] & Grouping<G>

export const listQuery = <
  N extends ResourceName,
  const F extends Field<N> = Field<N>,
  const E extends Relation<N> = never,
>(
  client: Client,
  resource: N,
  query: ListQuery<N, F, E>,
) => {
  const resources: ResourceClients = client
  return queryOptions({
    queryKey: [resource, 'list', query],
    queryFn: ({ signal }): Promise<Page<SelectedRecord<Resources[N], F, E>>> =>
      resources[resource].list<F, E>(query, { signal }),
  })
}

export const recordQuery = <
  N extends ResourceName,
  const F extends Field<N> = Field<N>,
  const E extends Relation<N> = never,
>(
  client: Client,
  resource: N,
  id: number,
  selection: Selection<F, E>,
) => {
  const resources: ResourceClients = client
  return queryOptions({
    queryKey: [resource, 'get', id, selection],
    queryFn: ({ signal }): Promise<SelectedRecord<Resources[N], F, E>> =>
      resources[resource].get<F, E>(id, selection, { signal }),
  })
}

export const historyQuery = <N extends TrackedName>(client: Client, resource: N, id: number) => {
  const resources: HistoryClients = client
  return queryOptions({
    queryKey: [resource, 'history', id],
    queryFn: ({ signal }): Promise<History<N>> => resources[resource].history(id, { signal }),
  })
}

export const countQuery = <N extends CountableName, const G extends Resources[N]['groupKey']>(
  client: Client,
  resource: N,
  query: CountQuery<N, G>,
) => {
  const resources: CountClients = client
  return queryOptions({
    queryKey: [resource, 'count', query],
    queryFn: ({ signal }): Promise<Counts<Group<Resources[N], G>>> => resources[resource].count<G>(query, { signal }),
  })
}

export const reportQuery = <N extends ReportName>(client: Client, name: N, query: ReportQueries[N]) => {
  const { reports }: ReportClients = client
  return queryOptions({
    queryKey: ['report', name, query],
    queryFn: ({ signal }): Promise<ReportResult<ReportRows[N]>> => reports[name](query, { signal }),
  })
}

export const searchQuery = (client: Client, query: SearchQuery) =>
  queryOptions({ queryKey: ['search', query], queryFn: ({ signal }) => client.search(query, { signal }) })

/** A list of any resource, for screens that do not know it when they are written. */
export const anyListQuery = (client: Client, path: string, query: AnyQuery) =>
  queryOptions({
    queryKey: [path, 'list', query],
    queryFn: ({ signal }) => client.resource(path).list(query, { signal }),
  })

export const anyRecordQuery = (client: Client, path: string, id: number, selection: AnyQuery) =>
  queryOptions({
    queryKey: [path, 'get', id, selection],
    queryFn: ({ signal }) => client.resource(path).get(id, selection, { signal }),
  })

export const anyHistoryQuery = (client: Client, path: string, id: number) =>
  queryOptions({
    queryKey: [path, 'history', id],
    queryFn: ({ signal }) => client.resource(path).history(id, { signal }),
  })

export const anyCountQuery = (client: Client, path: string, query: AnyQuery) =>
  queryOptions({
    queryKey: [path, 'count', query],
    queryFn: ({ signal }) => client.resource(path).count(query, { signal }),
  })

export const careerSitesQuery = (client: Client, query: CareerSitesQuery) =>
  queryOptions({
    queryKey: ['career sites', query],
    queryFn: ({ signal }) => client.careerVisibility.sites(query, { signal }),
  })

export const hiddenPostingsQuery = (client: Client, siteId: number, query: HiddenPostingsQuery) =>
  queryOptions({
    queryKey: ['hidden postings', siteId, query],
    queryFn: ({ signal }) => client.careerVisibility.postings(siteId, query, { signal }),
  })

/** Asks again until the service has checked the e-mail addresses, which takes a moment after its start. */
const uncheckedMs = 5_000

export const infoQuery = (client: Client) =>
  queryOptions({
    queryKey: ['info'],
    queryFn: ({ signal }) => client.info({ signal }),
    refetchInterval: ({ state }) => (state.data?.real_email_domains === null ? uncheckedMs : false),
  })

export const healthQuery = (client: Client) =>
  queryOptions({ queryKey: ['health'], queryFn: ({ signal }) => client.health({ signal }) })

interface Request<T, K extends QueryKey> {
  readonly queryKey: K
  readonly queryFn?: QueryFunction<T, K>
}

/** Sends the request of a component, and keeps the earlier result until the new one has arrived. */
export const useRequest = <T, K extends QueryKey>(
  { queryKey, queryFn }: Request<T, K>,
  { enabled = true, isOfFrame = false }: RequestOptions = {},
): Result<T> =>
  useQuery<T, Error, T, K>({ queryKey, queryFn, placeholderData: keepPreviousData, enabled, meta: { isOfFrame } })

export const useList = <
  N extends ResourceName,
  const F extends Field<N> = Field<N>,
  const E extends Relation<N> = never,
>(
  resource: N,
  query: ListQuery<N, F, E>,
  options?: RequestOptions,
) => useRequest(listQuery(useSession().client, resource, query), options)

export const useRecord = <
  N extends ResourceName,
  const F extends Field<N> = Field<N>,
  const E extends Relation<N> = never,
>(
  resource: N,
  id: number,
  selection: Selection<F, E> = {},
  options?: RequestOptions,
) => useRequest(recordQuery(useSession().client, resource, id, selection), options)

export const useHistory = <N extends TrackedName>(resource: N, id: number, options?: RequestOptions) =>
  useRequest(historyQuery(useSession().client, resource, id), options)

/** One request for each record. */
export const useHistories = <N extends TrackedName>(
  resource: N,
  ids: readonly number[],
  { enabled = true }: RequestOptions = {},
) => {
  const { client } = useSession()
  return useQueries({ queries: ids.map((id) => ({ ...historyQuery(client, resource, id), enabled })) })
}

export const useCounts = <N extends CountableName, const G extends Resources[N]['groupKey']>(
  resource: N,
  query: CountQuery<N, G>,
  options?: RequestOptions,
) => useRequest(countQuery(useSession().client, resource, query), options)

export const useReport = <N extends ReportName>(name: N, query: ReportQueries[N], options?: RequestOptions) =>
  useRequest(reportQuery(useSession().client, name, query), options)

/** One request for each query, for screens whose parts are opened one by one. Each result is kept by its own query. */
export const useReports = <N extends ReportName>(
  name: N,
  queries: readonly ReportQueries[N][],
  { enabled = true }: RequestOptions = {},
) => {
  const { client } = useSession()
  return useQueries({ queries: queries.map((query) => ({ ...reportQuery(client, name, query), enabled })) })
}

export const useSearch = (query: SearchQuery, options?: RequestOptions) =>
  useRequest(searchQuery(useSession().client, query), options)

export const useAnyHistory = (path: string, id: number) => useRequest(anyHistoryQuery(useSession().client, path, id))

export const useServiceInfo = () => useQuery(infoQuery(useSession().client))
