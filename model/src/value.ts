/** In charge of judging one value against its field: either what is to be stored, or what is wrong with it. */

import type { Flaw } from './fault.ts'
import type { Field } from './field.ts'
import { isJson, underflow } from './flat-json.ts'
import { readMoment } from './moment.ts'

export type Stored = string | number | null
export type Judgement = { readonly stored: Stored } | { readonly flaw: Flaw }

/** Judges a value that is present and is not null; null is a matter of the whole record. */
export const judge = (field: Field, value: unknown): Judgement => {
  switch (field.kind) {
    case 'id':
    case 'reference':
    case 'integer':
      return judgeInteger(value)
    case 'number':
      return judgeNumber(value)
    default:
      return typeof value === 'string' ? judgeString(field, value) : flawed('string_type')
  }
}

const flawed = (type: Flaw['type'], ctx?: Flaw['ctx']): Judgement => ({
  flaw: ctx === undefined ? { type } : { type, ctx },
})

const judgeInteger = (value: unknown): Judgement => {
  if (typeof value !== 'number') return flawed('int_type')
  if (!Number.isFinite(value)) return flawed('finite_number')
  if (!Number.isInteger(value)) return flawed('int_from_float')
  if (!Number.isSafeInteger(value)) return flawed('int_out_of_range')
  return { stored: value }
}

const judgeNumber = (value: unknown): Judgement => {
  if (value === underflow) return flawed('number_underflow')
  if (typeof value !== 'number') return flawed('float_type')
  return Number.isFinite(value) ? { stored: value } : flawed('finite_number')
}

const judgeString = (field: Field, value: string): Judgement => {
  if (!isStorable(value)) return flawed('string_unicode')
  if (field.kind === 'date') {
    const moment = readMoment(value)
    return moment === undefined ? flawed('date_parsing') : { stored: moment.day }
  }
  if (field.kind === 'timestamp') {
    const moment = readMoment(value)
    return moment === undefined ? flawed('datetime_parsing') : { stored: moment.instant }
  }
  if (field.notBlank && value.trim() === '') return flawed('string_too_short', { min_length: 1 })
  if (field.maxLength !== undefined && isLongerThan(value, field.maxLength))
    return flawed('string_too_long', { max_length: field.maxLength })
  if (field.kind === 'url') return judgeUrl(value)
  if (field.kind === 'json') return judgeJson(value)
  return { stored: value }
}

/** PostgreSQL cannot hold U+0000, and would change an unpaired surrogate without a word. */
const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes('\u0000')

/** Counts characters (code points) only where the count of code units does not settle it. */
export const isLongerThan = (value: string, max: number): boolean => {
  if (value.length <= max) return false
  if (value.length > max * 2) return true
  let characters = 0
  for (const _ of value) characters += 1
  return characters > max
}

/** Browsers drop control characters and blanks in front of and inside a scheme, so they are dropped before the look. */
const judgeUrl = (value: string): Judgement => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
  const scheme = /^(javascript|vbscript):/i.exec(value.replace(/[\u0000-\u0020\u007f-\u00a0]/g, ''))?.[1]
  return scheme === undefined ? { stored: value } : flawed('url_scheme', { scheme: scheme.toLowerCase() })
}

const judgeJson = (value: string): Judgement =>
  isJson(value) ? { stored: value } : flawed('json_invalid', { error: 'not a JSON document' })
