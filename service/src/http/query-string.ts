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
  // decodeURIComponent throws on a bad escape, and 4,000 exceptions in one URL take 150 ms.
  const bytes = Buffer.from(unescapeBytes(text), 'latin1')
  return { text: bytes.toString('utf8'), isUnicode: isUtf8(bytes) }
}

const unescapeBytes = (text: string): string =>
  Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
