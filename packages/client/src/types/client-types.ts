import type { FieldNameOf, ReadMode } from '@muster/model'
import type { CareerSitesPage, CareerSitesQuery, HiddenPostingsPage, HiddenPostingsQuery } from './career-visibility.ts'
import type { ChangesPage, ChangesQuery } from './changes.ts'
import type { CamelCase, DeclaredResource, GroupKey, Relation } from './declared.ts'
import type { CountQuery, EachQuery, ListQuery, Selection } from './queries.ts'
import type { ReportName, ReportQueries, ReportResult, ReportRows } from './reports.ts'
import type { Counts, CreateBody, FullRecord, Group, Page, SelectedRecord } from './results.ts'

/** The declarations of the resources, by their name in the client. */
export type Resources = { [R in DeclaredResource as CamelCase<R['path']>]: R }
export type ResourceName = keyof Resources
/** Complete records: `Records['employees']`. */
export type Records = { [N in ResourceName]: FullRecord<Resources[N]> }
/** Bodies of creates: `CreateBodies['leave']`. */
export type CreateBodies = {
  [N in ResourceName as [keyof CreateBody<Resources[N]>] extends [never] ? never : N]: CreateBody<Resources[N]>
}

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

interface ReadMethods<R extends DeclaredResource> {
  /** Reads one page of the matching records. */
  list<F extends FieldNameOf<R> = FieldNameOf<R>, E extends Relation<R> = never>(
    query?: ListQuery<R, F, E>,
    options?: ReadOptions,
  ): Promise<Page<SelectedRecord<R, F, E>>>

  /**
   * Reads all matching records of one snapshot of the database as a stream, with one request. Throws if the stream
   * breaks off or has fewer records than the service announced.
   */
  each<F extends FieldNameOf<R> = FieldNameOf<R>, E extends Relation<R> = never>(
    query?: EachQuery<R, F, E>,
    options?: ReadOptions,
  ): AsyncGenerator<SelectedRecord<R, F, E>, void, undefined>

  /** Reads one record. Throws an error with the code `not_found` if no record has this id. */
  get<F extends FieldNameOf<R> = FieldNameOf<R>, E extends Relation<R> = never>(
    id: number,
    selection?: Selection<R, F, E>,
    options?: ReadOptions,
  ): Promise<SelectedRecord<R, F, E>>
}

interface CountMethod<R extends DeclaredResource> {
  /** Returns the exact number of records in each group. Records are grouped by one or two fields. */
  count<G extends GroupKey<R>>(query: CountQuery<R, G>, options?: ReadOptions): Promise<Counts<Group<R, G>>>
}

interface CreateMethod<R extends DeclaredResource> {
  /** Creates exactly one record, even if the request has to be repeated. */
  create(body: CreateBody<R>, options?: CreateOptions): Promise<FullRecord<R>>
}

export type ResourceClient<R extends DeclaredResource> = ReadMethods<R> &
  ([GroupKey<R>] extends [never] ? unknown : CountMethod<R>) &
  ([keyof CreateBody<R>] extends [never] ? unknown : CreateMethod<R>)

export type ResourceClients = { readonly [N in ResourceName]: ResourceClient<Resources[N]> }

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

export interface ServiceClient {
  /** Which postings search engines get. Throws an error with the code `not_found` if career sites are off. */
  readonly careerVisibility: {
    /** All career sites, active or not, with their colours and the numbers of their postings. */
    sites(query?: CareerSitesQuery, options?: ReadOptions): Promise<CareerSitesPage>
    /** The postings of a site that search engines do not get, with what keeps them from them. */
    postings(siteId: number, query?: HiddenPostingsQuery, options?: ReadOptions): Promise<HiddenPostingsPage>
  }
  /**
   * Reads what changed after a cursor, page by page, until there are no more changes. Throws an error with the code
   * `cursor_gone` if the changes are no longer available.
   */
  changes(query?: ChangesQuery, options?: ReadOptions): AsyncGenerator<ChangesPage, void, undefined>
  info(options?: ReadOptions): Promise<ServiceInfo>
  health(options?: ReadOptions): Promise<ServiceHealth>
}
