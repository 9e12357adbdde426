/** The members of a map that describe the format of the file: its encoding, delimiter, numbers and dates. */
import { didYouMean } from '@muster/model'
import type { DateFormat } from './date-format.ts'
import { parseDateFormat } from './date-format.ts'
import { delimiters } from './delimiter.ts'
import type { Encoding } from './file-encoding.ts'
import { encodings } from './file-encoding.ts'
import type { NumberFormat } from './number-format.ts'
import { decimalSigns, thousandsSeparators } from './number-format.ts'
import { isTimeZone } from './time-format.ts'

export type JsonObject = Readonly<Record<string, unknown>>
export type Fail = (problem: string, details?: readonly string[]) => never

export const formatMembers = [
  'delimiter',
  'encoding',
  'decimal',
  'thousands',
  'date',
  'time_zone',
  'skip_rows',
  'skip_where',
]

export interface FileFormatMembers {
  /** A character, or `auto`. */
  readonly delimiter: string
  readonly encoding: Encoding | undefined
  /** Numbers of the lines that are neither column names nor records. */
  readonly skippedRows: ReadonlySet<number>
  /** By column, the values of which a row is no record, by their lower case. */
  readonly skippedValues: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export const fileMembersOf = (document: JsonObject, fail: Fail): FileFormatMembers => ({
  delimiter: oneOf(document.delimiter ?? ',', [...delimiters, 'auto'], { member: 'delimiter', fail }),
  encoding:
    document.encoding === undefined ? undefined : oneOf(document.encoding, encodings, { member: 'encoding', fail }),
  skippedRows: new Set(rowNumbersOf(document.skip_rows ?? [], fail)),
  skippedValues: skippedValuesOf(document, fail),
})

const oneOf = <T extends string>(
  value: unknown,
  known: readonly T[],
  { member, fail }: { readonly member: string; readonly fail: Fail },
): T =>
  known.find((each) => each === value) ??
  fail(
    `is invalid: "${member}" is ${JSON.stringify(value)}${didYouMean(String(value), known)} Use ${known.map((each) => JSON.stringify(each)).join(', ')}.`,
  )

const rowNumbersOf = (value: unknown, fail: Fail): number[] =>
  Array.isArray(value) && value.every((row) => Number.isInteger(row) && row > 0)
    ? value
    : fail('is invalid: "skip_rows" should be a list of line numbers, such as [1, 2].')

const skippedValuesOf = (document: JsonObject, fail: Fail): Map<string, ReadonlyMap<string, string>> => {
  const columns = Object.keys(isObject(document.columns) ? document.columns : {})
  const rules = document.skip_where ?? {}
  if (!isObject(rules))
    return fail('is invalid: "skip_where" should be an object of columns and values, such as {"Name": "Total"}.')
  return new Map(
    Object.entries(rules).map(([column, values]) => {
      if (!columns.includes(column))
        return fail(`names the column "${column}" in "skip_where", but not in "columns"${didYouMean(column, columns)}`)
      const texts = [values].flat()
      return texts.every((text) => typeof text === 'string')
        ? [column, new Map(texts.map((text) => [text.trim().toLowerCase(), text]))]
        : fail(`is invalid: "${column}" in "skip_where" should be a text or a list of texts.`)
    }),
  )
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The number format of the map, or that of a column, which inherits what it does not name. */
export const numberFormatOf = (
  members: JsonObject,
  inherited: NumberFormat | undefined,
  fail: Fail,
): NumberFormat | undefined => {
  if (members.decimal === undefined && members.thousands === undefined)
    return inherited === undefined ? undefined : { ...inherited, isOfColumn: false }
  const decimal =
    members.decimal === undefined
      ? (inherited?.decimal ?? fail('is invalid: "thousands" needs "decimal" too.'))
      : oneOf(members.decimal, decimalSigns, { member: 'decimal', fail })
  const thousands =
    members.thousands === undefined
      ? inherited?.thousands
      : oneOf(members.thousands, thousandsSeparators, { member: 'thousands', fail })
  if (thousands === decimal) fail(`is invalid: "decimal" and "thousands" are both "${decimal}".`)
  return { decimal, thousands, isOfColumn: members.decimal !== undefined }
}

/** One format, or a list of formats. */
export const dateFormatsOf = (formats: unknown, fail: Fail): DateFormat[] =>
  [formats]
    .flat()
    .map(
      (format) =>
        parseDateFormat(String(format)) ??
        fail(`has an invalid date format "${String(format)}": use YYYY, MM, DD and Mon, such as MM/DD/YYYY.`),
    )

export const timeZoneOf = (zone: unknown, fail: Fail): string =>
  typeof zone === 'string' && isTimeZone(zone)
    ? zone
    : fail(`is invalid: "time_zone" is ${JSON.stringify(zone)}. Use a name such as "Europe/Vienna" or "UTC".`)
