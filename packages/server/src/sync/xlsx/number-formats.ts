/** The number formats of a workbook: whether a cell with a number is a date, a time, a percentage or a code. */
import { SheetValue } from '../sheet-value.ts'
import type { XmlHandlers } from './xml.ts'

export interface NumberStyle {
  readonly kind: 'number' | 'percentage' | 'date' | 'time'
  /** The least number of digits, such as 5 for the format 00000; undefined if the format shows more than digits. */
  readonly minDigits: number | undefined
}

const between = (id: number, first: number, last: number): boolean => id >= first && id <= last

/** The formats that have a number, but no code in the file (ECMA-376, part 1, 18.8.30). */
const builtInStyle = (id: number): NumberStyle => {
  if (between(id, 18, 21) || between(id, 45, 47)) return { kind: 'time', minDigits: undefined }
  if (between(id, 14, 22) || between(id, 27, 36) || between(id, 50, 58)) return { kind: 'date', minDigits: undefined }
  if (id === 9 || id === 10) return { kind: 'percentage', minDigits: undefined }
  return { kind: 'number', minDigits: [0, 1, 49].includes(id) ? 0 : undefined }
}

const plain: NumberStyle = { kind: 'number', minDigits: 0 }

export interface NumberStyles {
  readonly handlers: XmlHandlers
  styleOf(cellStyle: string | undefined): NumberStyle
}

/** Collects the formats from styles.xml. */
export const openNumberStyles = (): NumberStyles => {
  const codes = new Map<number, string>()
  const styles: NumberStyle[] = []
  let isInCellFormats = false
  return {
    handlers: {
      open(element, attributes) {
        if (element === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
        else if (element === 'cellXfs') isInCellFormats = true
        else if (element === 'xf' && isInCellFormats)
          styles.push(styleOfFormat(Number(attributes.numFmtId ?? 0), codes))
      },
      text() {},
      close(element) {
        if (element === 'cellXfs') isInCellFormats = false
      },
    },
    styleOf: (cellStyle) => styles[Number(cellStyle ?? 0)] ?? plain,
  }
}

const styleOfFormat = (id: number, codes: ReadonlyMap<number, string>): NumberStyle => {
  const code = codes.get(id)
  if (code === undefined) return builtInStyle(id)
  // Spaces as wide as a character, characters that fill the cell, colours, conditions and countries show nothing.
  const shown = code.replaceAll(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, (part) =>
    /^["\\]/.test(part) || /^\[[hms]+\]$/i.test(part) ? part : '',
  )
  const [positive = ''] = shown.split(';')
  const signs = shown.replaceAll(/"[^"]*"|\\.|general|standard/gi, '')
  const digits = /^(?:general|standard|@|#|#?(0+))$/i.exec(positive.trim())
  return { kind: kindOf(signs), minDigits: digits === null ? undefined : (digits[1]?.length ?? 0) }
}

/** `m` is the month, or the minute beside hours or seconds. */
const kindOf = (signs: string): NumberStyle['kind'] => {
  if (/[yd]/i.test(signs)) return 'date'
  if (/[hs]|\[m+\]/i.test(signs)) return 'time'
  if (/m/i.test(signs)) return 'date'
  return signs.includes('%') ? 'percentage' : 'number'
}

const millisecondsPerDay = 86_400_000
const daysBefore1904 = 1_462
/** Excel takes 1900 as a leap year, so the days before March 1900 are ambiguous. */
const firstClearDay = 61
const dayAfterLast = 2_958_466

/** The cell of a number, as Excel shows it in this format. */
export const readNumberCell = (stored: number, style: NumberStyle, isFrom1904: boolean): SheetValue => {
  const value = asShown(stored)
  if (style.kind === 'date') return sheetDate(value, isFrom1904)
  if (style.kind === 'time')
    return new SheetValue(
      'problem',
      clockText(value),
      'The cell of the sheet is a duration, or a time without a date: write a duration as a number of hours or days, and a time with its date',
    )
  return style.kind === 'percentage'
    ? new SheetValue('percentage', `${asShown(value * 100)}%`)
    : sheetNumber(value, style)
}

/** Excel keeps and shows 15 digits. Files have what is left of a calculation, such as 0.30000000000000004. */
const maxExactDigits = 15

const asShown = (value: number): number =>
  Number.isInteger(value) && Math.abs(value) < 10 ** maxExactDigits ? value : Number(value.toPrecision(maxExactDigits))

const clockText = (days: number): string => {
  const minutes = Math.round(Math.abs(days) * 1_440)
  return `${days < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** The number with which a sheet stores a date, as a date. */
const sheetDate = (serial: number, isFrom1904: boolean): SheetValue => {
  const days = isFrom1904 ? serial + daysBefore1904 : serial
  if (!(days >= firstClearDay && days < dayAfterLast))
    return new SheetValue('problem', String(serial), 'The cell of the sheet is formatted as a date, but is none')
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round(days * millisecondsPerDay)).toISOString()
  return new SheetValue('date', text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19))
}

const sheetNumber = (value: number, { minDigits }: NumberStyle): SheetValue => {
  const isExact = Number.isInteger(value) && Math.abs(value) < 10 ** maxExactDigits
  const text = isExact && value >= 0 ? String(value).padStart(minDigits ?? 0, '0') : String(value)
  if (!isExact)
    return new SheetValue('number', text, 'The cell of the sheet is a number, not text: format the column as text')
  return minDigits === undefined
    ? new SheetValue(
        'number',
        text,
        'The format of the cell shows more than the digits of this number: format the column as text, and write what it shows',
      )
    : new SheetValue('number', text)
}
