/** Streaming CSV parser (RFC 4180, with any delimiter): blocks of text in, records with line numbers out. */
import { OperatorError } from '../errors.ts'

/**
 * Longer than any valid record. Without this limit, a quote that is never closed would take the rest of the file into
 * its record, which is parsed again with every block.
 */
const maxRecordLength = 1_000_000

/** The delimiters that a file may have, and their names in messages. */
export const delimiterNames: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
}

/** Null for an empty cell without quotes; `""` is an empty string. */
export type Cell = string | null

export interface CsvRecord {
  /** Number of the record's first line. */
  readonly line: number
  readonly cells: readonly Cell[]
  /** Why the record cannot be parsed; `cells` then has those before the cell that cannot be parsed. */
  readonly error?: string
  /** The text of a record that cannot be parsed. */
  readonly source?: string
}

export interface CsvReader {
  /** Returns the records that this block completes. The block must end with a line break. */
  read(block: string): CsvRecord[]
  /** Called at the end of the file; throws if a quote is still open. */
  end(): void
}

export const csvReader = (delimiter = ','): CsvReader => {
  let unparsedText = ''
  let line = 1
  return {
    read(block) {
      const text = unparsedText + block
      const records: CsvRecord[] = []
      let position = 0
      let quoteIndex = text.indexOf('"')
      while (position < text.length) {
        const lineEnd = text.indexOf('\n', position)
        if (quoteIndex !== -1 && quoteIndex < position) quoteIndex = text.indexOf('"', position)
        if (quoteIndex === -1 || quoteIndex > lineEnd) {
          if (lineEnd - position > maxRecordLength) throw longRecordError(line)
          if (lineEnd > position) addPlainRecord(records, line, text.slice(position, lineEnd), delimiter)
          position = lineEnd + 1
          line += 1
          continue
        }
        const record = parseRecord(text, position, delimiter)
        if (record === undefined) break
        const { cells, error, end } = record
        if (end - position > maxRecordLength) throw longRecordError(line)
        records.push(
          error === undefined ? { line, cells } : { line, cells, error, source: text.slice(position, end).trimEnd() },
        )
        line += countLines(text, position, end)
        position = end
      }
      unparsedText = text.slice(position)
      if (unparsedText.length > maxRecordLength) throw longRecordError(line)
      return records
    },
    end() {
      if (unparsedText === '') return
      const column = parseRecord(`${unparsedText.trimEnd()}"\n`, 0, delimiter)?.cells.length
      throw unclosedQuoteError(line, column)
    },
  }
}

const longRecordError = (line: number): OperatorError =>
  new OperatorError(
    `The record that starts on line ${line} is longer than a million characters: a quote in it is probably never closed.`,
  )

const unclosedQuoteError = (line: number, column: number | undefined): OperatorError =>
  new OperatorError(
    `The record that starts on line ${line} has a quote that is never closed${column === undefined ? '' : ` in column ${column}`}: close it and try again.`,
  )

/** Parses a line without quotes; empty lines are skipped. */
const addPlainRecord = (records: CsvRecord[], line: number, source: string, delimiter: string): void => {
  const text = source.endsWith('\r') ? source.slice(0, -1) : source
  if (text === '') return
  const cells: Cell[] = text.split(delimiter)
  for (let index = 0; index < cells.length; index += 1) if (cells[index] === '') cells[index] = null
  records.push({ line, cells })
}

interface ParsedRecord {
  readonly cells: readonly Cell[]
  /** Index in the text at which the next record starts. */
  readonly end: number
  readonly error?: string
}

/** Parses the record at `start`; undefined if the text ends inside its quotes. */
const parseRecord = (text: string, start: number, delimiter: string): ParsedRecord | undefined => {
  const cells: Cell[] = []
  let position = start
  for (;;) {
    const cell =
      text[position] === '"' ? parseQuotedCell(text, position, delimiter) : parsePlainCell(text, position, delimiter)
    if (cell === undefined) return undefined
    if ('error' in cell) return { cells, end: text.indexOf('\n', cell.end) + 1, error: cell.error }
    cells.push(cell.value)
    if (text[cell.end] === delimiter) position = cell.end + 1
    else return { cells, end: text.indexOf('\n', cell.end) + 1 }
  }
}

type ParsedCell = { readonly value: Cell; readonly end: number } | { readonly error: string; readonly end: number }

const parseQuotedCell = (text: string, start: number, delimiter: string): ParsedCell | undefined => {
  let value = ''
  for (let from = start + 1; ; ) {
    const closeIndex = text.indexOf('"', from)
    if (closeIndex === -1) return undefined
    value += text.slice(from, closeIndex)
    if (text[closeIndex + 1] !== '"')
      return isCellEnd(text, closeIndex + 1, delimiter)
        ? { value, end: closeIndex + 1 }
        : textAfterQuoteError(closeIndex + 1, delimiter)
    value += '"'
    from = closeIndex + 2
  }
}

const textAfterQuoteError = (end: number, delimiter: string): ParsedCell => ({
  error: `A closing quote should be followed by a ${delimiterNames[delimiter] ?? 'delimiter'}`,
  end,
})

const isCellEnd = (text: string, position: number, delimiter: string): boolean =>
  text[position] === delimiter || text[position] === '\n' || (text[position] === '\r' && text[position + 1] === '\n')

const parsePlainCell = (text: string, start: number, delimiter: string): ParsedCell => {
  let end = start
  while (!isCellEnd(text, end, delimiter)) {
    if (text[end] === '"') return { error: 'A cell with a quote in it should be quoted, and the quote doubled', end }
    end += 1
  }
  return { value: end === start ? null : text.slice(start, end), end }
}

const countLines = (text: string, start: number, end: number): number => {
  let lines = 0
  for (
    let position = text.indexOf('\n', start);
    position !== -1 && position < end;
    position = text.indexOf('\n', position + 1)
  )
    lines += 1
  return lines
}
