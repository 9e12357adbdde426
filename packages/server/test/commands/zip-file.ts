/** Reads and writes the small zip archives of tests. */
import { crc32, deflateRawSync } from 'node:zlib'
import { fromBuffer } from 'yauzl'

export interface ZipPart {
  readonly path: string
  readonly content: Buffer
  /** The size that the directory says, if it is another. */
  readonly claimedSize?: number
}

export const zipFile = (parts: readonly ZipPart[]): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content, claimedSize = content.length } of parts) {
    const name = Buffer.from(path)
    const data = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(claimedSize, 18)
    common.writeUInt16LE(name.length, 22)
    const body = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, name, data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), common, tail, name]))
    bodies.push(body)
    offset += body.length
  }
  const end = Buffer.alloc(18)
  const entries = Buffer.concat(directory)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...bodies, entries, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

export const unzip = (file: Buffer): Promise<ZipPart[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(file, { lazyEntries: true }, (error, zip) => {
      if (error !== null) return reject(error)
      const parts: ZipPart[] = []
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure !== null) {
            reject(failure)
            return
          }
          stream.toArray().then((chunks: Buffer[]) => {
            parts.push({ path: entry.fileName, content: Buffer.concat(chunks) })
            zip.readEntry()
          }, reject)
        })
      })
      zip.on('end', () => resolve(parts))
      return zip.readEntry()
    })
  })
