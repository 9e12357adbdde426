/** Formats rows in the text format of PostgreSQL's COPY. */

export type ColumnValue = string | number | null
export type Row = readonly ColumnValue[]

const NEEDS_ESCAPE = /[\\\n\r\t]/
const CHARACTERS_TO_ESCAPE = /[\\\n\r\t]/g
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Length of the chunks of text sent to COPY. It is so large that the overhead of each chunk is negligible. */
export const CHUNK_CHARACTERS = 65_536

export function escapeText(text: string): string {
  return NEEDS_ESCAPE.test(text)
    ? text.replace(CHARACTERS_TO_ESCAPE, (character) => ESCAPES[character] as string)
    : text
}

export function formatRow(row: Row): string {
  let line = ''
  for (let index = 0; index < row.length; index++) {
    const value = row[index] as ColumnValue
    if (index > 0) line += '\t'
    line += value === null ? '\\N' : typeof value === 'number' ? value : escapeText(value)
  }
  return `${line}\n`
}

export interface Chunk {
  readonly bytes: Buffer
  readonly rows: number
}

export function* formatChunks(rows: Iterable<Row>): Generator<Chunk, void, void> {
  let text = ''
  let count = 0
  for (const row of rows) {
    text += formatRow(row)
    count++
    if (text.length < CHUNK_CHARACTERS) continue
    yield { bytes: Buffer.from(text), rows: count }
    text = ''
    count = 0
  }
  if (count > 0) yield { bytes: Buffer.from(text), rows: count }
}
