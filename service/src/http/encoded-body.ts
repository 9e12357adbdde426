/** In charge of a fixed body in the encodings clients take: each made once, the first time somebody asks for it. */
import { promisify } from 'node:util'
import { brotliDecompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const decompress = promisify(brotliDecompress)
const compress = promisify(gzip)

export interface EncodedBody {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

export const brotliBody = (brotli: Buffer): EncodedBody => {
  const identity = once(() => decompress(brotli))
  const gzipped = once(async () => compress(await identity(), { level: zlib.Z_BEST_COMPRESSION }))
  const bodies = { br: async () => brotli, gzip: gzipped, identity }
  return {
    async send(request, reply) {
      const encoding = bestEncoding(request.headers['accept-encoding'])
      reply.header('vary', 'accept-encoding')
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return reply.send(await bodies[encoding]())
    },
  }
}

/** Browsers take brotli over TLS and from their own machine only, so gzip is no relic. */
export const bestEncoding = (accepted: string | string[] | undefined): 'br' | 'gzip' | 'identity' => {
  const weights = new Map(
    String(accepted ?? '')
      .split(',')
      .map(readWeight),
  )
  const takes = (encoding: string): boolean => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0
  if (takes('br')) return 'br'
  return takes('gzip') ? 'gzip' : 'identity'
}

const readWeight = (part: string): [encoding: string, weight: number] => {
  const [encoding = '', ...parameters] = part
    .toLowerCase()
    .split(';')
    .map((piece) => piece.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [encoding, weight === undefined ? 1 : Number(weight.slice(2))]
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
