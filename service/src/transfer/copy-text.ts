/** In charge of PostgreSQL's COPY text for staged rows. */
import type { Stored } from '@muster/model'

const special = /[\\\n\r\t]/
const specials = /[\\\n\r\t]/g
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

export const copyLine = (line: number, bad: boolean, values: readonly Stored[]): string => {
  let text = `${line}\t${bad ? 't' : 'f'}`
  for (const value of values) text += `\t${copyValue(value)}`
  return `${text}\n`
}

const copyValue = (value: Stored): string => {
  if (value === null) return '\\N'
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return special.test(value) ? value.replace(specials, (character) => escapes[character] as string) : value
}
