/** Runs the SQL function of a report. */
import type { NamedColumn, NamedParameter, Report, ReportArguments, ReportRow } from '@muster/model'
import { maxReportRows } from '@muster/model'
import type { Runner } from '../postgres/connection/database.ts'
import type { Statement, TableSource } from '../postgres/sql/statement.ts'
import { Parameters, quoteIdentifier, quoteLiteral, tablesOf, versionedSelect } from '../postgres/sql/statement.ts'
import { mapInSlices } from '../slices.ts'

/** A value of a parameter as the SQL function receives it. */
export type ReportValue = string | readonly string[] | null

export interface ReportQuery {
  /** From `reportTables`. */
  readonly source: TableSource
  /** The values of all parameters, in declaration order. */
  readonly values: readonly ReportValue[]
  /** If true, the result has no personal values. */
  readonly hidesPersonal: boolean
}

export interface ReportResult {
  readonly version: string
  readonly rows: readonly ReportRow[]
  readonly excluded: number
  /** Undefined if the request reads no history. */
  readonly historyFrom: string | undefined
}

/** Undefined if the report has too many rows. */
export const readReport = async (
  reader: Runner,
  report: Report,
  query: ReportQuery,
): Promise<ReportResult | undefined> => {
  const [row] = await reader.run(reportStatement(report, query))
  const [version, rowsJson, excluded, historyFrom] = row as readonly [string, string, string, string | null]
  const rows = JSON.parse(rowsJson) as readonly (readonly (string | null)[])[]
  if (rows.length > maxReportRows) return undefined
  const names = selectedColumns(report).map(({ name }) => name)
  return {
    version,
    rows: await mapInSlices(rows, (values) =>
      withDerived(report, Object.fromEntries(names.map((name, index) => [name, values[index] ?? null]))),
    ),
    excluded: Number(excluded),
    historyFrom: historyFrom ?? undefined,
  }
}

const selectedColumns = ({ allColumns }: Report): readonly NamedColumn[] =>
  allColumns.filter(({ derive }) => derive === undefined)

const withDerived = ({ allColumns }: Report, row: ReportRow): ReportRow => ({
  ...row,
  ...Object.fromEntries(allColumns.flatMap(({ name, derive }) => (derive === undefined ? [] : [[name, derive(row)]]))),
})

/** The tables that a request reads. */
export const reportTables = (report: Report, given: ReportArguments): TableSource => {
  const [table, ...joinedTables] = report.tablesOf?.(given) ?? report.tables
  return { table, joinedTables }
}

/** All values are read as text, so that no number loses digits. */
export const reportStatement = (report: Report, { source, values, hidesPersonal }: ReportQuery): Statement => {
  const parameters = new Parameters()
  const placeholders = report.allParameters.map(
    (parameter, index) => `${parameters.add(values[index])}::${sqlTypes[parameter.kind]}`,
  )
  const call = `(${placeholders.join(', ')})`
  const columns = selectedColumns(report).map(hidesPersonal ? publicText : columnText)
  const rowsFunction = `muster_report_${report.sqlName}${hidesPersonal && report.redactedRows !== undefined ? '_redacted' : ''}`
  const { constants = [] } = report
  const rows = `select * from ${rowsFunction}(${[...placeholders, ...constants].join(', ')}) limit ${maxReportRows + 1}`
  const excluded = report.excluded === undefined ? '0' : `muster_excluded_${report.sqlName}${call}`
  return {
    pool: 'report',
    summary: `report ${report.name}`,
    values: parameters.values,
    ...versionedSelect(
      source,
      `(select coalesce(json_agg(json_build_array(${columns.join(', ')})), '[]')::text from (${rows}) result), ${excluded}, ${historyFrom(report, source)}`,
    ),
  }
}

/** The first day from which on the history of all these resources is complete. */
const historyFrom = ({ history = [] }: Report, source: TableSource): string =>
  history.length === 0 || !tablesOf(source).includes('history')
    ? 'null'
    : `(select to_char(max(day), 'YYYY-MM-DD') from muster_history_from where resource in (${history.map(quoteLiteral).join(', ')}))`

const sqlTypes: Readonly<Record<NamedParameter['kind'], string>> = {
  date: 'date',
  month: 'date',
  id: 'bigint',
  ids: 'bigint[]',
  texts: 'text[]',
  integer: 'integer',
  boolean: 'boolean',
  choice: 'text',
}

/** As `columnText`, without personal values. */
const publicText = (column: NamedColumn): string => {
  const { personal, personalWhere } = column
  if (personal) return 'null'
  if (personalWhere === undefined) return columnText(column)
  const values = personalWhere.values.map(quoteLiteral).join(', ')
  return `case when result.${quoteIdentifier(personalWhere.column)} in (${values}) then null else ${columnText(column)} end`
}

const columnText = ({ name, type }: NamedColumn): string => {
  const column = `result.${quoteIdentifier(name)}`
  switch (type) {
    case 'date':
      return `to_char(${column}, 'YYYY-MM-DD')`
    case 'month':
      return `to_char(${column}, 'YYYY-MM')`
    case 'number':
      return `trim_scale(${column}::numeric)::text`
    default:
      return `${column}::text`
  }
}
