/** In charge of listing: page, exact total and version from one snapshot, at a cost that does not grow with the table. */
import type { Resource } from '@muster/model'
import type { Row, Runner } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import {
  booksOf,
  eraOfBooks,
  joinedRecords,
  literal,
  named,
  Parameters,
  pagePool,
  quoted,
  recordText,
} from '../database/statement.ts'
import type { Filter, Narrowing, ValueFilter } from './conditions.ts'
import { boundedOffset, matchesNothing, possibleValues } from './conditions.ts'
import type { SortKey } from './order.ts'
import { walkInOrder } from './order.ts'
import type { Place, Places, Scope } from './places.ts'
import { scopeName } from './places.ts'
import type { Selections } from './selections.ts'

export interface ListQuery extends Narrowing {
  readonly limit: number
  readonly offset: bigint
  /** Complete, as `completeOrder` makes it; empty for the order of the ids. */
  readonly sort: readonly SortKey[]
}

export interface Page {
  /** The version of the resource in the snapshot the page was read in. */
  readonly version: string
  readonly total: number
  /** The JSON texts of the records, joined by commas. */
  readonly records: string
}

/** What lists are read with. */
export interface Reading {
  readonly reader: Runner
  readonly places: Places
  readonly selections: Selections
}

export const list = (reading: Reading, resource: Resource, query: ListQuery): Promise<Page> => {
  const { reader, selections } = reading
  const [filter, ...others] = query.filters
  if (matchesNothing(query)) return readPage(reader, nothingStatement(resource))
  if (query.terms.length > 0 || others.length > 0) return selections.page(reader, resource, query)
  if (filter !== undefined && !isCounted(filter)) return selections.page(reader, resource, query)
  if (query.sort.length > 0)
    return query.offset < rowsInOrder
      ? readPage(reader, orderedStatement(resource, query, filter))
      : selections.page(reader, resource, query)
  if (filter === undefined)
    return query.offset < walkedRows ? readPage(reader, walkStatement(resource, query)) : leap(reading, resource, query)
  return possibleValues(filter).length === 1
    ? leap(reading, resource, query, filter)
    : readPage(reader, seekStatement(resource, query, filter))
}

/** Whether the books know how many records the filter leaves. */
const isCounted = (filter: Filter): filter is ValueFilter =>
  'values' in filter && filter.field.state === true && possibleValues(filter).length <= maxRuns

/** More states than these at once are looked for like anything else: each would be a run of its own to merge. */
const maxRuns = 8

/** Up to here walking from the first row is as quick as knowing where to begin. */
const walkedRows = 256n

/** Up to here a sorted list is walked from its first row; further on it is worth knowing all of its ids. */
const rowsInOrder = 10_000n

/** By the place that is remembered; by the books themselves where the statement finds that it is not right any more. */
const leap = async (
  { reader, places }: Reading,
  resource: Resource,
  query: ListQuery,
  filter?: ValueFilter,
): Promise<Page> => {
  const scope: Scope =
    filter === undefined ? {} : { field: filter.field.name, value: String(possibleValues(filter)[0]) }
  const place = await places.find(reader, resource, scope, query.offset)
  const [row] = await reader.run(leapStatement(resource, query, scope, place))
  const page = pageIn(row)
  if (row?.[3] === true) {
    places.noteTotal(resource, scope, page.total)
    return page
  }
  places.forget(resource, scope)
  return readPage(reader, seekStatement(resource, query, filter))
}

const readPage = async (reader: Runner, statement: Statement): Promise<Page> => pageIn((await reader.run(statement))[0])

const pageIn = (row: Row | undefined): Page => ({
  version: row?.[0] as string,
  total: Number(row?.[1]),
  records: (row?.[2] ?? '') as string,
})

const nothingStatement = (resource: Resource): Statement => ({
  pool: 'read',
  ...named('nothing', resource),
  told: { resource, column: 0 },
  text: `select books.version, 0, '' from ${booksOf(resource)}`,
  values: [],
})

export const walkStatement = (resource: Resource, { limit, offset }: ListQuery): Statement => {
  const page = `select ${recordText(resource)} from ${quoted(resource.table)} order by id limit $1 offset $2`
  const text = `select books.version, books.rows, ${joinedRecords(page)} from ${booksOf(resource)}`
  return {
    pool: pagePool(resource),
    ...named('list', resource),
    told: { resource, column: 0 },
    text,
    values: [limit, String(offset)],
  }
}

/** Planned for its limit and its values, by which the planner chooses between the index of the order and that of the state. */
export const orderedStatement = (resource: Resource, query: ListQuery, filter?: ValueFilter): Statement => {
  const parameters = new Parameters()
  const page = walkInOrder(resource, query, parameters)
  const total =
    filter === undefined
      ? 'books.rows'
      : `muster_count(${literal(resource.table)}, ${scopesOf(filter, `${parameters.add(possibleValues(filter))}::text[]`)})`
  const text = `select books.version, ${total}, ${joinedRecords(page)} from ${booksOf(resource)}`
  return {
    pool: 'list',
    summary: `list in order ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}

const scopesOf = ({ field }: ValueFilter, values: string): string =>
  `array(select distinct ${literal(`${field.name}=`)} || muster_key(v) from unnest(${values}) v)`

/** Says in its fourth column whether the place was right: nothing before it has changed since it was learnt. */
export const leapStatement = (resource: Resource, { limit }: ListQuery, scope: Scope, place: Place): Statement => {
  const parameters = new Parameters()
  const table = literal(resource.table)
  const last = parameters.add(limit)
  const start = `${parameters.add(String(place.startId))}::bigint`
  const skipped = `${parameters.add(String(BigInt(Math.min(place.skip, Number.MAX_SAFE_INTEGER))))}::bigint`
  const shifts = `${parameters.add(place.shifts)}::bigint`
  const era = `${parameters.add(place.era)}::text`
  const value = scope.value === undefined ? '' : `${parameters.add(scope.value)}::text`
  const inScope = `resource = ${table} and scope = ${scopeName(scope, value)}`
  const rows = quoted(resource.table)
  const first = `select id from ${rows} where ${rowsFrom(scope, value, start)} limit 1 offset ${skipped}`
  const page = `select ${recordText(resource)} from ${rows} where ${rowsFrom(scope, value, `(${first})`)} limit ${last}`
  const total = scope.field === undefined ? 'books.rows' : `muster_count(${table}, array[${scopeName(scope, value)}])`
  const right =
    `${eraOfBooks} = ${era} and coalesce((select shifts from muster_shifts where ${inScope}), 0) = ${shifts}` +
    ` and not exists (select from muster_journal where ${inScope} and block < ${start} >> 8)`
  return {
    pool: pagePool(resource),
    ...named(scope.field === undefined ? 'leap' : `leap by ${scope.field}`, resource),
    told: { resource, column: 0 },
    text: `select books.version, ${total}, ${joinedRecords(page)}, ${right} from ${booksOf(resource)}`,
    values: parameters.values,
  }
}

/**
 * The rows of a scope from an id on, in order. Those of a state are written as a range of the index that holds them one
 * after the other: by an equality, a plan for any state walks the table and passes over the rows of the others.
 */
const rowsFrom = ({ field }: Scope, value: string, id: string): string => {
  if (field === undefined) return `id >= ${id} order by id`
  const key = `muster_key(${quoted(field)})`
  const wanted = `muster_key(${value})`
  return `${key} <= ${wanted} and (${key}, id) >= (${wanted}, ${id}) order by ${key}, id`
}

/** Asks the books for the place in the same snapshot. Each state has its rows in the order of their ids in one index. */
export const seekStatement = (resource: Resource, { limit, offset }: ListQuery, filter?: ValueFilter): Statement => {
  const parameters = new Parameters()
  const last = parameters.add(limit)
  const skipped = `${parameters.add(boundedOffset(offset))}::bigint`
  const values = filter === undefined ? [] : possibleValues(filter)
  const given = filter === undefined ? '' : `${parameters.add(values)}::text[]`
  const scopes = filter === undefined ? "array['']" : scopesOf(filter, given)
  const conditions =
    filter === undefined
      ? ['']
      : values.map((_, index) => `muster_key(${quoted(filter.field.name)}) = muster_key((${given})[${index + 1}]) and `)
  const runs = conditions.map(
    (condition) =>
      `(select id, ${recordText(resource)} from ${quoted(resource.table)} where ${condition}id >= (select start_id from found)` +
      ` order by id limit ${last}::bigint + (select remainder from found))`,
  )
  const page = `select record_json from (${runs.join(' union ')}) runs order by id limit ${last} offset (select remainder from found)`
  const total =
    filter === undefined ? 'books.rows' : `(select muster_count(${literal(resource.table)}, names) from scopes)`
  const text =
    `with scopes as materialized (select ${scopes} as names),` +
    ` found as materialized (select found.* from scopes, muster_seek(${literal(resource.table)}, names, ${skipped}) found)` +
    ` select books.version, ${total}, ${joinedRecords(page)} from ${booksOf(resource)}`
  return {
    pool: 'list',
    summary: `seek ${resource.path}`,
    told: { resource, column: 0 },
    text,
    values: parameters.values,
  }
}
