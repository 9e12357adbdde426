/** Converts the bytes of a file to UTF-8. A byte order mark decides the encoding, or else the map, or else it is UTF-8. */
import { isAscii } from 'node:buffer'
import { OperatorError } from '../errors.ts'
import { displayName } from '../import-export/text-blocks.ts'

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const byteOrderMarks: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

export interface DecodeOptions {
  /** The encoding that the map names. */
  readonly encoding: Encoding | undefined
  /** File name for messages. */
  readonly name: string
  /** Called if the byte order mark decides against the map. */
  readonly onNote: (note: string) => void
}

export async function* decodeFile(
  bytes: AsyncIterable<Uint8Array>,
  { encoding, name, onNote }: DecodeOptions,
): AsyncGenerator<Uint8Array, void, void> {
  let decoder: Decoder | undefined
  let firstBytes = Buffer.alloc(0)
  const start = (): Uint8Array => {
    const marked = byteOrderMarks.find(([, mark]) => mark.every((byte, index) => firstBytes[index] === byte))?.[0]
    if (marked !== undefined && marked !== (encoding ?? 'utf-8'))
      onNote(`read as ${marked.toUpperCase()}, as its byte order mark says`)
    decoder = openDecoder(marked ?? encoding ?? 'utf-8', name)
    return decoder.decode(firstBytes)
  }
  for await (const chunk of bytes) {
    if (decoder !== undefined) {
      yield decoder.decode(chunk)
      continue
    }
    firstBytes = Buffer.concat([firstBytes, chunk])
    if (firstBytes.length >= 3) yield start()
  }
  if (decoder === undefined) yield start()
  yield decoder?.end() ?? Buffer.alloc(0)
}

interface Decoder {
  decode(chunk: Uint8Array): Uint8Array
  end(): Uint8Array
}

const openDecoder = (encoding: Encoding, name: string): Decoder => {
  if (encoding === 'windows-1252') return windows1252Decoder(name)
  return encoding === 'utf-8' ? utf8Decoder(name) : utf16Decoder(encoding, name)
}

/** The blocks of text are checked when they are read. Only UTF-16 without a byte order mark would give a wrong reason. */
const utf8Decoder = (name: string): Decoder => {
  let isFirst = true
  return {
    decode(chunk) {
      if (isFirst && chunk.includes(0)) throw nullByteError(chunk, name)
      isFirst = false
      return chunk
    },
    end: () => Buffer.alloc(0),
  }
}

const nullByteError = (chunk: Uint8Array, name: string): OperatorError => {
  const position = chunk.indexOf(0)
  const line = countLineFeeds(chunk.subarray(0, position)) + 1
  return new OperatorError(
    `${displayName(name)} has a null byte in line ${line} at position ${position - chunk.lastIndexOf(lineFeed, position)}: if it is UTF-16, add "encoding": "utf-16le" to the map.`,
  )
}

const lineFeed = 0x0a

const countLineFeeds = (chunk: Uint8Array): number => {
  let count = 0
  for (let index = chunk.indexOf(lineFeed); index !== -1; index = chunk.indexOf(lineFeed, index + 1)) count += 1
  return count
}

const utf16Decoder = (encoding: 'utf-16le' | 'utf-16be', name: string): Decoder => {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let lines = 0
  const decode = (chunk?: Uint8Array): Uint8Array => {
    try {
      const text = Buffer.from(chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }))
      lines += countLineFeeds(text)
      return text
    } catch (error) {
      throw new OperatorError(
        `${displayName(name)} is not ${encoding.toUpperCase()}: half a character follows line ${lines + 1} or a later one. The file may have been cut off.`,
        { cause: error },
      )
    }
  }
  return { decode, end: () => decode() }
}

/** Bytes to which Windows-1252 assigns no character. */
const unassignedBytes = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])

const windows1252Decoder = (name: string): Decoder => {
  const decoder = new TextDecoder('windows-1252')
  const utf8 = openUtf8Check()
  let line = 1
  let linePosition = 0
  let firstOther: string | undefined
  return {
    decode(chunk) {
      if (isAscii(chunk) && !chunk.includes(0)) {
        utf8.add(chunk)
        line += countLineFeeds(chunk)
        linePosition = chunk.length - 1 - chunk.lastIndexOf(lineFeed) + (chunk.includes(lineFeed) ? 0 : linePosition)
        return chunk
      }
      for (const byte of chunk) {
        linePosition += 1
        if (byte === 0) throw nullByteError(chunk, name)
        if (unassignedBytes.has(byte))
          throw new OperatorError(
            `${displayName(name)} is not Windows-1252: line ${line} has the byte 0x${byte.toString(16).toUpperCase()} at position ${linePosition}. Correct "encoding" in the map.`,
          )
        if (byte > 0x7f) firstOther ??= `line ${line}, position ${linePosition}`
        if (byte !== lineFeed) continue
        line += 1
        linePosition = 0
      }
      utf8.add(chunk)
      return Buffer.from(decoder.decode(chunk))
    },
    end() {
      if (firstOther !== undefined && utf8.isValid())
        throw new OperatorError(
          `${displayName(name)} is UTF-8, not Windows-1252 (first at ${firstOther}): change "encoding" in the map to "utf-8".`,
        )
      return Buffer.alloc(0)
    },
  }
}

/** Text in Windows-1252 with a letter such as ü is practically never valid UTF-8. */
const openUtf8Check = (): { add(chunk: Uint8Array): void; isValid(): boolean } => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let valid = true
  const check = (decode: () => void): void => {
    try {
      if (valid) decode()
    } catch {
      valid = false
    }
  }
  return {
    add: (chunk) => check(() => decoder.decode(chunk, { stream: true })),
    isValid() {
      check(() => decoder.decode())
      return valid
    },
  }
}
