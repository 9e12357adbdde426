/** In charge of listing: the statement that reads a page and the exact total from one snapshot, and the verb that runs it. */
import type { NamedField, Resource } from '@muster/model'
import type { Database, Row } from '../database/database.ts'
import type { Statement } from '../database/statement.ts'
import { answerColumns, quoted, storedColumns } from '../database/statement.ts'

export interface Filter {
  readonly field: NamedField
  /** Any of these; text is compared ignoring case. */
  readonly values: readonly (string | bigint)[]
}

export interface ListQuery {
  readonly limit: number
  readonly offset: bigint
  /** Each must be found in the record's searchable text. */
  readonly terms: readonly string[]
  readonly filters: readonly Filter[]
}

export interface Page {
  readonly total: number
  readonly rows: readonly Row[]
}

const maxBigint = 2n ** 63n - 1n

export const list = async (database: Database, resource: Resource, query: ListQuery): Promise<Page> => {
  if (matchesNothing(query)) return { total: 0, rows: [] }
  const rows = await database.run(listStatement(resource, query))
  const page = rows.map(([, ...row]) => row)
  // Past the last record the total stands alone, beside a row of nulls.
  return { total: Number(rows[0]?.[0]), rows: page[0]?.[0] === null ? [] : page }
}

/** No stored text holds U+0000 and no stored integer is beyond 64 bits, so such a query never reaches the database. */
const matchesNothing = ({ terms, filters }: ListQuery): boolean =>
  terms.some(hasNul) || filters.some(({ values }) => values.every(isImpossible))

const hasNul = (text: string): boolean => text.includes('\u0000')

const isImpossible = (value: string | bigint): boolean =>
  typeof value === 'string' ? hasNul(value) : value > maxBigint || value < -maxBigint - 1n

export const listStatement = (resource: Resource, { limit, offset, terms, filters }: ListQuery): Statement => {
  const values: unknown[] = [limit, String(offset > maxBigint ? maxBigint : offset)]
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const conditions = [
    ...filters.map((filter) => filterCondition(filter, parameter)),
    ...terms.map((term) => `search_text like muster_like(${parameter(term)})`),
  ]
  const source = `${quoted(resource.table)}${conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`}`
  const text =
    `select counted.total, ${answerColumns(resource, 'page')}` +
    ` from (select count(*) as total from ${source}) counted` +
    ` left join (select ${storedColumns(resource)} from ${source} order by id limit $1 offset $2) page on true` +
    ' order by page.id'
  // The plain list recurs all day; combinations of conditions are many, and would pile up in every connection.
  return conditions.length === 0 ? { name: `list ${resource.path}`, text, values } : { text, values }
}

const filterCondition = ({ field, values }: Filter, parameter: (value: unknown) => string): string => {
  const possible = values.filter((value) => !isImpossible(value))
  if (field.kind !== 'text') return `${quoted(field.name)} = ${parameter(String(possible[0]))}::bigint`
  const key = `muster_key(${quoted(field.name)})`
  if (possible.length === 1) return `${key} = muster_key(${parameter(possible[0])})`
  return `${key} in (${possible.map((value) => `muster_key(${parameter(value)})`).join(', ')})`
}
