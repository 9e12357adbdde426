import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { waitUntil } from '../support/wait.ts'
import { token } from './environment.ts'

export interface ClientResponse {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly ms: number
}

export interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Client {
  /** Rejects if no complete response arrives. */
  send(path: string, options?: RequestOptions): Promise<ClientResponse>
  close(): void
}

/** This timeout is longer than any response may take, so that a slow response is measured instead of aborted. */
const timeoutMs = 30_000

export const openClient = (origin: string, maxConnections = 64, apiToken = token): Client => {
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections })
  return {
    send: (path, { method = 'GET', body, headers = {} } = {}) =>
      new Promise((resolve, reject) => {
        const startedAt = performance.now()
        const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
        const clientRequest = request(
          `${origin}${path}`,
          {
            agent,
            method,
            timeout: timeoutMs,
            headers: {
              ...(payload === undefined
                ? {}
                : {
                    authorization: `Bearer ${apiToken}`,
                    'content-type': 'application/json',
                    'content-length': payload.length,
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
                ms: performance.now() - startedAt,
              }),
            )
          },
        )
        clientRequest.on('timeout', () => clientRequest.destroy(new Error('no response in time')))
        clientRequest.on('error', reject)
        clientRequest.end(payload)
      }),
    close: () => agent.destroy(),
  }
}

export const isReady = (service: Client): Promise<boolean> =>
  service.send('/readyz').then(
    ({ status }) => status === 200,
    () => false,
  )

/** Repeats the request while it gets 503: after a fault, a service may need some time. */
export const sendUntilServed = async (
  service: Client,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ClientResponse> => {
  let response = await service.send(path, { headers })
  if (response.status !== 503) return response
  await waitUntil(`${path} is served`, async () => {
    response = await service.send(path, { headers })
    return response.status !== 503
  })
  return response
}
