/** Finds the formats in which all dates, or all numbers, of columns are written. */
import type { DateFormat } from '../date-format.ts'
import { parseDateFormat } from '../date-format.ts'
import type { NumberFormat } from '../number-format.ts'
import { readNumber } from '../number-format.ts'

export const dateFormats = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'MM-DD-YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
  'DDMMYYYY',
  'DD-Mon-YYYY',
  'DD Mon YYYY',
  'Mon DD, YYYY',
].flatMap((text) => parseDateFormat(text) ?? [])

/** The formats in which all texts are dates. */
export const fittingDates = (texts: readonly string[]): DateFormat[] =>
  texts.length === 0 ? [] : dateFormats.filter((format) => texts.every((text) => format.read(text) !== undefined))

export interface MostDates {
  readonly format: DateFormat
  /** The texts that are no dates of the format. */
  readonly others: readonly string[]
}

/** The formats in which at most one of five texts is no date; of these, those with the fewest such texts. */
export const mostlyFittingDates = (texts: readonly string[]): readonly MostDates[] => {
  const found = dateFormats
    .map((format) => ({ format, others: texts.filter((text) => format.read(text) === undefined) }))
    .filter(({ others }) => others.length * 5 <= texts.length)
  const fewest = Math.min(...found.map(({ others }) => others.length))
  return texts.length === 0 ? [] : found.filter(({ others }) => others.length === fewest)
}

const numberFormats: readonly NumberFormat[] = (
  [
    ['.', undefined],
    ['.', ','],
    ['.', "'"],
    ['.', '’'],
    ['.', ' '],
    [',', undefined],
    [',', '.'],
    [',', ' '],
  ] as const
).map(([decimal, thousands]) => ({ decimal, thousands, isOfColumn: true }))

/** The format in which most texts are numbers, and the texts that are none. */
export const mostlyFittingNumbers = (
  texts: readonly string[],
): { readonly format: NumberFormat; readonly others: readonly string[] } | undefined =>
  numberFormats
    .map((format) => ({ format, others: texts.filter((text) => 'reason' in readNumber(format, text)) }))
    .filter(({ others }) => others.length * 2 < texts.length)
    .toSorted((a, b) => a.others.length - b.others.length)[0]

/** The formats in which all texts are numbers. Of formats that give the same numbers, only the first. */
export const fittingNumbers = (texts: readonly string[]): NumberFormat[] => {
  const byValues = new Map<string, NumberFormat>()
  if (texts.length === 0) return []
  for (const format of numberFormats) {
    const results = texts.map((text) => readNumber(format, text))
    if (results.some((result) => 'reason' in result)) continue
    const key = JSON.stringify(results)
    if (!byValues.has(key)) byValues.set(key, format)
  }
  return [...byValues.values()]
}
