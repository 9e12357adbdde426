/** In charge of measuring search: the first time, further pages, and in the large table. */
import { freshList, search } from '../addresses.ts'
import { frequentWord, shareOf, singleStatus, singleWord } from '../data.ts'
import type { Bench, Case, Figures } from '../measurement.ts'
import { api, ask, capture, fewConnections, measureBestEngine, measurePath } from '../measurement.ts'
import { loadEngine } from '../pgbench.ts'
import { startService, using } from '../service-process.ts'
import { attendanceColumns, pageRows, trigramSearches } from '../statements.ts'
import { alone } from './lists.ts'

/** Without any cache every search is a first one. */
const firstTime: Case = {
  name: 'search',
  async measure(bench) {
    const url = await bench.databases.people(bench.options.rows)
    return using(startService(url, 0), async ({ origin }) => {
      const measure = (name: string, term: string): Promise<Figures> =>
        measurePath(bench, name, origin, api + search('candidates', term), { connections: fewConnections })
      return { ...(await measure('search-one', singleWord)), ...(await measure('search-many', frequentWord)) }
    })
  },
}

const furtherPages: Case = {
  name: 'search-pages',
  async measure(bench) {
    const { rows } = bench.options
    const url = await bench.databases.people(rows)
    const path = api + search('candidates', frequentWord, `{${pageRows}..${rows / 20 - pageRows}}`)
    return using(startService(url), async ({ origin }) => {
      await capture(origin + api + search('candidates', frequentWord).replace('{n}', '0'))
      return measurePath(bench, 'search-pages', origin, path)
    })
  },
}

/** Terms to be found in the large table, with the share of the rows that hold them. */
export const largeTerms = [
  { name: 'rare', term: 'jury', share: 0 },
  { name: 'frequent', term: 'leave', share: shareOf('on_leave') },
  { name: 'most', term: 'present', share: shareOf('present') },
  { name: 'one-letter', term: 'e', share: 1 - shareOf('half_day') },
  { name: 'rarer-letter', term: 'k', share: shareOf('work_from_home') },
  { name: 'two-letters', term: 'nt', share: shareOf('present') + shareOf('absent') },
] as const

const large: Case = {
  name: 'search-large',
  async measure(bench) {
    const url = await bench.databases.attendance(bench.options.large)
    const figures: Record<string, number> = {}
    Object.assign(figures, await rareTerm(bench, url))
    await using(startService(url), async ({ origin }) => {
      Object.assign(figures, await alone(bench, 'search-large-list', origin, freshList('attendance')))
      for (const { name, term, share } of largeTerms) {
        const { status, ms } = await ask(origin + api + search('attendance', term).replace('{n}', '0'))
        figures[`search-large-${name}.first`] = ms
        figures[`search-large-${name}.status`] = status
        const last = Math.floor(bench.options.large * share * 0.98)
        Object.assign(
          figures,
          await alone(bench, `search-large-${name}`, origin, search('attendance', term, `{0..${last}}`)),
        )
      }
    })
    for (const { name, term } of largeTerms.slice(1))
      figures[`engine-search-large-${name}.latency`] = await engineTime(url, term)
    return figures
  },
}

/** A term with one hit, never kept, against the engine's own latency with one client. */
const rareTerm = async (bench: Bench, url: string): Promise<Figures> => ({
  ...(await measureBestEngine(
    bench,
    'engine-search-large-rare',
    url,
    trigramSearches('attendance', attendanceColumns, singleStatus.slice(0, 4)),
    1,
  )),
  ...(await using(startService(url, 0), async ({ origin }) => {
    await capture(origin + api + search('attendance', 'jury').replace('{n}', '0'))
    return alone(bench, 'search-large-rare-uncached', origin, search('attendance', 'jury'))
  })),
})

const engineTime = async (url: string, term: string): Promise<number> => {
  const times = []
  for (const script of trigramSearches('attendance', attendanceColumns, term))
    times.push((await loadEngine(url, { script, clients: 1, times: 1 })).latency)
  return Math.min(...times)
}

export const searches: readonly Case[] = [firstTime, furtherPages, large]
