/** Reads the rows of the first sheet of an .xlsx file, in blocks. */
import { OperatorError } from '../../errors.ts'
import type { FileRecord } from '../file-record.ts'
import { SheetValue } from '../sheet-value.ts'
import { damaged, openArchive } from './archive.ts'
import { readNumberCell } from './number-formats.ts'
import type { Workbook } from './workbook.ts'
import { isTrue, readWorkbook, richText, unescapeText } from './workbook.ts'
import type { XmlHandlers } from './xml.ts'
import { parseXml } from './xml.ts'

/** The limits of Excel. */
const maxRows = 1_048_576
const maxColumns = 16_384
const maxSheetMebibytes = 1_024

export interface SheetOptions {
  readonly name: string
  readonly skippedRows: ReadonlySet<number>
  readonly onNote: (note: string) => void
  /** Called after all rows. */
  readonly onMerged?: (cells: CellRange) => void
  /** Called before the first row. */
  readonly onHiddenColumns?: (columns: ColumnRange) => void
}

/** Indexes of columns. */
export interface ColumnRange {
  readonly firstColumn: number
  readonly lastColumn: number
}

export interface CellRange extends ColumnRange {
  /** Such as A1:C1. */
  readonly reference: string
  readonly firstLine: number
  readonly lastLine: number
}

export async function* readSheet(
  bytes: AsyncIterable<Uint8Array>,
  { name, skippedRows, onNote, onMerged, onHiddenColumns }: SheetOptions,
): AsyncGenerator<FileRecord[], void, void> {
  const archive = await openArchive(bytes, name)
  try {
    const workbook = await readWorkbook(archive, name)
    if (workbook.sheetCount > 1) onNote(`read the sheet "${workbook.sheetName}", the first of ${workbook.sheetCount}`)
    const part = await archive.open(workbook.sheetPath, maxSheetMebibytes)
    if (part === undefined) throw damaged(name, new Error(`${workbook.sheetPath} is missing`))
    let records: FileRecord[] = []
    let merged: CellRange[] = []
    let width = 0
    const handlers = sheetHandlers(workbook, {
      onRow(line, cells, isHidden) {
        if (width === 0 && !skippedRows.has(line)) width = cells.length
        while (cells.length < width) cells.push(null)
        records.push({ line, cells, letters: lettersUpTo(cells.length), isHidden })
      },
      onMerged: (range) => merged.push(range),
      onHiddenColumns: (range) => onHiddenColumns?.(range),
    })
    for await (const _ of parseXml(part, name, handlers)) {
      if (records.length > 0) {
        const block = records
        records = []
        yield block
      }
      for (const range of merged) onMerged?.(range)
      merged = []
    }
  } finally {
    archive.close()
  }
}

interface OpenCell {
  readonly column: number
  readonly type: string
  readonly style: string | undefined
  value: string | undefined
  hasFormula: boolean
}

interface SheetParts {
  readonly onRow: (line: number, cells: unknown[], isHidden: boolean) => void
  readonly onMerged: (range: CellRange) => void
  readonly onHiddenColumns: (range: ColumnRange) => void
}

const sheetHandlers = (workbook: Workbook, { onRow, onMerged, onHiddenColumns }: SheetParts): XmlHandlers => {
  let line = 0
  let cells: unknown[] = []
  let isHidden = false
  let hasEnded = false
  let hiddenCount = 0
  let cell: OpenCell | undefined
  let isValue = false
  const inline = richText((text) => {
    if (cell !== undefined) cell.value = text
  }, 'is')
  return {
    open(element, attributes) {
      inline.open(element, attributes)
      if (element === 'row') {
        const number = attributes.r === undefined ? line + 1 : Number(attributes.r)
        if (!(number > line)) throw new OperatorError(`row ${number} follows row ${line}`)
        line = number
        if (line > maxRows) throw new OperatorError('it has more rows than Excel allows')
        if (hasEnded) throw new OperatorError(`row ${line} is not among the other rows`)
        cells = []
        isHidden = isTrue(attributes.hidden)
      } else if (element === 'c') {
        const column = attributes.r === undefined ? cells.length : columnIndex(attributes.r, line)
        if (!(column >= cells.length && column < maxColumns))
          throw new OperatorError(`row ${line} has a wrong cell, column ${attributes.r}`)
        cell = { column, type: attributes.t ?? 'n', style: attributes.s, value: undefined, hasFormula: false }
      } else if (element === 'f' && cell !== undefined) cell.hasFormula = true
      else if (element === 'v' && cell !== undefined) {
        isValue = true
        cell.value = ''
      } else if (element === 'mergeCell') onMerged(cellRange(attributes.ref ?? ''))
      else if (element === 'col' && isTrue(attributes.hidden)) {
        hiddenCount += 1
        if (hiddenCount > maxColumns) throw new OperatorError('it has more columns than Excel allows')
        onHiddenColumns({ firstColumn: Number(attributes.min) - 1, lastColumn: Number(attributes.max) - 1 })
      }
    },
    text(text) {
      inline.text(text)
      if (isValue && cell !== undefined) cell.value += text
    },
    close(element) {
      inline.close(element)
      if (element === 'v') isValue = false
      else if (element === 'c' && cell !== undefined) {
        while (cells.length < cell.column) cells.push(null)
        cells.push(readCellValue(cell, workbook))
        cell = undefined
      } else if (element === 'row') onRow(line, cells, isHidden)
      else if (element === 'sheetData') hasEnded = true
    },
  }
}

const readCellValue = (cell: OpenCell, workbook: Workbook): unknown => {
  const { type, value, style, hasFormula } = cell
  if (value === undefined || (value === '' && type !== 'str'))
    return hasFormula
      ? new SheetValue('problem', '', 'The formula has no stored value: open the file in Excel and save it')
      : null
  if (hasFormula && !workbook.isCalculated)
    return new SheetValue(
      'problem',
      value,
      'The formula has not been calculated by the program that wrote the file: open the file in Excel and save it',
    )
  switch (type) {
    case 's':
      return (
        workbook.sharedStrings[Number(value)] ?? new SheetValue('problem', value, 'The text of the cell is missing')
      )
    case 'str':
      return unescapeText(value)
    case 'inlineStr':
      return value
    case 'b':
      return ['0', '1'].includes(value)
        ? new SheetValue('boolean', value === '1' ? 'TRUE' : 'FALSE')
        : new SheetValue('problem', value, 'The cell of the sheet is neither TRUE nor FALSE')
    case 'e':
      return new SheetValue('problem', value, 'The cell is an error of the spreadsheet')
    case 'd':
      return /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value)
        ? new SheetValue('date', value)
        : new SheetValue('problem', value, 'The cell of the sheet is a time without a date')
    case 'n':
      return numberPattern.test(value) && Number.isFinite(Number(value))
        ? readNumberCell(Number(value), workbook.styles.styleOf(style), workbook.isFrom1904)
        : new SheetValue('problem', value, 'The cell of the sheet is not a number')
    default:
      return new SheetValue('problem', value, `The cell of the sheet has the unknown type "${type}"`)
  }
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/

/** The index of the column in a reference such as AB12; -1 if it is not one of row `line`. */
const columnIndex = (reference: string, line: number): number => {
  const { length } = /^[A-Z]{0,3}/.exec(reference)?.[0] ?? ''
  if (Number(reference.slice(length)) !== line) return -1
  let index = 0
  for (let position = 0; position < length; position += 1) index = index * 26 + reference.charCodeAt(position) - 64
  return index - 1
}

const cellRange = (reference: string): CellRange => {
  const {
    from = '',
    firstLine = '',
    to = '',
    lastLine = '',
  } = /^(?<from>[A-Z]+)(?<firstLine>\d+):(?<to>[A-Z]+)(?<lastLine>\d+)$/.exec(reference)?.groups ?? {}
  const range = {
    reference,
    firstLine: Number(firstLine),
    lastLine: Number(lastLine),
    firstColumn: columnIndex(from + firstLine, Number(firstLine)),
    lastColumn: columnIndex(to + lastLine, Number(lastLine)),
  }
  const isValid =
    range.firstColumn >= 0 &&
    range.lastColumn >= range.firstColumn &&
    range.firstLine > 0 &&
    range.lastLine >= range.firstLine &&
    range.lastLine <= maxRows
  if (!isValid) throw new OperatorError(`it has the wrong merged cells "${reference}"`)
  return range
}

const knownLetters: string[][] = []

const lettersUpTo = (count: number): readonly string[] =>
  (knownLetters[count] ??= Array.from({ length: count }, (_, index) => columnLetters(index)))

const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
