/** In charge of the signals that ask a process to end: the first begins an orderly end, one that follows ends it at once. */

/** A terminal, npm, systemd and a primary may each pass the same wish on: what comes so soon is no second wish. */
const echoMs = 500

/** An orderly end is over by then: Docker kills ten seconds after it has asked, and no answer takes longer than eight. */
export const deadlineMs = 9_500

/** Resolves with the first signal; `endNow` is called with every one that is not its echo. */
export const askedToEnd = (endNow: () => void): Promise<NodeJS.Signals> => {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>()
  let firstAt: number | undefined
  const hear = (signal: NodeJS.Signals) => {
    firstAt ??= performance.now()
    resolve(signal)
    if (performance.now() - firstAt > echoMs) endNow()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, hear)
  return promise
}
