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

export type NumberResult = { readonly value: unknown } | { readonly reason: string; readonly isOtherFormat?: true }

/** One separator, followed by three digits: a decimal sign in some countries, and a thousands separator in others. */
const ambiguousNumber = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/**
 * Without a format in the map, only numbers with a decimal point are read. Even with one, `58,000` is refused where the
 * comma is the decimal sign, unless the column itself says so: it is probably a number of another country.
 */
export const readNumber = (format: NumberFormat | undefined, input: string): NumberResult => {
  const text = input.replaceAll(/[\u00a0\u202f]/g, ' ')
  if (ambiguousNumber.test(text)) {
    const separator = text.includes(',') ? ',' : '.'
    const isDecided = format !== undefined && (separator === format.thousands || format.isOfColumn)
    if (!isDecided) return { reason: ambiguousReason(text, format) }
  }
  const { decimal, thousands } = format ?? { decimal: '.', thousands: undefined }
  if (!patternOf(decimal, thousands).test(text)) return { reason: invalidReason(format), ...otherFormat(format, text) }
  const plain = thousands === undefined ? text : text.replaceAll(thousands, '')
  return { value: parseJsonNumber(plain.replace(decimal, '.')) }
}

const patterns = new Map<string, RegExp>()

const patternOf = (decimal: string, thousands: string | undefined): RegExp => {
  const key = `${decimal}${thousands}`
  const known = patterns.get(key)
  if (known !== undefined) return known
  const grouped = thousands === undefined ? '' : `|\\d{1,3}(?:\\${thousands}\\d{3})+`
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

const ambiguousReason = (text: string, format: NumberFormat | undefined): string => {
  const decimal = Number(text.replace(',', '.'))
  const integer = Number(text.replace(/[.,]/, ''))
  const sign = format?.decimal ?? '.'
  // With a fourth decimal, it can only be a decimal number.
  const decimalText = Number.isInteger(decimal) ? String(decimal) : `${text.replace(/[.,]/, sign)}0`
  return `This number can be read as ${decimal} or as ${integer}: write ${decimalText} or ${integer}, or let the map decide with "decimal" in the rule of the column`
}
