/** In charge of speaking HTTP to a service that may be dying: an answer with the time it took, or none. */
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { token } from './house.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly ms: number
}

export interface Ask {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Client {
  /** Rejects where no whole answer came. */
  ask(path: string, ask?: Ask): Promise<Answer>
  close(): void
}

/** Longer than any answer may take, so that an answer that takes too long is seen as such. */
const patienceMs = 30_000

export const openClient = (origin: string, connections = 64): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    ask: (path, { method = 'GET', body, headers = {} } = {}) =>
      new Promise((resolve, reject) => {
        const started = performance.now()
        const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
        const asked = request(
          `${origin}${path}`,
          {
            agent,
            method,
            timeout: patienceMs,
            headers: {
              ...(sent === undefined
                ? {}
                : {
                    authorization: `Bearer ${token}`,
                    'content-type': 'application/json',
                    'content-length': sent.length,
                  }),
              ...headers,
            },
          },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                text: Buffer.concat(chunks).toString(),
                ms: performance.now() - started,
              }),
            )
          },
        )
        asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
        asked.on('error', reject)
        asked.end(sent)
      }),
    close: () => agent.destroy(),
  }
}
