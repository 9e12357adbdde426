/** In charge of an answer that was found, in every encoding: its bytes and header fields, each made once. */
import { jsonType } from './answers.ts'
import type { Compression, Encoding } from './encodings.ts'
import { compressed, fitting, readsVary } from './encodings.ts'
import { tagOf } from './entity-tags.ts'

export interface Representation {
  readonly body: Buffer
  /** Names and values by turns, for an answer that carries the body. */
  readonly fields: readonly string[]
}

/** What an answer in memory takes beside its bytes. */
const overhead = 1_000

export class Representations {
  /** What its tags are made of. */
  readonly name: string
  readonly plain: Representation
  readonly #said: readonly string[]
  readonly #encoded: Partial<Record<Compression, Representation | Promise<Representation>>> = {}
  #bytes: number

  /** `said` are the header fields that hold in every encoding, names and values by turns. */
  constructor(name: string, pieces: readonly string[], said: readonly string[]) {
    this.name = name
    this.#said = said
    this.plain = this.#represent(bytesOf(pieces), 'identity')
    this.#bytes = this.plain.body.length + said.join('').length + overhead
  }

  /** All that is kept in memory by now. */
  get bytes(): number {
    return this.#bytes
  }

  /** What whoever wants an encoding is given this in. */
  encodingFor(wanted: Encoding): Encoding {
    return fitting(wanted, this.plain.body.length)
  }

  /** At once where it was made before; whoever asks while it is made waits for the same. Calls back once it has grown. */
  in(encoding: Encoding, onGrown: () => void): Representation | Promise<Representation> {
    if (encoding === 'identity') return this.plain
    this.#encoded[encoding] ??= this.#encode(encoding, onGrown)
    return this.#encoded[encoding]
  }

  /** Where it cannot be made, the bytes as they are do as well. */
  async #encode(compression: Compression, onGrown: () => void): Promise<Representation> {
    try {
      const body = await compressed(this.plain.body, compression)
      const made = this.#represent(body, compression)
      this.#encoded[compression] = made
      this.#bytes += body.length
      onGrown()
      return made
    } catch {
      delete this.#encoded[compression]
      return this.plain
    }
  }

  #represent(body: Buffer, encoding: Encoding): Representation {
    const coding = encoding === 'identity' ? [] : ['content-encoding', encoding]
    const tag = tagOf(this.name, encoding)
    const length = String(body.length)
    const sent = ['vary', readsVary, 'content-type', jsonType, ...coding, 'content-length', length]
    return { body, fields: ['etag', tag, ...this.#said, ...sent] }
  }
}

/** Memory is asked for in whole pages: of places of any odd size, those that are given back fit nobody again. */
const pageBytes = 4_096

/** In memory of its own: a small buffer would keep alive the block that Node cuts small buffers from. */
const bytesOf = (pieces: readonly string[]): Buffer => {
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const room = length < pageBytes ? length : Math.ceil(length / pageBytes) * pageBytes
  const bytes = Buffer.allocUnsafeSlow(room).subarray(0, length)
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return bytes
}
