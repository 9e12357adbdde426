/** In charge of the short way: what is kept in memory and still fresh is answered before the framework sees the request. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { jsonType } from './answers.ts'
import { safetyHeaders } from './every-answer.ts'
import { isUnambiguous } from './framing.ts'
import type { FreshAnswers, Kept } from './fresh-answers.ts'
import { holds } from './fresh-answers.ts'
import type { ReadAccess } from './read-access.ts'

export interface ShortWay {
  readonly answers: FreshAnswers
  readonly readers: ReadAccess
  readonly log: Log
  readonly nextId: () => string
  /** While it says so, every request goes the long way. */
  readonly closed: () => boolean
}

const safetyLines = Object.entries(safetyHeaders).flat()

/** A listener that answers from memory where it can, and hands every other request on as it came. */
export const takeShortWay = (
  { answers, readers, log, nextId, closed }: ShortWay,
  longWay: RequestListener,
): RequestListener => {
  const send = (kept: Kept, request: IncomingMessage, response: ServerResponse, started: number): void => {
    const id = nextId()
    const { tag, body, route, rows } = kept
    const held = request.headers['if-none-match']
    const status = held !== undefined && holds(held, tag) ? 304 : 200
    const headers = ['x-request-id', id, ...safetyLines, 'etag', tag, 'cache-control', answers.cacheControl]
    if (status === 200) headers.push('content-type', jsonType, 'content-length', String(body.length))
    response.writeHead(status, headers).end(status === 200 ? body : undefined)
    const method = request.method ?? ''
    const ms = performance.now() - started
    if (status === 200) log.answered({ id, method, route, status, ms, rows, cache: 'hit' }, request)
    else log.answered({ id, method, route, status, ms, rows: 0, cache: 'not_modified' }, request)
  }
  return (request, response) => {
    const started = performance.now()
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const isPlain = reads && !closed() && isUnambiguous(request) && request.headers.upgrade === undefined
    const view = isPlain ? readers.viewOf(request) : undefined
    const recalled =
      view !== undefined &&
      answers.recall(view, request.url ?? '', (kept) => {
        if (kept === undefined) longWay(request, response)
        else send(kept, request, response, started)
      })
    if (!recalled) longWay(request, response)
  }
}
