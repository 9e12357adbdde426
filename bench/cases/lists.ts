/** In charge of measuring lists: hot, never seen before, at any depth, and narrowed to one status. */
import { freshList, freshListAt, hotList } from '../addresses.ts'
import { shareOf } from '../data.ts'
import type { Bench, Case } from '../measurement.ts'
import { api, measurePath } from '../measurement.ts'
import { startService, using } from '../service-process.ts'
import { pageRows } from '../statements.ts'

const onPeople = (name: string, path: (rows: number) => string): Case => ({
  name,
  async measure(bench) {
    const url = await bench.databases.people(bench.options.rows)
    return using(startService(url), ({ origin }) => measurePath(bench, name, origin, api + path(bench.options.rows)))
  },
})

const uncachedLarge: Case = {
  name: 'uncached-large',
  async measure(bench) {
    const { large } = bench.options
    const url = await bench.databases.attendance(large)
    return using(startService(url), async ({ origin }) => ({
      ...(await measurePath(bench, 'uncached-large', origin, api + freshList('attendance'))),
      ...(await measurePath(bench, 'deep-large', origin, api + lastHundredth(large))),
    }))
  },
}

const lastHundredth = (rows: number): string => freshListAt('attendance', rows * 0.99, rows - pageRows)

/** One connection: what a single reader waits. */
const filter: Case = {
  name: 'filter',
  async measure(bench) {
    const { large } = bench.options
    const url = await bench.databases.attendance(large)
    const withStatus = (status: 'present' | 'on_leave'): string =>
      freshListAt('attendance', 0, large * shareOf(status) * 0.98, `&status=${status}`)
    return using(startService(url), async ({ origin }) => ({
      ...(await alone(bench, 'filter-none', origin, freshListAt('attendance', 0, large - pageRows))),
      ...(await alone(bench, 'filter-present', origin, withStatus('present'))),
      ...(await alone(bench, 'filter-on-leave', origin, withStatus('on_leave'))),
    }))
  },
}

export const alone = (bench: Bench, name: string, origin: string, path: string) =>
  measurePath(bench, name, origin, api + path, { connections: 1 })

export const lists: readonly Case[] = [
  onPeople('hot', () => hotList('candidates')),
  onPeople('uncached', () => freshList('candidates')),
  onPeople('deep', (rows) => freshListAt('candidates', 256, rows - pageRows)),
  uncachedLarge,
  filter,
]
