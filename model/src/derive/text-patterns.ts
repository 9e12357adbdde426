/** In charge of the patterns that say of a text what the service enforces: the same in ECMA 262 with and without the u flag. */
import type { Field } from '../field.ts'

const anyText = '[^\\x00]*'
/** JavaScript's \s is exactly the white space that the check for blanks takes away. */
const notBlankText = '\\s*[^\\s\\x00][^\\x00]*'

/** Characters that browsers drop in front of a scheme and inside it. */
const dropped = '[\\x01-\\x20\\x7f-\\xa0]*'

const inAnyCase = (scheme: string): string =>
  [...scheme].map((letter) => `[${letter}${letter.toUpperCase()}]${dropped}`).join('')

const refusedSchemes = ['javascript', 'vbscript']
const noScript = `(?!${dropped}(?:${refusedSchemes.map(inAnyCase).join('|')}):)`

/** What a text of a create must match: no U+0000 anywhere, and the field's own rule. */
export const textPattern = ({ kind, notBlank }: Field): string =>
  `^${kind === 'url' ? noScript : ''}${notBlank ? notBlankText : anyText}$`

const year = '(?:000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})'
const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)'
const monthAndDay =
  '(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])'
const day = `(?:${year}-(?:${monthAndDay})|${leapYear}-02-29)`
const hour = '(?:[01]\\d|2[0-3])'
const minute = '[0-5]\\d'
const time = `${hour}:${minute}(?::${minute}(?:\\.\\d{1,9})?)?`
const offset = `(?:[Zz]|[+-]${hour}:?${minute})`

/** What a parameter must match that asks for nothing when it is blank. */
export const blankOr = (pattern: string): string => `^(?:\\s*|${pattern.slice(1, -1)})$`

/** A real calendar day, alone or with a time on it: all that a date or a timestamp of a create may be. */
export const momentTextPattern = `^${day}(?:[Tt ]${time}${offset}?)?$`
