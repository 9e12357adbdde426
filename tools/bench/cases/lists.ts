/** Measures cached lists, uncached lists, lists at random offsets, and lists filtered by status. */
import { shareOf } from '../data.ts'
import type { Bench, Case } from '../measurement.ts'
import { apiPath, measurePath } from '../measurement.ts'
import { startService, withServer } from '../service-process.ts'
import { pageRows } from '../statements.ts'
import { hotListPath, uniqueListPath, uniqueListPathBetween } from '../urls.ts'

const candidateCase = (name: string, path: (rows: number) => string): Case => ({
  name,
  async measure(bench) {
    const url = await bench.databases.candidates(bench.options.rows)
    return withServer(startService(url), ({ origin }) =>
      measurePath(bench, name, origin, apiPath + path(bench.options.rows)),
    )
  },
})

const uncachedLargeTableCase: Case = {
  name: 'uncached-large',
  async measure(bench) {
    const { large } = bench.options
    const url = await bench.databases.attendance(large)
    return withServer(startService(url), async ({ origin }) => ({
      ...(await measurePath(bench, 'uncached-large', origin, apiPath + uniqueListPath('attendance'))),
      ...(await measurePath(bench, 'deep-large', origin, apiPath + lastPagesPath(large))),
    }))
  },
}

const lastPagesPath = (rows: number): string => uniqueListPathBetween('attendance', rows * 0.99, rows - pageRows)

/** Measures lists filtered by status with one connection, because their target is a latency, not a rate. */
const statusFilterCase: Case = {
  name: 'filter',
  async measure(bench) {
    const { large } = bench.options
    const url = await bench.databases.attendance(large)
    const statusListPath = (status: 'present' | 'on_leave'): string =>
      uniqueListPathBetween('attendance', 0, large * shareOf(status) * 0.98, `&status=${status}`)
    return withServer(startService(url), async ({ origin }) => ({
      ...(await measureWithOneConnection(
        bench,
        'filter-none',
        origin,
        uniqueListPathBetween('attendance', 0, large - pageRows),
      )),
      ...(await measureWithOneConnection(bench, 'filter-present', origin, statusListPath('present'))),
      ...(await measureWithOneConnection(bench, 'filter-on-leave', origin, statusListPath('on_leave'))),
    }))
  },
}

export const measureWithOneConnection = (bench: Bench, name: string, origin: string, path: string) =>
  measurePath(bench, name, origin, apiPath + path, { connections: 1 })

export const listCases: readonly Case[] = [
  candidateCase('hot', () => hotListPath('candidates')),
  candidateCase('uncached', () => uniqueListPath('candidates')),
  candidateCase('deep', (rows) => uniqueListPathBetween('candidates', 256, rows - pageRows)),
  uncachedLargeTableCase,
  statusFilterCase,
]
