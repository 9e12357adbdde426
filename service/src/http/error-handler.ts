/** In charge of sending errors: the only place that turns a refusal or a fault into an answer. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@muster/model'
import { errorCodes } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParameterProblem, Problem } from '../errors.ts'
import type { Pending } from './admission.ts'
import { jsonType, sendJson } from './answers.ts'
import { readableAnywhere } from './cors.ts'
import { nameAnswer, safetyHeaders } from './every-answer.ts'
import { noteOutcome } from './outcome.ts'
import { contentTypeRefused } from './request-body.ts'

export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  nameAnswer(reply, request.id).header('cache-control', 'no-store')
  if (error instanceof ParameterProblem) return sendJson(reply.code(422), JSON.stringify({ detail: error.faults }))
  const problem = asProblem(error)
  noteOutcome(request.raw, { cache: 'none', rows: 0, error: problem.code })
  if (problem.code === 'internal_error') request.log.error({ id: request.id, err: error }, 'a request failed')
  else if (problem.cause !== undefined)
    request.log.warn({ id: request.id, err: problem.cause }, 'the database did not serve a request')
  reply.code(errorCodes[problem.code].status).headers(problem.headers)
  return sendJson(reply, envelope(problem, request.id))
}

const envelope = ({ code, message, details }: Problem, requestId: string): string =>
  JSON.stringify({ error: { code, message, details: { ...details, request_id: requestId } } })

const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return contentTypeRefused()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new Problem('bad_request')
    default:
      return new Problem('internal_error', { cause: error })
  }
}

/**
 * Responds to what is not a request: bytes that are not HTTP, or that arrive too slowly or are too many. `pending` are the
 * requests of the connection that are not answered yet. An error sent before their responses would be taken for one of
 * them, so those whose request is complete are sent first, and the connection is closed after them.
 */
export const sendFramingError = (
  error: Error & { code?: string },
  socket: Socket,
  { requestId, pending }: { readonly requestId: string; readonly pending: readonly Pending[] },
): void => {
  const complete = pending.filter(({ request, response }) => request.complete && !response.writableFinished)
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else if (complete.length > 0) {
    socket.pause()
    complete.at(-1)?.response.once('finish', () => socket.destroySoon())
  } else if (pending.some(({ response }) => response.headersSent)) socket.destroySoon()
  else socket.end(framingAnswer(framingCode(error.code), requestId))
}

const framingAnswer = (code: ErrorCode, requestId: string): string => {
  const { status } = errorCodes[code]
  const body = envelope(new Problem(code), requestId)
  const headers = {
    'x-request-id': requestId,
    ...safetyHeaders,
    ...readableAnywhere,
    'cache-control': 'no-store',
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

const framingCode = (code: string | undefined): ErrorCode => {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout'
    default:
      return 'bad_request'
  }
}
