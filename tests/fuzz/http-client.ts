import type { IncomingMessage } from 'node:http'
import { Agent, request as open } from 'node:http'
import { request as openSecure, Agent as SecureAgent } from 'node:https'
import type { Request } from './request.ts'
import { bodyBytes, tokenPlaceholder } from './request.ts'

export interface HttpResponse {
  readonly status: number
  /** Header values by lower-case name. Values of repeated headers are joined with a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly ms: number
}

export interface HttpClient {
  /** Origin, such as http://127.0.0.1:8080. */
  readonly origin: string
  send(request: Request): Promise<HttpResponse>
  close(): void
}

const timeoutMs = 20_000

export const openHttpClient = (origin: string, token: string, maxSockets: number): HttpClient => {
  const { protocol, hostname, port } = new URL(origin)
  const isHttps = protocol === 'https:'
  const agent = new (isHttps ? SecureAgent : Agent)({ keepAlive: true, maxSockets })
  const connectionOptions = { agent, hostname, port: port || (isHttps ? 443 : 80), timeout: timeoutMs }
  return {
    origin,
    close: () => agent.destroy(),
    send: (request) => {
      const bytes = bodyBytes(request)
      const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
      const startedAt = performance.now()
      const clientRequest = (isHttps ? openSecure : open)({
        ...connectionOptions,
        method: request.method,
        path: request.target.replaceAll(tokenPlaceholder, token),
        headers: headerLines(request, bytes, new URL(origin).host, token),
        setDefaultHeaders: false,
      })
      clientRequest.on('response', (incoming) => {
        resolve(readResponse(incoming, startedAt))
      })
      clientRequest.on('timeout', () => clientRequest.destroy(new Error(`no response within ${timeoutMs} ms`)))
      // A service may respond and close the connection before it has read the body. Then the promise is already
      // resolved, and the error is ignored.
      clientRequest.on('error', reject)
      clientRequest.end(bytes)
      return promise
    },
  }
}

const headerLines = (request: Request, bytes: Buffer | undefined, hostHeader: string, token: string): string[] => {
  const lines = ['Host', hostHeader]
  for (const [name, value] of request.headers) lines.push(name, value.replaceAll(tokenPlaceholder, token))
  const mayHaveBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(request.method)
  if (request.chunked) lines.push('Transfer-Encoding', 'chunked')
  else if (bytes !== undefined || mayHaveBody) lines.push('Content-Length', String(bytes?.length ?? 0))
  return lines
}

const readResponse = async (incoming: IncomingMessage, startedAt: number): Promise<HttpResponse> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return {
    status: incoming.statusCode ?? 0,
    headers: readHeaders(incoming.rawHeaders),
    text: Buffer.concat(chunks).toString('utf8'),
    ms: performance.now() - startedAt,
  }
}

const readHeaders = (rawHeaders: readonly string[]): Map<string, string> => {
  const headers = new Map<string, string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const previousValue = headers.get(name)
    headers.set(
      name,
      previousValue === undefined ? String(rawHeaders[index + 1]) : `${previousValue}, ${rawHeaders[index + 1]}`,
    )
  }
  return headers
}
