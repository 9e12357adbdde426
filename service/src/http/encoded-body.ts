/** In charge of a fixed body in the encodings clients take: each made once, the first time somebody asks for it. */
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Verb } from './address.ts'
import { jsonType } from './answers.ts'
import type { Encoding } from './encodings.ts'
import { bestEncoding, compressed, fitting, varies } from './encodings.ts'
import { heldTag, tagName, tagOf } from './entity-tags.ts'

const decompress = promisify(brotliDecompress)

export interface EncodedBody {
  /** With its tag; 304 to those who hold it. */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export const brotliBody = (brotli: Buffer): EncodedBody => {
  const identity = once(() => decompress(brotli))
  const gzip = once(async () => compressed(await identity(), 'gzip'))
  return encodedBody(tagName(brotli), brotli.length, { br: async () => brotli, gzip, identity })
}

const plainBody = (plain: Buffer): EncodedBody =>
  encodedBody(tagName(plain), plain.length, {
    br: once(() => compressed(plain, 'br')),
    gzip: once(() => compressed(plain, 'gzip')),
    identity: async () => plain,
  })

/** A document that is the same as long as the process runs. */
export const fixedJson = (document: object): Verb => {
  // One buffer for all: whoever asks many times at once and reads nothing holds no copies.
  const body = plainBody(Buffer.from(JSON.stringify(document)))
  const headers = { 'content-type': jsonType, 'cache-control': 'no-cache' }
  return { answer: (request, reply) => body.send(request, reply.headers(headers)) }
}

const encodedBody = (
  name: string,
  bytes: number,
  bodies: Readonly<Record<Encoding, () => Promise<Buffer>>>,
): EncodedBody => ({
  async send(request, reply) {
    const encoding = fitting(bestEncoding(request.headers['accept-encoding']), bytes)
    const held = request.headers['if-none-match']
    const tag = held === undefined ? undefined : heldTag(held, name, encoding)
    reply.header('vary', varies).header('etag', tag ?? tagOf(name, encoding))
    return tag === undefined ? sendAs(reply, encoding, await bodies[encoding]()) : reply.code(304).send()
  },
})

/** A body of its own for each request. */
export const sendEncoded = async (
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> => {
  const plain = Buffer.from(text)
  const encoding = fitting(bestEncoding(request.headers['accept-encoding']), plain.length)
  const body = encoding === 'identity' ? plain : await compressed(plain, encoding)
  return sendAs(reply.header('vary', varies), encoding, body)
}

const sendAs = (reply: FastifyReply, encoding: Encoding, body: Buffer): FastifyReply =>
  (encoding === 'identity' ? reply : reply.header('content-encoding', encoding)).send(body)

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
