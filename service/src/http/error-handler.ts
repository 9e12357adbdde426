/** In charge of sending errors: the only place that turns a refusal or a fault into an answer. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@muster/model'
import { errorCodes } from '@muster/model'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParameterProblem, Problem } from '../errors.ts'
import { sendJson } from './answers.ts'
import { contentTypeRefused } from './request-body.ts'

export const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  if (error instanceof ParameterProblem) return sendJson(reply.code(422), JSON.stringify({ detail: error.faults }))
  const problem = asProblem(error)
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

/** Answers what never became a request: bytes that are no HTTP, or that arrive too slowly or in too great a mass. */
export const sendFramingError = (error: Error & { code?: string }, socket: Socket, requestId: string): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = new Problem(framingCode(error.code))
  const { status } = errorCodes[problem.code]
  const body = envelope(problem, requestId)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
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
