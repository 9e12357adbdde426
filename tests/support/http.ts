import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request } from 'node:http'
import { connect } from 'node:net'
import { token } from './service.ts'
import { waitUntil } from './wait.ts'

export interface HttpResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any property of the response
  readonly json: any
}

export const sendRequest = async (url: string, init?: RequestInit): Promise<HttpResponse> => {
  const response = await fetch(url, init)
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}

/** Sends the request again while it gets 503, which a slow machine can cause. For tests of what is read. */
export const sendUntilServed = async (url: string, init?: RequestInit): Promise<HttpResponse> => {
  let response = await sendRequest(url, init)
  if (response.status === 503)
    await waitUntil(`${url} is served`, async () => {
      response = await sendRequest(url, init)
      return response.status !== 503
    })
  return response
}

/** Waits up to a minute: without a compile cache a service starts slowly on a busy machine. Returns the milliseconds. */
export const waitForStatus200 = (url: string): Promise<number> =>
  waitUntil(
    `${url} is 200`,
    () =>
      sendRequest(url).then(
        ({ status }) => status === 200,
        () => false,
      ),
    60_000,
  )

/** Sends a POST with the test token. An object is sent as JSON; strings and bytes are sent unchanged. */
export const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  sendRequest(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })

/** Writes raw bytes to a new connection and returns everything received until the service closes it. */
export const sendRawBytes = (port: number, bytes: string | Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let receivedText = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      receivedText += chunk
    })
    // The service may close the connection before it has read everything. The response then arrives before the reset.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (receivedText === '' || (error.code !== 'ECONNRESET' && error.code !== 'EPIPE')) reject(error)
    })
    socket.on('close', () => resolve(receivedText))
  })

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/**
 * Sends a request with node:http, which unlike fetch adds no headers and does not decompress the body. `path` replaces
 * that of the URL, and is sent as it is.
 */
export const sendRawRequest = async (
  url: string,
  { method = 'GET', headers = {}, path }: { method?: string; headers?: OutgoingHttpHeaders; path?: string } = {},
): Promise<RawResponse> => {
  const target = path === undefined ? {} : { path }
  const clientRequest = request(url, { method, headers, agent: false, ...target }).end()
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await response.toArray())
  return { status: response.statusCode ?? 0, headers: response.headers, bytes }
}
