/** In charge of what narrows a list: search terms and filters, and the SQL they become. */
import type { NamedField, Resource } from '@muster/model'
import { isSortable } from '@muster/model'
import type { Parameters } from '../database/statement.ts'
import { columnType, quoted, searchColumn } from '../database/statement.ts'

export type Filter = ValueFilter | RangeFilter | NullFilter

export interface ValueFilter {
  readonly field: NamedField
  /** Any of these; text is compared ignoring case. */
  readonly values: readonly (string | bigint)[]
}

export interface RangeFilter {
  readonly field: NamedField
  /** Which end of the range this is; the value itself is inside. */
  readonly edge: 'from' | 'to'
  /** As PostgreSQL reads the field's type. */
  readonly value: string
}

export interface NullFilter {
  readonly field: NamedField
  readonly isNull: boolean
}

export interface Narrowing {
  /** Each must be found in the record's searchable text. */
  readonly terms: readonly string[]
  readonly filters: readonly Filter[]
}

const maxBigint = 2n ** 63n - 1n

export const isNarrowed = ({ terms, filters }: Narrowing): boolean => terms.length > 0 || filters.length > 0

/** No stored text holds U+0000 and no stored integer is beyond 64 bits, so such a list is empty without a look. */
export const matchesNothing = ({ terms, filters }: Narrowing): boolean =>
  terms.some(hasNul) || filters.some((filter) => 'values' in filter && filter.values.every(isImpossible))

/**
 * Whether an index leaves only a few rows, whatever the other filters: equality on a reference or on a unique field. A
 * reference that most rows share, such as the organization, is an exception that is not detected.
 */
export const isSelective = ({ unique }: Resource, { terms, filters }: Narrowing): boolean =>
  terms.length === 0 &&
  filters.some(
    (filter) =>
      'values' in filter &&
      (filter.field.references !== undefined || unique.some((names) => names.includes(filter.field.name))),
  )

/** An offset as PostgreSQL can hold it: beyond its largest integer every table has ended. */
export const boundedOffset = (offset: bigint): string => String(offset > maxBigint ? maxBigint : offset)

export const possibleValues = ({ values }: ValueFilter): readonly (string | bigint)[] =>
  values.filter((value) => !isImpossible(value))

/** What makes one filter another, for whoever remembers what it found. */
export const filterKey = ({ field, ...asked }: Filter): string =>
  JSON.stringify([field.name, asked], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

export const conditionsOf = (resource: Resource, { terms, filters }: Narrowing, parameters: Parameters): string =>
  [
    ...filters.map((filter) => filterCondition(filter, parameters)),
    ...terms.map((term) => `${searchColumn(resource)} like muster_like(${parameters.add(term)})`),
  ].join(' and ') || 'true'

/** For a plan made without knowing the terms: in a select of its own, a term is folded once and not for every row. */
export const termConditions = (resource: Resource, terms: readonly string[], parameters: Parameters): string =>
  terms.map((term) => `${searchColumn(resource)} like (select muster_like(${parameters.add(term)}))`).join(' and ')

const hasNul = (text: string): boolean => text.includes('\u0000')

const isImpossible = (value: string | bigint): boolean =>
  typeof value === 'string' ? hasNul(value) : value > maxBigint || value < -maxBigint - 1n

const filterCondition = (filter: Filter, parameters: Parameters): string => {
  const column = quoted(filter.field.name)
  if ('isNull' in filter) return `${nullableKey(filter.field)} is ${filter.isNull ? '' : 'not '}null`
  if ('edge' in filter)
    return `${column} ${filter.edge === 'from' ? '>=' : '<='} ${parameters.add(filter.value)}::${columnType(filter.field)}`
  const values = possibleValues(filter)
  return filter.field.kind === 'text'
    ? textCondition(column, values, parameters)
    : integerCondition(column, values, parameters)
}

/** The key of a text is null where the text is, and is what its index holds. */
const nullableKey = (field: NamedField): string => {
  const column = quoted(field.name)
  return field.kind === 'text' && isSortable(field) ? `muster_key(${column})` : column
}

type Values = readonly (string | bigint)[]

const integerCondition = (column: string, [first, ...others]: Values, parameters: Parameters): string =>
  others.length === 0
    ? `${column} = ${parameters.add(String(first))}::bigint`
    : `${column} = any (${parameters.add([first, ...others].map(String))}::bigint[])`

const textCondition = (column: string, [first, ...others]: Values, parameters: Parameters): string => {
  const key = `muster_key(${column})`
  if (others.length === 0) return `${key} = muster_key(${parameters.add(first)})`
  return `${key} = any (array(select muster_key(v) from unnest(${parameters.add([first, ...others])}::text[]) v))`
}
