/** In charge of speaking HTTP to the service over sockets that are kept open. */
import type { IncomingMessage } from 'node:http'
import { Agent, request as open } from 'node:http'
import { request as openSecure, Agent as SecureAgent } from 'node:https'
import type { Request } from './request.ts'
import { bodyBytes, tokenPlace } from './request.ts'

export interface Answer {
  readonly status: number
  /** By lower-case name; several lines of one name are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly ms: number
}

export interface Wire {
  /** Root of the host, such as http://127.0.0.1:8080. */
  readonly host: string
  send(request: Request): Promise<Answer>
  close(): void
}

/** A service that says nothing for so long has stopped answering. */
const patienceMs = 20_000

export const openWire = (host: string, token: string, sockets: number): Wire => {
  const { protocol, hostname, port } = new URL(host)
  const secure = protocol === 'https:'
  const agent = new (secure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: sockets })
  const place = { agent, hostname, port: port || (secure ? 443 : 80), timeout: patienceMs }
  return {
    host,
    close: () => agent.destroy(),
    send: (request) => {
      const bytes = bodyBytes(request)
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const start = performance.now()
      const message = (secure ? openSecure : open)({
        ...place,
        method: request.method,
        path: request.target.replaceAll(tokenPlace, token),
        headers: headerLines(request, bytes, new URL(host).host, token),
        setDefaultHeaders: false,
      })
      message.on('response', (incoming) => {
        resolve(readAnswer(incoming, start))
      })
      message.on('timeout', () => message.destroy(new Error(`no answer within ${patienceMs} ms`)))
      // After an answer this changes nothing: a refusal may come before the body has been taken.
      message.on('error', reject)
      message.end(bytes)
      return promise
    },
  }
}

const headerLines = (request: Request, bytes: Buffer | undefined, host: string, token: string): string[] => {
  const lines = ['Host', host]
  for (const [name, value] of request.headers) lines.push(name, value.replaceAll(tokenPlace, token))
  const mayHaveBody = !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(request.method)
  if (request.chunked) lines.push('Transfer-Encoding', 'chunked')
  else if (bytes !== undefined || mayHaveBody) lines.push('Content-Length', String(bytes?.length ?? 0))
  return lines
}

const readAnswer = async (incoming: IncomingMessage, start: number): Promise<Answer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return {
    status: incoming.statusCode ?? 0,
    headers: readHeaders(incoming.rawHeaders),
    text: Buffer.concat(chunks).toString('utf8'),
    ms: performance.now() - start,
  }
}

const readHeaders = (raw: readonly string[]): Map<string, string> => {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]).toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? String(raw[at + 1]) : `${before}, ${raw[at + 1]}`)
  }
  return headers
}
