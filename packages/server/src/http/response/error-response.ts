import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@muster/model'
import { errorCodes } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParameterProblem, Problem } from '../../errors.ts'
import type { PendingRequest } from '../connection/client.ts'
import { contextOf } from '../request/context.ts'
import { jsonType } from '../request/media-type.ts'
import { unsupportedContentType } from '../request/request-body.ts'
import { corsReadHeaders, securityHeaders, setCommonHeaders } from './common-headers.ts'
import { sendJson } from './json-response.ts'

/** The only function that turns a thrown error into a response. */
export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  setCommonHeaders(reply, request.id).header('cache-control', 'no-store')
  if (error instanceof ParameterProblem) return sendJson(reply.code(422), JSON.stringify({ detail: error.errors }))
  const problem = asProblem(error)
  contextOf(request.raw).log = { cache: 'none', rows: 0, error: problem.code }
  if (problem.code === 'internal_error') request.log.error({ id: request.id, err: error }, 'a request failed')
  else if (problem.cause !== undefined)
    request.log.warn({ id: request.id, err: problem.cause }, 'the database did not complete a request')
  reply.code(errorCodes[problem.code].status).headers(problem.headers)
  return sendJson(reply, envelopeJson(problem, request.id))
}

const envelopeJson = ({ code, message, details }: Problem, requestId: string): string =>
  JSON.stringify({ error: { code, message, details: { ...details, request_id: requestId } } })

const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Problem('payload_too_large')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedContentType()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return new Problem('bad_request')
    default:
      return new Problem('internal_error', { cause: error })
  }
}

/**
 * Responds to bytes that are not a valid request, arrive too slowly or exceed a limit. `pending` contains the requests
 * of the connection that have no response yet. If the error were sent before their responses, the client would take it
 * for one of these. Therefore the responses to complete requests are sent first, and then the connection is closed.
 */
export const sendFramingError = (
  error: Error & { code?: string },
  socket: Socket,
  { requestId, pending }: { readonly requestId: string; readonly pending: readonly PendingRequest[] },
): void => {
  const completeRequests = pending.filter(({ request, response }) => request.complete && !response.writableFinished)
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else if (completeRequests.length > 0) {
    socket.pause()
    completeRequests.at(-1)?.response.once('finish', () => socket.destroySoon())
  } else if (pending.some(({ response }) => response.headersSent)) socket.destroySoon()
  else socket.end(framingResponse(framingCode(error.code), requestId))
}

const framingResponse = (code: ErrorCode, requestId: string): string => {
  const { status } = errorCodes[code]
  const body = envelopeJson(new Problem(code), requestId)
  const headers = {
    'x-request-id': requestId,
    ...securityHeaders,
    ...corsReadHeaders,
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
