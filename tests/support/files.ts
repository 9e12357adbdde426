import assert from 'node:assert/strict'
import type { NamedField } from '@muster/model'
import { csvReader } from '../../packages/server/src/import-export/csv.ts'
import type { Row } from './reference.ts'

export const parseNdjsonRows = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)

/** Parses CSV into records. The declaration of each field decides whether a cell is a number or a string. */
export const parseCsvRows = (fields: readonly NamedField[], text: string): Row[] => {
  const [header, ...records] = csvReader().read(text)
  assert.deepEqual(
    header?.cells,
    fields.map(({ name }) => name),
  )
  return records.map(({ cells }) =>
    Object.fromEntries(
      fields.map(({ name, kind }, index) => {
        const cell = cells[index] ?? null
        const isNumber = ['id', 'reference', 'integer', 'number'].includes(kind)
        return [name, cell !== null && isNumber ? Number(cell) : cell]
      }),
    ),
  )
}

/** Puts an apostrophe before every character at which a spreadsheet would start to evaluate a formula. */
export const escapeFormulas = (record: Row): Row =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value.replace(/([;\t\r\n])("*[=+\-@＝＋－＠])/g, "$1'$2").replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&")
        : value,
    ]),
  )

/**
 * Splits text into cells like Excel: a quote is special only at the start of a cell, text after the closing quote is
 * appended to the cell, and quotes anywhere else are ordinary characters.
 */
export const excelCells = (text: string, separator: string): string[] => {
  const cells: string[] = []
  const isCellEnd = (index: number): boolean =>
    index >= text.length || text[index] === separator || /[\r\n]/.test(text[index] as string)
  for (let index = 0; index <= text.length; index += 1) {
    let cell = ''
    if (text[index] === '"') {
      for (index += 1; index < text.length && !(text[index] === '"' && text[index + 1] !== '"'); index += 1) {
        if (text[index] === '"') index += 1
        cell += text[index]
      }
      index += 1
    }
    for (; !isCellEnd(index); index += 1) cell += text[index]
    cells.push(cell)
  }
  return cells
}
