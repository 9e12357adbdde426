import type { Resource } from '@muster/model'
import type { Statement } from '../../postgres/sql/statement.ts'
import {
  joinedRecords,
  pagePool,
  quoteIdentifier,
  recordText,
  statementLabels,
  versionedSelect,
} from '../../postgres/sql/statement.ts'
import type { ValueFilter } from '../filters.ts'
import { possibleValues, rowCount } from '../filters.ts'
import type { ListQuery } from './query.ts'

export const emptyStatement = (resource: Resource): Statement => ({
  pool: 'read',
  ...statementLabels('empty list', resource),
  ...versionedSelect(resource, `0, ''`),
  values: [],
})

/**
 * The statement of the first pages of each resource, built once, because building it takes longer than using it.
 */
const firstPageStatements = new WeakMap<Resource, Omit<Statement, 'values'>>()

/** A `filter` must have exactly one possible value. */
export const scanStatement = (resource: Resource, { limit, offset }: ListQuery, filter?: ValueFilter): Statement => {
  const values = [limit, String(offset)]
  if (filter !== undefined)
    return { ...buildStatement(resource, filter), values: [...values, possibleValues(filter)[0]] }
  let statement = firstPageStatements.get(resource)
  if (statement === undefined) {
    statement = buildStatement(resource)
    firstPageStatements.set(resource, statement)
  }
  return { ...statement, values }
}

const buildStatement = (resource: Resource, filter?: ValueFilter): Omit<Statement, 'values'> => {
  const value = '$3::text'
  const page = `select ${recordText(resource)} from ${quoteIdentifier(resource.table)} ${rowsFrom(filter, value)} limit $1 offset $2`
  return {
    pool: pagePool(resource),
    ...statementLabels(filter === undefined ? 'list' : `list by ${filter.field.name}`, resource),
    ...versionedSelect(resource, `${rowCount(resource, filter, value)}, ${joinedRecords(page)}`),
  }
}

/**
 * SQL for all rows in order of id, or for those with one value, optionally from an id on. The value is written as a
 * range of the index over value and id: with an equality, the generic plan would scan the table in order of id and skip
 * the rows of other values.
 */
export const rowsFrom = (filter: ValueFilter | undefined, value = '', id?: string): string => {
  if (filter === undefined) return `${id === undefined ? '' : `where id >= ${id} `}order by id`
  const columnKey = `muster_key(${quoteIdentifier(filter.field.name)})`
  const valueKey = `muster_key(${value})`
  const lowerBound = id === undefined ? `${columnKey} >= ${valueKey}` : `(${columnKey}, id) >= (${valueKey}, ${id})`
  return `where ${columnKey} <= ${valueKey} and ${lowerBound} order by ${columnKey}, id`
}
