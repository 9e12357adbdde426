import { setTimeout as pause } from 'node:timers/promises'
import type { ServerProcess } from '../../tests/support/server-process.ts'

/** Measures the highest memory use of the service while `work` runs, in MB. */
export const measurePeakMemory = async <T>(service: ServerProcess, work: () => Promise<T>) => {
  const working = new AbortController()
  let peak = 0
  const sampling = (async () => {
    while (!working.signal.aborted) {
      peak = Math.max(peak, await service.memory())
      await pause(100, undefined, { signal: working.signal }).catch(() => {})
    }
  })()
  const result = await work().finally(() => working.abort())
  await sampling
  return { peak, result }
}
