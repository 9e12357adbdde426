import { setTimeout as pause } from 'node:timers/promises'

/** Waits until the condition holds and returns how many milliseconds that took. */
export const waitUntil = async (
  description: string,
  condition: () => Promise<boolean>,
  timeoutMs = 20_000,
): Promise<number> => {
  const startedAt = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedAt > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${description}`)
    await pause(10)
  }
  return performance.now() - startedAt
}
