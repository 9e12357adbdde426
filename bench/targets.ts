/** In charge of what is to be reached: each figure, what it is measured against, and its bound. */

import { sizes } from './cases/growth.ts'
import { largeTerms } from './cases/search.ts'

export interface Target {
  readonly case: string
  /** The figure, and how it is told. */
  readonly figure: string
  readonly unit: '/s' | 'ms' | 'MB' | ''
  /** Judged by its ratio to this figure; by itself where there is none. */
  readonly against?: { readonly figure: string; readonly name: string }
  readonly bound: { readonly least: number } | { readonly most: number }
  /** Judged by the worst round instead of the median one. */
  readonly worst?: boolean
}

const engine = { figure: 'engine-page.rate', name: 'engine page SELECT' }
const uncached = { figure: 'uncached.rate', name: 'list, every page another' }

export const targets = (rows: number, large: number): Target[] => {
  const many = rows.toLocaleString('en')
  const most = large.toLocaleString('en')
  return [
    rate('list with total, hot', 'hot', 'bare-page.rate', 'bare node:http, same bytes', 0.7),
    {
      case: 'list with total, hot: 99th percentile',
      figure: 'hot.p99',
      unit: 'ms',
      against: { figure: 'bare-page.p99', name: 'bare node:http, same bytes' },
      bound: { most: 3 },
    },
    rate(`list with total, every page another, ${many} rows`, 'uncached', engine.figure, engine.name, 0.3),
    rate(`list at any offset, uncached, ${many} rows`, 'deep', uncached.figure, uncached.name, 0.7),
    rate(
      `list in the last hundredth of ${most} rows, uncached`,
      'deep-large',
      'uncached-large.rate',
      'first pages of the same table',
      0.7,
    ),
    ...filterTargets(most),
    rate('search, one hit, first time', 'search-one', 'engine-search-one.rate', 'engine, best trigram statement', 0.2),
    rate(
      `search, ${(rows / 20).toLocaleString('en')} hits, first time`,
      'search-many',
      'engine-search-many.rate',
      'engine, best trigram statement',
      0.8,
    ),
    rate('search, further pages', 'search-pages', uncached.figure, uncached.name, 0.5),
    ...largeSearchTargets(most),
    rate('get one, hot', 'get-hot', 'bare-record.rate', 'bare node:http, same bytes', 0.6),
    rate('get one, every id another', 'get-different', engine.figure, engine.name, 0.6),
    rate('create, durable, 32 writers', 'create', 'engine-insert.rate', 'engine insert, same table', 0.35),
    rate(
      'create, durable, 32 writers',
      'create',
      'engine-insert-plain.rate',
      'engine insert, no upkeep of books',
      0.35,
    ),
    rate('create with the upkeep of the books', 'create', 'create-plain.rate', 'create without it', 0.85),
    {
      case: 'locks waited for by 32 writers, on average',
      figure: 'create.locks-waited-for',
      unit: '',
      bound: { most: 0.5 },
    },
    ...growthTargets(large),
    { case: 'memory under load, cache full', figure: 'memory.peak', unit: 'MB', bound: { most: 240 }, worst: true },
    { case: 'start until ready', figure: 'start.ready', unit: 'ms', bound: { most: 800 }, worst: true },
  ]
}

const rate = (title: string, name: string, figure: string, against: string, least: number): Target => ({
  case: title,
  figure: `${name}.rate`,
  unit: '/s',
  against: { figure, name: against },
  bound: { least },
})

const filterTargets = (most: string): Target[] =>
  ['present', 'on-leave'].map((status) => ({
    case: `status = ${status.replace('-', '_')} at any offset, ${most} rows`,
    figure: `filter-${status}.p50`,
    unit: 'ms',
    against: { figure: 'filter-none.p50', name: 'the same without a filter' },
    bound: { most: 5 },
  }))

const largeSearchTargets = (most: string): Target[] => [
  {
    case: `search in ${most} rows, one hit`,
    figure: 'search-large-rare-uncached.mean',
    unit: 'ms',
    against: { figure: 'engine-search-large-rare.latency', name: 'engine, best trigram statement' },
    bound: { most: 1.5 },
  },
  ...largeTerms
    .filter(({ name }) => name !== 'rare')
    .flatMap(({ name, term }): Target[] => [
      {
        case: `search in ${most} rows for "${term}", first time`,
        figure: `search-large-${name}.first`,
        unit: 'ms',
        bound: { most: 5_000 },
        worst: true,
      },
      {
        case: `search in ${most} rows for "${term}", further pages`,
        figure: `search-large-${name}.p50`,
        unit: 'ms',
        against: { figure: 'search-large-list.p50', name: 'list, every page another' },
        bound: { most: 2 },
      },
    ]),
]

const growthTargets = (large: number): Target[] => {
  const smallest = sizes(large)[0]
  const titles = { list: 'list with total', deep: 'page near the end', get: 'get one' }
  return Object.entries(titles).map(([name, title]) => ({
    case: `growth to ${large.toLocaleString('en')} rows: ${title}`,
    figure: `growth-${name}-${large}.p50`,
    unit: 'ms',
    against: { figure: `growth-${name}-${smallest}.p50`, name: `with ${smallest?.toLocaleString('en')} rows` },
    bound: { most: 1.5 },
  }))
}
