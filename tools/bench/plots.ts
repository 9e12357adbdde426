import { offsetFractions, tableSizes } from './cases/growth.ts'
import { drawBarPlot, drawLinePlot } from './plot.ts'
import type { Results } from './results.ts'

export interface Plot {
  readonly file: string
  readonly altText: string
  readonly svg: string
}

type MedianOf = (figure: string) => number | undefined

/** Draws the plots of the report. Omits plots for which nothing was measured. */
export const drawPlots = (results: Results, medianOf: MedianOf): Plot[] =>
  [drawGrowthPlot(results, medianOf), drawOffsetPlot(results, medianOf), drawThroughputPlot(results, medianOf)].filter(
    (plot) => plot !== undefined,
  )

const drawGrowthPlot = ({ large }: Results, medianOf: MedianOf): Plot | undefined => {
  const latencies = (operation: string) =>
    definedPoints(tableSizes(large).map((rows) => [rows, medianOf(`growth-${operation}-${rows}.p50`)]))
  const series = [
    { name: 'list with total', points: latencies('list') },
    { name: 'page near the end', points: latencies('deep') },
    { name: 'get', points: latencies('get') },
    { name: 'count(*) in PostgreSQL', points: latencies('count') },
  ]
  return drawLatencyPlot('growth', 'Latency as the table grows, uncached, one connection', series, 'rows in the table')
}

const drawOffsetPlot = ({ large }: Results, medianOf: MedianOf): Plot | undefined => {
  // A logarithmic axis has no zero, so the first page is drawn at offset 50.
  const latencies = (prefix: string) =>
    definedPoints(
      offsetFractions.map((fraction) => [Math.max(50, large * fraction), medianOf(`${prefix}-${fraction}.p50`)]),
    )
  const series = [
    { name: 'Muster: page and exact total', points: latencies('depth') },
    { name: 'PostgreSQL: OFFSET, no total', points: latencies('engine-depth') },
  ]
  const title = `Latency by offset of the page, ${large.toLocaleString('en')} rows, uncached`
  return drawLatencyPlot('depth', title, series, 'rows before the page')
}

const drawLatencyPlot = (
  file: string,
  title: string,
  series: Parameters<typeof drawLinePlot>[0]['series'],
  xTitle: string,
) => {
  const seriesWithPoints = series.filter(({ points }) => points.length > 0)
  if (seriesWithPoints.length === 0) return undefined
  return {
    file: `${file}.svg`,
    altText: title,
    svg: drawLinePlot({ title, xTitle, yTitle: 'milliseconds', series: seriesWithPoints }),
  }
}

const definedPoints = (pairs: readonly (readonly [number, number | undefined])[]) =>
  pairs.flatMap(([x, y]) => (y === undefined || y <= 0 ? [] : [[x, y] as const]))

const drawThroughputPlot = ({ rows }: Results, medianOf: MedianOf): Plot | undefined => {
  const group = (name: string, bars: readonly (readonly [string, string])[]) => ({
    name,
    bars: bars.flatMap(([label, figure]) => {
      const value = medianOf(`${figure}.rate`)
      return value === undefined || value <= 0 ? [] : [[label, value] as const]
    }),
  })
  const groups = [
    group('List with total, cached', [
      ['Muster', 'hot'],
      ['bare node:http', 'bare-page'],
      ['naive service', 'naive-list'],
    ]),
    group('List with total, different pages', [
      ['Muster', 'uncached'],
      ['PostgreSQL', 'engine-page'],
      ['naive service', 'naive-list'],
    ]),
    group('Page at any offset', [
      ['Muster', 'deep'],
      ['PostgreSQL', 'engine-page'],
      ['naive service', 'naive-deep'],
    ]),
    group('Search, one hit, first time', [
      ['Muster', 'search-one'],
      ['PostgreSQL', 'engine-search-one'],
      ['naive service', 'naive-search-one'],
    ]),
    group('Search, 5 % of the rows, first time', [
      ['Muster', 'search-many'],
      ['PostgreSQL', 'engine-search-many'],
      ['naive service', 'naive-search-many'],
    ]),
    group('Get, different ids', [
      ['Muster', 'get-different'],
      ['bare node:http', 'bare-record'],
      ['naive service', 'naive-get'],
    ]),
    group('Create, durable', [
      ['Muster', 'create'],
      ['PostgreSQL', 'engine-insert'],
      ['naive service', 'naive-create'],
    ]),
  ].filter(({ bars }) => bars.length > 0)
  if (groups.length === 0) return undefined
  const title = `Responses per second, ${rows.toLocaleString('en')} rows`
  return {
    file: 'throughput.svg',
    altText: title,
    svg: drawBarPlot({ title, xTitle: 'per second (logarithmic)', groups }),
  }
}
