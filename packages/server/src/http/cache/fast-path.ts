/**
 * Sends cached responses before a request reaches Fastify. This is only an optimization: without it, the routes would
 * send the same responses from the same cache.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Log } from '../../observability/log.ts'
import { tableSeparator } from '../../postgres/sql/statement.ts'
import type { Caller } from '../access/callers.ts'
import type { Contexts, RequestContext } from '../request/context.ts'
import { mayAcceptFile } from '../request/list-query.ts'
import { corsReadHeaders, securityHeaders } from '../response/common-headers.ts'
import type { Reply } from '../response/reply.ts'
import { buildHead, canSendHead, sendHead } from './prebuilt-head.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'
import { cacheKey } from './response-cache.ts'

export interface FastPathOptions {
  readonly cache: ResponseCache
  readonly contexts: Contexts
  readonly log: Log
  /** True during shutdown and while rate limits must count requests: every request then goes to `next`. */
  readonly isOff: () => boolean
  /** Called after a response from the cache was passed to the socket. */
  readonly onSent: RequestListener
  /** For the Keep-Alive header: how long the server keeps an idle connection. */
  readonly keepAliveMs: number
}

const corsFields = Object.entries(corsReadHeaders).flat()
const constantFields = [...Object.entries(securityHeaders).flat(), ...corsFields]

/** Prebuilt heads, keyed by the `fields` array of their cache entry and garbage-collected with it. */
const headByFields = new WeakMap<readonly string[], string>()
const headOf = (reply: Reply): string => {
  const { fields } = reply
  const existing = headByFields.get(fields)
  if (existing !== undefined) return existing
  const head = buildHead(allFieldsOf(reply))
  headByFields.set(fields, head)
  return head
}

const allFieldsOf = ({ fields, isSelfDescribed }: Reply): readonly string[] => [
  ...(isSelfDescribed ? corsFields : constantFields),
  ...fields,
]

/** A listener that sends fresh cached responses, and passes all other requests on to `next`. */
export const fastPath = (
  { cache, contexts, log, isOff, onSent, keepAliveMs }: FastPathOptions,
  next: RequestListener,
): RequestListener => {
  const send = (
    reply: Reply,
    { route, rows }: CachedResponse,
    context: RequestContext,
    request: IncomingMessage,
    response: ServerResponse,
  ): void => {
    const { id, startedAt, caller } = context
    const token = caller.name
    const { status, body } = reply
    if (status === 200 && canSendHead(request, response))
      sendHead(response, { head: headOf(reply), body }, { id, keepAliveMs })
    else response.writeHead(status, ['x-request-id', id, ...allFieldsOf(reply)]).end(body)
    onSent(request, response)
    const ms = performance.now() - startedAt
    const method = request.method ?? ''
    if (status === 200) log.logRequest({ id, method, route, status, ms, rows, cache: 'hit', token }, request)
    else log.logRequest({ id, method, route, status, ms, rows: 0, cache: 'not_modified', token }, request)
  }
  return (request, response) => {
    const context = contexts(request)
    const key = isOff() ? undefined : keyOf(request, context)
    const isStored =
      key !== undefined &&
      cache.getFresh(key, (entry) => {
        if (entry === undefined || !mayGet(context.caller, entry)) next(request, response)
        else {
          const reply = entry.replyTo(context)
          if (reply instanceof Promise)
            void reply.then((compressed) => send(compressed, entry, context, request, response))
          else send(reply, entry, context, request, response)
        }
      })
    if (!isStored) next(request, response)
  }
}

/** Of other responses, the route decides whether the caller may get them. */
const mayGet = (caller: Caller, { tables }: CachedResponse): boolean =>
  !caller.isLimited || caller.hasRightToTables(tables.split(tableSeparator))

/** The cache key of a request; undefined if the response depends on more than visibility, URL, encoding and ETag. */
const keyOf = ({ method, headers, url = '' }: IncomingMessage, context: RequestContext): string | undefined => {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const { upgrade, prefer, accept } = headers
  const isPlain = context.hasSafeFraming && upgrade === undefined && prefer === undefined && !mayAcceptFile(accept)
  const visibility = isPlain ? context.caller.visibility : undefined
  return visibility === undefined ? undefined : cacheKey(visibility, url)
}
