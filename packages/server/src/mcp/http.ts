/** The Model Context Protocol over HTTP, without sessions: each request has a server of its own. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { ServerOptions } from './server.ts'
import { createServer } from './server.ts'

export interface HttpMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
  /** Aborted when the agent disconnects. */
  readonly signal: AbortSignal
}

export interface HttpReply {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/** Of a request without the write token. With it, the limit is that of every body, because a create may need it. */
const maxReadBytes = 65_536
/** The SDK checks each value several times, which takes about 10 µs. Two filters with 200 ids each fit. */
const maxValues = 500
const maxDepth = 20

const tooLarge =
  'The message is larger than 64 kB: name fewer values. Only messages with the write token may have up to 1 MiB, if creates are on.'
const tooManyValues = `The message has more than ${maxValues} values or ${maxDepth} levels: name fewer values.`

/** The SDK needs a URL, and does not use it. */
const url = 'http://muster.invalid/mcp'

export const handleMessage = async (
  { headers, body, signal }: HttpMessage,
  options: ServerOptions,
): Promise<HttpReply> => {
  if (!options.writes && body.length > maxReadBytes) return rejection(413, tooLarge)
  const parsedBody = parseJson(body)
  // Protocol versions since 2025-06-18 have no batches. One request with a batch could start thousands of calls.
  if (Array.isArray(parsedBody)) return rejection(400, 'Batches are not supported.')
  if (!isSmall(parsedBody)) return rejection(400, tooManyValues)
  // Clients up to protocol version 2025-11-25 get an event stream, which ends after one event.
  const handler = createMcpHandler(() => createServer(options), { keepAliveMs: 0 })
  const response = await handler.fetch(new Request(url, { method: 'POST', headers, body, signal }), { parsedBody })
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  }
}

export const rejection = (status: number, message: string): HttpReply => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }),
})

/** Whether a document has at most `maxValues` values and `maxDepth` levels. */
const isSmall = (document: unknown): boolean => {
  let level: unknown[] = [document]
  let count = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length
    if (count > maxValues || depth > maxDepth) return false
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return true
}

/** Undefined if the body is not JSON. The SDK then responds with the error that it has for that. */
const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
