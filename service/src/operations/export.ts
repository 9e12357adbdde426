/** In charge of exporting: everything a list would page through, as lines of a file, all of one snapshot. */
import type { FileFormat, Resource } from '@muster/model'
import type { Copy, Copying } from '../database/copy-out.ts'
import { copyStatement, sheetColumns } from '../database/copy-statement.ts'
import type { CopyOwner, Database } from '../database/database.ts'
import { booksOf, Literals, Parameters, quoted, recordText } from '../database/statement.ts'
import type { Narrowing } from './conditions.ts'
import { boundedOffset, conditionsOf, isNarrowed, matchesNothing } from './conditions.ts'
import type { SortKey } from './order.ts'
import { orderBy } from './order.ts'

export interface ExportQuery extends Narrowing {
  /** All where it is undefined. */
  readonly limit?: number | undefined
  readonly offset: bigint
  /** As in a list. */
  readonly sort: readonly SortKey[]
  readonly format: FileFormat
}

export const exportRows = (
  database: Database,
  resource: Resource,
  query: ExportQuery,
  owner: CopyOwner,
): Promise<Copy> => database.copy(exportStatements(resource, query), owner)

export const exportStatements = (resource: Resource, query: ExportQuery): Copying => ({
  count: countStatement(resource, query),
  rows: copyStatement(rowsText(resource, query), query.format),
})

const countStatement = (resource: Resource, query: ExportQuery): Copying['count'] => {
  const parameters = new Parameters()
  const total = isNarrowed(query)
    ? `(select count(*) from ${quoted(resource.table)}${wherePart(resource, query, parameters)})`
    : 'books.rows'
  const text = `select books.version, ${total} from ${booksOf(resource)}`
  return { summary: `export ${resource.path}`, text, values: parameters.values }
}

const rowsText = (resource: Resource, query: ExportQuery): string => {
  const { limit, offset, format } = query
  const literals = new Literals()
  const columns = format === 'csv' ? sheetColumns(resource) : recordText(resource)
  const limited = limit === undefined ? '' : ` limit ${limit}`
  const skipping = offset === 0n ? '' : ` offset ${boundedOffset(offset)}`
  return `select ${columns} from ${quoted(resource.table)}${wherePart(resource, query, literals)} order by ${orderBy(resource, query.sort)}${limited}${skipping}`
}

const wherePart = (resource: Resource, query: ExportQuery, parameters: Parameters): string => {
  if (matchesNothing(query)) return ' where false'
  return isNarrowed(query) ? ` where ${conditionsOf(resource, query, parameters)}` : ''
}
