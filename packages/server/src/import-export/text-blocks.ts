import { isUtf8 } from 'node:buffer'
import { OperatorError } from '../errors.ts'

/** Several times the length of the longest valid record. A line that is longer indicates another file format. */
const maxLineLength = 16 * 1024 * 1024

const lineFeed = 0x0a
export const standardInput = 'standard input'

/** Says how to read a file in another encoding than UTF-8. */
export type EncodingHint = (encoding: 'UTF-16' | 'WINDOWS-1252', name: string) => string

/** Splits a stream into blocks of text that end with a line break. `name` is the file name for messages. */
export async function* textBlocks(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  hint: EncodingHint = conversionHint,
): AsyncGenerator<string, void, void> {
  const buffer = lineBuffer()
  let isFirstBlock = true
  let lines = 0
  const decode = (block: Buffer): string => {
    if (isFirstBlock) rejectUtf16(block, name, hint)
    if (!isUtf8(block)) throw notUtf8Error(block, lines, { name, hint })
    for (let position = block.indexOf(lineFeed); position !== -1; position = block.indexOf(lineFeed, position + 1))
      lines += 1
    const text = block.toString('utf8')
    // Spreadsheets write a byte order mark at the start of a file.
    const decoded = isFirstBlock ? text.replace(/^\uFEFF/, '') : text
    isFirstBlock = false
    return decoded
  }
  for await (const chunk of bytes) {
    const block = buffer.take(chunk)
    if (block !== undefined) yield decode(block)
  }
  const rest = buffer.rest()
  if (rest.length > 0) yield `${decode(rest)}\n`
}

interface LineBuffer {
  /** Returns everything up to the last line break; undefined if there is none yet. */
  take(chunk: Uint8Array): Buffer | undefined
  rest(): Buffer
}

const lineBuffer = (): LineBuffer => {
  let pendingChunks: Uint8Array[] = []
  let length = 0
  return {
    take(chunk) {
      const end = chunk.lastIndexOf(lineFeed) + 1
      pendingChunks.push(end === 0 ? chunk : chunk.subarray(0, end))
      length += chunk.length
      if (end === 0) {
        if (length > maxLineLength) throw new OperatorError('A line is longer than 16 MiB: this is not CSV or NDJSON.')
        return undefined
      }
      const block = Buffer.concat(pendingChunks)
      pendingChunks = [chunk.subarray(end)]
      length = chunk.length - end
      return block
    },
    rest: () => Buffer.concat(pendingChunks),
  }
}

const rejectUtf16 = (block: Buffer, name: string, hint: EncodingHint): void => {
  const [firstByte, secondByte] = block
  if ((firstByte === 0xff && secondByte === 0xfe) || (firstByte === 0xfe && secondByte === 0xff))
    throw new OperatorError(`${displayName(name)} is encoded in UTF-16, not in UTF-8. ${hint('UTF-16', name)}`)
}

/** Rejects the whole file: an invalid byte means that the file has another encoding, not that one line is bad. */
const notUtf8Error = (
  block: Buffer,
  linesBefore: number,
  { name, hint }: { readonly name: string; readonly hint: EncodingHint },
): OperatorError => {
  const position = firstBadByte(block)
  const lineStart = block.lastIndexOf(lineFeed, position) + 1
  let line = linesBefore + 1
  for (let end = block.indexOf(lineFeed); end !== -1 && end < position; end = block.indexOf(lineFeed, end + 1))
    line += 1
  const byte = `0x${(block[position] ?? 0).toString(16).toUpperCase()}`
  return new OperatorError(
    `${displayName(name)} is not UTF-8: line ${line} has the byte ${byte} at position ${position - lineStart + 1}. ${hint('WINDOWS-1252', name)}`,
  )
}

export const displayName = (name: string): string => (name === standardInput ? 'Standard input' : name)

/** Spreadsheets on Windows write Windows-1252, which contains the printable characters of Latin-1. */
const conversionHint: EncodingHint = (encoding, name) => {
  const fileArguments = name === standardInput ? '' : ` ${name} > utf8-${name}`
  return `Convert it first, for example: iconv -f ${encoding} -t UTF-8${fileArguments}`
}

/** The decoder writes U+FFFD for an invalid sequence; a U+FFFD in the file itself is three valid bytes. */
const firstBadByte = (block: Buffer): number => {
  const text = block.toString('utf8')
  let position = 0
  let searchFrom = 0
  for (;;) {
    const markIndex = text.indexOf('\uFFFD', searchFrom)
    position += Buffer.byteLength(text.slice(searchFrom, markIndex))
    if (!block.subarray(position, position + replacementBytes.length).equals(replacementBytes)) return position
    position += replacementBytes.length
    searchFrom = markIndex + 1
  }
}

const replacementBytes = Buffer.from('\uFFFD')
