/** The sort order of a list, and the SQL that selects pages in that order. */
import type { NamedField, Resource } from '@muster/model'
import type { Parameters } from '../postgres/sql/statement.ts'
import { quoteIdentifier, recordText } from '../postgres/sql/statement.ts'
import type { ListFilters } from './filters.ts'
import { boundedOffset, conditionsOf } from './filters.ts'

export interface SortKey {
  readonly field: NamedField
  readonly descending: boolean
}

/**
 * Appends the id in the direction of the last field: the order is then total, one index provides it, and reversing
 * every field reverses the list. Fields after the id have no effect and are dropped. The result is empty for ascending
 * order of id.
 */
export const completeOrder = (requested: readonly SortKey[], id: NamedField): readonly SortKey[] => {
  const lastKey = requested.at(-1)
  if (lastKey === undefined) return []
  const keysWithId = [...requested, { field: id, descending: lastKey.descending }]
  const keys = keysWithId.slice(0, keysWithId.findIndex(({ field }) => field.kind === 'id') + 1)
  return keys.length === 1 && keys[0]?.descending === false ? [] : keys
}

/**
 * Null sorts after every value, as in PostgreSQL's indexes. Columns are qualified by their table: an unqualified name
 * could refer to an output column of the same name.
 */
export const orderBy = ({ table }: Resource, keys: readonly SortKey[]): string =>
  keys.length === 0
    ? 'id'
    : keys.map(({ field, descending }) => `${sortExpression(table, field)}${descending ? ' desc' : ''}`).join(', ')

export interface SortedQuery extends ListFilters {
  readonly limit: number
  readonly offset: bigint
  readonly sort: readonly SortKey[]
}

/**
 * Selects a page by a scan from the first row in order: first the ids, which an index-only scan can provide, then the
 * records.
 */
export const pageInOrder = (resource: Resource, query: SortedQuery, parameters: Parameters): string => {
  const conditions = conditionsOf(resource, query, parameters)
  const limit = parameters.add(query.limit)
  const offset = parameters.add(boundedOffset(query.offset))
  const ids = `select id from ${quoteIdentifier(resource.table)} where ${conditions} order by ${orderBy(resource, query.sort)} limit ${limit} offset ${offset}`
  return pageByIds(resource, query.sort, `array(${ids})`)
}

/** Selects the records with the given ids, in the order of the array, which is the order of `keys`. */
export const pageByIds = (resource: Resource, keys: readonly SortKey[], ids: string): string =>
  keys.length === 0
    ? `select ${recordText(resource)} from ${quoteIdentifier(resource.table)} where id = any (${ids}) order by id`
    : `select ${recordText(resource)} from unnest(${ids}) with ordinality wanted (wanted_id, place)` +
      ` join ${quoteIdentifier(resource.table)} on id = wanted_id order by place`

/** The columns that an order uses. */
export const orderColumns = (keys: readonly SortKey[]): string =>
  [...new Set(['id', ...keys.map(({ field }) => field.name)])].map(quoteIdentifier).join(', ')

export const orderCacheKey = (keys: readonly SortKey[]): string =>
  keys.map(({ field, descending }) => `${descending ? '-' : ''}${field.name}`).join(',')

/** Text is sorted by the key that filters compare, by code point, so the order does not depend on the locale. */
const sortExpression = (table: string, { kind, name }: NamedField): string => {
  const column = `${quoteIdentifier(table)}.${quoteIdentifier(name)}`
  return kind === 'text' ? `muster_key(${column}) collate "C"` : column
}
