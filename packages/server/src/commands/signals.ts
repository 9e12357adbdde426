/** A terminal, npm, systemd and the primary may each deliver the same signal: repeats within this time are ignored. */
const repeatWindowMs = 500

/**
 * Time limit of a graceful shutdown: Docker kills the process after ten seconds. From the first signal on, a statement
 * waits at most half a second for its slot, so a statement and its wait take at most eight.
 */
export const deadlineMs = 9_500

/** Resolves with the first shutdown signal. Calls `exitNow` for a later signal, unless it only repeats the first. */
export const shutdownSignal = (exitNow: () => void): Promise<NodeJS.Signals> => {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstSignalAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    firstSignalAt ??= performance.now()
    resolve(signal)
    if (performance.now() - firstSignalAt > repeatWindowMs) exitNow()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  return promise
}
