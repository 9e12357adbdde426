/** Numbers as the file writes them, with the decimal sign and the thousands separator of the map. */
import { parseJsonNumber } from '@muster/model'

export const decimalSigns = ['.', ','] as const
export const thousandsSeparators = ['.', ',', ' ', "'", '’'] as const

export interface NumberFormat {
  readonly decimal: (typeof decimalSigns)[number]
  readonly thousands: (typeof thousandsSeparators)[number] | undefined
  /** Whether the rule of the column itself names the decimal sign. */
  readonly isOfColumn: boolean
}

/** Why a cell cannot be read. Reasons do not contain the value, because it may be personal. */
export interface CellProblem {
  readonly reason: string
  /** What the value can mean, if it can be read in several ways. */
  readonly readings?: readonly string[]
  /** The cell would be valid with day and month, or the signs of numbers, exchanged. */
  readonly isOtherFormat?: true
}

export type NumberResult = { readonly value: unknown } | CellProblem

/** One separator, followed by three digits: a decimal sign in some countries, and a thousands separator in others. */
const ambiguousNumber = /^[+-]?\d{1,3}[.,]\d{3}$/
const leadingZeros = /^[+-]?0\d/

/** Whether the number, by itself, can be read in two ways. */
export const isAmbiguous = (text: string): boolean => ambiguousNumber.test(text) || leadingZeros.test(text)

/**
 * Without a format in the map, only numbers with a decimal point are read. Even with one, `58,000` is refused where the
 * comma is the decimal sign, unless the column itself says so: it is probably a number of another country.
 */
export const readNumber = (format: NumberFormat | undefined, input: string): NumberResult => {
  const text = input.replaceAll(/[\u00a0\u202f]/g, ' ')
  if (ambiguousNumber.test(text) && !decidesSeparator(format, text)) return ambiguousSeparator(text)
  if (leadingZeros.test(text) && format?.isOfColumn !== true && patternOf('.', undefined).test(text.replace(',', '.')))
    return ambiguousZeros(text)
  const { decimal, thousands } = format ?? { decimal: '.', thousands: undefined }
  if (!patternOf(decimal, thousands).test(text)) return { reason: invalidReason(format), ...otherFormat(format, text) }
  const plain = thousands === undefined ? text : text.replaceAll(thousands, '')
  return { value: parseJsonNumber(plain.replace(decimal, '.')) }
}

const decidesSeparator = (format: NumberFormat | undefined, text: string): boolean => {
  if (format === undefined) return false
  const separator = text.includes(',') ? ',' : '.'
  // Nobody writes 0.500 for 500, so it is the decimal sign of another country.
  if (/^[+-]?0/.test(text)) return separator === format.decimal
  return separator === format.thousands || format.isOfColumn
}

const patterns = new Map<string, RegExp>()

const patternOf = (decimal: string, thousands: string | undefined): RegExp => {
  const key = `${decimal}${thousands}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const grouped = thousands === undefined ? '' : `|[1-9]\\d{0,2}(?:\\${thousands}\\d{3})+`
  // Programs write exponents with a decimal point only.
  const exponent = decimal === '.' ? '(?:[eE][+-]?\\d+)?' : ''
  const pattern = new RegExp(`^[+-]?(?:\\d+${grouped})(?:\\${decimal}\\d+)?${exponent}$`)
  patterns.set(key, pattern)
  return pattern
}

/** Whether the text is a number with the signs of the other kind, such as 58,000.50 instead of 58.000,50. */
const otherFormat = (format: NumberFormat | undefined, text: string): { readonly isOtherFormat?: true } => {
  const [decimal, thousands] = (format?.decimal ?? '.') === '.' ? [',', '.'] : ['.', ',']
  return patternOf(decimal, thousands).test(text) ? { isOtherFormat: true } : {}
}

const invalidReason = (format: NumberFormat | undefined): string => {
  if (format === undefined)
    return 'Input should be a valid number with a decimal point; for other numbers, add "decimal" and "thousands" to the map'
  const thousands =
    format.thousands === undefined ? 'without a thousands separator' : `the thousands separator "${format.thousands}"`
  return `Input should be a number with the decimal sign "${format.decimal}" and ${thousands}`
}

const ambiguousSeparator = (text: string): CellProblem => {
  const separator = text.includes(',') ? ',' : '.'
  return {
    reason: `This number can be read with "${separator}" as the decimal sign or as the thousands separator: let the map decide with "decimal" in the rule of the column`,
    readings: [String(Number(text.replace(',', '.'))), String(Number(text.replace(/[.,]/, '')))],
  }
}

const ambiguousZeros = (text: string): CellProblem => ({
  reason:
    'This number has leading zeros, so it can be read as a number or as a code: let the map decide with "decimal" in the rule of the column',
  readings: [String(Number(text.replace(',', '.'))), `the code ${text}`],
})
