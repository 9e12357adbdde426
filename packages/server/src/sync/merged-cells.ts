/** Merged cells of a sheet: only the first has a value, and what the others show is lost. */
import { OperatorError } from '../errors.ts'
import { describeColumn } from '../import-export/row-error.ts'
import type { InputRow } from '../import-export/row-reader.ts'
import type { MappedColumn } from './header.ts'
import type { CellRange } from './xlsx/sheet.ts'

export interface MergedCells {
  addRecords(rows: readonly InputRow[]): void
  /** Throws if a cell without a value of its own is one that the map reads. Called after all records. */
  reject(range: CellRange, columns: readonly MappedColumn[]): void
}

const maxRows = 1_048_576

export const openMergedCells = (): MergedCells => {
  const isRecord = new Uint8Array(maxRows + 2)
  /** For each line, the first record from there on. A sheet may have a million merged ranges. */
  let nextRecord: Uint32Array | undefined
  const firstRecord = (from: number, to: number): number | undefined => {
    if (nextRecord === undefined) {
      nextRecord = new Uint32Array(isRecord.length)
      for (let line = maxRows; line > 0; line -= 1)
        nextRecord[line] = isRecord[line] === 1 ? line : (nextRecord[line + 1] as number)
    }
    const line = nextRecord[from] ?? 0
    return line > 0 && line <= to ? line : undefined
  }
  return {
    addRecords(rows) {
      for (const { line } of rows) isRecord[line] = 1
    },
    reject({ reference, firstLine, lastLine, firstColumn, lastColumn }, columns) {
      for (const { index, place } of columns) {
        if (index < firstColumn || index > lastColumn) continue
        const line = firstRecord(index === firstColumn ? firstLine + 1 : firstLine, lastLine)
        if (line === undefined) continue
        throw new OperatorError(
          `Line ${line}, ${describeColumn(place)}: the cells ${reference} are merged, so only the first of them has a value. Unmerge them, and fill in each cell.`,
        )
      }
    },
  }
}
