/** The CSV reader against tables of any text, written by the book and cut into pieces anywhere. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Cell, CsvRecord } from '../src/transfer/csv.ts'
import { csvReader } from '../src/transfer/csv.ts'
import { textBlocks } from '../src/transfer/text-blocks.ts'

const readBytes = async (chunks: Iterable<Uint8Array>): Promise<CsvRecord[]> => {
  const reader = csvReader()
  const records: CsvRecord[] = []
  for await (const block of textBlocks(async(chunks), 'test.csv')) records.push(...reader.read(block))
  reader.end()
  return records
}

async function* async<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values
}

/** RFC 4180, with every text quoted or only those that need it. */
const write = (cell: Cell, quoteAll: boolean): string => {
  if (cell === null) return ''
  return quoteAll || cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const marks = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'é', '漢', '𝒳', ' '), maxLength: 8 })
const cells: fc.Arbitrary<Cell> = fc.oneof(fc.constant(null), marks, fc.string({ unit: 'binary' }))
const tables = fc.array(fc.tuple(cells, cells, cells), { maxLength: 12 })

describe('the CSV reader', () => {
  it('gives back every table, however it is written and wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(400), { maxLength: 6 }),
        async (rows, quoteAll, lineEnd, cuts) => {
          const written = [['a', 'b', 'c'], ...rows].map((row) => row.map((cell) => write(cell, quoteAll)).join(','))
          const bytes = Buffer.from(written.join(lineEnd))
          const places = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
          const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place))
          const [, ...records] = await readBytes(chunks)
          assert.deepEqual(
            records.map((record) => record.cells),
            rows,
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('numbers each record by the line it begins on', async () => {
    const records = await readBytes([Buffer.from('a,b\n1,2\n\n"x\ny","\n"\n3,4\nbad",5\n6,7')])
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 2, 4, 7, 8, 9],
    )
  })
})
