/** In charge of reading the files that lists come as: NDJSON and CSV, back to the records they stand for. */
import assert from 'node:assert/strict'
import type { NamedField } from '@muster/model'
import { csvReader } from '../../src/transfer/csv.ts'
import type { Row } from './reference.ts'

export const linesOf = (text: string): Row[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)

/** Every cell as the value it stands for, by the declaration of its column. */
export const sheetOf = (fields: readonly NamedField[], text: string): Row[] => {
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

/** What a spreadsheet would compute, and what it is given instead. */
export const defused = (record: Row): Row =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value.replace(/([;\t\r\n])("*[=+\-@＝＋－＠])/g, "$1'$2").replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&")
        : value,
    ]),
  )

/**
 * The cells as Excel splits a text at a separator: quotes count where a cell begins with one, whatever follows the
 * closing quote is appended, and quotes anywhere else are ordinary characters.
 */
export const cellsOf = (text: string, separator: string): string[] => {
  const cells: string[] = []
  const ends = (at: number): boolean => at >= text.length || text[at] === separator || /[\r\n]/.test(text[at] as string)
  for (let at = 0; at <= text.length; at += 1) {
    let cell = ''
    if (text[at] === '"') {
      for (at += 1; at < text.length && !(text[at] === '"' && text[at + 1] !== '"'); at += 1) {
        if (text[at] === '"') at += 1
        cell += text[at]
      }
      at += 1
    }
    for (; !ends(at); at += 1) cell += text[at]
    cells.push(cell)
  }
  return cells
}
