/** The pauses after each failed attempt, as Standard Webhooks publishes them: ten attempts within 75 h 35 min 5 s. */
const minute = 60_000
const hour = 60 * minute
export const retryDelaysMs: readonly number[] = [
  5_000,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

export const maxAttempts = retryDelaysMs.length + 1

/** A receiver can ask for a longer pause with Retry-After, but not for more than this. */
const maxRetryAfterMs = 24 * hour

/** The pause after this many failed attempts; undefined after the last one. */
export const retryDelay = (attempts: number, retryAfterMs = 0): number | undefined => {
  const delay = retryDelaysMs[attempts - 1]
  return delay === undefined ? undefined : Math.max(delay, Math.min(retryAfterMs, maxRetryAfterMs))
}
