/** Lists without a stored row count: finds the matching ids once per table version, then reads each page by its ids. */
import type { Resource } from '@muster/model'
import { LRUCache } from 'lru-cache'
import type { Runner } from '../../postgres/connection/database.ts'
import { tableKey } from '../../postgres/sql/statement.ts'
import { filterCacheKey } from '../filters.ts'
import { orderCacheKey } from '../sort.ts'
import type { ListQuery, Page } from './query.ts'
import type { BucketRange } from './search-statements.ts'
import {
  countAndPageStatement,
  countBucketsStatement,
  countMatchesStatement,
  findStatement,
  maxIds,
  pageByIdsStatement,
  pageInOrderStatement,
  pageInRangeStatement,
} from './search-statements.ts'
import { lastAtMost, parseNumbers } from './sorted-array.ts'

export interface SearchCache {
  page(reader: Runner, resource: Resource, query: ListQuery): Promise<Page>
}

/**
 * The matches in one version of the table: all ids in list order. If there are more than `maxIds`: the number of
 * matches per bucket of 256 ids, or, in a sorted list, only their total.
 */
interface Matches {
  readonly version: string
  readonly total: number
  readonly ids?: Float64Array
  readonly buckets?: BucketCounts
}

interface BucketCounts {
  readonly bucketNumbers: Float64Array
  /** Number of matches before the bucket at the same index. */
  readonly matchesBefore: Float64Array
}

/** If the table changes between finding and reading this often, page and count are read by one slow statement. */
const maxAttempts = 2

export const openSearchCache = (maxBytes: number): SearchCache => {
  const cache = new LRUCache<string, Matches>({
    // To lru-cache, 0 means no limit. No entry fits into 1 byte, so the cache is then off.
    maxSize: Math.max(Math.floor(maxBytes), 1),
    sizeCalculation: (matches, key) => sizeOf(matches) + key.length * 2,
  })

  /** Row counts of the tables when they were last searched. */
  const rowCounts = new Map<string, number>()

  const readPage = async (
    reader: Runner,
    resource: Resource,
    query: ListQuery,
    matches: Matches,
  ): Promise<Page | undefined> => {
    const [row] = await reader.run(pageStatement(resource, query, matches))
    if (row?.[0] !== matches.version) return undefined
    return { version: matches.version, total: matches.total, records: row[1] as string | null }
  }

  return {
    async page(reader, resource, query) {
      const key = cacheKeyOf(resource, query)
      const cached = cache.get(key)
      const page = cached === undefined ? undefined : await readPage(reader, resource, query, cached)
      if (page !== undefined) return page
      cache.delete(key)
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const [foundRow] = await reader.run(findStatement(resource, query, rowCounts.get(resource.table)))
        const version = foundRow?.[0] as string
        rowCounts.set(resource.table, Number(foundRow?.[1]))
        const ids = parseNumbers(foundRow?.[2] as string | null)
        if (ids.length <= maxIds) {
          cache.set(key, { version, total: ids.length, ids })
          return { version, total: ids.length, records: foundRow?.[3] as string | null }
        }
        const manyMatches = await (query.sort.length === 0 ? countBuckets : countAll)(reader, resource, query)
        cache.set(key, manyMatches)
        const freshPage = await readPage(reader, resource, query, manyMatches)
        if (freshPage !== undefined) return freshPage
      }
      const [row] = await reader.run(countAndPageStatement(resource, query))
      return { version: row?.[0] as string, total: Number(row?.[1]), records: row?.[2] as string | null }
    },
  }
}

const cacheKeyOf = (resource: Resource, { terms, filters, sort }: ListQuery): string =>
  JSON.stringify([tableKey(resource), resource.redacted, terms, filters.map(filterCacheKey), orderCacheKey(sort)])

const sizeOf = ({ ids, buckets }: Matches): number =>
  200 + (ids?.byteLength ?? 0) + (buckets === undefined ? 0 : buckets.bucketNumbers.byteLength * 2)

const countBuckets = async (reader: Runner, resource: Resource, query: ListQuery): Promise<Matches> => {
  const [row] = await reader.run(countBucketsStatement(resource, query))
  const bucketNumbers = parseNumbers(row?.[1] as string | null)
  const matchCounts = parseNumbers(row?.[2] as string | null)
  const matchesBefore = new Float64Array(matchCounts.length)
  let total = 0
  for (const [index, count] of matchCounts.entries()) {
    matchesBefore[index] = total
    total += count
  }
  return { version: row?.[0] as string, total, buckets: { bucketNumbers, matchesBefore } }
}

const countAll = async (reader: Runner, resource: Resource, query: ListQuery): Promise<Matches> => {
  const [row] = await reader.run(countMatchesStatement(resource, query))
  return { version: row?.[0] as string, total: Number(row?.[1]) }
}

const pageStatement = (resource: Resource, query: ListQuery, { ids, buckets }: Matches) => {
  const offset = Number(query.offset)
  if (ids !== undefined) return pageByIdsStatement(resource, query, ids.subarray(offset, offset + query.limit))
  if (buckets === undefined) return pageInOrderStatement(resource, query)
  return pageInRangeStatement(resource, query, rangeOf(query, buckets))
}

const rangeOf = ({ offset, limit }: ListQuery, { bucketNumbers, matchesBefore }: BucketCounts): BucketRange => {
  const firstIndex = lastAtMost(matchesBefore, Number(offset))
  const lastIndex = lastAtMost(matchesBefore, Number(offset) + limit)
  return {
    from: BigInt(bucketNumbers[firstIndex] ?? 0) << 8n,
    to: BigInt((bucketNumbers[lastIndex] ?? 0) + 1) << 8n,
    skip: Math.min(Number(offset) - (matchesBefore[firstIndex] ?? 0), Number.MAX_SAFE_INTEGER),
  }
}
