/** Reads the rows of the first sheet of an .xlsx file, in blocks. */
import { OperatorError } from '../../errors.ts'
import type { FileRecord } from '../file-record.ts'
import { SheetValue } from '../sheet-value.ts'
import { damaged, openArchive } from './archive.ts'
import { sheetDate, sheetNumber } from './number-formats.ts'
import type { Workbook } from './workbook.ts'
import { readWorkbook, richText } from './workbook.ts'
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
}

export async function* readSheet(
  bytes: AsyncIterable<Uint8Array>,
  { name, skippedRows, onNote }: SheetOptions,
): AsyncGenerator<FileRecord[], void, void> {
  const archive = await openArchive(bytes, name)
  try {
    const workbook = await readWorkbook(archive, name)
    if (workbook.sheetCount > 1) onNote(`read the sheet "${workbook.sheetName}", the first of ${workbook.sheetCount}`)
    const part = await archive.open(workbook.sheetPath, maxSheetMebibytes)
    if (part === undefined) throw damaged(name, new Error(`${workbook.sheetPath} is missing`))
    let records: FileRecord[] = []
    let width = 0
    const handlers = sheetHandlers(workbook, (line, cells) => {
      if (width === 0 && !skippedRows.has(line)) width = cells.length
      while (cells.length < width) cells.push(null)
      records.push({ line, cells, letters: width === cells.length ? lettersUpTo(width) : lettersUpTo(cells.length) })
    })
    for await (const _ of parseXml(part, name, handlers)) {
      if (records.length === 0) continue
      const block = records
      records = []
      yield block
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

const sheetHandlers = (workbook: Workbook, onRow: (line: number, cells: unknown[]) => void): XmlHandlers => {
  let line = 0
  let cells: unknown[] = []
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
        cells = []
      } else if (element === 'c') {
        const column = attributes.r === undefined ? cells.length : columnIndex(attributes.r)
        if (!(column >= cells.length && column < maxColumns)) throw new OperatorError(`row ${line} has a wrong cell`)
        cell = { column, type: attributes.t ?? 'n', style: attributes.s, value: undefined, hasFormula: false }
      } else if (element === 'f' && cell !== undefined) cell.hasFormula = true
      else if (element === 'v' && cell !== undefined) {
        isValue = true
        cell.value = ''
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
      } else if (element === 'row') onRow(line, cells)
    },
  }
}

const readCellValue = (cell: OpenCell, workbook: Workbook): unknown => {
  const { type, value, style, hasFormula } = cell
  if (value === undefined || (value === '' && type !== 'str'))
    return hasFormula
      ? new SheetValue('problem', '', 'The formula has no stored value: open the file in Excel and save it')
      : null
  switch (type) {
    case 's':
      return (
        workbook.sharedStrings[Number(value)] ?? new SheetValue('problem', value, 'The text of the cell is missing')
      )
    case 'str':
    case 'inlineStr':
      return value
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'e':
      return new SheetValue('problem', value, 'The cell is an error of the spreadsheet')
    case 'd':
      return new SheetValue('date', value)
    default: {
      const number = Number(value)
      if (!Number.isFinite(number)) return new SheetValue('problem', value, 'The cell of the sheet is not a number')
      const format = workbook.styles.styleOf(style)
      return format.isDate ? sheetDate(number, workbook.isFrom1904) : sheetNumber(number, format)
    }
  }
}

/** The index of the column in a reference such as AB12. */
const columnIndex = (reference: string): number => {
  let index = 0
  for (const letter of /^[A-Z]*/.exec(reference)?.[0] ?? '') index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}

const knownLetters: string[][] = []

const lettersUpTo = (count: number): readonly string[] =>
  (knownLetters[count] ??= Array.from({ length: count }, (_, index) => columnLetters(index)))

const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
