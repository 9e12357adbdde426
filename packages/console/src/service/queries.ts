/**
 * One hook for each kind of request. While a request with new parameters runs, the earlier result stays on the screen,
 * see `components/Loadable.tsx`.
 */
import type {
  CareerSitesPage,
  CareerSitesQuery,
  Client,
  Counts,
  HiddenPostingsPage,
  HiddenPostingsQuery,
  Page,
  ReportName,
  ReportQueries,
  ReportResult,
  ReportRows,
  ResourceName,
  Resources,
  ServiceInfo,
} from '@muster/client'
import type { UseQueryResult } from '@tanstack/react-query'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useSession } from './session.tsx'

/** The result of a request, as screens receive it. */
export type Result<T> = UseQueryResult<T, Error>

interface RequestOptions {
  /** If false, the request is not sent yet. */
  readonly enabled?: boolean | undefined
}

const useRequest = <T>(
  key: readonly unknown[],
  send: (client: Client, signal: AbortSignal) => Promise<unknown>,
  { enabled = true }: RequestOptions = {},
): Result<T> => {
  const { client } = useSession()
  return useQuery<T, Error, T, readonly unknown[]>({
    queryKey: key,
    queryFn: ({ signal }) => send(client, signal) as Promise<T>,
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** The methods of any resource, without the types of its fields. */
interface UntypedResource {
  list(query: object, options: { signal: AbortSignal }): Promise<unknown>
  get(id: number, selection: object, options: { signal: AbortSignal }): Promise<unknown>
  count(query: object, options: { signal: AbortSignal }): Promise<unknown>
}
const resourceClient = (client: Client, name: ResourceName) => client[name] as unknown as UntypedResource

type ListQuery<N extends ResourceName> = NonNullable<Parameters<Client[N]['list']>[0]>
type CountQuery<N extends ResourceName> = Parameters<Client[N]['count']>[0]
/** A group of a count: the values of the fields in `by`, and the number of records. */
export type Group = Record<string, string | number | null> & { readonly count: number }

/** `Row` is the type of a record if the query selects fields or expands relations. */
export const useList = <N extends ResourceName, Row = Resources[N]['record']>(
  resource: N,
  query: ListQuery<N>,
  options?: RequestOptions,
): Result<Page<Row>> =>
  useRequest(
    [resource, 'list', query],
    (client, signal) => resourceClient(client, resource).list(query, { signal }),
    options,
  )

export const useRecord = <N extends ResourceName, Row = Resources[N]['record']>(
  resource: N,
  id: number,
  selection: object = {},
  options?: RequestOptions,
): Result<Row> =>
  useRequest(
    [resource, 'get', id, selection],
    (client, signal) => resourceClient(client, resource).get(id, selection, { signal }),
    options,
  )

export const useCounts = <N extends ResourceName>(
  resource: N,
  query: CountQuery<N>,
  options?: RequestOptions,
): Result<Counts<Group>> =>
  useRequest(
    [resource, 'count', query],
    (client, signal) => resourceClient(client, resource).count(query as object, { signal }),
    options,
  )

export const useReport = <N extends ReportName>(
  name: N,
  query: ReportQueries[N],
  options?: RequestOptions,
): Result<ReportResult<ReportRows[N]>> =>
  useRequest(['report', name, query], (client, signal) => client.reports[name](query as never, { signal }), options)

/** One request for each query, for screens whose parts are opened one by one. Each result is kept by its own query. */
export const useReports = <N extends ReportName>(
  name: N,
  queries: readonly ReportQueries[N][],
  { enabled = true }: RequestOptions = {},
): readonly Result<ReportResult<ReportRows[N]>>[] => {
  const { client } = useSession()
  return useQueries({
    queries: queries.map((query) => ({
      queryKey: ['report', name, query],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.reports[name](query as never, { signal }) as Promise<ReportResult<ReportRows[N]>>,
      enabled,
    })),
  }) as Result<ReportResult<ReportRows[N]>>[]
}

export const useCareerSites = (query: CareerSitesQuery): Result<CareerSitesPage> =>
  useRequest(['career sites', query], (client, signal) => client.careerVisibility.sites(query, { signal }))

export const useHiddenPostings = (siteId: number, query: HiddenPostingsQuery): Result<HiddenPostingsPage> =>
  useRequest(['hidden postings', siteId, query], (client, signal) =>
    client.careerVisibility.postings(siteId, query, { signal }),
  )

/** Asks again until the service has checked the e-mail addresses, which takes a moment after its start. */
const uncheckedMs = 5_000

export const useServiceInfo = (): Result<ServiceInfo> => {
  const { client } = useSession()
  return useQuery<ServiceInfo>({
    queryKey: ['info'],
    queryFn: ({ signal }) => client.info({ signal }),
    refetchInterval: ({ state }) => (state.data?.real_email_domains === null ? uncheckedMs : false),
  })
}

export const useServiceHealth = (): Result<Awaited<ReturnType<Client['health']>>> =>
  useRequest(['health'], (client, signal) => client.health({ signal }))
