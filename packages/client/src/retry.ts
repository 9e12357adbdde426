import { MusterError } from './errors.ts'

export interface RetryOptions {
  /** Maximum number of requests for one call, including the first. The default is 5; with 1, no request is repeated. */
  readonly attempts?: number | undefined
  /**
   * No request is repeated later than this many milliseconds after the first. The default is 90,000, because a client
   * above the rate limit may have to wait for a minute.
   */
  readonly totalMs?: number | undefined
}

/**
 * The statuses 502 and 504 come from reverse proxies. Like a broken connection, they do not say whether the service has
 * processed the request.
 */
const repeatableStatuses = [429, 502, 503, 504]

const isRepeatable = ({ status, code }: MusterError): boolean =>
  code === 'network_error' || (repeatableStatuses.includes(status) && code !== 'writes_disabled')

/**
 * Repeats `attempt` after temporary errors. Waits as long as `Retry-After` says, or else doubles the pause each time.
 */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  { attempts = 5, totalMs = 90_000 }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<T> => {
  const deadline = Date.now() + totalMs
  for (let attemptNumber = 1; ; attemptNumber++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof MusterError && isRepeatable(error)) || attemptNumber >= attempts) throw error
      const baseMs = error.retryAfterMs ?? 100 * 2 ** attemptNumber
      // The pause is longer by a random time of up to a second, so that clients which failed together do not all return
      // together.
      const pauseMs = baseMs + Math.random() * Math.min(baseMs / 4, 1_000)
      if (Date.now() + pauseMs > deadline) throw error
      await pause(pauseMs, signal)
    }
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const rejectOnAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', rejectOnAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', rejectOnAbort, { once: true })
  })
}
