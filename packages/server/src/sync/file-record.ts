import type { CsvRecord } from '../import-export/csv.ts'

/** A line of a CSV file, a row of a sheet, or an object of NDJSON. */
export interface FileRecord extends Omit<CsvRecord, 'cells'> {
  readonly cells: readonly unknown[]
  /** The letters of the columns of a sheet. */
  readonly letters?: readonly string[]
  /** Whether the sheet hides the row. */
  readonly isHidden?: boolean
}
