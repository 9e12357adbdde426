/** In charge of the statements by which records leave as files: COPY, in each form that records have there. */
import type { FileFormat, NamedField, Resource } from '@muster/model'
import { answerColumns, answerExpression, quoted } from './statement.ts'

/** The rows of a select as lines; the columns of CSV are named in the first. */
export const copyStatement = (select: string, format: FileFormat): string =>
  format === 'csv'
    ? `copy (${select}) to stdout (format csv, header)`
    : // JSON never holds a bare control character, so with these as its marks CSV leaves every line as it is.
      `copy (${select}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`

/** The columns of a file that spreadsheets may be given. Dates are written by the session, in ISO style, which is quicker. */
export const sheetColumns = (resource: Resource): string =>
  answerColumns({ ...resource, all: resource.shape?.fields ?? resource.all }, quoted(resource.table), sheetExpression)

const sheetExpression = (field: NamedField, alias: string): string => {
  const column = `${alias}.${quoted(field.name)}`
  switch (field.kind) {
    case 'date':
      return column
    case 'text':
    case 'color':
    case 'url':
    case 'json':
      return `case when ascii(${column}) in (${formulaStarts}) then '''' else '' end || ${innerCellsDefused(column)}`
    default:
      return answerExpression(field, alias)
  }
}

/** Code points at which spreadsheets begin to compute, or to look for what follows: = + - @, these in full width, tab and line ends. */
const formulaStarts = Array.from('=+-@\t\r\n＝＋－＠', (character) => character.codePointAt(0)).join(', ')

/**
 * A spreadsheet that splits at semicolons or tabs, as Excel does in many European locales, takes quotes after a comma for
 * ordinary characters: what follows a semicolon, a tab or a line end inside a text then begins a cell. Quotes at the start
 * of that cell are removed when it is read.
 */
const innerCellsDefused = (column: string): string =>
  `regexp_replace(${column}, '([;\\t\\r\\n])("*[=+@＝＋－＠-])', '\\1''\\2', 'g')`
