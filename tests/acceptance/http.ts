// Sends requests to the service under test and hands back the answers with their exact text.
import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectSecure } from 'node:tls'

export type Row = Record<string, unknown>
export type Answer = { status: number; headers: Headers; text: string }
export type Payload = string | Uint8Array | Row | unknown[]
export type HeaderChange = Record<string, string | null>

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} must be set to run the acceptance suite`)
  return value.replace(/\/+$/, '')
}

export const baseUrl = setting('BASE_URL')
export const basePath = new URL(baseUrl).pathname
export const hostUrl = new URL(baseUrl).origin
export const token = setting('MUSTER_API_TOKEN')
export const bearer = `Bearer ${token}`

const timeoutMs = 20_000
/** How often a request is sent again that the service had no time for. It has then done nothing. */
const maxRepeats = 5

/** Turns a path of the interface into an address; a full address is left as it is. */
function address(path: string): string {
  return path.startsWith('http') ? path : `${baseUrl}${path}`
}

/** One request by fetch. Bytes are sent without a content type unless the headers name one. */
export async function send(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Promise<Answer> {
  for (let repeats = 0; ; repeats += 1) {
    const answer = await sendOnce(method, path, options)
    if (repeats === maxRepeats || answer.status !== 503 || !answer.text.includes('"overloaded"')) return answer
    await pause(1_000 * Number(answer.headers.get('retry-after')))
  }
}

async function sendOnce(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string | Uint8Array },
): Promise<Answer> {
  const init: RequestInit = { method, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }
  if (options.headers) init.headers = options.headers
  if (options.body !== undefined) init.body = new Uint8Array(Buffer.from(options.body as string))
  const response = await fetch(address(path), init)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send('GET', path, { headers })
}

/** A create with the right token and content type; a header set to null is left out. Text and bytes go out as they are. */
export function post(path: string, payload: Payload, change: HeaderChange = {}): Promise<Answer> {
  const wanted: HeaderChange = { authorization: bearer, 'content-type': 'application/json', ...change }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(wanted)) if (value !== null) headers[name] = value
  const asIs = typeof payload === 'string' || payload instanceof Uint8Array
  return send('POST', path, { headers, body: asIs ? payload : JSON.stringify(payload) })
}

export function json(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text)
  } catch {
    throw new Error(`status ${answer.status}, not JSON: ${answer.text.slice(0, 300)}`)
  }
}

export function object(answer: Answer): Row {
  const value = json(answer)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`not a JSON object: ${answer.text.slice(0, 300)}`)
  }
  return value as Row
}

export type Spoken = {
  method: string
  path: string
  headers?: [string, string][]
  body?: string | Uint8Array
  /** Announced instead of the body's true length, for bodies that are promised and never sent. */
  announcedLength?: number
  /** Sends the body in chunks, with no length announced. */
  chunked?: boolean
}

/** One request written by hand, for what fetch refuses to send: repeated headers, odd methods, unfinished bodies. */
export function speak(request: Spoken): Promise<Answer> {
  const body = Buffer.from((request.body ?? '') as string)
  const target = new URL(address(request.path))
  // The path is taken as written: URL would rewrite dots and odd characters.
  const asWritten = address(request.path).slice(target.origin.length)
  const lines = [`${request.method} ${asWritten} HTTP/1.1`, `Host: ${target.host}`, 'Connection: close']
  for (const [name, value] of request.headers ?? []) lines.push(`${name}: ${value}`)
  if (request.chunked) lines.push('Transfer-Encoding: chunked')
  else if (request.announcedLength !== undefined) lines.push(`Content-Length: ${request.announcedLength}`)
  else if (request.body !== undefined) lines.push(`Content-Length: ${body.length}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return speakBytes(Buffer.concat([head, request.chunked ? chunks(body) : body]), request.method)
}

function chunks(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += 65_536) {
    const part = body.subarray(at, at + 65_536)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** Writes bytes to the service and reads one answer, keeping what arrived when the connection is cut afterwards. */
export function speakBytes(bytes: Uint8Array, method = 'GET'): Promise<Answer> {
  const { hostname, port, protocol } = new URL(baseUrl)
  const secure = protocol === 'https:'
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)) }
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const socket: Socket = secure ? connectSecure({ ...where, servername: where.host }) : connectPlain(where)
  let received: Buffer = Buffer.alloc(0)
  const settle = (ended: boolean, fault?: Error) => {
    const answer = parseAnswer(received, method, ended)
    if (answer) resolve(answer)
    else if (ended) reject(fault ?? new Error(`no whole answer: ${received.toString('utf8').slice(0, 300)}`))
    if (answer || ended) socket.destroy()
  }
  socket.setTimeout(timeoutMs, () => settle(true, new Error('no answer in time')))
  socket.on('data', (data: Buffer) => {
    received = Buffer.concat([received, data])
    settle(false)
  })
  socket.on('error', (fault) => settle(true, fault))
  socket.on('close', () => settle(true))
  socket.write(bytes)
  return promise
}

function parseAnswer(received: Buffer, method: string, ended: boolean): Answer | undefined {
  const split = received.indexOf('\r\n\r\n')
  if (split < 0) return undefined
  const [statusLine = '', ...lines] = received.subarray(0, split).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const rest = received.subarray(split + 4)
  if (status === 100) return parseAnswer(rest, method, ended)
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  const body = bodyOf(rest, headers, { empty: method === 'HEAD' || status === 204 || status === 304, ended })
  return body && { status, headers, text: body.toString('utf8') }
}

function bodyOf(rest: Buffer, headers: Headers, known: { empty: boolean; ended: boolean }): Buffer | undefined {
  if (known.empty) return Buffer.alloc(0)
  const length = headers.get('content-length')
  if (length !== null) return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined
  if (headers.get('transfer-encoding') === 'chunked') return unchunked(rest)
  return known.ended ? rest : undefined
}

function unchunked(rest: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16)
    if (size === 0) return Buffer.concat(parts)
    if (rest.length < lineEnd + 2 + size + 2) return undefined
    parts.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
