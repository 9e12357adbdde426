/** Reads one cell by the rule of its column. What can be read in two ways, or has lost characters, is an error. */
import { didYouMean } from '@muster/model'
import { isNumeric, readCell } from '../import-export/row-reader.ts'
import { readDate, readPlainDate } from './date-format.ts'
import type { ColumnRule, MappedValue } from './field-map.ts'
import type { CellProblem } from './number-format.ts'
import { readNumber } from './number-format.ts'
import { SheetValue } from './sheet-value.ts'
import { readTime } from './time-format.ts'

export type MappedResult = { readonly value: unknown } | CellProblem

/** Files of other products quote empty cells too, so a blank cell is null, unless the map translates it. */
export const readMapped = (rule: ColumnRule, cell: unknown): MappedResult => {
  if (cell instanceof SheetValue) return readSheetValue(rule, cell)
  if (cell !== null && cell !== undefined && typeof cell !== 'string') return readJsonValue(rule, cell)
  const trimmed = cell?.trim() ?? ''
  if (trimmed === '') return { value: rule.values?.get('') ?? null }
  const translated = rule.values?.get(trimmed.toLowerCase())
  if (translated !== undefined) return { value: translated }
  // Spreadsheets write ="0101" to keep the zero.
  const text = /^="([^"]*)"$/.exec(trimmed)?.[1] ?? trimmed
  const damage = damageOf(text)
  return damage === undefined ? readText(rule, text) : { reason: damage }
}

/** A number or boolean of NDJSON needs no format, but the map may translate it. */
const readJsonValue = ({ field, values, numbers, lookup }: ColumnRule, cell: unknown): MappedResult => {
  const translated = values?.get(String(cell).toLowerCase())
  if (translated !== undefined) return { value: translated }
  if (values !== undefined && lookup === undefined && numbers?.isOfColumn !== true)
    return unknownValue(field, values, String(cell))
  if (lookup !== undefined && typeof cell !== 'number') return { reason: 'Input should be a text or a number' }
  // 10.10 is read as 10.1, and 9007199254740993 as 9007199254740992: these may be codes of other records.
  if (lookup !== undefined && !Number.isSafeInteger(cell))
    return { reason: 'Input should be a text, because digits of such a number are lost' }
  return { value: cell }
}

const readText = (rule: ColumnRule, text: string): MappedResult => {
  const { field, values, dates, numbers, timeZone, lookup } = rule
  if (field.kind === 'timestamp') return readTime({ dates, zone: timeZone }, text)
  if (dates !== undefined) return readDate(dates, text)
  // A code such as "0101" looks like a number, but is another code than "101".
  if (lookup !== undefined) return { value: text }
  if (values !== undefined && numbers?.isOfColumn !== true) return unknownValue(field, values, text)
  if (isNumeric(field)) return readNumber(numbers, text)
  return field.kind === 'date' ? readPlainDate(text) : { value: readCell(field, text) }
}

const readSheetValue = (rule: ColumnRule, { kind, text, problem }: SheetValue): MappedResult => {
  if (kind === 'problem') return { reason: problem ?? '' }
  const { field, values, numbers, lookup } = rule
  const translated = values?.get(text.toLowerCase())
  if (translated !== undefined) return { value: translated }
  const isDate = field.kind === 'date' || field.kind === 'timestamp'
  if (kind === 'date') return readSheetDate(rule, text)
  if (kind === 'boolean')
    return { reason: 'The cell of the sheet is TRUE or FALSE: translate both with "values" in the rule of the column' }
  if (kind === 'percentage') {
    const percent = Number(text.slice(0, -1))
    return {
      reason: 'The cell of the sheet is a percentage: write it as a number or as text',
      readings: [String(percent / 100), String(percent)],
    }
  }
  if (isDate && rule.dates?.some((format) => format.read(text) !== undefined) !== true)
    return { reason: 'The cell of the sheet is a number, not a date' }
  if (isDate) return readText(rule, text)
  if (values !== undefined && lookup === undefined && numbers?.isOfColumn !== true)
    return unknownValue(field, values, text)
  // Excel writes zeros for the digits after the 15th, so a longer id may be that of another record.
  const isShortened = problem !== undefined && field.kind !== 'number' && Number.isInteger(Number(text))
  if (isNumeric(field) && lookup === undefined && !isShortened) return { value: Number(text) }
  return problem === undefined ? { value: text } : { reason: problem }
}

const readSheetDate = ({ field, timeZone }: ColumnRule, text: string): MappedResult => {
  if (field.kind === 'date') {
    const date = readPlainDate(text)
    return 'reason' in date ? date : { value: date.value.slice(0, 10) }
  }
  return field.kind === 'timestamp'
    ? readTime({ dates: undefined, zone: timeZone }, text)
    : { reason: 'The cell of the sheet is a date' }
}

const errorValues = /^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|BEZUG!|NV|WERT!|ZAHL!|#+)$/
const shortenedNumber = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,}$/
/** The second character of Ã¼, â€™ and similar stands for the second byte of a character in UTF-8. */
const wronglyDecoded =
  /[ÃÂ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|â€/

/** What another program has done to the text before; undefined if nothing is visible. */
const damageOf = (text: string): string | undefined => {
  if (text.startsWith('=')) return 'The cell is a formula: export its value'
  if (errorValues.test(text)) return 'The cell is an error of the spreadsheet'
  if (shortenedNumber.test(text)) return 'The spreadsheet has shortened this number: format the column as text'
  if (text.includes('\uFFFD')) return 'A character of this text was lost (U+FFFD) before the file was written'
  if (wronglyDecoded.test(text)) return 'This text was read in the wrong encoding: check "encoding" in the map'
  return undefined
}

/** A suggestion would show most of a personal value. */
const unknownValue = (
  { personal }: ColumnRule['field'],
  values: ReadonlyMap<string, MappedValue>,
  text: string,
): CellProblem => {
  const reason = 'The map has no translation of this value'
  return {
    reason: personal ? reason : `${reason}${didYouMean(text.toLowerCase(), [...values.keys()])}`.replace(/\.$/, ''),
  }
}
