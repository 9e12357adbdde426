/** In charge of measuring the process: its memory with a full cache under load, and how soon it serves. */
import { setTimeout as pause } from 'node:timers/promises'
import { freshListAt, list, search } from '../addresses.ts'
import type { ServerProcess } from '../child-server.ts'
import type { Case } from '../measurement.ts'
import { api, fewConnections, measurePath } from '../measurement.ts'
import { startService, using } from '../service-process.ts'
import { pageRows } from '../statements.ts'

/** Pages of some 25 kB, asked for often enough that nearly each was asked for again, and is kept: these fill the cache. */
const fillingRequests = 12_000

const memory: Case = {
  name: 'memory',
  async measure(bench) {
    const { rows, seconds } = bench.options
    const url = await bench.databases.people(rows)
    return using(startService(url), async (service) => {
      const idle = await service.memory()
      const longer = { seconds: Math.max(seconds, 5), warmUp: 0 }
      let pages = 0
      while (pages < fillingRequests)
        pages +=
          (await measurePath(bench, 'fill', service.origin, api + list('candidates', '{0..2999}'), longer))[
            'fill.requests'
          ] ?? 0
      // Compressed variants are cached beside the plain bytes.
      const compressed = { ...longer, headers: { 'Accept-Encoding': 'br' } }
      await measurePath(bench, 'fill', service.origin, api + list('candidates', '{0..2999}'), compressed)
      // Digits stand in very many telephone numbers: what such searches found is large, and kept apart from the pages.
      const finds = { ...longer, connections: fewConnections }
      await measurePath(bench, 'fill', service.origin, api + search('candidates', '{10..99}'), finds)
      const peak = watchMemory(service)
      const mixed = freshListAt('candidates', 0, rows - pageRows)
      await measurePath(bench, 'memory', service.origin, api + mixed, longer)
      return { 'memory.idle': idle, 'memory.peak': await peak.stop() }
    })
  },
}

const watchMemory = (service: ServerProcess) => {
  let peak = 0
  const end = new AbortController()
  const looking = (async () => {
    while (!end.signal.aborted) {
      peak = Math.max(peak, await service.memory())
      await pause(200, undefined, { signal: end.signal }).catch(() => {})
    }
  })()
  return {
    async stop(): Promise<number> {
      end.abort()
      await looking
      return peak
    },
  }
}

const starts = 5

const start: Case = {
  name: 'start',
  async measure(bench) {
    const url = await bench.databases.people(bench.options.rows)
    const times: number[] = []
    for (let index = 0; index < starts; index += 1)
      times.push(await using(startService(url), async ({ readyMs }) => readyMs))
    times.sort((a, b) => a - b)
    return { 'start.ready': times[Math.floor(starts / 2)] ?? 0, 'start.slowest': times.at(-1) ?? 0 }
  },
}

export const processes: readonly Case[] = [memory, start]
