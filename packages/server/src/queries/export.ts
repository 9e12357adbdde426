import type { FileFormat, Resource } from '@muster/model'
import type { Copy, CopyStatements } from '../postgres/connection/copy-stream.ts'
import type { CopyClient, Database } from '../postgres/connection/database.ts'
import { changePositionExpression } from '../postgres/sql/change-position.ts'
import { copyStatement, csvColumns } from '../postgres/sql/copy-statement.ts'
import type { Statement } from '../postgres/sql/statement.ts'
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

export interface ExportHead {
  /** The version of the resource. */
  readonly version: string
  /** The number of matching rows. */
  readonly total: number
  /** The value of `changePositionExpression`. */
  readonly changePosition: unknown
}

/** Exports the rows of the corresponding list, from one snapshot. */
export const exportRows = async (
  database: Database,
  resource: Resource,
  query: ExportQuery,
  client: CopyClient,
): Promise<Copy<ExportHead>> => {
  await ensureStartIsRecorded(database)
  const { count, rows } = exportStatements(resource, query)
  const statements: CopyStatements<ExportHead> = {
    labels: { summary: `export ${resource.path}` },
    readHead: async (reader) => {
      const [row] = await reader.run(count)
      return { version: row?.[0] as string, total: Number(row?.[1]), changePosition: row?.[2] }
    },
    rowsText: () => rows,
  }
  return database.copy(statements, client)
}

export interface ExportStatements {
  /** Selects version, number of matching rows and position in the change feed. */
  readonly count: Pick<Statement, 'text' | 'values'>
  /** The text of the COPY. */
  readonly rows: string
}

export const exportStatements = (resource: Resource, query: ExportQuery): ExportStatements => ({
  count: countStatement(resource, query),
  rows: copyStatement(rowsText(resource, query), query.format),
})

const countStatement = (resource: Resource, query: ExportQuery): ExportStatements['count'] => {
  const parameters = new Parameters()
  const total = hasFilters(query)
    ? `(select count(*) from ${quoteIdentifier(resource.table)}${whereClause(resource, query, parameters)})`
    : 'counts.rows'
  const { text } = versionedSelect(resource, `${total}, ${changePositionExpression}`)
  return { text, values: parameters.values }
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
