/** In charge of lists that the books do not count: finds the matching ids once per version, then reads page after page by them. */
import type { Resource } from '@muster/model'
import type { Runner } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import {
  booksOf,
  joinedRecords,
  named,
  Parameters,
  pagePool,
  quoted,
  recordText,
  sourceOf,
} from '../database/statement.ts'
import { boundedOffset, conditionsOf, filterKey, isSelective, termConditions } from './conditions.ts'
import type { ListQuery, Page } from './list.ts'
import type { SortKey } from './order.ts'
import { orderBy, orderColumns, orderKey, pageByIds, walkInOrder } from './order.ts'
import { lastAtMost, numbers } from './rising-numbers.ts'
import { SizedMap } from './sized-map.ts'

export interface Selections {
  page(reader: Runner, resource: Resource, query: ListQuery): Promise<Page>
}

/**
 * What matched in one version of the resource: each id in the order asked for; or where there are very many, how many per
 * block of 256, and in another order than that of the ids how many alone.
 */
interface Selection {
  readonly version: string
  readonly total: number
  readonly ids?: Float64Array
  readonly blocks?: BlockCounts
}

interface BlockCounts {
  readonly block: Float64Array
  /** Matches before the block of the same index. */
  readonly before: Float64Array
}

/** More matches than these are kept by block: their ids would take megabytes, and they stand close to each other anyway. */
const maxIds = 200_000
/** After so many tries against a resource that changes all the time, page and count are read by one slow statement. */
const maxTries = 2

export const openSelections = (maxBytes: number): Selections => {
  const known = new SizedMap<Selection>(maxBytes)
  /** Rows of each table when it was last searched: unknown, it may be large. */
  const rowsOf = new Map<string, number>()
  const keep = (key: string, selection: Selection): void => known.set(key, selection, sizeOf(selection))

  const pageOf = async (
    reader: Runner,
    resource: Resource,
    query: ListQuery,
    selection: Selection,
  ): Promise<Page | undefined> => {
    const [row] = await reader.run(pageStatement(resource, query, selection))
    if (row?.[0] !== selection.version) return undefined
    return { version: selection.version, total: selection.total, records: (row[1] ?? '') as string }
  }

  const page = async (reader: Runner, resource: Resource, query: ListQuery): Promise<Page> => {
    const key = keyOf(resource, query)
    const selection = known.get(key)
    const kept = selection === undefined ? undefined : await pageOf(reader, resource, query, selection)
    if (kept !== undefined) return kept
    known.delete(key)
    for (let attempt = 0; attempt < maxTries; attempt += 1) {
      const { version, rows, ids, records } = await find(
        reader,
        resource,
        query,
        rowsOf.get(resource.table) ?? Infinity,
      )
      rowsOf.set(resource.table, rows)
      if (ids.length <= maxIds) {
        keep(key, { version, total: ids.length, ids })
        return { version, total: ids.length, records }
      }
      const many = await (query.sort.length === 0 ? countBlocks : countAll)(reader, resource, query)
      keep(key, many)
      const read = await pageOf(reader, resource, query, many)
      if (read !== undefined) return read
    }
    return readAtOnce(reader, resource, query)
  }
  return { page }
}

const keyOf = (resource: Resource, { terms, filters, sort }: ListQuery): string =>
  JSON.stringify([sourceOf(resource), resource.redacted, terms, filters.map(filterKey), orderKey(sort)])

const sizeOf = ({ ids, blocks }: Selection): number =>
  200 + (ids?.byteLength ?? 0) + (blocks === undefined ? 0 : blocks.block.byteLength * 2)

/** The matching ids and the page asked for, by one statement; more ids than `maxIds` are not all of them. */
const find = async (reader: Runner, resource: Resource, query: ListQuery, rows: number) => {
  const planned = rows <= maxPlannedRows && resource.shape === undefined && canBePlanned(query)
  const [row] = await reader.run(planned ? plannedFindStatement(resource, query) : findStatement(resource, query))
  return {
    version: row?.[0] as string,
    rows: Number(row?.[1]),
    ids: numbers(row?.[2] as string | null),
    records: (row?.[3] ?? '') as string,
  }
}

/**
 * Planning a search takes several times as long as finding a rare term. Planned once for all terms, it goes by the
 * trigram index, which is right where there is a trigram to look up, and not too wrong for a frequent term unless the
 * table is large.
 */
const maxPlannedRows = 2_000_000
const maxPlannedTerms = 3
const isFewWords = ({ terms, filters, sort }: ListQuery): boolean =>
  filters.length === 0 && sort.length === 0 && terms.length <= maxPlannedTerms
const canBePlanned = (query: ListQuery): boolean =>
  isFewWords(query) && query.terms.some((term) => /[\p{L}\p{N}]{3}/u.test(term))

export const findStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const text = findText(resource, query, parameters, conditionsOf(resource, query, parameters))
  return {
    pool: isSelective(resource, query) ? 'list' : 'search',
    summary: `find ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

export const plannedFindStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const text = findText(resource, query, parameters, termConditions(resource, query.terms, parameters))
  return {
    pool: 'search',
    ...named(`find by ${query.terms.length}`, resource),
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

const findText = (resource: Resource, query: ListQuery, parameters: Parameters, conditions: string): string => {
  const table = quoted(resource.table)
  const limit = `${parameters.add(query.limit)}::bigint`
  const offset = `${parameters.add(boundedOffset(query.offset))}::bigint`
  const page = pageByIds(resource, query.sort, `array(select id from found limit ${limit} offset ${offset})`)
  return (
    `with found as materialized (select id from (select ${orderColumns(query.sort)} from ${table} where ${conditions} limit ${maxIds + 1}) ${table} order by ${orderBy(resource, query.sort)})` +
    ` select books.version, books.rows, (select string_agg(id::text, ',') from found), ${joinedRecords(page)} from ${booksOf(resource)}`
  )
}

const countBlocks = async (reader: Runner, resource: Resource, query: ListQuery): Promise<Selection> => {
  const [row] = await reader.run(blocksStatement(resource, query))
  const block = numbers(row?.[1] as string | null)
  const counts = numbers(row?.[2] as string | null)
  const before = new Float64Array(counts.length)
  let total = 0
  for (const [index, count] of counts.entries()) {
    before[index] = total
    total += count
  }
  return { version: row?.[0] as string, total, blocks: { block, before } }
}

const countAll = async (reader: Runner, resource: Resource, query: ListQuery): Promise<Selection> => {
  const [row] = await reader.run(countMatchesStatement(resource, query))
  return { version: row?.[0] as string, total: Number(row?.[1]) }
}

export const countMatchesStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const isAll = query.terms.length === 0 && query.filters.length === 0
  const count = isAll
    ? 'books.rows'
    : `(select count(*) from ${quoted(resource.table)} where ${conditionsOf(resource, query, parameters)})`
  const text = `select books.version, ${count} from ${booksOf(resource)}`
  return {
    pool: 'search',
    summary: `count ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

export const blocksStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const conditions = conditionsOf(resource, query, parameters)
  const text =
    `with blocks as materialized (select id >> 8 as block, count(*) as rows from ${quoted(resource.table)} where ${conditions} group by 1)` +
    ` select books.version, (select string_agg(block::text, ',' order by block) from blocks), (select string_agg(rows::text, ',' order by block) from blocks) from ${booksOf(resource)}`
  return {
    pool: 'search',
    summary: `count blocks of ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

const pageStatement = (resource: Resource, query: ListQuery, { ids, blocks }: Selection): Statement => {
  const offset = Number(query.offset)
  if (ids !== undefined) return byIds(resource, query.sort, ids.subarray(offset, offset + query.limit))
  return blocks === undefined ? byOrder(resource, query) : byBlocks(resource, query, blocks)
}

const byIds = (resource: Resource, sort: readonly SortKey[], ids: Float64Array): Statement => {
  const page = pageByIds(resource, sort, sort.length === 0 ? '$1' : '$1::bigint[]')
  const text = `select books.version, ${joinedRecords(page)} from ${booksOf(resource)}`
  return {
    pool: pagePool(resource),
    ...named(sort.length === 0 ? 'page' : 'sorted page', resource),
    told: { resource, column: 0 },
    text,
    values: [`{${ids.join(',')}}`],
  }
}

const byOrder = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const text = `select books.version, ${joinedRecords(walkInOrder(resource, query, parameters))} from ${booksOf(resource)}`
  return {
    pool: 'search',
    summary: `page in order ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

const byBlocks = (resource: Resource, query: ListQuery, { block, before }: BlockCounts): Statement => {
  const offset = Number(query.offset)
  const first = lastAtMost(before, offset)
  const last = lastAtMost(before, offset + query.limit)
  const parameters = new Parameters()
  const range = [block[first] ?? 0, (block[last] ?? 0) + 1].map((edge) => parameters.add(String(BigInt(edge) << 8n)))
  const limit = parameters.add(query.limit)
  const skipped = parameters.add(Math.min(offset - (before[first] ?? 0), Number.MAX_SAFE_INTEGER))
  const table = quoted(resource.table)
  const isPlanned = isFewWords(query)
  const conditions = isPlanned
    ? termConditions(resource, query.terms, parameters)
    : conditionsOf(resource, query, parameters)
  // Behind a fence: a plan for any words would look them up in the whole table instead of comparing these few rows.
  const near = `(select * from ${table} where id >= ${range[0]}::bigint and id < ${range[1]}::bigint order by id offset 0) ${table}`
  const page = `select ${recordText(resource)} from ${near} where ${conditions} order by id limit ${limit} offset ${skipped}`
  const text = `select books.version, ${joinedRecords(page)} from ${booksOf(resource)}`
  const verb = `page by blocks by ${query.terms.length}`
  return {
    pool: isPlanned ? pagePool(resource) : 'search',
    ...(isPlanned ? named(verb, resource) : { summary: `page by blocks ${resource.path}` }),
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

const readAtOnce = async (reader: Runner, resource: Resource, query: ListQuery): Promise<Page> => {
  const [row] = await reader.run(atOnceStatement(resource, query))
  return { version: row?.[0] as string, total: Number(row?.[1]), records: (row?.[2] ?? '') as string }
}

export const atOnceStatement = (resource: Resource, query: ListQuery): Statement => {
  const parameters = new Parameters()
  const count = `select count(*) from ${quoted(resource.table)} where ${conditionsOf(resource, query, parameters)}`
  const page = walkInOrder(resource, query, parameters)
  const text = `select books.version, (${count}), ${joinedRecords(page)} from ${booksOf(resource)}`
  return {
    pool: 'search',
    summary: `read at once ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}
