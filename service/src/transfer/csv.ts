/** In charge of reading CSV as RFC 4180 writes it: blocks of text in, records with their line numbers out. */
import { OperatorError } from '../errors.ts'
import { longestRecord } from './text-blocks.ts'

/** Null for a cell that is empty and not quoted; a quoted empty cell is an empty text. */
export type Cell = string | null

export interface CsvRecord {
  /** Number of the line it begins on. */
  readonly line: number
  readonly cells: readonly Cell[]
  /** Why it cannot be read; its cells then mean nothing. */
  readonly flaw?: string
}

export interface CsvReader {
  /** The records that are complete with this block, which ends where a line ends. */
  read(block: string): CsvRecord[]
  /** Says that there is no more; refuses a quote that is still open. */
  end(): void
}

export const csvReader = (): CsvReader => {
  let rest = ''
  let line = 1
  return {
    read(block) {
      const text = rest + block
      const records: CsvRecord[] = []
      let at = 0
      let quote = text.indexOf('"')
      while (at < text.length) {
        const lineEnd = text.indexOf('\n', at)
        if (quote !== -1 && quote < at) quote = text.indexOf('"', at)
        if (quote === -1 || quote > lineEnd) {
          if (lineEnd > at) addPlain(records, line, text.slice(at, lineEnd))
          at = lineEnd + 1
          line += 1
          continue
        }
        const record = readQuoted(text, at)
        if (record === undefined) break
        records.push({ line, cells: record.cells, ...(record.flaw === undefined ? {} : { flaw: record.flaw }) })
        line += countLines(text, at, record.end)
        at = record.end
      }
      rest = text.slice(at)
      if (rest.length > longestRecord) throw neverClosed(line)
      return records
    },
    end() {
      if (rest !== '') throw neverClosed(line)
    },
  }
}

const neverClosed = (line: number): OperatorError =>
  new OperatorError(`The record that begins on line ${line} opens a quote and never closes it: close it and try again.`)

/** A line without any quote; lines with nothing on them are passed over. */
const addPlain = (records: CsvRecord[], line: number, written: string): void => {
  const text = written.endsWith('\r') ? written.slice(0, -1) : written
  if (text === '') return
  const cells: Cell[] = text.split(',')
  for (let index = 0; index < cells.length; index += 1) if (cells[index] === '') cells[index] = null
  records.push({ line, cells })
}

interface Found {
  readonly cells: readonly Cell[]
  /** Where the next record begins. */
  readonly end: number
  readonly flaw?: string
}

/** The record that begins at `start`; undefined while a quote of it is open at the end of the text. */
const readQuoted = (text: string, start: number): Found | undefined => {
  const cells: Cell[] = []
  let at = start
  for (;;) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at)
    if (cell === undefined) return undefined
    if ('flaw' in cell) return { cells: [], end: text.indexOf('\n', cell.end) + 1, flaw: cell.flaw }
    cells.push(cell.value)
    if (text[cell.end] === ',') at = cell.end + 1
    else return { cells, end: text.indexOf('\n', cell.end) + 1 }
  }
}

type FoundCell = { readonly value: Cell; readonly end: number } | { readonly flaw: string; readonly end: number }

const quotedCell = (text: string, start: number): FoundCell | undefined => {
  let value = ''
  for (let from = start + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close === -1) return undefined
    value += text.slice(from, close)
    if (text[close + 1] !== '"') return endsCell(text, close + 1) ? { value, end: close + 1 } : afterQuote(close + 1)
    value += '"'
    from = close + 2
  }
}

const afterQuote = (end: number): FoundCell => ({ flaw: 'A closing quote should be followed by a comma', end })

const endsCell = (text: string, at: number): boolean =>
  text[at] === ',' || text[at] === '\n' || (text[at] === '\r' && text[at + 1] === '\n')

const plainCell = (text: string, start: number): FoundCell => {
  let end = start
  while (!endsCell(text, end)) {
    if (text[end] === '"') return { flaw: 'A cell with a quote in it should be quoted, and the quote doubled', end }
    end += 1
  }
  return { value: end === start ? null : text.slice(start, end), end }
}

const countLines = (text: string, start: number, end: number): number => {
  let lines = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
