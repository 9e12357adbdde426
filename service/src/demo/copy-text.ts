/** In charge of PostgreSQL's COPY text: rows in, chunks of bytes out. */

export type Value = string | number | null
export type Row = readonly Value[]

const SPECIAL = /[\\\n\r\t]/
const SPECIALS = /[\\\n\r\t]/g
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
/** Large enough that the stream's own work per chunk does not count. */
export const CHUNK_CHARACTERS = 65_536

export function writeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (character) => ESCAPES[character] as string) : text
}

export function writeRow(row: Row): string {
  let line = ''
  for (let index = 0; index < row.length; index++) {
    const value = row[index] as Value
    if (index > 0) line += '\t'
    line += value === null ? '\\N' : typeof value === 'number' ? value : writeText(value)
  }
  return `${line}\n`
}

export interface Chunk {
  readonly bytes: Buffer
  readonly rows: number
}

export function* writeRows(rows: Iterable<Row>): Generator<Chunk, void, void> {
  let text = ''
  let count = 0
  for (const row of rows) {
    text += writeRow(row)
    count++
    if (text.length < CHUNK_CHARACTERS) continue
    yield { bytes: Buffer.from(text), rows: count }
    text = ''
    count = 0
  }
  if (count > 0) yield { bytes: Buffer.from(text), rows: count }
}
