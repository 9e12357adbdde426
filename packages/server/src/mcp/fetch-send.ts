/** Sends the requests of the tools to a running service over HTTP. */
import type { Send } from './api.ts'
import { ToolError } from './tool-error.ts'

export interface ServiceOptions {
  /** The base URL of the API, which ends in /api. */
  readonly url: string
  readonly token: string | undefined
}

/** The service responds within 8 s, or 15 s with a proxy in front. */
const timeoutMs = 20_000

export const openFetchSend =
  ({ url, token }: ServiceOptions): Send =>
  async ({ method, path, headers, body }, signal) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { ...headers, ...(token === undefined ? {} : { authorization: authorizationOf(token) }) },
        ...(body === undefined ? {} : { body }),
        // The token must not follow a redirect to another host.
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
      return {
        status: response.status,
        text: await response.text(),
        header: (name) => response.headers.get(name) ?? undefined,
      }
    } catch (error) {
      throw new ToolError(`The service at ${url} cannot be reached: ${reasonOf(error)}.`)
    }
  }

/** A token with characters beyond ASCII is sent as UTF-8, of which `fetch` takes each byte as a character. */
const authorizationOf = (token: string): string => Buffer.from(`Bearer ${token}`).toString('latin1')

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`
  const { cause = error } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}
