/** The statements of a search: find all matching ids, or count them if there are very many; then read pages. */
import type { Resource } from '@muster/model'
import type { Statement } from '../../postgres/sql/statement.ts'
import {
  joinedRecords,
  Parameters,
  pagePool,
  quoteIdentifier,
  recordText,
  statementLabels,
  versionedSelect,
} from '../../postgres/sql/statement.ts'
import { boundedOffset, conditionsOf, hasFilters, hasTrigram, isSelective, termConditions } from '../filters.ts'
import { orderBy, orderColumns, pageByIds, pageInOrder } from '../sort.ts'
import type { ListQuery } from './query.ts'

/**
 * If there are more matches than this, they are counted per bucket of ids, because storing all ids would take
 * megabytes.
 */
export const maxIds = 200_000

/** Statements are prepared only for searches with at most this many terms: each number of terms has its own. */
const maxPreparedTerms = 3
const hasFewTerms = ({ terms, filters, sort }: ListQuery): boolean =>
  filters.length === 0 && sort.length === 0 && terms.length <= maxPreparedTerms

/**
 * Planning a search takes several times as long as finding a rare term. One plan for all terms uses the trigram index,
 * which needs three letters. In a larger table, it takes almost twice as long to find a frequent term.
 */
const maxPreparedRows = 2_000_000
const canPrepareFind = (resource: Resource, query: ListQuery, rowCount: number): boolean =>
  pagePool(resource) === 'read' && hasFewTerms(query) && query.terms.some(hasTrigram) && rowCount <= maxPreparedRows

/**
 * Selects version, row count of the table, at most `maxIds + 1` matching ids, and the records of the page. `rowCount` is
 * that of an earlier search of the table; without one, the table may be large.
 */
export const findStatement = (resource: Resource, query: ListQuery, rowCount = Number.POSITIVE_INFINITY): Statement => {
  const parameters = new Parameters()
  const isPrepared = canPrepareFind(resource, query, rowCount)
  const conditions = isPrepared
    ? termConditions(resource, query.terms, parameters)
    : conditionsOf(resource, query, parameters)
  const table = quoteIdentifier(resource.table)
  const limit = `${parameters.add(query.limit)}::bigint`
  const offset = `${parameters.add(boundedOffset(query.offset))}::bigint`
  const page = pageByIds(resource, query.sort, `array(select id from found limit ${limit} offset ${offset})`)
  const matchingRows = `select ${orderColumns(query.sort)} from ${table} where ${conditions} limit ${maxIds + 1}`
  return {
    pool: isSelective(resource, query) ? 'list' : 'search',
    ...(isPrepared ? statementLabels(`find by ${query.terms.length}`, resource) : { summary: `find ${resource.path}` }),
    ...versionedSelect(resource, `counts.rows, (select string_agg(id::text, ',') from found), ${joinedRecords(page)}`, {
      queries: `found as materialized (select id from (${matchingRows}) ${table} order by ${orderBy(resource, query.sort)})`,
    }),
    values: parameters.values,
  }
}

/** Selects version and number of matches. */
export const countMatchesStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const count = hasFilters(query)
    ? `(select count(*) from ${quoteIdentifier(resource.table)} where ${conditionsOf(resource, query, parameters)})`
    : 'counts.rows'
  return {
    pool: 'search',
    summary: `count ${resource.path}`,
    ...versionedSelect(resource, count),
    values: parameters.values,
  }
}

/** Selects version, buckets of 256 ids that hold matches, and the number of matches in each. */
export const countBucketsStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const conditions = conditionsOf(resource, query, parameters)
  const aggregated = (column: string) => `(select string_agg(${column}::text, ',' order by bucket) from buckets)`
  return {
    pool: 'search',
    summary: `count buckets of ${resource.path}`,
    ...versionedSelect(resource, `${aggregated('bucket')}, ${aggregated('matches')}`, {
      queries: `buckets as materialized (select id >> 8 as bucket, count(*) as matches from ${quoteIdentifier(resource.table)} where ${conditions} group by 1)`,
    }),
    values: parameters.values,
  }
}

/** Selects version and the records with these ids. */
export const pageByIdsStatement = (resource: Resource, { sort }: ListQuery, ids: Float64Array): Statement => {
  const page = pageByIds(resource, sort, sort.length === 0 ? '$1' : '$1::bigint[]')
  return {
    pool: pagePool(resource),
    ...statementLabels(sort.length === 0 ? 'page' : 'sorted page', resource),
    ...versionedSelect(resource, joinedRecords(page)),
    values: [`{${ids.join(',')}}`],
  }
}

/** Selects version and the records of the page, scanned from the first match in order. */
export const pageInOrderStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  return {
    pool: 'search',
    summary: `page in order ${resource.path}`,
    ...versionedSelect(resource, joinedRecords(pageInOrder(resource, query, parameters))),
    values: parameters.values,
  }
}

export interface BucketRange {
  /** The first id of the range that contains the page. */
  readonly from: bigint
  /** The first id after the range. */
  readonly to: bigint
  /** Number of matches to skip from the start of the range. */
  readonly skip: number
}

/** Selects version and the records of the page, which lie in a known range of ids. */
export const pageInRangeStatement = (
  resource: Resource,
  query: ListQuery,
  { from, to, skip }: BucketRange,
): Statement => {
  const parameters = new Parameters()
  const range = [from, to].map((edge) => `${parameters.add(String(edge))}::bigint`)
  const limit = parameters.add(query.limit)
  const skipParameter = parameters.add(skip)
  const table = quoteIdentifier(resource.table)
  const isPrepared = hasFewTerms(query)
  const conditions = isPrepared
    ? termConditions(resource, query.terms, parameters)
    : conditionsOf(resource, query, parameters)
  // "offset 0" keeps the planner from looking the terms up in the index of the whole table.
  const rangeRows = `(select * from ${table} where id >= ${range[0]} and id < ${range[1]} order by id offset 0) ${table}`
  const page = `select ${recordText(resource)} from ${rangeRows} where ${conditions} order by id limit ${limit} offset ${skipParameter}`
  return {
    pool: isPrepared ? pagePool(resource) : 'search',
    ...(isPrepared
      ? statementLabels(`page by buckets by ${query.terms.length}`, resource)
      : { summary: `page by buckets ${resource.path}` }),
    ...versionedSelect(resource, joinedRecords(page)),
    values: parameters.values,
  }
}

/** Selects version, total and records in one statement, which is slow. */
export const countAndPageStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const count = `select count(*) from ${quoteIdentifier(resource.table)} where ${conditionsOf(resource, query, parameters)}`
  const page = pageInOrder(resource, query, parameters)
  return {
    pool: 'search',
    summary: `count and page ${resource.path}`,
    ...versionedSelect(resource, `(${count}), ${joinedRecords(page)}`),
    values: parameters.values,
  }
}
