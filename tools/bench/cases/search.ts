import { frequentWord, shareOf, singleStatus, singleWord } from '../data.ts'
import type { Bench, Case, Figures } from '../measurement.ts'
import { apiPath, fetchBody, fewConnections, measureFastestStatement, measureGet, measurePath } from '../measurement.ts'
import { runPgbench } from '../pgbench.ts'
import { startService, withServer } from '../service-process.ts'
import { attendanceColumns, pageRows, trigramSearchStatements } from '../statements.ts'
import { searchPath, uniqueListPath } from '../urls.ts'
import { measureWithOneConnection } from './lists.ts'

/** Measures searches with the cache disabled, so that no search benefits from an earlier one. */
const uncachedSearchCase: Case = {
  name: 'search',
  async measure(bench) {
    const url = await bench.databases.candidates(bench.options.rows)
    return withServer(startService(url, 0), async ({ origin }) => {
      const measure = (name: string, term: string): Promise<Figures> =>
        measurePath(bench, name, origin, apiPath + searchPath('candidates', term), { connections: fewConnections })
      return { ...(await measure('search-one', singleWord)), ...(await measure('search-many', frequentWord)) }
    })
  },
}

const furtherPagesCase: Case = {
  name: 'search-pages',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.candidates(rows)
    const path = apiPath + searchPath('candidates', frequentWord, `{${pageRows}..${rows / 20 - pageRows}}`)
    return withServer(startService(url), async ({ origin }) => {
      await fetchBody(origin + apiPath + searchPath('candidates', frequentWord).replace('{n}', '0'))
      return measurePath(bench, 'search-pages', origin, path)
    })
  },
}

/** Search terms for the large table, each with the share of the rows that contain it. */
export const largeTerms = [
  { name: 'rare', term: 'jury', share: 0 },
  { name: 'frequent', term: 'leave', share: shareOf('on_leave') },
  { name: 'most', term: 'present', share: shareOf('present') },
  { name: 'one-letter', term: 'e', share: 1 - shareOf('half_day') },
  { name: 'rarer-letter', term: 'k', share: shareOf('work_from_home') },
  { name: 'two-letters', term: 'nt', share: shareOf('present') + shareOf('absent') },
] as const

const largeTableCase: Case = {
  name: 'search-large',
  async measure(bench) {
    const url = await bench.databases.attendance(bench.options.large)
    const figures: Record<string, number> = {}
    Object.assign(figures, await measureRareTerm(bench, url))
    await withServer(startService(url), async ({ origin }) => {
      Object.assign(
        figures,
        await measureWithOneConnection(bench, 'search-large-list', origin, uniqueListPath('attendance')),
      )
      for (const { name, term, share } of largeTerms) {
        const { status, ms } = await measureGet(origin + apiPath + searchPath('attendance', term).replace('{n}', '0'))
        figures[`search-large-${name}.first`] = ms
        figures[`search-large-${name}.status`] = status
        const lastOffset = Math.floor(bench.options.large * share * 0.98)
        Object.assign(
          figures,
          await measureWithOneConnection(
            bench,
            `search-large-${name}`,
            origin,
            searchPath('attendance', term, `{0..${lastOffset}}`),
          ),
        )
      }
    })
    for (const { name, term } of largeTerms.slice(1))
      figures[`engine-search-large-${name}.latency`] = await measureEngineLatency(url, term)
    return figures
  },
}

/** Measures an uncached search with a single hit, and the same search in PostgreSQL itself, both with one client. */
const measureRareTerm = async (bench: Bench, url: string): Promise<Figures> => ({
  ...(await measureFastestStatement(
    bench,
    'engine-search-large-rare',
    url,
    trigramSearchStatements('attendance', attendanceColumns, singleStatus.slice(0, 4)),
    1,
  )),
  ...(await withServer(startService(url, 0), async ({ origin }) => {
    await fetchBody(origin + apiPath + searchPath('attendance', 'jury').replace('{n}', '0'))
    return measureWithOneConnection(bench, 'search-large-rare-uncached', origin, searchPath('attendance', 'jury'))
  })),
})

const measureEngineLatency = async (url: string, term: string): Promise<number> => {
  const latencies = []
  for (const script of trigramSearchStatements('attendance', attendanceColumns, term))
    latencies.push((await runPgbench(url, { script, clients: 1, transactions: 1 })).latency)
  return Math.min(...latencies)
}

export const searchCases: readonly Case[] = [uncachedSearchCase, furtherPagesCase, largeTableCase]
