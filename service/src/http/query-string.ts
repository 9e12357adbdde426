/** In charge of taking a query string apart: the last of a repeated name counts, and nothing is coerced. */

import { isUtf8 } from 'node:buffer'

export interface Parameter {
  /** As sent, percent-decoded; bytes that are no UTF-8 stand as U+FFFD. */
  readonly text: string
  readonly isUnicode: boolean
}

export type Parameters = ReadonlyMap<string, Parameter>

export const parseQuery = (query: string): Parameters => {
  const parameters = new Map<string, Parameter>()
  for (const part of query.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = equals < 0 ? part : part.slice(0, equals)
    const value = equals < 0 ? '' : part.slice(equals + 1)
    parameters.set(decode(name.replaceAll('+', ' ')).text, decode(value.replaceAll('+', ' ')))
  }
  return parameters
}

/** An escape that is none (`%zz`) stays as it is written, as in every browser. */
export const decode = (text: string): Parameter => {
  if (!text.includes('%')) return { text, isUnicode: true }
  // Not decodeURIComponent: it throws on a bad escape, and 4,000 exceptions in one URL take 150 ms.
  const bytes = unescaped(text)
  return { text: bytes.toString('utf8'), isUnicode: isUtf8(bytes) }
}

const percent = 0x25

/** The bytes of a text in UTF-8, with the escaped ones in place of their escapes. */
const unescaped = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1, length += 1) {
    const high = bytes[at] === percent ? hexDigit(bytes[at + 1]) : -1
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2])
    if (low < 0) bytes[length] = bytes[at] as number
    else {
      bytes[length] = high * 16 + low
      at += 2
    }
  }
  return bytes.subarray(0, length)
}

/** -1 for what is not a digit. */
const hexDigit = (code = 0): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
