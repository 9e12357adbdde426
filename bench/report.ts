/** In charge of the report: tables and plots made from the results, and nothing measured. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { depths, sizes } from './cases/growth.ts'
import { largeTerms } from './cases/search.ts'
import { root } from './child-server.ts'
import { drawPlots } from './plots.ts'
import type { Results } from './results.ts'
import { median } from './results.ts'
import type { Target } from './targets.ts'
import { targets } from './targets.ts'

const reportFile = join(root, 'docs', 'performance.md')
const plotFolder = join(root, 'docs', 'performance')

export const writeReport = async (results: Results): Promise<void> => {
  await mkdir(plotFolder, { recursive: true })
  const read = (figure: string): number | undefined => {
    const values = results.figures[figure]
    return values === undefined || values.length === 0 ? undefined : median(values)
  }
  const plots = drawPlots(results, read)
  for (const { file, svg } of plots) await writeFile(join(plotFolder, file), svg)
  const sections = [
    head(results),
    '## What was to be reached',
    targetTable(results),
    'What limits the figures that were not reached, and what was tried, is told in [performance/limits.md](performance/limits.md).',
    ...plots.map(({ file, about }) => `![${about}](performance/${file})`),
    '## Rates',
    rateTable(results, read),
    `## Search in ${results.large.toLocaleString('en')} rows`,
    largeSearchTable(read),
    '## Growth',
    growthTable(results, read),
    '## Depth',
    depthTable(results, read),
    '## Creates and locks',
    lockTable(read),
    '## Process',
    processTable(read),
    tail(results),
  ]
  await writeFile(reportFile, `${sections.filter((section) => section !== '').join('\n\n')}\n`)
}

type Read = (figure: string) => number | undefined

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return 'Not measured.'
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(heads),
    line(heads.map((_, index) => (rows.every((cells) => isFigure(cells[index])) ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n')
}

const isFigure = (cell: string | undefined): boolean => /^(–|[≤≥]? ?\d)/.test(cell ?? '')

const head = ({ rows, large, seconds, measured, runs, figures, surroundings }: Results): string => {
  const times = Object.values(measured).sort()
  const rounds = Math.max(0, ...Object.values(figures).map(({ length }) => length))
  const days = [...new Set([times[0], times.at(-1)].map((time) => time?.slice(0, 10)))].join(' to ')
  return [
    '# Performance',
    `Measured ${days} by \`npm run bench\`: ${seconds} s per figure after a warm-up, ${rounds} rounds in opposite order, medians. ` +
      'Load generators, service and database shared one machine, so ratios within one run say more than rates; a difference of less than a quarter means little.',
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
    '- Service: one process, settings as they are by default, log at info written to a file; "uncached" is an address never asked for before, "first time" a service that keeps nothing (MUSTER_CACHE_MB=0)',
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
    : '**This was a reduced run, made to try the bench: its figures are not results.**'

const runsNote = (runs: number): string =>
  runs <= 1 ? '' : `**Put together from ${runs} runs: a ratio of figures from different runs is less certain.**`

const durabilityNote = ({ synchronous_commit, fsync, full_page_writes }: Readonly<Record<string, string>>): string =>
  synchronous_commit === 'on' && fsync === 'on' && full_page_writes === 'on'
    ? ''
    : '**The server was set not to write safely: creates were not durable.**'

const targetTable = (results: Results): string =>
  table(
    ['Case', 'Figure', 'Measured against', 'Its figure', 'Ratio', 'To reach', ''],
    targets(results.rows, results.large).flatMap((target) => {
      const row = targetRow(results, target)
      return row === undefined ? [] : [row]
    }),
  )

const targetRow = ({ figures }: Results, target: Target): string[] | undefined => {
  const values = figures[target.figure]
  const others = target.against === undefined ? undefined : figures[target.against.figure]
  if (values === undefined || (target.against !== undefined && others === undefined)) return undefined
  const value = target.worst ? Math.max(...values) : median(values)
  const other = others === undefined ? undefined : median(others)
  const judged = other === undefined ? value : value / other
  const { bound } = target
  const failures = failuresOf(figures, target.figure)
  const reached = failures === '' && ('least' in bound ? judged >= bound.least : judged <= bound.most)
  const limit = 'least' in bound ? `≥ ${bound.least}` : `≤ ${bound.most.toLocaleString('en')}`
  return [
    target.case,
    withUnit(value, target.unit),
    target.against?.name ?? '–',
    other === undefined ? '–' : withUnit(other, target.unit),
    other === undefined ? '–' : ratio(judged),
    other === undefined ? `${limit} ${target.unit}`.trim() : limit,
    reached ? 'reached' : `**not reached**${failures}`,
  ]
}

/** A figure counts for nothing where requests were refused or broke off. */
const failuresOf = (figures: Results['figures'], figure: string): string => {
  const name = figure.slice(0, figure.lastIndexOf('.'))
  const failed = figures[`${name}.failed`]?.some((count) => count > 0)
  const refused = figures[`${name}.status`]?.some((status) => status !== 200)
  return failed || refused ? ': requests failed' : ''
}

const rateNames: readonly (readonly [name: string, title: string])[] = [
  ['bare-page', 'bare node:http, a page'],
  ['bare-record', 'bare node:http, a record'],
  ['engine-page', 'engine: page SELECT by id'],
  ['engine-naive-list', 'engine: first page and count(*)'],
  ['engine-search-one', 'engine: best search, one hit'],
  ['engine-search-many', 'engine: best search, 5 % of the rows'],
  ['engine-insert', 'engine: insert, 32 clients'],
  ['engine-insert-plain', 'engine: insert, no upkeep of books'],
  ['naive-list', 'naive service: list'],
  ['naive-deep', 'naive service: list in the last tenth'],
  ['naive-search-one', 'naive service: search, one hit'],
  ['naive-search-many', 'naive service: search, 5 % of the rows'],
  ['naive-get', 'naive service: get one, every id another'],
  ['naive-create', 'naive service: create'],
  ['hot', 'Muster: list, hot'],
  ['uncached', 'Muster: list, every page another'],
  ['deep', 'Muster: list at any offset, uncached'],
  ['uncached-large', 'Muster: list, every page another, large table'],
  ['deep-large', 'Muster: list in the last hundredth, large table'],
  ['search-one', 'Muster: search, one hit, first time'],
  ['search-many', 'Muster: search, 5 % of the rows, first time'],
  ['search-pages', 'Muster: search, further pages'],
  ['get-hot', 'Muster: get one, hot'],
  ['get-different', 'Muster: get one, every id another'],
  ['create', 'Muster: create, durable'],
  ['create-plain', 'Muster: create, durable, no upkeep of books'],
]

const rateTable = (results: Results, read: Read): string => {
  const engine = read('engine-page.rate')
  const bare = read('bare-page.rate')
  const over = (value: number, yardstick: number | undefined): string =>
    yardstick === undefined ? '–' : ratio(value / yardstick)
  return table(
    ['Case', 'per second', '× engine page', '× bare page', 'p50 ms', 'p99 ms', 'failed', 'rounds'],
    rateNames.flatMap(([name, title]) => {
      const value = read(`${name}.rate`)
      if (value === undefined) return []
      const rounds = results.figures[`${name}.rate`] ?? []
      return [
        [
          title,
          number(value),
          over(value, engine),
          over(value, bare),
          number(read(`${name}.p50`) ?? read(`${name}.latency`)),
          number(read(`${name}.p99`)),
          number(read(`${name}.failed`)),
          rounds.map((each) => number(each)).join(', '),
        ],
      ]
    }),
  )
}

const largeSearchTable = (read: Read): string =>
  table(
    ['Term', 'Share of the rows', 'first time ms', 'further pages ms', '× list, every page another', 'engine ms'],
    largeTerms.flatMap(({ name, term, share }) => {
      const first = read(`search-large-${name}.first`)
      if (first === undefined) return []
      const again = read(`search-large-${name}.p50`) ?? Number.NaN
      const status = read(`search-large-${name}.status`)
      return [
        [
          `\`${term}\``,
          share === 0 ? 'one row' : `${number(share * 100)} %`,
          status === 200 ? number(first) : `${number(first)} (answered ${status})`,
          number(again),
          ratio(again / (read('search-large-list.p50') ?? Number.NaN)),
          number(read(`engine-search-large-${name}.latency`)),
        ],
      ]
    }),
  )

const growthTable = ({ large }: Results, read: Read): string => {
  const all = sizes(large)
  const titles = { list: 'list with total', deep: 'page near the end', get: 'get one', count: 'count(*) by the engine' }
  const rows = Object.entries(titles).flatMap(([name, title]) => {
    const values = all.map((size) => read(`growth-${name}-${size}.p50`))
    if (values.every((value) => value === undefined)) return []
    return [[title, ...values.map((value) => number(value)), ratio((values.at(-1) ?? 0) / (values[0] ?? 0))]]
  })
  const heads = [
    'ms, nothing cached, one connection',
    ...all.map((size) => `${size.toLocaleString('en')} rows`),
    'growth ×',
  ]
  return table(heads, rows)
}

const depthTable = ({ large }: Results, read: Read): string =>
  table(
    ['Offset', 'Muster: page and total, ms', 'engine: OFFSET, no total, ms'],
    depths.flatMap((part) => {
      const value = read(`depth-${part}.p50`)
      if (value === undefined) return []
      return [[(large * part).toLocaleString('en'), number(value), number(read(`engine-depth-${part}.p50`))]]
    }),
  )

const lockTable = (read: Read): string =>
  table(
    ['32 writers', 'per second', 'looks at pg_locks', 'waited for, on average', 'at most', 'waiting to extend a file'],
    [
      ['create', 'with the upkeep of the books'],
      ['create-plain', 'without'],
    ].flatMap(([name, title]) => {
      const value = read(`${name}.rate`)
      if (value === undefined || title === undefined) return []
      const figures = ['lock-looks', 'locks-waited-for', 'most-locks-waited-for', 'extensions-waited-for']
      return [[title, number(value), ...figures.map((figure) => number(read(`${name}.${figure}`)))]]
    }),
  )

const processTable = (read: Read): string =>
  table(
    ['', 'Figure'],
    (
      [
        ['memory after the start', 'memory.idle', 'MB'],
        ['memory under load, cache full, at most', 'memory.peak', 'MB'],
        ['start until ready, median of five', 'start.ready', 'ms'],
        ['start until ready, slowest', 'start.slowest', 'ms'],
      ] as const
    ).flatMap(([title, figure, unit]) => {
      const value = read(figure)
      return value === undefined ? [] : [[title, withUnit(value, unit)]]
    }),
  )

const tail = ({ rows, large, seconds, figures, measured }: Results): string => {
  const failed = Object.entries(figures)
    .filter(([name, values]) => name.endsWith('.failed') && values.some((value) => value > 0))
    .map(([name, values]) => `- ${name.replace('.failed', '')}: ${values.join(', ')} failed requests`)
  const times = Object.entries(measured).map(([name, time]) => `${name} ${time.slice(0, 16).replace('T', ' ')}`)
  return [
    ...(failed.length > 0 ? ['## Failed requests', failed.join('\n')] : []),
    '## To measure again',
    [
      '```sh',
      'export DATABASE_URL=postgres://postgres@127.0.0.1:5432/postgres # a superuser of a server with nothing else to do',
      `npm run bench -- --seconds ${seconds} --rows ${rows} --large ${large}`,
      'npm run bench -- --only hot,uncached,bare-page,engine # some cases, put beside what was measured before',
      'npm run bench -- --report-only # this page and the plots from performance/results.json',
      '```',
    ].join('\n'),
    `Cases and when each was measured (UTC): ${times.join(', ')}. Every value of every round is in [results.json](performance/results.json).`,
  ].join('\n\n')
}

const withUnit = (value: number, unit: Target['unit']): string =>
  unit === '' || unit === '/s' ? number(value) + unit : `${number(value)} ${unit}`

const number = (value: number | undefined): string => {
  if (value === undefined || Number.isNaN(value)) return '–'
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)))
}

const ratio = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(2))) : '–')
