import type { FileFormat, NamedField, Resource } from '@muster/model'
import { quoteIdentifier, responseColumns, responseExpression } from './statement.ts'

/** Writes each row of a select as a line; CSV begins with a header. */
export const copyStatement = (select: string, format: FileFormat): string =>
  format === 'csv'
    ? `copy (${select}) to stdout (format csv, header)`
    : // JSON contains no raw control characters, so with these as quote and delimiter, CSV leaves every line unchanged.
      `copy (${select}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`

/**
 * Select list whose text is safe to open in a spreadsheet. Dates rely on the session's DateStyle (ISO), which is faster
 * than to_char.
 */
export const csvColumns = (resource: Resource): string =>
  responseColumns(
    { ...resource, allFields: resource.projection?.fields ?? resource.allFields },
    quoteIdentifier(resource.table),
    spreadsheetExpression,
  )

const spreadsheetExpression = (field: NamedField, alias: string): string => {
  const column = `${alias}.${quoteIdentifier(field.name)}`
  switch (field.kind) {
    case 'date':
      return column
    case 'text':
    case 'color':
    case 'url':
    case 'json':
      return `case when ascii(${column}) in (${formulaStarts}) then '''' else '' end || ${escapeInnerFormulas(column)}`
    default:
      return responseExpression(field, alias)
  }
}

/**
 * Code points that start a formula, or precede one, in spreadsheets: = + - @, their full-width forms, tab, line breaks.
 */
const formulaStarts = Array.from('=+-@\t\r\n＝＋－＠', (character) => character.codePointAt(0)).join(', ')

/**
 * A spreadsheet that splits at semicolons or tabs, as Excel does in many European locales, treats quotes after a comma
 * as ordinary characters: text after a semicolon, tab or line break inside a value then begins a cell. Quotes at the
 * start of that cell are removed on import.
 */
const escapeInnerFormulas = (column: string): string =>
  `regexp_replace(${column}, '([;\\t\\r\\n])("*[=+@＝＋－＠-])', '\\1''\\2', 'g')`
