import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { LogFields } from '../../observability/log.ts'
import type { Caller, Callers } from '../access/callers.ts'
import { headerCount } from '../access/callers.ts'
import type { Encoding } from './accept-encoding.ts'
import { preferredEncoding } from './accept-encoding.ts'

const contextKey = Symbol('request context')

interface WithContext {
  [contextKey]?: RequestContext
}

const defaultLogFields: LogFields = { cache: 'none', rows: 0 }

/**
 * The properties of a request that follow from its headers. Created once per request, before it reaches the response
 * cache and Fastify.
 */
export class RequestContext {
  readonly id: string
  readonly startedAt = performance.now()
  readonly hasSafeFraming: boolean
  /** The encoding of a JSON response that is large enough to be compressed. */
  readonly encoding: Encoding
  readonly ifNoneMatch: string | undefined
  /** Written to the log when the response is sent. */
  log: LogFields = defaultLogFields
  readonly #request: IncomingMessage
  readonly #callers: Callers
  #caller: Caller | undefined

  constructor(request: IncomingMessage, id: string, callers: Callers) {
    const { headers } = request
    this.id = id
    this.hasSafeFraming = hasSafeFraming(request)
    const acceptEncoding = headers['accept-encoding']
    this.encoding = acceptEncoding === undefined ? 'identity' : preferredEncoding(acceptEncoding)
    this.ifNoneMatch = headers['if-none-match']
    this.#request = request
    this.#callers = callers
  }

  /** Found at the first use, because the digest of a token costs more than the rest of the context. */
  get caller(): Caller {
    this.#caller ??= this.#callers.of(this.#request)
    return this.#caller
  }
}

export type Contexts = (request: IncomingMessage) => RequestContext

/** Returns the context of a request, and creates it at the first call. */
export const openContexts =
  (callers: Callers, nextId: () => string): Contexts =>
  (request) => {
    const carrier = request as WithContext
    carrier[contextKey] ??= new RequestContext(request, nextId(), callers)
    return carrier[contextKey]
  }

/** The context that `openContexts` has created for the request. */
export const contextOf = (request: IncomingMessage): RequestContext => {
  const context = (request as WithContext)[contextKey]
  if (context === undefined) throw new Error('The request has no context.')
  return context
}

const supportedVersions = new Set(['1.0', '1.1'])

/** Whether every HTTP parser, including that of a proxy, would parse these bytes as the same request. */
export const hasSafeFraming = ({ httpVersion, rawHeaders, headers }: IncomingMessage): boolean => {
  if (!supportedVersions.has(httpVersion)) return false
  const transferEncoding = headers['transfer-encoding']
  if (transferEncoding !== undefined && (httpVersion !== '1.1' || transferEncoding.toLowerCase() !== 'chunked'))
    return false
  const { host } = headers
  return host === undefined ? httpVersion === '1.0' : headerCount('host', rawHeaders) === 1 && isHost(host)
}

/** A name has at most 253 characters, and a port 5. Feeds repeat the host in every URL. */
const maxHostLength = 260
const isHost = (host: string): boolean => host.length <= maxHostLength && hostPattern.test(host)

/** A host as in RFC 3986, section 3.2.2, or an empty one, and an optional port. */
const hostPattern = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i

/**
 * Request ids of a random prefix per process and a counter: unique and short, without generating random bytes per
 * request.
 */
export const requestIds = (): (() => string) => {
  const prefix = randomBytes(9).toString('base64url')
  let count = 0
  return () => {
    count += 1
    return `${prefix}-${count.toString(36)}`
  }
}
