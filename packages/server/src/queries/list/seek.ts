import type { Resource } from '@muster/model'
import type { Statement } from '../../postgres/sql/statement.ts'
import {
  joinedRecords,
  Parameters,
  pagePool,
  quoteIdentifier,
  quoteLiteral,
  recordText,
  statementLabels,
  versionedSelect,
} from '../../postgres/sql/statement.ts'
import type { ValueFilter } from '../filters.ts'
import { boundedOffset, countKey, countKeys, possibleValues, rowCount, rowCountOfAny } from '../filters.ts'
import type { ListQuery } from './query.ts'
import { rowsFrom } from './scan.ts'

/** Finds the bucket of 256 ids in which the page begins, and how many rows to skip from there. */
export const seekStatement = (resource: Resource, query: ListQuery, filter?: ValueFilter): Statement =>
  filter === undefined || possibleValues(filter).length === 1
    ? seekOneStatement(resource, query, filter)
    : seekAnyStatement(resource, query, filter)

/** The statement of the pages of each resource, built once, because building it takes longer than using it. */
const pageStatements = new WeakMap<Resource, Omit<Statement, 'values'>>()

const seekOneStatement = (resource: Resource, { limit, offset }: ListQuery, filter?: ValueFilter): Statement => {
  const values = [limit, boundedOffset(offset)]
  if (filter !== undefined)
    return { ...buildStatement(resource, filter), values: [...values, possibleValues(filter)[0]] }
  let statement = pageStatements.get(resource)
  if (statement === undefined) {
    statement = buildStatement(resource)
    pageStatements.set(resource, statement)
  }
  return { ...statement, values }
}

/** A prepared statement, because planning takes longer than running it. */
const buildStatement = (resource: Resource, filter?: ValueFilter): Omit<Statement, 'values'> => {
  const value = '$3::text'
  const filterKey = filter === undefined ? "''" : countKey(filter, value)
  const table = quoteIdentifier(resource.table)
  const [startId, remainder] = ['(select start_id from found)', '(select remainder from found)']
  // PostgreSQL can skip rows in the index alone only if there is no filter, because an index over an expression cannot
  // serve an index-only scan. Skipping them in the table makes the statement 1.6 times slower.
  const rows =
    filter === undefined
      ? `${rowsFrom(filter, value, `(select id from ${table} ${rowsFrom(filter, value, startId)} limit 1 offset ${remainder})`)} limit $1::bigint`
      : `${rowsFrom(filter, value, startId)} limit $1::bigint offset ${remainder}`
  const page = `select ${recordText(resource)} from ${table} ${rows}`
  return {
    pool: pagePool(resource),
    ...statementLabels(filter === undefined ? 'seek' : `seek by ${filter.field.name}`, resource),
    ...versionedSelect(resource, `${rowCount(resource, filter, value)}, ${joinedRecords(page)}`, {
      queries: `found as materialized (select found.* from muster_find_row(${quoteLiteral(resource.table)}, ${filterKey}, $2::bigint) found)`,
    }),
  }
}

/** Merges the rows of all values. One index contains the rows of each value in order of id. */
const seekAnyStatement = (resource: Resource, { limit, offset }: ListQuery, filter: ValueFilter): Statement => {
  const parameters = new Parameters()
  const limitParameter = parameters.add(limit)
  const offsetParameter = `${parameters.add(boundedOffset(offset))}::bigint`
  const values = possibleValues(filter)
  const valuesParameter = `${parameters.add(values)}::text[]`
  const branches = values.map(
    (_, index) =>
      `(select id, ${recordText(resource)} from ${quoteIdentifier(resource.table)}` +
      ` where muster_key(${quoteIdentifier(filter.field.name)}) = muster_key((${valuesParameter})[${index + 1}]) and id >= (select start_id from found)` +
      ` order by id limit ${limitParameter}::bigint + (select remainder from found))`,
  )
  const page = `select record_json from (${branches.join(' union ')}) runs order by id limit ${limitParameter} offset (select remainder from found)`
  return {
    pool: 'list',
    summary: `seek ${resource.path}`,
    ...versionedSelect(resource, `${rowCountOfAny(resource, filter, valuesParameter)}, ${joinedRecords(page)}`, {
      queries:
        `found as materialized (select found.* from` +
        ` muster_seek_row(${quoteLiteral(resource.table)}, ${countKeys(filter, valuesParameter)}, ${offsetParameter}) found)`,
    }),
    values: parameters.values,
  }
}
