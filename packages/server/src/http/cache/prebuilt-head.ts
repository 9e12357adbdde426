/**
 * Response heads that are validated and serialized once per cache entry. Node would validate and serialize every header
 * of every response: without prebuilt heads, a cached list takes 1.5 times the CPU time (npm run bench -- compare, "hot
 * list").
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { validateHeaderName, validateHeaderValue } from 'node:http'

/**
 * Node's private field for the head of a response. If a Node version lacks it, `canSendHead` is false and `writeHead`
 * is used.
 */
interface WithHead {
  _header: string | null
}

/** `fields` alternates names and values. Throws for invalid names and values, as Node does. */
export const buildHead = (fields: readonly string[]): string => {
  const lines = ['HTTP/1.1 200 OK']
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2)
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

/**
 * False if the client does not use HTTP/1.1 or sent a Connection header, or if a header was already set on the
 * response.
 */
export const canSendHead = ({ httpVersion, headers }: IncomingMessage, response: ServerResponse): boolean =>
  httpVersion === '1.1' &&
  headers.connection === undefined &&
  response.getHeaderNames().length === 0 &&
  '_header' in response

/** Sends a prebuilt head, after adding the headers that Node would add: Date, Connection and Keep-Alive. */
export const sendHead = (
  response: ServerResponse,
  { head, body }: { readonly head: string; readonly body: Buffer | undefined },
  { id, keepAliveMs }: { readonly id: string; readonly keepAliveMs: number },
): void => {
  const connection = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`
  const withHead = response as unknown as WithHead
  withHead._header = `${head}x-request-id: ${id}\r\nDate: ${currentDate()}\r\n${connection}`
  response.end(body)
}

let cachedSecond = 0
let cachedDate = ''
const currentDate = (): string => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  if (nowSeconds !== cachedSecond) {
    cachedSecond = nowSeconds
    cachedDate = new Date(nowSeconds * 1_000).toUTCString()
  }
  return cachedDate
}
