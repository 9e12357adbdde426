/** In charge of the plots of the report: which figures each one shows. */
import { depths, sizes } from './cases/growth.ts'
import { barPlot, linePlot } from './plot.ts'
import type { Results } from './results.ts'

export interface Plot {
  readonly file: string
  readonly about: string
  readonly svg: string
}

type Read = (figure: string) => number | undefined

/** The plots for which there are figures. */
export const drawPlots = (results: Results, read: Read): Plot[] =>
  [growth(results, read), depth(results, read), throughput(results, read)].filter((plot) => plot !== undefined)

const growth = ({ large }: Results, read: Read): Plot | undefined => {
  const over = (what: string) => points(sizes(large).map((rows) => [rows, read(`growth-${what}-${rows}.p50`)]))
  const series = [
    { name: 'list with total', points: over('list') },
    { name: 'page near the end', points: over('deep') },
    { name: 'get one', points: over('get') },
    { name: 'count(*) by the engine', points: over('count') },
  ]
  return plotOf('growth', 'Latency as the table grows, nothing cached, one connection', series, 'rows in the table')
}

const depth = ({ large }: Results, read: Read): Plot | undefined => {
  // A logarithmic axis has no zero: the first page stands where it ends.
  const over = (prefix: string) =>
    points(depths.map((part) => [Math.max(50, large * part), read(`${prefix}-${part}.p50`)]))
  const series = [
    { name: 'Muster: page and exact total', points: over('depth') },
    { name: 'the engine: OFFSET, no total', points: over('engine-depth') },
  ]
  const title = `Latency by depth of the page, ${large.toLocaleString('en')} rows, nothing cached`
  return plotOf('depth', title, series, 'rows before the page')
}

const plotOf = (file: string, title: string, series: Parameters<typeof linePlot>[0]['series'], xTitle: string) => {
  const drawn = series.filter(({ points: each }) => each.length > 0)
  if (drawn.length === 0) return undefined
  return { file: `${file}.svg`, about: title, svg: linePlot({ title, xTitle, yTitle: 'milliseconds', series: drawn }) }
}

const points = (pairs: readonly (readonly [number, number | undefined])[]) =>
  pairs.flatMap(([x, y]) => (y === undefined || y <= 0 ? [] : [[x, y] as const]))

const throughput = ({ rows }: Results, read: Read): Plot | undefined => {
  const group = (name: string, bars: readonly (readonly [string, string])[]) => ({
    name,
    bars: bars.flatMap(([label, figure]) => {
      const value = read(`${figure}.rate`)
      return value === undefined || value <= 0 ? [] : [[label, value] as const]
    }),
  })
  const groups = [
    group('List with total, asked again and again', [
      ['Muster', 'hot'],
      ['bare node:http', 'bare-page'],
      ['naive service', 'naive-list'],
    ]),
    group('List with total, every page another', [
      ['Muster', 'uncached'],
      ['the engine', 'engine-page'],
      ['naive service', 'naive-list'],
    ]),
    group('Page at any depth', [
      ['Muster', 'deep'],
      ['the engine', 'engine-page'],
      ['naive service', 'naive-deep'],
    ]),
    group('Search, one hit, first time', [
      ['Muster', 'search-one'],
      ['the engine', 'engine-search-one'],
      ['naive service', 'naive-search-one'],
    ]),
    group('Search, 5 % of the rows, first time', [
      ['Muster', 'search-many'],
      ['the engine', 'engine-search-many'],
      ['naive service', 'naive-search-many'],
    ]),
    group('Get one, every id another', [
      ['Muster', 'get-different'],
      ['bare node:http', 'bare-record'],
      ['naive service', 'naive-get'],
    ]),
    group('Create, durable', [
      ['Muster', 'create'],
      ['the engine', 'engine-insert'],
      ['naive service', 'naive-create'],
    ]),
  ].filter(({ bars }) => bars.length > 0)
  if (groups.length === 0) return undefined
  const title = `Answers per second, ${rows.toLocaleString('en')} rows`
  return { file: 'throughput.svg', about: title, svg: barPlot({ title, xTitle: 'per second (logarithmic)', groups }) }
}
