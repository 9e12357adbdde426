import { maxJsonItems, readFlatJson } from '@muster/model'

export interface JsonRecord {
  readonly line: number
  readonly members: Readonly<Record<string, unknown>>
  /** Why the line cannot be parsed; `members` is then empty. */
  readonly error?: string
}

export interface NdjsonReader {
  /** Parses a block, which must end with a line break. */
  read(block: string): JsonRecord[]
  /** The number of the last line. */
  line(): number
}

export const ndjsonReader = (): NdjsonReader => {
  let line = 0
  return {
    read(block) {
      const records: JsonRecord[] = []
      for (let position = 0; position < block.length; ) {
        const lineEnd = block.indexOf('\n', position)
        const text = block.slice(position, lineEnd).trim()
        line += 1
        if (text !== '') records.push({ line, ...readLine(text) })
        position = lineEnd + 1
      }
      return records
    },
    line: () => line,
  }
}

const readLine = (text: string): Omit<JsonRecord, 'line'> => {
  const parsed = readFlatJson(text)
  const invalidLine = (error: string) => ({ members: {}, error })
  if (parsed === 'not_an_object') return invalidLine('The line should be a JSON object')
  if (parsed === 'too_many_items') return invalidLine(`The object should hold at most ${maxJsonItems} names and items`)
  if ('invalidAt' in parsed) return invalidLine('The line should be a JSON document')
  return parsed.duplicates.length > 0 ? invalidLine('A name occurs twice in the object') : { members: parsed.members }
}
