/** The number formats of a workbook: which cells are dates, and which numbers are written with leading zeros. */
import { SheetValue } from '../sheet-value.ts'
import type { XmlHandlers } from './xml.ts'

export interface NumberStyle {
  readonly isDate: boolean
  /** The number of digits of a format such as 00000; otherwise 0. */
  readonly minDigits: number
}

const builtInDates = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

const plain: NumberStyle = { isDate: false, minDigits: 0 }

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
  if (code === undefined) return { isDate: builtInDates(id), minDigits: 0 }
  const withoutText = code.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '')
  return {
    isDate: /[ymdhs]/i.test(withoutText.replaceAll(/general|standard/gi, '')),
    minDigits: /^0+$/.test(code) ? code.length : 0,
  }
}

const millisecondsPerDay = 86_400_000
const daysBefore1904 = 1_462
/** Excel takes 1900 as a leap year, so the days before March 1900 are ambiguous. */
const firstClearDay = 61
const dayAfterLast = 2_958_466

/** The number with which a sheet stores a date, as a date. */
export const sheetDate = (serial: number, isFrom1904: boolean): SheetValue => {
  const days = isFrom1904 ? serial + daysBefore1904 : serial
  if (!(days >= firstClearDay && days < dayAfterLast))
    return new SheetValue('problem', String(serial), 'The cell of the sheet is formatted as a date, but is none')
  const text = new Date(Date.UTC(1899, 11, 30) + Math.round(days * millisecondsPerDay)).toISOString()
  return new SheetValue('date', Number.isInteger(serial) ? text.slice(0, 10) : text.slice(0, 19))
}

/** Excel keeps 15 digits of a number. */
const maxExactDigits = 15

export const sheetNumber = (value: number, { minDigits }: NumberStyle): SheetValue => {
  const text = Number.isInteger(value) && value >= 0 ? String(value).padStart(minDigits, '0') : String(value)
  const isExact = Number.isInteger(value) && Math.abs(value) < 10 ** maxExactDigits
  return new SheetValue(
    'number',
    text,
    isExact ? undefined : 'The cell of the sheet is a number, not text: format the column as text',
  )
}
