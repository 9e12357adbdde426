/** In charge of turning a stream of bytes into blocks of text that end where a line ends, however the bytes were cut. */
import { isUtf8 } from 'node:buffer'
import { OperatorError } from '../errors.ts'

/** Several times the longest record the declarations allow: past it a file is of another kind, or a quote was never closed. */
export const longestRecord = 16 * 1024 * 1024

const lineFeed = 0x0a
export const standardInput = 'standard input'

/** `name` is what messages call the file. */
export async function* textBlocks(bytes: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string, void, void> {
  const kept = keeper()
  let first = true
  let lines = 0
  const decode = (block: Buffer): string => {
    if (first) refuseUtf16(block, name)
    if (!isUtf8(block)) throw notUtf8(block, lines, name)
    for (let at = block.indexOf(lineFeed); at !== -1; at = block.indexOf(lineFeed, at + 1)) lines += 1
    const text = block.toString('utf8')
    // Spreadsheets put a byte order mark in front.
    const decoded = first ? text.replace(/^\uFEFF/, '') : text
    first = false
    return decoded
  }
  for await (const chunk of bytes) {
    const block = kept.take(chunk)
    if (block !== undefined) yield decode(block)
  }
  const rest = kept.rest()
  if (rest.length > 0) yield `${decode(rest)}\n`
}

interface Keeper {
  /** Everything up to the last line end; undefined while there is none. */
  take(chunk: Uint8Array): Buffer | undefined
  rest(): Buffer
}

const keeper = (): Keeper => {
  let parts: Uint8Array[] = []
  let length = 0
  return {
    take(chunk) {
      const end = chunk.lastIndexOf(lineFeed) + 1
      parts.push(end === 0 ? chunk : chunk.subarray(0, end))
      length += chunk.length
      if (end === 0) {
        if (length > longestRecord) throw new OperatorError('A line is longer than 16 MiB: this is not CSV or NDJSON.')
        return undefined
      }
      const block = Buffer.concat(parts)
      parts = [chunk.subarray(end)]
      length = chunk.length - end
      return block
    },
    rest: () => Buffer.concat(parts),
  }
}

const refuseUtf16 = (block: Buffer, name: string): void => {
  const [one, two] = block
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff))
    throw new OperatorError(`${called(name)} is encoded in UTF-16, not in UTF-8. ${conversion('UTF-16', name)}`)
}

/** The whole file is refused: a byte that is not UTF-8 means that the file has another encoding, not that one line is bad. */
const notUtf8 = (block: Buffer, linesBefore: number, name: string): OperatorError => {
  const at = firstBadByte(block)
  const start = block.lastIndexOf(lineFeed, at) + 1
  let line = linesBefore + 1
  for (let end = block.indexOf(lineFeed); end !== -1 && end < at; end = block.indexOf(lineFeed, end + 1)) line += 1
  const byte = `0x${(block[at] ?? 0).toString(16).toUpperCase()}`
  return new OperatorError(
    `${called(name)} is not UTF-8: line ${line} has the byte ${byte} at position ${at - start + 1}. ${conversion('WINDOWS-1252', name)}`,
  )
}

const called = (name: string): string => (name === standardInput ? 'Standard input' : name)

/** Spreadsheets on Windows write Windows-1252, which contains the printable characters of Latin-1. */
const conversion = (encoding: string, name: string): string => {
  const files = name === standardInput ? '' : ` ${name} > utf8-${name}`
  return `Convert it first, for example: iconv -f ${encoding} -t UTF-8${files}`
}

/** The decoder writes U+FFFD for an invalid sequence; a U+FFFD in the file itself is three valid bytes. */
const firstBadByte = (block: Buffer): number => {
  const text = block.toString('utf8')
  let at = 0
  let from = 0
  for (;;) {
    const found = text.indexOf('\uFFFD', from)
    at += Buffer.byteLength(text.slice(from, found))
    if (!block.subarray(at, at + replacement.length).equals(replacement)) return at
    at += replacement.length
    from = found + 1
  }
}

const replacement = Buffer.from('\uFFFD')
