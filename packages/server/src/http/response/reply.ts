import type { FastifyReply } from 'fastify'
import { varyRead } from './compression.ts'

export interface Reply {
  readonly status: 200 | 304
  /** Alternates header names and values. */
  readonly fields: readonly string[]
  readonly body: Buffer | undefined
  /** Whether `fields` replace `securityHeaders`. */
  readonly isSelfDescribed: boolean
}

export const notModified = (etag: string, cacheControl: string): Reply => ({
  status: 304,
  fields: ['etag', etag, 'cache-control', cacheControl, 'vary', varyRead],
  body: undefined,
  isSelfDescribed: false,
})

export const sendReply = (reply: FastifyReply, { status, fields, body }: Reply): FastifyReply =>
  setHeaders(reply, fields).code(status).send(body)

/** `fields` alternates names and values. */
export const setHeaders = (reply: FastifyReply, fields: readonly string[]): FastifyReply => {
  for (let index = 0; index < fields.length; index += 2) reply.header(fields[index] as string, fields[index + 1])
  return reply
}
