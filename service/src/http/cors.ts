/** In charge of pages of other origins: any may read, without credentials, and those that are named may create. */
import { crossOriginHeaders, exposedHeaders } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'

const exposed = { 'access-control-expose-headers': exposedHeaders.join(', ') }

/** The same for whoever asks, so that nobody who keeps an answer has to tell origins apart. */
export const readableAnywhere = { 'access-control-allow-origin': '*', ...exposed } as const

/** Says in an answer which pages may see it, and before a request which pages may send it. */
export type Cors = (request: FastifyRequest, reply: FastifyReply) => void

export const openCors = (origins: readonly string[]): Cors => {
  const creators = new Set(origins)
  return ({ method, headers }, reply) => {
    const announced = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined
    const isCreate = (announced ?? method) === 'POST'
    const { origin = '' } = headers
    const mayCreate = creators.has(origin)
    if (!isCreate) reply.headers(readableAnywhere)
    else if (creators.size > 0) reply.header('vary', 'origin')
    if (isCreate && mayCreate) reply.headers({ 'access-control-allow-origin': origin, ...exposed })
    if (announced !== undefined && (mayCreate || !isCreate)) reply.headers(isCreate ? forCreates : forReads)
  }
}

const forReads = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': crossOriginHeaders.join(', '),
  // As long as browsers remember it at most.
  'access-control-max-age': '7200',
}
const forCreates = { ...forReads, 'access-control-allow-methods': 'GET, HEAD, POST' }
