/**
 * While more than `maxPatient` statements wait, those that have waited `maxWaitMs` are rejected, so that the service
 * completes the others in time. With fewer, as for one person on a slow machine, a rejection would serve nobody, so a
 * statement waits `patienceMs`. Clients are not told apart here: behind a proxy, all may have the same address.
 */
export const maxWaitMs = 500
export const maxPatient = 16
/** With its own time limit of 7.5 s and the time for connecting, a statement takes less than the 15 s of a proxy. */
export const patienceMs = 3_000

interface WaitLimit {
  /** How many wait now. */
  readonly waitingCount: () => number
  readonly patienceMs: () => number
  readonly onExpired: () => void
}

/** Returns a function that must be called when the wait ends. */
export const limitWait = ({ waitingCount, patienceMs, onExpired }: WaitLimit): (() => void) => {
  const startedAt = performance.now()
  let hasEnded = false
  const check = (): void => {
    if (hasEnded) return
    if (waitingCount() > maxPatient || performance.now() - startedAt >= patienceMs()) onExpired()
    else timer = checkLater()
  }
  // After the event loop was blocked, timers run before I/O. `setImmediate` gives results that have already arrived a
  // chance to end the wait first.
  const checkLater = () => setTimeout(() => setImmediate(check), maxWaitMs)
  let timer = checkLater()
  return () => {
    hasEnded = true
    clearTimeout(timer)
  }
}
