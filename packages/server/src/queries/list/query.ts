import type { ListFilters } from '../filters.ts'
import type { SortKey } from '../sort.ts'

export interface ListQuery extends ListFilters {
  readonly limit: number
  readonly offset: bigint
  /** The sort order, as returned by `completeOrder`. Empty means ascending id. */
  readonly sort: readonly SortKey[]
}

export interface Page {
  /** The version of the tables in the page's snapshot. */
  readonly version: string
  readonly total: number
  /** The records as JSON objects, joined by commas; null if they exceed `maxPageBytes`. */
  readonly records: string | null
}
