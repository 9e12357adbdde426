/** In charge of the short way: what is kept in memory and still fresh is answered before the framework sees the request. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Log } from '../log.ts'
import { readableAnywhere } from './cors.ts'
import { bestEncoding } from './encodings.ts'
import { heldTag } from './entity-tags.ts'
import { safetyHeaders } from './every-answer.ts'
import { mayWantFile } from './file-format.ts'
import { isUnambiguous } from './framing.ts'
import type { FreshAnswers, Kept } from './fresh-answers.ts'
import type { ReadAccess } from './read-access.ts'
import { readyHead, sendReady, takesReadyHead } from './ready-head.ts'
import type { Representation } from './representations.ts'

export interface ShortWay {
  readonly answers: FreshAnswers
  readonly readers: ReadAccess
  readonly log: Log
  readonly nextId: () => string
  /** While it says so, every request goes the long way. */
  readonly closed: () => boolean
  /** How long the server keeps a connection that rests. */
  readonly keepAliveMs: number
}

const constantFields = Object.entries({ ...safetyHeaders, ...readableAnywhere }).flat()

/** Of each list of fields in memory. */
const heads = new WeakMap<readonly string[], string>()
const headOf = (fields: readonly string[]): string => {
  const known = heads.get(fields)
  if (known !== undefined) return known
  const head = readyHead([...constantFields, ...fields])
  heads.set(fields, head)
  return head
}

/** A listener that answers from memory where it can, and hands every other request on as it came. */
export const takeShortWay = (
  { answers, readers, log, nextId, closed, keepAliveMs }: ShortWay,
  longWay: RequestListener,
): RequestListener => {
  const send = (kept: Kept, request: IncomingMessage, response: ServerResponse, started: number): void => {
    const { representations, onGrown } = kept
    const encoding = representations.encodingFor(bestEncoding(request.headers['accept-encoding']))
    const held = request.headers['if-none-match']
    const tag = held === undefined ? undefined : heldTag(held, representations.name, encoding)
    const sendAs = ({ fields, body }: Representation): void => {
      const id = nextId()
      const status = tag === undefined ? 200 : 304
      const said = tag === undefined ? fields : ['etag', tag, ...answers.unchanged]
      if (status === 200 && takesReadyHead(request, response))
        sendReady(response, { head: headOf(fields), body }, { id, keepAliveMs })
      else {
        const headers = ['x-request-id', id, ...constantFields, ...said]
        response.writeHead(status, headers).end(tag === undefined ? body : undefined)
      }
      const { route, rows } = kept
      const method = request.method ?? ''
      const ms = performance.now() - started
      if (status === 200) log.answered({ id, method, route, status, ms, rows, cache: 'hit' }, request)
      else log.answered({ id, method, route, status, ms, rows: 0, cache: 'not_modified' }, request)
    }
    const sent = tag === undefined ? representations.in(encoding, onGrown) : representations.plain
    if (sent instanceof Promise) void sent.then(sendAs)
    else sendAs(sent)
  }
  return (request, response) => {
    const started = performance.now()
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const { upgrade, prefer, accept } = request.headers
    const isAlone = upgrade === undefined && prefer === undefined && !mayWantFile(accept)
    const isPlain = reads && !closed() && isUnambiguous(request) && isAlone
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
