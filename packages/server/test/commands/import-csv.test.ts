/** Tests the CSV reader with random tables, written as in RFC 4180 and split into chunks at random offsets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../../tests/support/fast-check.ts'
import type { Cell, CsvRecord } from '../../src/import-export/csv.ts'
import { csvReader } from '../../src/import-export/csv.ts'
import { textBlocks } from '../../src/import-export/text-blocks.ts'

const readCsv = async (chunks: Iterable<Uint8Array>): Promise<CsvRecord[]> => {
  const reader = csvReader()
  const records: CsvRecord[] = []
  for await (const block of textBlocks(toAsync(chunks), 'test.csv')) records.push(...reader.read(block))
  reader.end()
  return records
}

async function* toAsync<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values
}

/** Formats a cell as in RFC 4180. A cell that does not need quotes gets them only if `quoteAll` is true. */
const formatCell = (cell: Cell, quoteAll: boolean): string => {
  if (cell === null) return ''
  return quoteAll || cell === '' || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const specialCharacters = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'é', '漢', '𝒳', ' '), maxLength: 8 })
const cellArbitrary: fc.Arbitrary<Cell> = fc.oneof(fc.constant(null), specialCharacters, fc.string({ unit: 'binary' }))
const tableArbitrary = fc.array(fc.tuple(cellArbitrary, cellArbitrary, cellArbitrary), { maxLength: 12 })

describe('the CSV reader', () => {
  it('reads every table correctly with any quoting, any line ending and any split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        tableArbitrary,
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(400), { maxLength: 6 }),
        async (rows, quoteAll, lineEnd, cuts) => {
          const lines = [['a', 'b', 'c'], ...rows].map((row) => row.map((cell) => formatCell(cell, quoteAll)).join(','))
          const bytes = Buffer.from(lines.join(lineEnd))
          const offsets = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length]
          const chunks = offsets.slice(1).map((offset, index) => bytes.subarray(offsets[index], offset))
          const [, ...records] = await readCsv(chunks)
          assert.deepEqual(
            records.map((record) => record.cells),
            rows,
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('gives each record the number of its first line in the file', async () => {
    const records = await readCsv([Buffer.from('a,b\n1,2\n\n"x\ny","\n"\n3,4\nbad",5\n6,7')])
    assert.deepEqual(
      records.map(({ line }) => line),
      [1, 2, 4, 7, 8, 9],
    )
  })

  it('reads records of up to a million characters', async () => {
    const lengthOf = async (cell: string): Promise<number | undefined> =>
      (await readCsv([Buffer.from(`a,b\n1,${cell}\n`)]))[1]?.cells[1]?.length
    assert.equal(await lengthOf('x'.repeat(999_998)), 999_998)
    assert.equal(await lengthOf(`"${'x'.repeat(999_995)}"`), 999_995)
    for (const cell of ['x'.repeat(999_999), `"${'x'.repeat(999_999)}"`])
      await assert.rejects(lengthOf(cell), /The record that starts on line 2 is longer than a million characters/)
  })
})
