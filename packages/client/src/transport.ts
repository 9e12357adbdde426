import type { SentRequest } from './errors.ts'
import { errorFromResponse, MusterError } from './errors.ts'
import type { EtagCache } from './etag-cache.ts'
import { createEtagCache } from './etag-cache.ts'
import type { RetryOptions } from './retry.ts'
import { withRetries } from './retry.ts'

export interface ClientOptions {
  /** Ends in `/api`. */
  readonly baseUrl: string
  /** The bearer token. It is sent with every request, including reads. */
  readonly token?: string | undefined
  /** Function that sends the requests; the global `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Number of responses that the client keeps, and returns again if the service responds 304. The default is 0. */
  readonly cache?: number | undefined
  readonly retry?: RetryOptions | undefined
  /** Longest wait in milliseconds for a response or for the next part of a stream. The default is 60,000. */
  readonly timeoutMs?: number | undefined
  /** Whether the service rejects parameters that it does not know (true, the default) or ignores them. */
  readonly strict?: boolean | undefined
}

/** Path and query of a URL, relative to the base URL. */
type Path = string

interface OpenResponse {
  readonly request: SentRequest
  readonly response: Response
  /**
   * Calls `read` to read from the response. Throws if the request is aborted, the connection breaks, or nothing arrives
   * in time.
   */
  receive<T>(read: () => Promise<T>): Promise<T>
}

export interface Transport {
  get(path: Path, signal: AbortSignal | undefined): Promise<unknown>
  post(path: Path, body: unknown, key: string, signal: AbortSignal | undefined): Promise<unknown>
  /** Yields the lines of an NDJSON response, parsed as JSON. */
  stream(path: Path, signal: AbortSignal | undefined): AsyncGenerator<unknown, void, undefined>
  /** Yields the server-sent events of a response, until the service ends it. */
  events(path: Path, signal: AbortSignal | undefined): AsyncGenerator<ServerEvent, void, undefined>
}

interface ServerEvent {
  /** The newest id, of this event or of one before it. */
  readonly id: string
  /** The data, parsed as JSON. Undefined if the event has only an id. */
  readonly data: unknown
}

export const createTransport = ({
  baseUrl,
  token,
  fetch = globalThis.fetch,
  cache: maxEntries = 0,
  retry = {},
  timeoutMs = 60_000,
  strict = true,
}: ClientOptions): Transport => {
  const baseWithoutSlash = baseUrl.replace(/\/+$/, '')
  const cache: EtagCache | undefined = maxEntries > 0 ? createEtagCache(maxEntries) : undefined
  const commonHeaders: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(strict ? { prefer: 'handling=strict' } : {}),
  }

  /**
   * Sends one request. Resolves as soon as the headers of a 2xx response have arrived, or of a 304 response if the
   * request had `If-None-Match`.
   */
  const sendRequest = async (
    path: Path,
    signal: AbortSignal | undefined,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<OpenResponse> => {
    const request: SentRequest = { method: body === undefined ? 'GET' : 'POST', url: baseWithoutSlash + path }
    const idleTimeout = new AbortController()
    const receive = async <T>(read: () => Promise<T>): Promise<T> => {
      const timer = setTimeout(() => idleTimeout.abort(new Error(`Nothing received for ${timeoutMs} ms`)), timeoutMs)
      try {
        return await read()
      } catch (cause) {
        signal?.throwIfAborted()
        throw new MusterError('The connection failed.', { ...request, status: 0, code: 'network_error', cause })
      } finally {
        clearTimeout(timer)
      }
    }
    const response = await receive(() =>
      fetch(request.url, {
        headers: { ...commonHeaders, ...headers },
        signal: signal === undefined ? idleTimeout.signal : AbortSignal.any([signal, idleTimeout.signal]),
        ...(body === undefined ? {} : { method: 'POST', body }),
      }),
    )
    if (response.ok || (response.status === 304 && 'if-none-match' in headers)) return { request, response, receive }
    throw errorFromResponse(request, response, await receive(() => response.text()))
  }

  return {
    get: (path, signal) =>
      withRetries(
        async () => {
          const cached = cache?.get(path)
          const { request, response, receive } = await sendRequest(
            path,
            signal,
            cached && { 'if-none-match': cached.etag },
          )
          if (cached !== undefined && response.status === 304) return JSON.parse(cached.text)
          const text = await receive(() => response.text())
          const record = parseJson(request, response, text)
          const etag = response.headers.get('etag')
          if (etag !== null) cache?.set(path, { etag, text })
          return record
        },
        retry,
        signal,
      ),

    post: (path, body, key, signal) =>
      withRetries(
        async () => {
          const headers = { 'content-type': 'application/json', 'idempotency-key': key }
          const { request, response, receive } = await sendRequest(path, signal, headers, JSON.stringify(body))
          return parseJson(request, response, await receive(() => response.text()))
        },
        retry,
        signal,
      ),

    async *stream(path, signal) {
      const { request, response, receive } = await withRetries(() => sendRequest(path, signal), retry, signal)
      const total = response.headers.get('x-total-count')
      let count = 0
      const incompleteError = (cause?: unknown) =>
        new MusterError(`The stream ended after ${count} of ${total ?? 'an unknown number of'} records.`, {
          ...request,
          status: response.status,
          code: 'incomplete',
          requestId: response.headers.get('x-request-id'),
          cause,
        })
      try {
        for await (const line of readLines(response, receive)) {
          const record = parseJson(request, response, line)
          count++
          yield record
        }
      } catch (error) {
        throw error instanceof MusterError && error.code === 'network_error' ? incompleteError(error.cause) : error
      }
      if (String(count) !== total) throw incompleteError()
    },

    async *events(path, signal) {
      const headers = { accept: 'text/event-stream' }
      const { request, response, receive } = await withRetries(() => sendRequest(path, signal, headers), retry, signal)
      let id = ''
      let data: unknown
      let isEmpty = true
      for await (const line of readLines(response, receive)) {
        if (line === '') {
          if (!isEmpty) yield { id, data }
          data = undefined
          isEmpty = true
        } else if (line.startsWith('id: ')) {
          id = line.slice('id: '.length)
          isEmpty = false
        } else if (line.startsWith('data: ')) {
          data = parseJson(request, response, line.slice('data: '.length))
          isEmpty = false
        }
      }
    },
  }
}

/** Yields the complete lines of a response. What follows the last line feed is not a complete line. */
async function* readLines(
  { body }: Response,
  receive: OpenResponse['receive'],
): AsyncGenerator<string, void, undefined> {
  // The stream is not read with `for await`, because streams are not iterable in Safari.
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let unfinishedLine = ''
  try {
    for (;;) {
      const { done, value } = await receive(() => reader.read())
      if (done) return
      const lines = (unfinishedLine + decoder.decode(value, { stream: true })).split('\n')
      unfinishedLine = lines.pop() as string
      yield* lines
    }
  } finally {
    // If the caller has stopped reading, this closes the connection, and the service then ends the query in the database.
    reader.cancel().catch(() => {})
  }
}

const parseJson = (request: SentRequest, response: Response, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw errorFromResponse(request, response, text)
  }
}
