/** Reads the rows of a file through a map. */
import { OperatorError } from '../errors.ts'
import type { CsvReader } from '../import-export/csv.ts'
import { csvReader } from '../import-export/csv.ts'
import { ndjsonReader } from '../import-export/ndjson.ts'
import type { ColumnPlace, RowError } from '../import-export/row-error.ts'
import { describeColumn } from '../import-export/row-error.ts'
import type { BlockReader, InputRow, RowReader } from '../import-export/row-reader.ts'
import { readBlocks, unreadableRow } from '../import-export/row-reader.ts'
import type { Source } from '../import-export/source.ts'
import type { EncodingHint } from '../import-export/text-blocks.ts'
import { textBlocks } from '../import-export/text-blocks.ts'
import { findDelimiter, pluralOf } from './delimiter.ts'
import type { FieldMap } from './field-map.ts'
import { decodeFile } from './file-encoding.ts'
import type { FileRecord } from './file-record.ts'
import type { FileColumns, MappedColumn, SkippingColumn } from './header.ts'
import { readHeader, rejectSharedFields, rejectUnknown, skippingColumns } from './header.ts'
import { readMapped } from './mapped-cell.ts'
import { openMergedCells } from './merged-cells.ts'
import { SheetValue } from './sheet-value.ts'
import { isTotalsWord } from './totals.ts'
import { asInFile } from './write-value.ts'
import type { ColumnRange } from './xlsx/sheet.ts'

export interface MappedOptions {
  /** Whether invalid lines are skipped. A cell in another format than the map names then stops the sync. */
  readonly skipBad: boolean
  /** Whether the notes name the columns that the map ignores. */
  readonly dryRun: boolean
}

export const openMappedReader = (map: FieldMap, source: Source, options: MappedOptions): RowReader => {
  const notes: string[] = []
  if (source.format === 'ndjson') {
    const reader = mappedNdjsonReader(map, options)
    return {
      rows: readBlocks(reader, textBlocks(source.bytes(), source.name)),
      headerFields: reader.headerFields,
      notes: reader.notes,
      locate: (error, row) => locate(map, memberColumns(map, row?.names ?? [...map.columns.keys()]), error, row),
    }
  }
  const records = openRecordReader(map, options)
  const rows =
    source.format === 'csv' ? csvRows(map, source, { records, notes }) : sheetRows(map, source, { records, notes })
  return {
    rows,
    headerFields: records.headerFields,
    notes: () => [...notes, ...records.notes()],
    locate: (error, row) => locate(map, records.columns()?.mapped ?? [], error, row),
  }
}

interface RecordReader {
  read(records: readonly FileRecord[]): InputRow[]
  /** Throws if the file has no line with column names. */
  end(): void
  columns(): FileColumns | undefined
  headerFields(): readonly string[]
  notes(): readonly string[]
}

interface Reading {
  readonly records: RecordReader
  readonly notes: string[]
}

const encodingHint: EncodingHint = (encoding) =>
  `Add "encoding": "${encoding === 'UTF-16' ? 'utf-16le' : 'windows-1252'}" to the map if the file has this encoding.`

async function* csvRows(
  map: FieldMap,
  { bytes, name }: Source,
  { records, notes }: Reading,
): AsyncGenerator<readonly InputRow[], void, void> {
  const { encoding, delimiter, skippedRows } = map.file
  const decoded = decodeFile(bytes(), { encoding, name, onNote: (note) => notes.push(note) })
  const isSkipped = (line: number): boolean => skippedRows.has(line)
  let reader: CsvReader | undefined
  let text = ''
  for await (const block of textBlocks(decoded, name, encodingHint)) {
    text = reader === undefined ? text + block : block
    if (reader === undefined) {
      const found = findDelimiter(text, { delimiter, isSkipped, isKnown: (column) => map.columns.has(column) })
      if (found === undefined) continue
      if (delimiter === 'auto') notes.push(`columns are separated by ${pluralOf(found)}`)
      reader = csvReader(found)
    }
    yield records.read(reader.read(text))
  }
  reader?.end()
  records.end()
}

async function* sheetRows(
  { file }: FieldMap,
  { bytes, name }: Source,
  { records, notes }: Reading,
): AsyncGenerator<readonly InputRow[], void, void> {
  const { readSheet } = await import('./xlsx/sheet.ts')
  const merged = openMergedCells()
  const hidden: ColumnRange[] = []
  const readColumns = (): readonly MappedColumn[] => records.columns()?.mapped ?? []
  for await (const block of readSheet(bytes(), {
    name,
    skippedRows: file.skippedRows,
    onNote: (note) => notes.push(note),
    onMerged: (range) => merged.reject(range, readColumns()),
    onHiddenColumns: (range) => hidden.push(range),
  })) {
    const rows = records.read(block)
    merged.addRecords(rows)
    yield rows
  }
  records.end()
  const hiddenColumns = readColumns().filter(({ index }) =>
    hidden.some(({ firstColumn, lastColumn }) => index >= firstColumn && index <= lastColumn),
  )
  if (hiddenColumns.length > 0)
    notes.push(
      `read columns that the sheet hides: ${hiddenColumns.map(({ place }) => describeColumn(place)).join(', ')}`,
    )
}

const maxNamedRows = 3

const openRecordReader = (map: FieldMap, options: MappedOptions): RecordReader => {
  let columns: FileColumns | undefined
  const emptyRows = countRows()
  const hiddenRows = countRows()
  const skippedRows = countRows()
  const mapRow = openRowMapper(map, options)
  const rowOf = (record: FileRecord, known: FileColumns): InputRow | undefined => {
    if (record.error === undefined && record.cells.every(isBlank)) {
      emptyRows.add(record.line)
      return undefined
    }
    if (isSkipped(record.cells, known.skipping)) {
      skippedRows.add(record.line)
      return undefined
    }
    if (record.isHidden === true) hiddenRows.add(record.line)
    const problem = recordProblem(record, known) ?? totalsProblem(map, record, known)
    return problem === undefined
      ? mapRow(record, known.mapped)
      : { ...unreadableRow(record.line, problem.reason), errors: [problem] }
  }
  return {
    read(records) {
      const rows: InputRow[] = []
      for (const record of records) {
        if (map.file.skippedRows.has(record.line)) continue
        if (columns === undefined) {
          if (record.error !== undefined || !record.cells.every(isBlank)) columns = readHeader(map, record)
          continue
        }
        const row = rowOf(record, columns)
        if (row !== undefined) rows.push(row)
      }
      return rows
    },
    end() {
      if (columns === undefined) throw new OperatorError('The file is empty: its first line should name columns.')
    },
    columns: () => columns,
    headerFields: () => [
      ...map.constants.keys(),
      ...(columns?.mapped ?? []).flatMap(({ rules }) => rules.map(({ field }) => field.name)),
    ],
    notes: () => [
      ...(options.dryRun
        ? describeIgnored(
            map,
            (columns?.places ?? []).map(({ name }) => name),
          )
        : []),
      ...emptyRows.describe((rows) => `skipped ${rows.replace('row', 'empty row')}`),
      ...describeSkipped(skippedRows),
      ...hiddenRows.describe((rows) => `read ${rows} that the sheet hides, such as by a filter`),
    ],
  }
}

/** Counts rows, and keeps the numbers of the first. */
const countRows = () => {
  let count = 0
  const firstLines: number[] = []
  return {
    add(line: number): void {
      count += 1
      if (firstLines.length < maxNamedRows) firstLines.push(line)
    },
    describe(sentence: (rows: string) => string): string[] {
      if (count === 0) return []
      const lines = `(line ${firstLines.join(', ')}${count > maxNamedRows ? ', …' : ''})`
      return [sentence(`${count} ${count === 1 ? 'row' : 'rows'} ${lines}`)]
    },
  }
}

type RowCount = ReturnType<typeof countRows>

const describeSkipped = (rows: RowCount): string[] =>
  rows.describe((text) => `skipped ${text}, as "skip_where" of the map says`)

const describeIgnored = (map: FieldMap, names: readonly string[]): string[] => {
  const ignored = names.filter((name) => map.columns.get(name)?.length === 0)
  return ignored.length === 0 ? [] : [`Not read: ${ignored.join(', ')}.`]
}

const isSkipped = (cells: readonly unknown[], skipping: readonly SkippingColumn[]): boolean =>
  skipping.some(({ index, values }) => values.has(cellText(cells[index]).toLowerCase()))

const cellText = (cell: unknown): string => (cell instanceof SheetValue ? cell.text : String(cell ?? '')).trim()

/** An empty list in `skip_where` says that such rows are records. */
const totalsProblem = (
  { file }: FieldMap,
  { line, cells }: FileRecord,
  { places }: FileColumns,
): RowError | undefined => {
  const index = cells.findIndex((cell) => !isBlank(cell))
  const place = places[index]
  const text = cellText(cells[index])
  const skipped = place === undefined ? undefined : file.skippedValues.get(place.name)
  if (place === undefined || !isTotalsWord(text) || skipped?.size === 0) return undefined
  const values = skipped === undefined ? JSON.stringify(text) : listOf([...skipped.values(), text])
  return {
    line,
    column: place,
    reason: `This looks like a row of totals, not like a record. If it is, add it to "skip_where" in the map: {${JSON.stringify(place.name)}: ${values}}. If such rows are records, write an empty list: {${JSON.stringify(place.name)}: []}`,
  }
}

const listOf = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`

const isBlank = (cell: unknown): boolean => cell === null || (typeof cell === 'string' && cell.trim() === '')

/** Why a record cannot be a row; undefined if it can. */
const recordProblem = ({ line, cells, letters, error }: FileRecord, { places }: FileColumns): RowError | undefined => {
  const next = places[cells.length]
  if (error !== undefined) return { line, reason: error, ...(next === undefined ? {} : { column: next }) }
  if (cells.length < places.length)
    return {
      line,
      ...(next === undefined ? {} : { column: next }),
      reason: `The line has ${cells.length} cells, but the first line has ${places.length}: from this column on, cells are missing`,
    }
  const surplus = cells.findIndex((cell, index) => !isBlank(cell) && (places[index]?.name ?? '') === '')
  if (surplus !== -1)
    return {
      line,
      column: { position: letters?.[surplus] ?? String(surplus + 1), name: '' },
      reason: 'The cell has a value, but its column has no name',
    }
  return cells.length > places.length
    ? {
        line,
        column: { position: String(places.length + 1), name: '' },
        reason: `The line has ${cells.length} cells, but the first line has ${places.length}`,
      }
    : undefined
}

const mappedNdjsonReader = (map: FieldMap, options: MappedOptions): BlockReader & Pick<RecordReader, 'notes'> => {
  const skippedRows = countRows()
  const allNames = new Set<string>()
  const reader = ndjsonReader()
  const mapRow = openRowMapper(map, options)
  return {
    read: (block) =>
      reader.read(block).flatMap(({ line, members, error }) => {
        if (error !== undefined) return [unreadableRow(line, error)]
        const names = Object.keys(members)
        for (const name of names) allNames.add(name)
        rejectUnknown(map, names)
        rejectSharedFields(map, names)
        const cells = Object.values(members)
        if (isSkipped(cells, skippingColumns(map, names))) {
          skippedRows.add(line)
          return []
        }
        return [{ ...mapRow({ line, cells }, memberColumns(map, names)), names }]
      }),
    end() {},
    headerFields: () => undefined,
    notes: () => [...(options.dryRun ? describeIgnored(map, [...allNames]) : []), ...describeSkipped(skippedRows)],
  }
}

const memberColumns = (map: FieldMap, names: readonly string[]): MappedColumn[] =>
  names.map((name, index) => ({ index, place: { position: '', name }, rules: map.columns.get(name) ?? [] }))

type RowMapper = (record: FileRecord, columns: readonly MappedColumn[]) => InputRow

/** Everything that depends only on the map is computed in advance. */
const openRowMapper = (map: FieldMap, { skipBad }: MappedOptions): RowMapper => {
  const { constants, defaults } = map
  const names = map.resource.storedFields.map(({ name }) => name)
  const indexes = new Map(names.map((name, index) => [name, index]))
  const lookupIndexes = new Map(map.lookups.map(({ field }, index) => [field, index]))
  const constantInputs: readonly unknown[] = names.map((name) => constants.get(name))
  const defaultIndexes = names.flatMap((name, index) => (defaults.has(name) ? [index] : []))
  return ({ line, cells }, columns) => {
    const inputs = [...constantInputs]
    const lookups: (string | null | undefined)[] = map.lookups.map(() => undefined)
    const errors: RowError[] = []
    for (const { index, rules, place } of columns) {
      for (const rule of rules) {
        const { name } = rule.field
        const result = readMapped(rule, cells[index])
        if ('reason' in result) {
          if (skipBad && result.isOtherFormat === true) throw otherFormatError(line, place)
          const { reason, readings } = result
          errors.push({
            line,
            field: name,
            reason,
            input: cells[index],
            ...(readings === undefined ? {} : { readings }),
          })
        } else if (rule.lookup === undefined) inputs[indexes.get(name) as number] = result.value
        else lookups[lookupIndexes.get(name) as number] = result.value === null ? null : String(result.value)
      }
    }
    const newOnly = defaultIndexes.filter((index) => inputs[index] === undefined)
    for (const index of newOnly) inputs[index] = defaults.get(names[index] as string)
    return { line, cells, inputs, newOnly, lookups, errors }
  }
}

/** The other cells of the column may be read wrongly, and skipping this one would hide it. */
const otherFormatError = (line: number, place: ColumnPlace): OperatorError =>
  new OperatorError(
    `Line ${line}, ${describeColumn(place)} has another format than the map names, so other cells of the column may be misread: correct the map. --skip-bad does not skip this line.`,
  )

/** Adds the column of the field, and shows the cell as the file contains it. */
const locate = (map: FieldMap, columns: readonly MappedColumn[], error: RowError, row?: InputRow): RowError => {
  const found = columns.find(({ rules }) => rules.some(({ field }) => field.name === error.field))
  if (found === undefined) return withText(error)
  const input = error.input === undefined ? undefined : (row?.cells?.[found.index] ?? asInFile(map, found.rules, error))
  return withText({ ...error, column: found.place, ...(input === undefined ? {} : { input }) })
}

const withText = (error: RowError): RowError =>
  error.input instanceof SheetValue ? { ...error, input: error.input.text } : error
