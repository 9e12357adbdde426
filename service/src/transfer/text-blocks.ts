/** In charge of turning a stream of bytes into blocks of text that end where a line ends, however the bytes were cut. */
import { isUtf8 } from 'node:buffer'
import { OperatorError } from '../errors.ts'

/** Several times the longest record the declarations allow: past it a file is of another kind, or a quote was never closed. */
export const longestRecord = 16 * 1024 * 1024

const lineFeed = 0x0a

export async function* textBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const kept = keeper()
  let first = true
  for await (const chunk of bytes) {
    const block = kept.take(chunk)
    if (block === undefined) continue
    yield first ? withoutMark(block) : decode(block)
    first = false
  }
  const rest = kept.rest()
  if (rest.length > 0) yield `${first ? withoutMark(rest) : decode(rest)}\n`
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

/** Spreadsheets put a byte order mark in front. */
const withoutMark = (block: Buffer): string => {
  const [one, two] = block
  if ((one === 0xff && two === 0xfe) || (one === 0xfe && two === 0xff))
    throw new OperatorError('The file is encoded in UTF-16: save it as UTF-8.')
  return decode(block).replace(/^\uFEFF/, '')
}

const decode = (block: Buffer): string => (isUtf8(block) ? block.toString('utf8') : decodeByLine(block))

/** A line that is not UTF-8 gets unpaired surrogates for its bad bytes: the judgement of the cell then refuses it by itself. */
const decodeByLine = (block: Buffer): string => {
  let text = ''
  for (let start = 0; start < block.length; ) {
    const found = block.indexOf(lineFeed, start)
    const end = found === -1 ? block.length : found + 1
    const line = block.subarray(start, end)
    text += isUtf8(line) ? line.toString('utf8') : line.toString('utf8').replaceAll('\uFFFD', '\uDCFF')
    start = end
  }
  return text
}
