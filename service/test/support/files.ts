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
      typeof value === 'string' && /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value,
    ]),
  )
