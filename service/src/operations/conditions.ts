/** In charge of what narrows a list: search terms and equality filters, and the SQL they become. */
import type { NamedField, Resource } from '@muster/model'
import type { Parameters } from '../database/statement.ts'
import { quoted, searchColumn } from '../database/statement.ts'

export interface Filter {
  readonly field: NamedField
  /** Any of these; text is compared ignoring case. */
  readonly values: readonly (string | bigint)[]
}

export interface Narrowing {
  /** Each must be found in the record's searchable text. */
  readonly terms: readonly string[]
  readonly filters: readonly Filter[]
}

const maxBigint = 2n ** 63n - 1n

/** No stored text holds U+0000 and no stored integer is beyond 64 bits, so such a list is empty without a look. */
export const matchesNothing = ({ terms, filters }: Narrowing): boolean =>
  terms.some(hasNul) || filters.some(({ values }) => values.every(isImpossible))

/** An offset as PostgreSQL can hold it: beyond its largest integer every table has ended. */
export const boundedOffset = (offset: bigint): string => String(offset > maxBigint ? maxBigint : offset)

export const possibleValues = ({ values }: Filter): readonly (string | bigint)[] =>
  values.filter((value) => !isImpossible(value))

export const conditionsOf = (resource: Resource, { terms, filters }: Narrowing, parameters: Parameters): string =>
  [
    ...filters.map((filter) => filterCondition(filter, parameters)),
    ...terms.map((term) => `${searchColumn(resource)} like muster_like(${parameters.add(term)})`),
  ].join(' and ')

/** For a plan made without knowing the terms: in a select of its own, a term is folded once and not for every row. */
export const termConditions = (resource: Resource, terms: readonly string[], parameters: Parameters): string =>
  terms.map((term) => `${searchColumn(resource)} like (select muster_like(${parameters.add(term)}))`).join(' and ')

const hasNul = (text: string): boolean => text.includes('\u0000')

const isImpossible = (value: string | bigint): boolean =>
  typeof value === 'string' ? hasNul(value) : value > maxBigint || value < -maxBigint - 1n

const filterCondition = (filter: Filter, parameters: Parameters): string => {
  const { field } = filter
  const [first, ...others] = possibleValues(filter)
  if (field.kind !== 'text') return `${quoted(field.name)} = ${parameters.add(String(first))}::bigint`
  const key = `muster_key(${quoted(field.name)})`
  if (others.length === 0) return `${key} = muster_key(${parameters.add(first)})`
  return `${key} = any (array(select muster_key(v) from unnest(${parameters.add([first, ...others])}::text[]) v))`
}
