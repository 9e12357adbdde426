import type { StoredValue } from '@muster/model'

const specialCharacter = /[\\\n\r\t]/
const specialCharacters = /[\\\n\r\t]/g
const escapeByCharacter: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Formats one staged row in the text format of COPY. */
export const copyLine = (line: number, bad: boolean, values: readonly StoredValue[]): string => {
  let text = `${line}\t${bad ? 't' : 'f'}`
  for (const value of values) text += `\t${copyValue(value)}`
  return `${text}\n`
}

const copyValue = (value: StoredValue): string => {
  if (value === null) return '\\N'
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return specialCharacter.test(value)
    ? value.replace(specialCharacters, (character) => escapeByCharacter[character] as string)
    : value
}
