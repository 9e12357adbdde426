import type { Resource } from '@muster/model'
import type { Runner } from '../../postgres/connection/database.ts'
import type { Statement } from '../../postgres/sql/statement.ts'
import type { Filter, ValueFilter } from '../filters.ts'
import { matchesNothing, possibleValues } from '../filters.ts'
import type { ListQuery, Page } from './query.ts'
import { emptyStatement, scanStatement } from './scan.ts'
import type { SearchCache } from './search.ts'
import { seekStatement } from './seek.ts'
import { sortedScanStatement } from './sorted-scan.ts'

export type ListPlan =
  /** The filters exclude every row: only the version is read. */
  | { readonly strategy: 'empty' }
  /** Reads from the first row of the list, which up to an offset of 256 is as fast as a seek. */
  | { readonly strategy: 'scan'; readonly filter: ValueFilter | undefined }
  /**
   * Finds the first row of the page by row counts per bucket of ids, which costs the same at any offset of any table.
   */
  | { readonly strategy: 'seekByCount'; readonly filter: ValueFilter | undefined }
  /** Scans the index of the sort order from its first row. */
  | { readonly strategy: 'sortedScan'; readonly filter: ValueFilter | undefined }
  /** Finds all matching ids once per version, caches them, and reads each page by its ids. */
  | { readonly strategy: 'search' }

/** Up to this offset a scan is as fast as a seek. */
const maxScanOffset = 256n
/** Up to this offset a sorted list is scanned; beyond it, all ids are found once and cached. */
const maxSortedScanOffset = 10_000n
/** With more values than this, merging one index range per value costs more than a search. */
const maxCountedValues = 8

/** Chooses how to read one page. */
export const planList = (query: ListQuery): ListPlan => {
  const { terms, filters, sort, offset } = query
  const [filter, ...otherFilters] = filters
  if (matchesNothing(query)) return { strategy: 'empty' }
  // Row counts are stored per table and per value of a status field: any other total requires a search.
  if (terms.length > 0 || otherFilters.length > 0 || !hasRowCount(filter)) return { strategy: 'search' }
  if (sort.length > 0) return offset < maxSortedScanOffset ? { strategy: 'sortedScan', filter } : { strategy: 'search' }
  const isOneRange = filter === undefined || possibleValues(filter).length === 1
  return isOneRange && offset < maxScanOffset ? { strategy: 'scan', filter } : { strategy: 'seekByCount', filter }
}

const hasRowCount = (filter: Filter | undefined): filter is ValueFilter | undefined =>
  filter === undefined ||
  ('values' in filter && filter.field.state === true && possibleValues(filter).length <= maxCountedValues)

export interface ListReader {
  readonly reader: Runner
  readonly searches: SearchCache
}

/** Reads a page, its total and its version from one snapshot. */
export const executeList = async (
  plan: ListPlan,
  { reader, searches }: ListReader,
  resource: Resource,
  query: ListQuery,
): Promise<Page> => {
  if (plan.strategy === 'search') return searches.page(reader, resource, query)
  const [row] = await reader.run(listStatement(plan, resource, query))
  return { version: row?.[0] as string, total: Number(row?.[1]), records: row?.[2] as string | null }
}

/** The only statement of a plan other than a search, which may run several. */
export const listStatement = (
  plan: Exclude<ListPlan, { strategy: 'search' }>,
  resource: Resource,
  query: ListQuery,
): Statement => {
  switch (plan.strategy) {
    case 'empty':
      return emptyStatement(resource)
    case 'scan':
      return scanStatement(resource, query, plan.filter)
    case 'seekByCount':
      return seekStatement(resource, query, plan.filter)
    case 'sortedScan':
      return sortedScanStatement(resource, query, plan.filter)
  }
}
