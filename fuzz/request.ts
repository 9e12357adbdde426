/** In charge of what a request is: plain data that can be sent, shrunk, kept in a file and written as a curl line. */
import { randomBytes } from 'node:crypto'

export type HeaderLine = readonly [name: string, value: string]

export interface Request {
  readonly method: string
  /** Path and query exactly as they go over the wire, from the root of the host. */
  readonly target: string
  readonly headers: readonly HeaderLine[]
  readonly body?: string
  /** The body in base64, where it is no text. */
  readonly bytes?: string
  /** Sends the body without announcing its length. */
  readonly chunked?: true
}

/** Stands for the write token wherever a request is kept or shown, so that no file and no log ever holds one. */
export const tokenPlace = '{token}'
/** Stands for a text that no other record has; as long as what replaces it, so that lengths stay true. */
export const uniquePlace = '{unique-slug}'

const uniqueStart = `u${randomBytes(3).toString('hex').slice(0, 5)}`
let uniqueCount = 0

export const uniqueText = (): string => {
  uniqueCount += 1
  return uniqueStart + uniqueCount.toString(36).padStart(uniquePlace.length - uniqueStart.length, '0')
}

export const bodyBytes = ({ body, bytes }: Request): Buffer | undefined => {
  if (bytes !== undefined) return Buffer.from(bytes, 'base64')
  return body === undefined ? undefined : Buffer.from(body, 'utf8')
}

/** As a part of an address; an unpaired surrogate has no escape, and stands as U+FFFD. */
export const escaped = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

export const bearer: HeaderLine = ['Authorization', `Bearer ${tokenPlace}`]
export const json: HeaderLine = ['Content-Type', 'application/json']

export const read = (target: string, headers: readonly HeaderLine[] = []): Request => ({
  method: 'GET',
  target,
  headers,
})

export const write = (target: string, body: string, headers: readonly HeaderLine[] = [bearer, json]): Request => ({
  method: 'POST',
  target,
  headers,
  body,
})

/** A line for a shell that sends the same request; the token is read from the environment. */
export const curlLine = (host: string, request: Request): string => {
  const parts = ['curl -sS -i -g --path-as-is', ...methodPart(request), shellQuoted(host + request.target)]
  for (const [name, value] of request.headers) parts.push('-H', headerPart(name, value))
  if (request.chunked) parts.push("-H 'Transfer-Encoding: chunked'")
  if (request.bytes !== undefined) return `base64 -d <<<'${request.bytes}' | ${parts.join(' ')} --data-binary @-`
  if (request.body !== undefined) parts.push('--data-binary', shellQuoted(request.body))
  return parts.join(' ')
}

const methodPart = ({ method }: Request): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['-I'] : ['-X', method]
}

const headerPart = (name: string, value: string): string =>
  // A name without a value takes the line away from curl; a semicolon sends it empty.
  value === '' ? shellQuoted(`${name};`) : shellQuoted(`${name}: ${value}`)

const shellQuoted = (text: string): string =>
  text.includes(tokenPlace)
    ? `"${text.replaceAll(/["$`\\]/g, '\\$&').replaceAll(tokenPlace, '$MUSTER_API_TOKEN')}"`
    : `'${text.replaceAll("'", `'\\''`)}'`
