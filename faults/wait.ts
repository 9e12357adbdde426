/** In charge of waiting for something to become true, and of giving up loudly where it never does. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'

/** Returns the milliseconds it took. */
export const until = async (what: string, holds: () => Promise<boolean>, patienceMs = 20_000): Promise<number> => {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > patienceMs) throw new Error(`waited ${patienceMs} ms in vain until ${what}`)
    await pause(10)
  }
  return performance.now() - started
}

export const isReady = (service: Client): Promise<boolean> =>
  service.ask('/readyz').then(
    ({ status }) => status === 200,
    () => false,
  )
