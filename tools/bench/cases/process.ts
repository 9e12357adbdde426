/** Measures the memory of the service under load with a full cache, and the time from its start until it is ready. */
import type { Case } from '../measurement.ts'
import { apiPath, fewConnections, measurePath } from '../measurement.ts'
import { measurePeakMemory } from '../peak-memory.ts'
import { startService, withServer } from '../service-process.ts'
import { pageRows } from '../statements.ts'
import { listPath, searchPath, uniqueListPathBetween } from '../urls.ts'

/**
 * Number of random requests. It is large enough to load nearly all of 3,000 pages of about 25 kB, which together fill
 * the 64 MB cache.
 */
const fillingRequests = 12_000

const memoryCase: Case = {
  name: 'memory',
  async measure(bench) {
    const { rows, seconds } = bench.options
    const url = await bench.databases.candidates(rows)
    return withServer(startService(url), async (service) => {
      const idleMemory = await service.memory()
      const fillLoad = { seconds: Math.max(seconds, 5), warmUp: 0 }
      let pages = 0
      while (pages < fillingRequests)
        pages +=
          (await measurePath(bench, 'fill', service.origin, apiPath + listPath('candidates', '{0..2999}'), fillLoad))[
            'fill.requests'
          ] ?? 0
      // Each compressed response is a cache entry of its own.
      const compressedLoad = { ...fillLoad, headers: { 'Accept-Encoding': 'br' } }
      await measurePath(bench, 'fill', service.origin, apiPath + listPath('candidates', '{0..2999}'), compressedLoad)
      // These searches have many hits, because two given digits occur in most telephone numbers. The ids of the hits
      // are cached separately from pages.
      const searchLoad = { ...fillLoad, connections: fewConnections }
      await measurePath(bench, 'fill', service.origin, apiPath + searchPath('candidates', '{10..99}'), searchLoad)
      const randomPagePath = uniqueListPathBetween('candidates', 0, rows - pageRows)
      const { peak } = await measurePeakMemory(service, () =>
        measurePath(bench, 'memory', service.origin, apiPath + randomPagePath, fillLoad),
      )
      return { 'memory.idle': idleMemory, 'memory.peak': peak }
    })
  },
}

const startCount = 5

const startCase: Case = {
  name: 'start',
  async measure(bench) {
    const url = await bench.databases.candidates(bench.options.rows)
    const startTimes: number[] = []
    for (let index = 0; index < startCount; index += 1)
      startTimes.push(await withServer(startService(url), async ({ readyMs }) => readyMs))
    startTimes.sort((a, b) => a - b)
    return { 'start.ready': startTimes[Math.floor(startCount / 2)] ?? 0, 'start.slowest': startTimes.at(-1) ?? 0 }
  },
}

export const processCases: readonly Case[] = [memoryCase, startCase]
