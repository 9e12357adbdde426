/** Sends one message to an endpoint, once. */
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { product, version } from '@muster/model'
import type { Resolve } from './addresses.ts'
import { guardedLookup, RefusedAddress } from './addresses.ts'
import type { Endpoint } from './endpoints.ts'
import type { Message } from './messages.ts'
import { signatureHeader } from './signature.ts'

/** `gone`: status 410, the receiver wants no more messages. */
export type Attempt =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'gone' }
  | { readonly outcome: 'failed'; readonly reason: string; readonly retryAfterMs?: number }

export interface PostOptions {
  readonly now: Date
  /** Aborted when the process stops: the attempt then rejects, and does not count. */
  readonly signal: AbortSignal
  /** Time limit from the name lookup to the end of the response; Standard Webhooks recommends 15 to 30 s. */
  readonly timeoutMs?: number
  readonly resolve?: Resolve
}

const defaultTimeoutMs = 15_000
/** Nothing of the response body is used. It is read so that the receiver can finish, but not without end. */
const maxResponseBytes = 65_536

export const postMessage = async (
  { url, secrets, allowedAddresses }: Pick<Endpoint, 'url' | 'secrets' | 'allowedAddresses'>,
  { id, body }: Pick<Message, 'id' | 'body'>,
  { now, signal, timeoutMs = defaultTimeoutMs, resolve }: PostOptions,
): Promise<Attempt> => {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(url, body, {
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': `${product}/${version}`,
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signatureHeader(secrets, { id, timestamp, body }),
      },
      lookup: guardedLookup(allowedAddresses, resolve),
      signal: AbortSignal.any([signal, timeout]),
    })
    await discardBody(response)
    signal.throwIfAborted()
    return attemptOf(response)
  } catch (error) {
    signal.throwIfAborted()
    return {
      outcome: 'failed',
      reason: timeout.aborted ? `no response within ${timeoutMs / 1_000} s` : reasonOf(error),
    }
  }
}

const send = (url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    // A new connection per message, so that no message fails because the receiver has closed an idle connection.
    // `rejectUnauthorized` is set, because otherwise the environment could turn the verification of certificates off.
    const tls = { rejectUnauthorized: true }
    request(url, { method: 'POST', agent: false, ...tls, ...options })
      .on('response', resolve)
      .on('error', reject)
      .end(body)
  })

/** An error, or the end of the attempt's time, does not matter here: the status has been received. */
const discardBody = async (response: IncomingMessage): Promise<void> => {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      if (bytes > maxResponseBytes) break
    }
  } catch {
    response.destroy()
  }
}

/** `node:http` follows no redirects, so a redirect is a failure like any other status. */
const attemptOf = ({ statusCode = 0, headers }: IncomingMessage): Attempt => {
  if (statusCode >= 200 && statusCode < 300) return { outcome: 'delivered' }
  if (statusCode === 410) return { outcome: 'gone' }
  const retryAfter = headers['retry-after'] ?? ''
  return {
    outcome: 'failed',
    reason: `status ${statusCode}`,
    ...(/^\d{1,9}$/.test(retryAfter) ? { retryAfterMs: Number(retryAfter) * 1_000 } : {}),
  }
}

/** No message of an error is stored, except our own: it might contain an address of the internal network. */
const reasonOf = (error: unknown): string => {
  if (error instanceof RefusedAddress) return error.message
  return error instanceof Error && 'code' in error ? `connection failed: ${error.code}` : 'connection failed'
}
