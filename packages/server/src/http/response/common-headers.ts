/** Headers of every response, CORS included. */
import { corsRequestHeaders, exposedHeaders } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Responses are data: browsers must not run, frame or sniff them, and search engines must not index them. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const

export const setCommonHeaders = (reply: FastifyReply, requestId: string): FastifyReply =>
  reply.header('x-request-id', requestId).headers(securityHeaders)

const exposeHeaders = { 'access-control-expose-headers': exposedHeaders.join(', ') }

/** CORS headers of reads. The same for every origin, so that caches need no `Vary: Origin`. */
export const corsReadHeaders = { 'access-control-allow-origin': '*', ...exposeHeaders } as const

/** Sets the CORS headers of a response, including those of a preflight response. */
export type Cors = (request: FastifyRequest, reply: FastifyReply) => void

export const openCors = (origins: readonly string[]): Cors => {
  const allowedOrigins = new Set(origins)
  return ({ method, headers }, reply) => {
    const requestedMethod = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined
    const isCreate = (requestedMethod ?? method) === 'POST'
    const { origin = '' } = headers
    const mayCreate = allowedOrigins.has(origin)
    if (!isCreate) reply.headers(corsReadHeaders)
    else if (allowedOrigins.size > 0) reply.header('vary', 'origin')
    if (isCreate && mayCreate) reply.headers({ 'access-control-allow-origin': origin, ...exposeHeaders })
    if (requestedMethod !== undefined && (mayCreate || !isCreate))
      reply.headers(isCreate ? preflightCreateHeaders : preflightReadHeaders)
  }
}

const preflightReadHeaders = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': corsRequestHeaders.join(', '),
  // How long a browser may cache a preflight response: the maximum in Chromium. Firefox allows 24 hours.
  'access-control-max-age': '7200',
}
const preflightCreateHeaders = { ...preflightReadHeaders, 'access-control-allow-methods': 'GET, HEAD, POST' }
