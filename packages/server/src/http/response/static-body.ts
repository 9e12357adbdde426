/** Bodies that do not change while the process runs: each encoding is computed once, when it is first requested. */
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Encoding } from '../request/accept-encoding.ts'
import { contextOf } from '../request/context.ts'
import { compressToBuffer, encodingFor, varyEncoding } from './compression.ts'
import { etagName, etagOf, matchingEtag } from './etag.ts'

/** Headers of files that only pages of this origin load. */
export const sameOriginOnly = { 'cross-origin-resource-policy': 'same-origin' }

const decompress = promisify(brotliDecompress)

export interface StaticBody {
  /** Sends the body, or 304 if the client's ETag matches. */
  send(request: FastifyRequest, reply: FastifyReply, vary?: string): Promise<FastifyReply>
}

export const brotliBody = (brotli: Buffer): StaticBody => {
  const identity = once(() => decompress(brotli))
  const gzip = once(async () => compressToBuffer(await identity(), 'gzip'))
  // The work of compressing is done, so the size does not matter.
  return staticBody(etagName(brotli), Number.POSITIVE_INFINITY, { br: async () => brotli, gzip, identity })
}

export const plainBody = (plain: Buffer): StaticBody =>
  staticBody(etagName(plain), plain.length, {
    br: once(() => compressToBuffer(plain, 'br')),
    gzip: once(() => compressToBuffer(plain, 'gzip')),
    identity: async () => plain,
  })

/** A body that is never compressed, such as a font, whose format contains compression. */
export const uncompressedBody = (bytes: Buffer): StaticBody => {
  const identity = async () => bytes
  // No response of this size is compressed.
  return staticBody(etagName(bytes), 0, { br: identity, gzip: identity, identity })
}

const staticBody = (
  name: string,
  size: number,
  bodies: Readonly<Record<Encoding, () => Promise<Buffer>>>,
): StaticBody => ({
  async send(request, reply, vary = varyEncoding) {
    const encoding = encodingFor(contextOf(request.raw).encoding, size)
    const { ifNoneMatch } = contextOf(request.raw)
    const etag = ifNoneMatch === undefined ? undefined : matchingEtag(ifNoneMatch, name, encoding)
    reply.header('vary', vary).header('etag', etag ?? etagOf(name, encoding))
    return etag === undefined ? sendAs(reply, encoding, await bodies[encoding]()) : reply.code(304).send()
  },
})

/** Sends a body that is different for each request. */
export const sendEncoded = async (
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  vary = varyEncoding,
): Promise<FastifyReply> => {
  const plain = Buffer.from(text)
  const encoding = encodingFor(contextOf(request.raw).encoding, plain.length)
  const body = encoding === 'identity' ? plain : await compressToBuffer(plain, encoding)
  return sendAs(reply.header('vary', vary), encoding, body)
}

const sendAs = (reply: FastifyReply, encoding: Encoding, body: Buffer): FastifyReply =>
  (encoding === 'identity' ? reply : reply.header('content-encoding', encoding)).send(body)

const once = <T>(compute: () => Promise<T>): (() => Promise<T>) => {
  let result: Promise<T> | undefined
  return () => {
    result ??= compute()
    return result
  }
}
