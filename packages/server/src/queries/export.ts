import type { FileFormat, Resource } from '@muster/model'
import type { Copy, CopyStatements } from '../postgres/connection/copy-stream.ts'
import type { CopyClient, Database } from '../postgres/connection/database.ts'
import { changePositionExpression } from '../postgres/sql/change-position.ts'
import { copyStatement, csvColumns } from '../postgres/sql/copy-statement.ts'
import { Literals, Parameters, quoteIdentifier, recordText, versionedSelect } from '../postgres/sql/statement.ts'
import { ensureStartIsRecorded } from './changes.ts'
import type { ListFilters } from './filters.ts'
import { boundedOffset, conditionsOf, hasFilters, matchesNothing } from './filters.ts'
import type { SortKey } from './sort.ts'
import { orderBy } from './sort.ts'

export interface ExportQuery extends ListFilters {
  /** All rows if undefined. */
  readonly limit?: number | undefined
  readonly offset: bigint
  /** As in `ListQuery`. */
  readonly sort: readonly SortKey[]
  readonly format: FileFormat
}

/** Exports the rows of the corresponding list, from one snapshot. */
export const exportRows = async (
  database: Database,
  resource: Resource,
  query: ExportQuery,
  client: CopyClient,
): Promise<Copy> => {
  await ensureStartIsRecorded(database)
  return database.copy(exportStatements(resource, query), client)
}

export const exportStatements = (resource: Resource, query: ExportQuery): CopyStatements => ({
  count: countStatement(resource, query),
  rows: copyStatement(rowsText(resource, query), query.format),
})

const countStatement = (resource: Resource, query: ExportQuery): CopyStatements['count'] => {
  const parameters = new Parameters()
  const total = hasFilters(query)
    ? `(select count(*) from ${quoteIdentifier(resource.table)}${whereClause(resource, query, parameters)})`
    : 'counts.rows'
  const { text } = versionedSelect(resource, `${total}, ${changePositionExpression}`)
  return { summary: `export ${resource.path}`, text, values: parameters.values }
}

const rowsText = (resource: Resource, query: ExportQuery): string => {
  const { limit, offset, format } = query
  const literals = new Literals()
  const columns = format === 'csv' ? csvColumns(resource) : recordText(resource)
  const limitClause = limit === undefined ? '' : ` limit ${limit}`
  const offsetClause = offset === 0n ? '' : ` offset ${boundedOffset(offset)}`
  return `select ${columns} from ${quoteIdentifier(resource.table)}${whereClause(resource, query, literals)} order by ${orderBy(resource, query.sort)}${limitClause}${offsetClause}`
}

const whereClause = (resource: Resource, query: ExportQuery, parameters: Parameters): string => {
  if (matchesNothing(query)) return ' where false'
  return hasFilters(query) ? ` where ${conditionsOf(resource, query, parameters)}` : ''
}
