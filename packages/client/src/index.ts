export type { Client, ClientOptions } from './client.ts'
export { createClient } from './client.ts'
export type { MusterErrorCode, Problem } from './errors.ts'
export { MusterError } from './errors.ts'
export { queryString } from './query-string.ts'
export type { RetryOptions } from './retry.ts'
export type {
  CareerSiteColor,
  CareerSiteLocale,
  CareerSitesPage,
  CareerSitesQuery,
  CareerSiteVisibility,
  HiddenPosting,
  HiddenPostingsPage,
  HiddenPostingsQuery,
} from './types/career-visibility.ts'
export type { Change, ChangesPage, ChangesQuery, ResourcePath } from './types/changes.ts'
export type {
  CreateBodies,
  CreateOptions,
  ReadOptions,
  Records,
  ResourceClient,
  ResourceName,
  ServiceHealth,
  ServiceInfo,
} from './types/client-types.ts'
export type { ReportName, ReportQueries, ReportResult, ReportRows } from './types/reports.ts'
export type { Counts, Page } from './types/results.ts'
