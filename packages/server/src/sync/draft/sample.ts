/** Reads the first rows of a file whose format is not known yet. */
import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { OperatorError } from '../../errors.ts'
import { csvReader } from '../../import-export/csv.ts'
import type { Source } from '../../import-export/source.ts'
import { textBlocks } from '../../import-export/text-blocks.ts'
import { delimiters } from '../delimiter.ts'
import type { Encoding } from '../file-encoding.ts'
import { decodeFile } from '../file-encoding.ts'
import { SheetValue } from '../sheet-value.ts'
import { readSheet } from '../xlsx/sheet.ts'

export interface SampleRow {
  readonly line: number
  readonly cells: readonly SampleCell[]
}

export interface SampleCell {
  readonly text: string
  /** Whether the cell of a sheet is a date or a number, which needs no format. */
  readonly kind: 'text' | 'date' | 'number'
}

export interface Sample {
  readonly rows: readonly SampleRow[]
  /** Undefined in a sheet. */
  readonly delimiter?: string
  /** Undefined if it is UTF-8 or has a byte order mark. */
  readonly encoding?: Encoding
  /** The different characters that another encoding would read differently. */
  readonly letters: string
  /** The delimiters that separate the lines equally well. */
  readonly otherDelimiters: readonly string[]
}

const maxRows = 5_000
const maxBytes = 4 * 1024 * 1024
const maxLetters = 20

export const readSample = (source: Source): Promise<Sample> => {
  if (source.format === 'ndjson')
    throw new OperatorError(
      `${source.name} is NDJSON, which names its fields: a map is drafted from CSV or Excel files.`,
    )
  return source.format === 'xlsx' ? readSheetSample(source) : readCsvSample(source)
}

const readSheetSample = async ({ bytes, name }: Source): Promise<Sample> => {
  const rows: SampleRow[] = []
  for await (const records of readSheet(bytes(), { name, skippedRows: new Set(), onNote() {} })) {
    for (const { line, cells } of records) rows.push({ line, cells: cells.map(sampleCell) })
    if (rows.length >= maxRows) break
  }
  return { rows, letters: '', otherDelimiters: [] }
}

const sampleCell = (cell: unknown): SampleCell => {
  if (!(cell instanceof SheetValue)) return { text: String(cell ?? '').trim(), kind: 'text' }
  return { text: cell.text, kind: cell.kind === 'number' || cell.kind === 'date' ? cell.kind : 'text' }
}

const readCsvSample = async ({ bytes, name }: Source): Promise<Sample> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes()) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) break
  }
  const start = Buffer.concat(chunks)
  const encoding = guessEncoding(start)
  let text = ''
  const decoded = decodeFile(Readable.from([wholeLines(start, encoding)]), { encoding, name, onNote() {} })
  for await (const block of textBlocks(decoded, name)) text += block
  const samples = delimiters.map((delimiter) => {
    const rows = readRows(text, delimiter)
    return { delimiter, rows, width: commonWidth(rows) }
  })
  const [best, ...others] = samples.toSorted((a, b) => b.width - a.width)
  const isSplit = best !== undefined && best.width > 1
  return {
    rows: best?.rows ?? [],
    delimiter: isSplit ? best.delimiter : ',',
    ...(encoding === undefined ? {} : { encoding }),
    letters: [...new Set(text.replaceAll(/[\0-\x7f]/g, ''))].toSorted().slice(0, maxLetters).join(' '),
    otherDelimiters: isSplit
      ? others.filter(({ width }) => width === best.width).map(({ delimiter }) => delimiter)
      : [],
  }
}

const guessEncoding = (bytes: Buffer): Encoding | undefined => {
  const [first = 0, second = 0] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return undefined
  if (first !== 0 && second === 0) return 'utf-16le'
  if (first === 0 && second !== 0) return 'utf-16be'
  return isUtf8(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1 || bytes.length)) ? undefined : 'windows-1252'
}

/** The sample without the line that its end cuts off. */
const wholeLines = (bytes: Buffer, encoding: Encoding | undefined): Buffer => {
  if (bytes.length <= maxBytes) return bytes
  if (encoding !== undefined && encoding !== 'windows-1252') return bytes.subarray(0, maxBytes)
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
}

const readRows = (text: string, delimiter: string): SampleRow[] =>
  csvReader(delimiter)
    .read(text)
    .slice(0, maxRows)
    .map(({ line, cells }) => ({
      line,
      cells: cells.map((cell) => ({ text: cell?.trim() ?? '', kind: 'text' as const })),
    }))

/** The number of cells that most rows have. */
const commonWidth = (rows: readonly SampleRow[]): number => {
  const counts = new Map<number, number>()
  for (const { cells } of rows) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}
