import { tableSizes } from './cases/growth.ts'
import { largeTerms } from './cases/search.ts'

export interface Target {
  readonly title: string
  readonly figure: string
  readonly unit: '/s' | 'ms' | 'MB' | ''
  /**
   * If defined, the bound applies to the figure divided by this baseline figure; otherwise it applies to the figure
   * itself.
   */
  readonly baseline?: { readonly figure: string; readonly name: string }
  readonly bound: { readonly min: number } | { readonly max: number }
  /** If true, the bound applies to the worst round instead of the median of all rounds. */
  readonly useWorstRound?: boolean
}

const enginePage = { figure: 'engine-page.rate', name: 'PostgreSQL page SELECT' }
const uncachedList = {
  figure: 'uncached.rate',
  name: 'list, different pages',
}

export const performanceTargets = (rows: number, large: number): Target[] => {
  const rowsText = rows.toLocaleString('en')
  const largeRowsText = large.toLocaleString('en')
  return [
    rateTarget('list with total, cached', 'hot', 'bare-page.rate', 'bare node:http, same bytes', 0.7),
    {
      title: 'list with total, cached: 99th percentile',
      figure: 'hot.p99',
      unit: 'ms',
      baseline: { figure: 'bare-page.p99', name: 'bare node:http, same bytes' },
      bound: { max: 3 },
    },
    rateTarget(
      `list with total, different pages, ${rowsText} rows`,
      'uncached',
      enginePage.figure,
      enginePage.name,
      0.3,
    ),
    rateTarget(`list at any offset, uncached, ${rowsText} rows`, 'deep', uncachedList.figure, uncachedList.name, 0.7),
    rateTarget(
      `list in the last hundredth of ${largeRowsText} rows, uncached`,
      'deep-large',
      'uncached-large.rate',
      'first pages of the same table',
      0.7,
    ),
    ...filterTargets(largeRowsText),
    rateTarget(
      'search, one hit, first time',
      'search-one',
      'engine-search-one.rate',
      'PostgreSQL, best trigram statement',
      0.2,
    ),
    rateTarget(
      `search, ${(rows / 20).toLocaleString('en')} hits, first time`,
      'search-many',
      'engine-search-many.rate',
      'PostgreSQL, best trigram statement',
      0.8,
    ),
    rateTarget('further pages of a search', 'search-pages', uncachedList.figure, uncachedList.name, 0.5),
    ...largeSearchTargets(largeRowsText),
    rateTarget('get, cached', 'get-hot', 'bare-record.rate', 'bare node:http, same bytes', 0.6),
    rateTarget('get, different ids', 'get-different', enginePage.figure, enginePage.name, 0.6),
    rateTarget('create, durable, 32 writers', 'create', 'engine-insert.rate', 'PostgreSQL insert, same table', 0.35),
    rateTarget(
      'create, durable, 32 writers',
      'create',
      'engine-insert-plain.rate',
      'PostgreSQL insert, no row counts',
      0.35,
    ),
    rateTarget('create with row counts', 'create', 'create-plain.rate', 'create without row counts', 0.85),
    {
      title: 'lock waits of 32 writers, mean',
      figure: 'create.locks-waited-for',
      unit: '',
      bound: { max: 0.5 },
    },
    ...growthTargets(large),
    {
      title: 'memory under load, cache full',
      figure: 'memory.peak',
      unit: 'MB',
      bound: { max: 240 },
      useWorstRound: true,
    },
    { title: 'time to ready', figure: 'start.ready', unit: 'ms', bound: { max: 800 }, useWorstRound: true },
  ]
}

const rateTarget = (
  title: string,
  name: string,
  baselineFigure: string,
  baselineName: string,
  min: number,
): Target => ({
  title,
  figure: `${name}.rate`,
  unit: '/s',
  baseline: { figure: baselineFigure, name: baselineName },
  bound: { min },
})

const filterTargets = (largeRowsText: string): Target[] =>
  ['present', 'on-leave'].map((status) => ({
    title: `status = ${status.replace('-', '_')} at any offset, ${largeRowsText} rows`,
    figure: `filter-${status}.p50`,
    unit: 'ms',
    baseline: { figure: 'filter-none.p50', name: 'the same without a filter' },
    bound: { max: 5 },
  }))

const largeSearchTargets = (largeRowsText: string): Target[] => [
  {
    title: `search in ${largeRowsText} rows, one hit`,
    figure: 'search-large-rare-uncached.mean',
    unit: 'ms',
    baseline: { figure: 'engine-search-large-rare.latency', name: 'PostgreSQL, best trigram statement' },
    bound: { max: 1.5 },
  },
  ...largeTerms
    .filter(({ name }) => name !== 'rare')
    .flatMap(({ name, term }): Target[] => [
      {
        title: `search in ${largeRowsText} rows for "${term}", first time`,
        figure: `search-large-${name}.first`,
        unit: 'ms',
        bound: { max: 5_000 },
        useWorstRound: true,
      },
      {
        title: `search in ${largeRowsText} rows for "${term}", further pages`,
        figure: `search-large-${name}.p50`,
        unit: 'ms',
        baseline: {
          figure: 'search-large-list.p50',
          name: 'list, different pages',
        },
        bound: { max: 2 },
      },
    ]),
]

const growthTargets = (large: number): Target[] => {
  const smallest = tableSizes(large)[0]
  const titles = { list: 'list with total', deep: 'page near the end', get: 'get' }
  return Object.entries(titles).map(([name, title]) => ({
    title: `growth to ${large.toLocaleString('en')} rows: ${title}`,
    figure: `growth-${name}-${large}.p50`,
    unit: 'ms',
    baseline: { figure: `growth-${name}-${smallest}.p50`, name: `with ${smallest?.toLocaleString('en')} rows` },
    bound: { max: 1.5 },
  }))
}
