/** A CSV file of `sync-samples` as rows of cells, with what its map says about each column. */
import { readFileSync } from 'node:fs'
import type { Random } from '../../../../tests/support/random.ts'
import { pick } from '../../../../tests/support/random.ts'
import { csvReader } from '../../src/import-export/csv.ts'
import type { FieldMap } from '../../src/sync/field-map.ts'
import { samplePath } from './sync-samples.ts'

export interface Table {
  readonly map: FieldMap
  readonly delimiter: string
  readonly encoding: 'utf8' | 'latin1'
  readonly rows: readonly (readonly string[])[]
  /** Index of the first record. */
  readonly first: number
}

const encodingOf = ({ file }: FieldMap): Table['encoding'] => (file.encoding === 'windows-1252' ? 'latin1' : 'utf8')

export const readTable = (name: string, map: FieldMap): Table => {
  const encoding = encodingOf(map)
  const text = readFileSync(samplePath(name), encoding).replace(/^\uFEFF/, '')
  const delimiter = text.split('\n')[0]?.includes(';') ? ';' : ','
  const records = csvReader(delimiter).read(text.endsWith('\n') ? text : `${text}\n`)
  return {
    map,
    delimiter,
    encoding,
    rows: records.map(({ cells }) => cells.map((cell) => cell ?? '')),
    first: records.findIndex(({ line }, index) => index > 0 && !map.file.skippedRows.has(line)),
  }
}

export const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

export const lineOf = (cells: readonly string[], delimiter: string): string =>
  cells.map((cell) => (/["\n;,\t|]/.test(cell) ? quoted(cell) : cell)).join(delimiter)

export const textOf = ({ rows, delimiter }: Table): string =>
  rows.map((cells) => `${lineOf(cells, delimiter)}\r\n`).join('')

export const bytesOf = (table: Table): Buffer => Buffer.from(textOf(table), table.encoding)

export const withRows = (table: Table, rows: Table['rows']): Buffer => bytesOf({ ...table, rows })

export const withCell = (table: Table, row: number, column: number, cell: string): Buffer =>
  withRows(
    table,
    table.rows.map((cells, index) => (index === row ? cells.with(column, cell) : cells)),
  )

export const header = ({ rows }: Table): readonly string[] => rows[0] as readonly string[]

export const rulesAt = (table: Table, column: number) => table.map.columns.get(header(table)[column] as string) ?? []

const columnsWhere = (table: Table, matches: (column: number) => boolean): number[] =>
  header(table).flatMap((_, column) => (matches(column) ? [column] : []))

export const mapped = (table: Table): number[] => columnsWhere(table, (column) => rulesAt(table, column).length > 0)
export const dates = (table: Table): number[] =>
  columnsWhere(table, (column) => rulesAt(table, column).some(({ field }) => field.kind === 'date'))
export const salaries = (table: Table): number[] =>
  columnsWhere(table, (column) => rulesAt(table, column).some(({ field }) => field.name === 'base_salary'))
export const times = (table: Table): number[] =>
  columnsWhere(table, (column) => rulesAt(table, column).some(({ field }) => field.kind === 'timestamp'))
export const codeReferences = (table: Table): number[] =>
  columnsWhere(table, (column) =>
    rulesAt(table, column).some(({ lookup }) => lookup?.target.path === 'employees' && lookup.by === 'code'),
  )
/** Columns whose cells are checked against a list or a form. */
export const checked = (table: Table): number[] =>
  columnsWhere(table, (column) =>
    rulesAt(table, column).some(({ values, lookup, dates: formats }) => values ?? lookup ?? formats),
  )

export const records = ({ rows, first }: Table): number[] =>
  rows.flatMap((cells, index) => (index >= first && cells.some((cell) => cell !== '') ? [index] : []))

/** A record in which the column is not empty. */
export const filledCell = (
  random: Random,
  table: Table,
  columns: readonly number[],
): [row: number, column: number] | undefined => {
  const places = records(table).flatMap((row) =>
    columns.flatMap((column) => (table.rows[row]?.[column] === '' ? [] : [[row, column] as [number, number]])),
  )
  return places.length === 0 ? undefined : pick(random, places)
}
