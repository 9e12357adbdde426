/**
 * A tool that sends several requests sends no further one after this time. One request may take 8 s, and proxies wait for
 * 15 s.
 */
const maxMs = 5_000

/** Returns whether there is time for a further request. */
export const startTimeLimit = (): (() => boolean) => {
  const startedAt = performance.now()
  return () => performance.now() - startedAt < maxMs
}
