export type { Client, ClientOptions } from './client.ts'
export { createClient } from './client.ts'
export type { MusterErrorCode, Problem } from './errors.ts'
export { MusterError } from './errors.ts'
export type * from './generated/reports.ts'
export type * from './generated/resources.ts'
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
export type { Change, ChangesPage, ChangesQuery, LiveChange, LiveChangesQuery, ResourcePath } from './types/changes.ts'
export type {
  AnyGroup,
  AnyQuery,
  AnyRecord,
  AnyResourceClient,
  CountableName,
  CountClients,
  CreateOptions,
  ReadOptions,
  ReportClients,
  ResourceClient,
  ResourceClients,
  ResourceName,
  ServiceHealth,
  ServiceInfo,
  Session,
} from './types/client-types.ts'
export type { Grouping, Selection } from './types/queries.ts'
export type { ReportName, ReportResult } from './types/reports.ts'
export type { Counts, Group, Page, RecordedValue, RecordHistory, SelectedRecord } from './types/results.ts'
export type {
  CandidateResult,
  EmployeeResult,
  JobResult,
  SearchPage,
  SearchQuery,
  SearchResult,
} from './types/search.ts'
