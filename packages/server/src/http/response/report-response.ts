import type { NamedColumn, Report, ReportArguments, ReportRow } from '@muster/model'
import { maxLinkedParameters } from '@muster/model'
import type { ReportResult } from '../../queries/report.ts'
import { mapInSlices } from '../../slices.ts'

/** Numbers are already in the form that JSON requires. */
const isNumeric = ({ type }: NamedColumn): boolean => type === 'integer' || type === 'number'

/** Rows and links are rendered in slices: a report with 10,000 rows takes several 100 ms. */
export const reportJson = async (
  report: Report,
  { rows, excluded, historyFrom }: ReportResult,
  given: ReportArguments,
): Promise<string[]> => {
  const { definition, kind } = report
  const meta = JSON.stringify({ definition, kind, as_of: given.as_of, excluded, history_from: historyFrom })
  const readLinks = canBeLinked(given) ? (row: ReportRow) => linksOf(report, row, given) : () => ({})
  const rowTexts = await mapInSlices(
    rows,
    (row, index) => `${index === 0 ? '' : ','}${rowJson(report, row, readLinks(row))}`,
  )
  return ['{"data":[', ...rowTexts, `],"meta":${meta}}`]
}

/** Every link repeats the parameters of the request: with 15 kB of them, 366 rows would have 11 MB of links. */
const canBeLinked = (given: ReportArguments): boolean => {
  const sent = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== null)
  return String(new URLSearchParams(sent)).length <= maxLinkedParameters
}

const rowJson = (report: Report, row: ReportRow, links: Readonly<Record<string, string>>): string => {
  const values = report.allColumns.map((column) => {
    const value = row[column.name] ?? null
    return `${JSON.stringify(column.name)}:${isNumeric(column) ? value : JSON.stringify(value)}`
  })
  return `{${values.join(',')},"links":${JSON.stringify(links)}}`
}

/** A figure that is null, for example because it is withheld, has no link. */
const linksOf = (report: Report, row: ReportRow, given: ReportArguments): Record<string, string> =>
  Object.fromEntries(
    Object.entries(report.links(row, given)).filter(
      (link): link is [string, string] => link[1] !== undefined && row[link[0]] !== null,
    ),
  )

export const reportCsv = async ({ allColumns }: Report, { rows }: ReportResult): Promise<string[]> => {
  const header = allColumns.map(({ name }) => name).join(',')
  const lines = await mapInSlices(rows, (row) => `${allColumns.map((column) => cell(column, row)).join(',')}\n`)
  return [`${header}\n`, ...lines]
}

/** An apostrophe before everything that a spreadsheet could take for a formula, as in exports (`csvColumns`). */
const escapeFormulas = (text: string): string =>
  text.replace(/^(?=[=+\-@\t\r\n＝＋－＠])/, "'").replace(/([;\t\r\n])("*[=+@＝＋－＠-])/g, "$1'$2")

/** Null is an empty cell, an empty string is `""`. */
const cell = (column: NamedColumn, row: ReportRow): string => {
  const value = row[column.name] ?? null
  if (value === null) return ''
  if (isNumeric(column)) return value
  const text = escapeFormulas(value)
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
