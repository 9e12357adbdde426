/** In charge of answers whose head is known beforehand: checked and written once, and sent as it is from then on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Where Node keeps the head it has written until it is sent. Whoever puts one there spares it the work for every answer. */
interface Headed {
  _header: string | null
}

/** The first line and these fields, names and values by turns; what does not belong into a head is refused, as Node does. */
export const readyHead = (fields: readonly string[]): string => {
  const lines = ['HTTP/1.1 200 OK']
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = fields.slice(at, at + 2)
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines.push(`${name}: ${value}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

/** Only where nothing is said about the connection, and nobody has put a field into this very answer. */
export const takesReadyHead = ({ httpVersion, headers }: IncomingMessage, response: ServerResponse): boolean =>
  httpVersion === '1.1' &&
  headers.connection === undefined &&
  response.getHeaderNames().length === 0 &&
  '_header' in response

/** With what Node would add: the time, and how long the connection is kept. */
export const sendReady = (
  response: ServerResponse,
  { head, body }: { head: string; body: Buffer },
  { id, keepAliveMs }: { id: string; keepAliveMs: number },
): void => {
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1_000)}\r\n\r\n`
  const headed = response as unknown as Headed
  headed._header = `${head}x-request-id: ${id}\r\nDate: ${dateOfNow()}\r\n${kept}`
  response.end(body)
}

let second = 0
let date = ''
const dateOfNow = (): string => {
  const now = Math.floor(Date.now() / 1_000)
  if (now !== second) {
    second = now
    date = new Date(now * 1_000).toUTCString()
  }
  return date
}
