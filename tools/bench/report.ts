/** Writes docs/performance.md from the recorded results. Measures nothing. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../tests/support/server-process.ts'
import { offsetFractions, tableSizes } from './cases/growth.ts'
import { largeTerms } from './cases/search.ts'
import { optimizationHeads, optimizationRows } from './optimizations.ts'
import type { Results } from './results.ts'
import { median } from './results.ts'
import { syncHeads, syncRows } from './sync-figures.ts'
import type { Target } from './targets.ts'
import { performanceTargets } from './targets.ts'

const reportFile = join(root, 'docs', 'performance.md')

export const writeReport = async (results: Results): Promise<void> => {
  const medianOf = (figure: string): number | undefined => {
    const values = results.figures[figure]
    return values === undefined || values.length === 0 ? undefined : median(values)
  }
  const sections = [
    introduction(results),
    '## Targets',
    targetTable(results),
    '[performance/limits.md](performance/limits.md) explains why some targets were missed, and what was tried.',
    '## Throughput',
    rateTable(results, medianOf),
    `## Search in ${results.large.toLocaleString('en')} rows`,
    largeSearchTable(medianOf),
    '## Growth of the table',
    growthTable(results, medianOf),
    '## Offset of the page',
    depthTable(results, medianOf),
    '## Creates and locks',
    lockTable(medianOf),
    '## Process',
    processTable(medianOf),
    '## Sync of a million records',
    "A million attendance records, all new, while 40 reads and 20 creates per second are sent: `npm run bench -- sync --only 'attendance, all new'`, once for each version, 2026-11-19. Both cores did much other work (load average 4 to 22), so compare the CPU time of the command and its database session, not the duration.",
    markdownTable(syncHeads, syncRows),
    '## Optimizations',
    'The gain is the CPU time per request (or the memory) without the optimization, divided by that with it: `npm run bench -- compare` with a checkout in which it is switched off, 5 to 11 pairs. An optimization that gains less than 1.2 (1.1 for memory) in its case is deleted.',
    markdownTable(optimizationHeads, optimizationRows()),
    reproductionSection(results),
  ]
  await writeFile(reportFile, `${sections.filter((section) => section !== '').join('\n\n')}\n`)
}

type MedianOf = (figure: string) => number | undefined

const markdownTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return 'Not measured.'
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(heads),
    line(heads.map((_, index) => (rows.every((cells) => isFigure(cells[index])) ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n')
}

const isFigure = (cell: string | undefined): boolean => /^(–|[≤≥]? ?\d)/.test(cell ?? '')

const introduction = ({ rows, large, seconds, measured, runs, figures, surroundings }: Results): string => {
  const times = Object.values(measured).sort()
  const rounds = Math.max(0, ...Object.values(figures).map(({ length }) => length))
  const days = [...new Set([times[0], times.at(-1)].map((time) => time?.slice(0, 10)))].join(' to ')
  return [
    '# Performance',
    `Measured ${days} by \`npm run bench\`: ${seconds} s per figure after a warm-up, ${rounds} rounds in opposite order, medians. ` +
      'Load generators, service and database shared one machine. Compare ratios within one run, not absolute rates. Differences below 25 % are noise.',
    reducedNote(rows, large, seconds),
    runsNote(new Set(Object.values(runs)).size),
    `- Machine: ${surroundings.machine}`,
    `- Versions: ${Object.entries(surroundings.versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}`,
    `- PostgreSQL settings: ${Object.entries(surroundings.settings)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    '- Load: wrk with 1 thread and 32 connections (searches 8, latencies 1); pgbench -M prepared -j1 with 8 clients (inserts 32, latencies 1)',
    '- Service: one process, default settings, log level info, log written to a file',
    '- Baselines: PostgreSQL itself, measured with pgbench; "bare node:http", a server that only sends the same bytes; "naive service", a simple service with `count(*)`, `OFFSET` and `ILIKE`',
    '- Cases: "cached" requests one URL again and again; "uncached" and "different" request each URL once; "first time" runs with caching disabled (MUSTER_CACHE_MB=0)',
    durabilityNote(surroundings.settings),
  ]
    .filter((line) => line !== '')
    .join('\n\n')
    .replaceAll('\n\n- ', '\n- ')
    .replace('\n- ', '\n\n- ')
}

const reducedNote = (rows: number, large: number, seconds: number): string =>
  rows === 100_000 && large === 10_000_000 && seconds >= 5
    ? ''
    : '**This was a short trial run. Do not cite its figures.**'

const runsNote = (runs: number): string =>
  runs <= 1 ? '' : `**The figures come from ${runs} runs: ratios between different runs are less reliable.**`

const durabilityNote = ({ synchronous_commit, fsync, full_page_writes }: Readonly<Record<string, string>>): string =>
  synchronous_commit === 'on' && fsync === 'on' && full_page_writes === 'on'
    ? ''
    : '**The PostgreSQL settings were not durable: creates could be lost in a crash.**'

const targetTable = (results: Results): string =>
  markdownTable(
    ['Case', 'Result', 'Baseline', 'Baseline result', 'Ratio', 'Target', ''],
    performanceTargets(results.rows, results.large).flatMap((target) => {
      const row = targetRow(results, target)
      return row === undefined ? [] : [row]
    }),
  )

const targetRow = ({ figures }: Results, target: Target): string[] | undefined => {
  const values = figures[target.figure]
  const baselineValues = target.baseline === undefined ? undefined : figures[target.baseline.figure]
  if (values === undefined || (target.baseline !== undefined && baselineValues === undefined)) return undefined
  const value = target.useWorstRound ? Math.max(...values) : median(values)
  const baseline = baselineValues === undefined ? undefined : median(baselineValues)
  const comparedValue = baseline === undefined ? value : value / baseline
  const { bound } = target
  const failures = failureNote(figures, target.figure)
  const isMet = failures === '' && ('min' in bound ? comparedValue >= bound.min : comparedValue <= bound.max)
  const limit = 'min' in bound ? `≥ ${bound.min}` : `≤ ${bound.max.toLocaleString('en')}`
  return [
    target.title,
    formatWithUnit(value, target.unit),
    target.baseline?.name ?? '–',
    baseline === undefined ? '–' : formatWithUnit(baseline, target.unit),
    baseline === undefined ? '–' : formatRatio(comparedValue),
    baseline === undefined ? `${limit} ${target.unit}`.trim() : limit,
    isMet ? 'met' : `**missed**${failures}`,
  ]
}

/** Returns a note if requests of the measurement failed. The target then counts as missed. */
const failureNote = (figures: Results['figures'], figure: string): string => {
  const name = figure.slice(0, figure.lastIndexOf('.'))
  const failed = figures[`${name}.failed`]?.some((count) => count > 0)
  const rejected = figures[`${name}.status`]?.some((status) => status !== 200)
  return failed || rejected ? ': requests failed' : ''
}

const rateTitles: readonly (readonly [name: string, title: string])[] = [
  ['bare-page', 'bare node:http, a page'],
  ['bare-record', 'bare node:http, a record'],
  ['engine-page', 'PostgreSQL: page SELECT by id'],
  ['engine-naive-list', 'PostgreSQL: first page and count(*)'],
  ['engine-search-one', 'PostgreSQL: best search, one hit'],
  ['engine-search-many', 'PostgreSQL: best search, 5 % of the rows'],
  ['engine-insert', 'PostgreSQL: insert, 32 clients'],
  ['engine-insert-plain', 'PostgreSQL: insert, no row counts'],
  ['naive-list', 'naive service: list'],
  ['naive-deep', 'naive service: list in the last tenth'],
  ['naive-search-one', 'naive service: search, one hit'],
  ['naive-search-many', 'naive service: search, 5 % of the rows'],
  ['naive-get', 'naive service: get, different ids'],
  ['naive-create', 'naive service: create'],
  ['hot', 'Muster: list, cached'],
  ['uncached', 'Muster: list, different pages'],
  ['deep', 'Muster: list at any offset, uncached'],
  ['uncached-large', 'Muster: list, different pages, large table'],
  ['deep-large', 'Muster: list in the last hundredth, large table'],
  ['search-one', 'Muster: search, one hit, first time'],
  ['search-many', 'Muster: search, 5 % of the rows, first time'],
  ['search-pages', 'Muster: further pages of a search'],
  ['get-hot', 'Muster: get, cached'],
  ['get-different', 'Muster: get, different ids'],
  ['create', 'Muster: create, durable'],
  ['create-plain', 'Muster: create, durable, no row counts'],
]

const rateTable = (results: Results, medianOf: MedianOf): string => {
  const engineRate = medianOf('engine-page.rate')
  const bareServerRate = medianOf('bare-page.rate')
  const ratioText = (value: number, baseline: number | undefined): string =>
    baseline === undefined ? '–' : formatRatio(value / baseline)
  return markdownTable(
    ['Case', 'per second', '× PostgreSQL page', '× bare page', 'p50 ms', 'p99 ms', 'failed', 'rounds'],
    rateTitles.flatMap(([name, title]) => {
      const value = medianOf(`${name}.rate`)
      if (value === undefined) return []
      const rounds = results.figures[`${name}.rate`] ?? []
      return [
        [
          title,
          formatNumber(value),
          ratioText(value, engineRate),
          ratioText(value, bareServerRate),
          formatNumber(medianOf(`${name}.p50`) ?? medianOf(`${name}.latency`)),
          formatNumber(medianOf(`${name}.p99`)),
          formatNumber(medianOf(`${name}.failed`)),
          rounds.map((roundValue) => formatNumber(roundValue)).join(', '),
        ],
      ]
    }),
  )
}

const largeSearchTable = (medianOf: MedianOf): string =>
  markdownTable(
    ['Term', 'Share of the rows', 'first time ms', 'further pages ms', '× list, different pages', 'PostgreSQL ms'],
    largeTerms.flatMap(({ name, term, share }) => {
      const first = medianOf(`search-large-${name}.first`)
      if (first === undefined) return []
      const furtherPages = medianOf(`search-large-${name}.p50`) ?? Number.NaN
      const status = medianOf(`search-large-${name}.status`)
      return [
        [
          `\`${term}\``,
          share === 0 ? 'one row' : `${formatNumber(share * 100)} %`,
          status === 200 ? formatNumber(first) : `${formatNumber(first)} (status ${status})`,
          formatNumber(furtherPages),
          formatRatio(furtherPages / (medianOf('search-large-list.p50') ?? Number.NaN)),
          formatNumber(medianOf(`engine-search-large-${name}.latency`)),
        ],
      ]
    }),
  )

const growthTable = ({ large }: Results, medianOf: MedianOf): string => {
  const rowCounts = tableSizes(large)
  const titles = { list: 'list with total', deep: 'page near the end', get: 'get', count: 'count(*) in PostgreSQL' }
  const rows = Object.entries(titles).flatMap(([name, title]) => {
    const values = rowCounts.map((size) => medianOf(`growth-${name}-${size}.p50`))
    if (values.every((value) => value === undefined)) return []
    return [
      [title, ...values.map((value) => formatNumber(value)), formatRatio((values.at(-1) ?? 0) / (values[0] ?? 0))],
    ]
  })
  const heads = [
    'ms, uncached, one connection',
    ...rowCounts.map((size) => `${size.toLocaleString('en')} rows`),
    'growth ×',
  ]
  return markdownTable(heads, rows)
}

const depthTable = ({ large }: Results, medianOf: MedianOf): string =>
  markdownTable(
    ['Offset', 'Muster: page and total, ms', 'PostgreSQL: OFFSET, no total, ms'],
    offsetFractions.flatMap((fraction) => {
      const value = medianOf(`depth-${fraction}.p50`)
      if (value === undefined) return []
      return [
        [
          (large * fraction).toLocaleString('en'),
          formatNumber(value),
          formatNumber(medianOf(`engine-depth-${fraction}.p50`)),
        ],
      ]
    }),
  )

const lockTable = (medianOf: MedianOf): string =>
  markdownTable(
    [
      '32 writers',
      'per second',
      'samples of pg_locks',
      'lock waits, mean',
      'lock waits, maximum',
      'waits to extend a file, mean',
    ],
    [
      ['create', 'with row counts'],
      ['create-plain', 'without row counts'],
    ].flatMap(([name, title]) => {
      const value = medianOf(`${name}.rate`)
      if (value === undefined || title === undefined) return []
      const figures = ['lock-looks', 'locks-waited-for', 'most-locks-waited-for', 'extensions-waited-for']
      return [[title, formatNumber(value), ...figures.map((figure) => formatNumber(medianOf(`${name}.${figure}`)))]]
    }),
  )

const processTable = (medianOf: MedianOf): string =>
  markdownTable(
    ['', 'Figure'],
    (
      [
        ['memory after start', 'memory.idle', 'MB'],
        ['memory under load, cache full, maximum', 'memory.peak', 'MB'],
        ['time to ready, median of five', 'start.ready', 'ms'],
        ['time to ready, slowest', 'start.slowest', 'ms'],
      ] as const
    ).flatMap(([title, figure, unit]) => {
      const value = medianOf(figure)
      return value === undefined ? [] : [[title, formatWithUnit(value, unit)]]
    }),
  )

const reproductionSection = ({ rows, large, seconds, figures, measured }: Results): string => {
  const failed = Object.entries(figures)
    .filter(([name, values]) => name.endsWith('.failed') && values.some((value) => value > 0))
    .map(([name, values]) => `- ${name.replace('.failed', '')}: ${values.join(', ')} failed requests`)
  const times = Object.entries(measured).map(([name, time]) => `${name} ${time.slice(0, 16).replace('T', ' ')}`)
  return [
    ...(failed.length > 0 ? ['## Failed requests', failed.join('\n')] : []),
    '## Reproduce',
    [
      '```sh',
      'export DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres # a superuser of an otherwise idle server',
      `npm run bench -- --seconds ${seconds} --rows ${rows} --large ${large}`,
      'npm run bench -- --only hot,uncached,bare-page,engine # only these cases, merged into the stored results',
      'npm run bench -- --report-only # measures nothing: rewrites this page from performance/results.json',
      '```',
    ].join('\n'),
    '`npm run bench -- guard` runs in CI, takes about a minute and needs no quiet machine. It fails if a change makes the service much slower. It compares cached reads, pages, searches and creates with a bare HTTP server, with a naive service and with each other in the same run. The bound of each ratio is at least twice the observed value (`tools/bench/guard-checks.ts`). To find smaller differences between two checkouts, use `npm run bench -- compare --before DIRECTORY`.',
    `When each case was measured (UTC): ${times.join(', ')}. [results.json](performance/results.json) has every value of every round.`,
  ].join('\n\n')
}

const formatWithUnit = (value: number, unit: Target['unit']): string =>
  unit === '' || unit === '/s' ? formatNumber(value) + unit : `${formatNumber(value)} ${unit}`

const formatNumber = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)))
}

const formatRatio = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(2))) : '–')
