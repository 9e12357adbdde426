/** In charge of the header fields that every answer carries, whatever it answers. */
import type { FastifyReply } from 'fastify'

/** Nothing here is ever to be run, framed, guessed at, followed from or found by a search engine. */
export const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
} as const

export const nameAnswer = (reply: FastifyReply, requestId: string): FastifyReply =>
  reply.header('x-request-id', requestId).headers(safetyHeaders)
