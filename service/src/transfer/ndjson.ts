/** In charge of reading NDJSON: blocks of text in, one object per line out. */
import { maxItems, readFlatJson } from '@muster/model'

export interface JsonRecord {
  readonly line: number
  readonly members: Readonly<Record<string, unknown>>
  /** Why the line cannot be read; its members then mean nothing. */
  readonly flaw?: string
}

export interface NdjsonReader {
  /** The records of a block, which ends where a line ends. */
  read(block: string): JsonRecord[]
}

export const ndjsonReader = (): NdjsonReader => {
  let line = 0
  return {
    read(block) {
      const records: JsonRecord[] = []
      for (let at = 0; at < block.length; ) {
        const end = block.indexOf('\n', at)
        const text = block.slice(at, end).trim()
        line += 1
        if (text !== '') records.push({ line, ...readLine(text) })
        at = end + 1
      }
      return records
    },
  }
}

const readLine = (text: string): Omit<JsonRecord, 'line'> => {
  const read = readFlatJson(text)
  const flawed = (flaw: string) => ({ members: {}, flaw })
  if (read === 'not_an_object') return flawed('The line should be a JSON object')
  if (read === 'too_many_items') return flawed(`The object should hold at most ${maxItems} names and items`)
  if ('invalidAt' in read) return flawed('The line should be a JSON document')
  return read.duplicates.length > 0 ? flawed('A name stands twice in the object') : { members: read.members }
}
