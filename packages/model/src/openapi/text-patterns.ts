/** JSON Schema patterns for string fields. They match the same strings with and without the `u` flag of ECMA 262. */
import type { Field } from '../schema/field.ts'

const anyText = '[^\\x00]*'
/**
 * Matches strings that are not blank. In JavaScript, `\s` matches exactly the white space that `trim()` removes, and
 * the service uses `trim()` to find blank values.
 */
const notBlankText = '\\s*[^\\s\\x00][^\\x00]*'

/** Characters that browsers ignore before and inside a URL scheme. */
const ignoredCharacters = '[\\x01-\\x20\\x7f-\\xa0]*'

const caseInsensitive = (scheme: string): string =>
  [...scheme].map((letter) => `[${letter}${letter.toUpperCase()}]${ignoredCharacters}`).join('')

const rejectedSchemes = ['javascript', 'vbscript']
const noScriptScheme = `(?!${ignoredCharacters}(?:${rejectedSchemes.map(caseInsensitive).join('|')}):)`

/** Returns the pattern of a string in a create body: it excludes U+0000 and applies the rules of the field. */
export const textPattern = ({ kind, notBlank }: Field): string =>
  `^${kind === 'url' ? noScriptScheme : ''}${notBlank ? notBlankText : anyText}$`

const year = '(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})'
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'
const monthAndDay =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])'
const day = `(?:${year}-(?:${monthAndDay})|${leapYear}-02-29)`
const hour = '(?:[01]\\d|2[0-3])'
const minute = '[0-5]\\d'
const time = `${hour}:${minute}(?::${minute}(?:\\.\\d{1,9})?)?`
const offset = `(?:[Zz]|[+-]${hour}:?${minute})`

/** Extends a pattern so that it also matches blank text: the service ignores a parameter with a blank value. */
export const blankOr = (pattern: string): string => `^(?:\\s*|${pattern.slice(1, -1)})$`

/** Pattern of a day of the year, with that of leap years. */
export const monthDayPattern = `^(?:${monthAndDay}|02-29)$`

/** Pattern of a month: the years 1 to 9999. */
export const monthTextPattern = `^${year}-(?:0[1-9]|1[0-2])$`

/** Pattern of a date or timestamp in a create body: a calendar day, optionally with a time. */
export const dateTimeTextPattern = `^${day}(?:[Tt ]${time}${offset}?)?$`
