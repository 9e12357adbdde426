/** The parts of an .xlsx file, which is a zip archive of XML documents. Sizes are limited before anything is inflated. */
import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { fromBuffer } from 'yauzl'
import { OperatorError } from '../../errors.ts'
import { displayName } from '../../import-export/text-blocks.ts'

const mebibyte = 1024 * 1024
/** The file is held in memory, because the directory of a zip archive is at its end. */
const maxFileBytes = 100 * mebibyte
const maxParts = 10_000

export interface Archive {
  /** The XML of a part; undefined if there is no such part. yauzl checks that it is not longer than its entry says. */
  open(path: string, maxMebibytes: number): Promise<AsyncIterable<Uint8Array> | undefined>
  close(): void
}

export const openArchive = async (bytes: AsyncIterable<Uint8Array>, name: string): Promise<Archive> => {
  const file = await readAll(bytes, name)
  if (file.readUInt32BE(0) === 0xd0cf11e0)
    throw new OperatorError(
      `${displayName(name)} is an old Excel file (.xls), or protected by a password: save it as .xlsx without a password.`,
    )
  const zip = await openZip(file, name)
  const entries = await readEntries(zip, name)
  return {
    async open(path, maxMebibytes) {
      const entry = entries.get(path)
      if (entry === undefined) return undefined
      if (entry.uncompressedSize > maxMebibytes * mebibyte)
        throw new OperatorError(
          `${path} in ${displayName(name)} is larger than ${maxMebibytes} MiB: save the sheet as CSV.`,
        )
      return new Promise((resolve, reject) => {
        zip.openReadStream(entry, (error, stream) =>
          error === null ? resolve(withChecksum(stream, entry)) : reject(damaged(name, error)),
        )
      })
    },
    close: () => zip.close(),
  }
}

/** yauzl does not compare checksums. */
async function* withChecksum(
  bytes: AsyncIterable<Uint8Array>,
  { fileName, crc32: expected }: Entry,
): AsyncGenerator<Uint8Array, void, void> {
  let checksum = 0
  for await (const chunk of bytes) {
    checksum = crc32(chunk, checksum)
    yield chunk
  }
  if (checksum !== expected) throw new Error(`the checksum of ${fileName} is wrong`)
}

const readAll = async (bytes: AsyncIterable<Uint8Array>, name: string): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    length += chunk.length
    if (length > maxFileBytes)
      throw new OperatorError(
        `${displayName(name)} is larger than ${maxFileBytes / mebibyte} MiB: save the sheet as CSV.`,
      )
    chunks.push(chunk)
  }
  if (length < 4) throw new OperatorError(`${displayName(name)} is empty: it is not an Excel file.`)
  return Buffer.concat(chunks)
}

const openZip = (file: Buffer, name: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(file, { lazyEntries: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(damaged(name, error)),
    )
  })

const readEntries = (zip: ZipFile, name: string): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName) || entries.size >= maxParts)
        return reject(damaged(name, new Error(`${entry.fileName} occurs twice, or there are too many parts`)))
      entries.set(entry.fileName, entry)
      return zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', (error: Error) => reject(damaged(name, error)))
    zip.readEntry()
  })

export const damaged = (name: string, cause: unknown): OperatorError =>
  new OperatorError(
    `${displayName(name)} is not a valid .xlsx file (${cause instanceof Error ? cause.message : String(cause)}). It may have been cut off.`,
    { cause },
  )
