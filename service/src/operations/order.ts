/** In charge of the order of a list: the fields that sort it, and the SQL of pages in that order. */
import type { NamedField, Resource } from '@muster/model'
import type { Parameters } from '../database/statement.ts'
import { quoted, recordText } from '../database/statement.ts'
import { boundedOffset, conditionsOf } from './conditions.ts'
import type { ListQuery } from './list.ts'

export interface SortKey {
  readonly field: NamedField
  readonly descending: boolean
}

/**
 * The order that is meant: completed by the id in the direction of the last field, so that it is total, one index gives
 * it, and the opposite of every field is the same list backwards. Nothing after the id decides anything. Empty for the
 * order of the ids themselves.
 */
export const completeOrder = (asked: readonly SortKey[], id: NamedField): readonly SortKey[] => {
  const last = asked.at(-1)
  if (last === undefined) return []
  const all = [...asked, { field: id, descending: last.descending }]
  const keys = all.slice(0, all.findIndex(({ field }) => field.kind === 'id') + 1)
  return keys.length === 1 && keys[0]?.descending === false ? [] : keys
}

/**
 * Null counts as greater than every value, as in PostgreSQL's indexes. Columns are named with their table: a bare name
 * would be the answered text of that name, where there is one.
 */
export const orderBy = ({ table }: Resource, keys: readonly SortKey[]): string =>
  keys.length === 0
    ? 'id'
    : keys.map(({ field, descending }) => `${sortExpression(table, field)}${descending ? ' desc' : ''}`).join(', ')

/** A page found by walking from the first row in order: ids first, which an index may hold by itself, then their records. */
export const walkInOrder = (resource: Resource, query: ListQuery, parameters: Parameters): string => {
  const conditions = conditionsOf(resource, query, parameters)
  const limit = parameters.add(query.limit)
  const offset = parameters.add(boundedOffset(query.offset))
  const ids = `select id from ${quoted(resource.table)} where ${conditions} order by ${orderBy(resource, query.sort)} limit ${limit} offset ${offset}`
  return pageByIds(resource, query.sort, `array(${ids})`)
}

/** The records of an array of ids, which has them in this order. */
export const pageByIds = (resource: Resource, keys: readonly SortKey[], ids: string): string =>
  keys.length === 0
    ? `select ${recordText(resource)} from ${quoted(resource.table)} where id = any (${ids}) order by id`
    : `select ${recordText(resource)} from unnest(${ids}) with ordinality wanted (wanted_id, place)` +
      ` join ${quoted(resource.table)} on id = wanted_id order by place`

/** The columns that an order looks at. */
export const orderColumns = (keys: readonly SortKey[]): string =>
  [...new Set(['id', ...keys.map(({ field }) => field.name)])].map(quoted).join(', ')

export const orderKey = (keys: readonly SortKey[]): string =>
  keys.map(({ field, descending }) => `${descending ? '-' : ''}${field.name}`).join(',')

/** Texts by the key that filters compare, code point by code point, whatever the database's locale. */
const sortExpression = (table: string, { kind, name }: NamedField): string => {
  const column = `${quoted(table)}.${quoted(name)}`
  return kind === 'text' ? `muster_key(${column}) collate "C"` : column
}
