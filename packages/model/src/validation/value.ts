import type { Field } from '../schema/field.ts'
import { parseDateTime } from './date-time.ts'
import { isJson, underflow } from './flat-json.ts'
import type { Violation } from './violation.ts'

export type StoredValue = string | number | null
export type ValidationResult = { readonly stored: StoredValue } | { readonly violation: Violation }

/** Validates a value that is present and not null. `validateBody` handles missing values and null. */
export const validateValue = (field: Field, value: unknown): ValidationResult => {
  switch (field.kind) {
    case 'id':
    case 'reference':
    case 'integer':
      return validateInteger(value)
    case 'number':
      return validateNumber(value)
    default:
      return typeof value === 'string' ? validateString(field, value) : invalid('string_type')
  }
}

const invalid = (type: Violation['type'], ctx?: Violation['ctx']): ValidationResult => ({
  violation: ctx === undefined ? { type } : { type, ctx },
})

const validateInteger = (value: unknown): ValidationResult => {
  if (typeof value !== 'number') return invalid('int_type')
  if (!Number.isFinite(value)) return invalid('finite_number')
  if (!Number.isInteger(value)) return invalid('int_from_float')
  if (!Number.isSafeInteger(value)) return invalid('int_out_of_range')
  return { stored: value }
}

const validateNumber = (value: unknown): ValidationResult => {
  if (value === underflow) return invalid('number_underflow')
  if (typeof value !== 'number') return invalid('float_type')
  return Number.isFinite(value) ? { stored: value } : invalid('finite_number')
}

const validateString = (field: Field, value: string): ValidationResult => {
  if (!isStorable(value)) return invalid('string_unicode')
  if (field.kind === 'date') {
    const dateTime = parseDateTime(value)
    return dateTime === undefined ? invalid('date_parsing') : { stored: dateTime.day }
  }
  if (field.kind === 'timestamp') {
    const dateTime = parseDateTime(value)
    return dateTime === undefined ? invalid('datetime_parsing') : { stored: dateTime.instant }
  }
  if (field.notBlank && value.trim() === '') return invalid('string_too_short', { min_length: 1 })
  if (field.maxLength !== undefined && isLongerThan(value, field.maxLength))
    return invalid('string_too_long', { max_length: field.maxLength })
  if (field.kind === 'url') return validateUrl(value)
  if (field.kind === 'json') return validateJson(value)
  return { stored: value }
}

/**
 * Whether the database can store the string unchanged. PostgreSQL cannot store U+0000, and UTF-8 encoding would
 * silently replace an unpaired surrogate.
 */
const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\u0000')

/**
 * Whether the string has more than `max` code points. Counting code points is slow, so they are counted only if the
 * number of UTF-16 code units does not already decide.
 */
export const isLongerThan = (value: string, max: number): boolean => {
  if (value.length <= max) return false
  if (value.length > max * 2) return true
  let characters = 0
  for (const _ of value) characters += 1
  return characters > max
}

/**
 * Rejects URLs whose scheme runs scripts. Browsers ignore control characters and white space before and inside a URL
 * scheme, so this check ignores them too.
 */
const validateUrl = (value: string): ValidationResult => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the check must find these characters
  const scheme = /^(javascript|vbscript):/i.exec(value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''))?.[1]
  return scheme === undefined ? { stored: value } : invalid('url_scheme', { scheme: scheme.toLowerCase() })
}

const validateJson = (value: string): ValidationResult =>
  isJson(value) ? { stored: value } : invalid('json_invalid', { error: 'not a JSON document' })
