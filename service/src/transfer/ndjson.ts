/** In charge of reading NDJSON: blocks of text in, one object per line out. */

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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { members: {}, flaw: 'The line should be a JSON document' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { members: {}, flaw: 'The line should be a JSON object' }
  const members = value as Record<string, unknown>
  return repeatsName(text, members) ? { members: {}, flaw: 'A name stands twice in the object' } : { members }
}

/** JSON.parse keeps the last of two members with one name and says nothing. An object with structure inside is refused anyway. */
const repeatsName = (text: string, members: Readonly<Record<string, unknown>>): boolean => {
  if (Object.values(members).some((value) => typeof value === 'object' && value !== null)) return false
  let names = 0
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/gs)) if (colon !== undefined) names += 1
  return names > Object.keys(members).length
}
