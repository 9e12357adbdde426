/** Requests are plain data, so that they can be sent, shrunk, saved and printed as a curl command. */
import { randomBytes } from 'node:crypto'

export type HeaderLine = readonly [name: string, value: string]

export interface Request {
  readonly method: string
  /** Path and query exactly as they are sent. */
  readonly target: string
  readonly headers: readonly HeaderLine[]
  readonly body?: string
  /** A binary body in base64. */
  readonly bytes?: string
  /** Sends the body with chunked transfer encoding, without Content-Length. */
  readonly chunked?: true
}

/** Stands for the write token in saved and printed requests, so that no file or log contains the token. */
export const tokenPlaceholder = '{token}'
/** Stands for a unique string of the same length, so that replacing it does not affect length limits. */
export const uniquePlaceholder = '{unique-slug}'

const uniquePrefix = `u${randomBytes(3).toString('hex').slice(0, 5)}`
let uniqueCount = 0

export const uniqueText = (): string => {
  uniqueCount += 1
  return uniquePrefix + uniqueCount.toString(36).padStart(uniquePlaceholder.length - uniquePrefix.length, '0')
}

export const bodyBytes = ({ body, bytes }: Request): Buffer | undefined => {
  if (bytes !== undefined) return Buffer.from(bytes, 'base64')
  return body === undefined ? undefined : Buffer.from(body, 'utf8')
}

/** Percent-encodes a value. An unpaired surrogate becomes U+FFFD, because encodeURIComponent would throw. */
export const percentEncode = (value: unknown): string => encodeURIComponent(String(value).toWellFormed())

export const bearerToken: HeaderLine = ['Authorization', `Bearer ${tokenPlaceholder}`]
export const jsonContentType: HeaderLine = ['Content-Type', 'application/json']

export const getRequest = (target: string, headers: readonly HeaderLine[] = []): Request => ({
  method: 'GET',
  target,
  headers,
})

export const postRequest = (
  target: string,
  body: string,
  headers: readonly HeaderLine[] = [bearerToken, jsonContentType],
): Request => ({
  method: 'POST',
  target,
  headers,
  body,
})

/** A curl command that sends the same request. The shell takes the token from MUSTER_API_TOKEN. */
export const curlCommand = (origin: string, request: Request): string => {
  const commandParts = ['curl -sS -i -g --path-as-is', ...methodPart(request), shellQuote(origin + request.target)]
  for (const [name, value] of request.headers) commandParts.push('-H', headerPart(name, value))
  if (request.chunked) commandParts.push("-H 'Transfer-Encoding: chunked'")
  if (request.bytes !== undefined) return `base64 -d <<<'${request.bytes}' | ${commandParts.join(' ')} --data-binary @-`
  if (request.body !== undefined) commandParts.push('--data-binary', shellQuote(request.body))
  return commandParts.join(' ')
}

const methodPart = ({ method }: Request): string[] => {
  if (method === 'GET') return []
  return method === 'HEAD' ? ['-I'] : ['-X', method]
}

const headerPart = (name: string, value: string): string =>
  // `-H 'Name:'` removes a header in curl; `-H 'Name;'` sends it empty.
  value === '' ? shellQuote(`${name};`) : shellQuote(`${name}: ${value}`)

const shellQuote = (text: string): string =>
  text.includes(tokenPlaceholder)
    ? `"${text.replaceAll(/["$`\\]/g, '\\$&').replaceAll(tokenPlaceholder, '$MUSTER_API_TOKEN')}"`
    : `'${text.replaceAll("'", `'\\''`)}'`
