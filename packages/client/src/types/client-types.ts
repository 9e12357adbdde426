import type { ReadMode } from '@muster/model'
import type { ReportQueries, ReportRows } from '../generated/reports.ts'
import type { Resources } from '../generated/resources.ts'
import type { ParameterValue } from '../query-string.ts'
import type { CareerSitesPage, CareerSitesQuery, HiddenPostingsPage, HiddenPostingsQuery } from './career-visibility.ts'
import type { ChangesPage, ChangesQuery, LiveChange, LiveChangesQuery } from './changes.ts'
import type { Grouping, Selection } from './queries.ts'
import type { ReportName, ReportResult } from './reports.ts'
import type { Counts, Group, Page, RecordHistory, ResourceTypes, SelectedRecord } from './results.ts'
import type { SearchPage, SearchQuery } from './search.ts'

export type ResourceName = keyof Resources

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined
}

export interface CreateOptions extends ReadOptions {
  /**
   * By default each call uses a new random key. Pass your own key to be able to repeat the call after a restart of your
   * program.
   */
  readonly idempotencyKey?: string | undefined
}

/** A stream has all records, so it takes no page. */
type Unpaged<Q> = { [K in keyof Q as Exclude<K, 'limit' | 'offset'>]: Q[K] }

interface ReadMethods<R extends ResourceTypes> {
  /** Reads one page of the matching records. */
  list<F extends keyof R['record'] = keyof R['record'], E extends R['relation'] = never>(
    query?: R['query'] & Selection<F, E>,
    options?: ReadOptions,
  ): Promise<Page<SelectedRecord<R, F, E>>>

  /**
   * Reads all matching records of one snapshot of the database as a stream, with one request. Throws if the stream
   * breaks off or has fewer records than the service announced.
   */
  each<F extends keyof R['record'] = keyof R['record'], E extends R['relation'] = never>(
    query?: Unpaged<R['query']> & Selection<F, E>,
    options?: ReadOptions,
  ): AsyncGenerator<SelectedRecord<R, F, E>, void, undefined>

  /** Reads one record. Throws an error with the code `not_found` if no record has this id. */
  get<F extends keyof R['record'] = keyof R['record'], E extends R['relation'] = never>(
    id: number,
    selection?: Selection<F, E>,
    options?: ReadOptions,
  ): Promise<SelectedRecord<R, F, E>>
}

interface CountMethod<R extends ResourceTypes> {
  /** Returns the exact number of records in each group. Records are grouped by one or two fields. */
  count<G extends R['groupKey']>(query: R['filters'] & Grouping<G>, options?: ReadOptions): Promise<Counts<Group<R, G>>>
}

interface CreateMethod<R extends ResourceTypes> {
  /** Creates exactly one record, even if the request has to be repeated. */
  create(body: R['create'], options?: CreateOptions): Promise<R['record']>
}

interface HistoryMethod<R extends ResourceTypes> {
  /** Returns the first value of each tracked field of a record, and then its changes in order. */
  history(id: number, options?: ReadOptions): Promise<RecordHistory<R['trackedField']>>
}

export type ResourceClient<R extends ResourceTypes> = ReadMethods<R> &
  ([R['groupKey']] extends [never] ? unknown : CountMethod<R>) &
  ([R['create']] extends [never] ? unknown : CreateMethod<R>) &
  ([R['trackedField']] extends [never] ? unknown : HistoryMethod<R>)

export type ResourceClients = { readonly [N in ResourceName]: ResourceClient<Resources[N]> }

/** The resources that have the method `count`. */
export type CountableName = {
  [N in ResourceName]: [Resources[N]['groupKey']] extends [never] ? never : N
}[ResourceName]
/** For functions that count any of several resources: TypeScript finds no method in `ResourceClients[N]` if N is a type parameter. */
export type CountClients = { readonly [N in CountableName]: CountMethod<Resources[N]> }

/** Parameters of a resource that is known only at run time, as the API has them. */
export type AnyQuery = Readonly<Record<string, ParameterValue>>
export type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: number }
export type AnyGroup = Readonly<Record<string, string | number | null>> & { readonly count: number }

/** Reads a resource that is known only at run time, so nothing about its fields is checked. */
export interface AnyResourceClient {
  list(query?: AnyQuery, options?: ReadOptions): Promise<Page<AnyRecord>>
  get(id: number, selection?: AnyQuery, options?: ReadOptions): Promise<AnyRecord>
  count(query: AnyQuery, options?: ReadOptions): Promise<Counts<AnyGroup>>
  /** Throws an error with the code `not_found` if the resource has no tracked fields. */
  history(id: number, options?: ReadOptions): Promise<RecordHistory<string>>
}

export interface ReportClients {
  /** One method for each report. Each figure in a row has, in `links`, the path of the list of the records behind it. */
  readonly reports: {
    readonly [N in ReportName]: (
      query?: ReportQueries[N],
      options?: ReadOptions,
    ) => Promise<ReportResult<ReportRows[N]>>
  }
}

/** Describes the deployment. */
export interface ServiceInfo {
  readonly product: string
  readonly version: string
  /** Whether reads are public, public without personal fields, or need a token. */
  readonly reads: ReadMode
  /**
   * Whether employees or candidates have e-mail addresses outside the domains that are reserved for examples. Null until
   * the service has checked, shortly after its start.
   */
  readonly real_email_domains: boolean | null
}

export interface ServiceHealth {
  readonly status: 'ok' | 'degraded'
  readonly writes_enabled: boolean
}

/** What the token of the client may do. */
export interface Session {
  /** The name of the token; null without a valid one. */
  readonly name: string | null
  /** What the name is from; other ways to authenticate may be added. */
  readonly by: 'token' | 'none' | (string & {})
  /** How the client sees what is in `read`. */
  readonly reads: 'full' | 'redacted' | 'none'
  /** Resources and reports. */
  readonly read: readonly string[]
  /** Resources of which the client may create records. */
  readonly create: readonly string[]
  /** The last day on which the token is valid; null if it does not expire. */
  readonly expires: string | null
}

export interface ServiceClient {
  /** Reads any resource by its path, such as `job-distributions`, for programs that do not know it when they are written. */
  resource(path: string): AnyResourceClient
  /** Which postings search engines get. Throws an error with the code `not_found` if career sites are off. */
  readonly careerVisibility: {
    /** All career sites, active or not, with their colours and the numbers of their postings. */
    sites(query?: CareerSitesQuery, options?: ReadOptions): Promise<CareerSitesPage>
    /** The postings of a site that search engines do not get, with what keeps them from them. */
    postings(siteId: number, query?: HiddenPostingsQuery, options?: ReadOptions): Promise<HiddenPostingsPage>
  }
  /** Finds people, candidates and job openings: the best matches first. */
  search(query: SearchQuery, options?: ReadOptions): Promise<SearchPage>
  /**
   * Reads what changed after a cursor, page by page, until there are no more changes. Throws an error with the code
   * `cursor_gone` if the changes are no longer available.
   */
  changes(query?: ChangesQuery, options?: ReadOptions): AsyncGenerator<ChangesPage, void, undefined>
  /**
   * Yields each change within about a second after it is made. Ends when the service shuts down or its tokens are replaced,
   * and throws if the connection breaks: continue with the last cursor.
   */
  liveChanges(query?: LiveChangesQuery, options?: ReadOptions): AsyncGenerator<LiveChange, void, undefined>
  info(options?: ReadOptions): Promise<ServiceInfo>
  health(options?: ReadOptions): Promise<ServiceHealth>
  /** Also without a token, or with a wrong one. */
  session(options?: ReadOptions): Promise<Session>
}
