/**
 * Measures `muster sync`: its duration, its memory, and how reads and creates are served meanwhile. Exits with 1 if a
 * figure is beyond its bound.
 *
 *   npm run bench -- sync [-- --only NAME]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runBench, superuser } from './command.ts'
import { runSql } from './data.ts'
import { migrate, startService, withServer, writeToken } from './service-process.ts'
import type { SheetCell } from './sheet-file.ts'
import { writeSheet } from './sheet-file.ts'
import { changedEmployees, copyOut, employeeColumns, employeeRows, fillSql, runSync } from './sync-run.ts'

const attendanceRows = 1_000_000

interface SyncCase {
  readonly name: string
  readonly resource: string
  /** Statements that run before the case. */
  readonly prepare: string
  /** The rows of the file. */
  readonly file: string
  /** How the file is written: as an export of Muster, or as other programs write it. Then it is read through a map. */
  readonly written?: 'semicolons' | 'sheet'
  readonly maxSeconds: number
}

const attendanceFile = (hours: string): string =>
  `select 1 + n % ${employeeRows} as employee_id, date '2026-01-01' + (n / ${employeeRows})::integer as att_date,
     (array['present', 'present', 'work_from_home', 'absent'])[1 + n % 4] as status, ${hours} as hours
   from generate_series(0, ${attendanceRows - 1}) as n`

const cases: readonly SyncCase[] = [
  {
    name: 'employees, nothing changed',
    resource: 'employees',
    prepare: '',
    file: `select ${employeeColumns} from employees`,
    maxSeconds: 20,
  },
  {
    name: 'employees, 1 % changed',
    resource: 'employees',
    prepare: '',
    file: changedEmployees("branch || 'x'"),
    maxSeconds: 20,
  },
  {
    name: 'employees, all changed',
    resource: 'employees',
    prepare: '',
    file: `select ${employeeColumns.replace('designation', `designation || ' II' as designation`)} from employees`,
    maxSeconds: 20,
  },
  {
    name: 'attendance, all new',
    resource: 'attendance',
    prepare: 'truncate attendance',
    file: attendanceFile('8'),
    maxSeconds: 180,
  },
  {
    name: 'attendance, all new, semicolons, Windows-1252 and decimal commas',
    resource: 'attendance',
    prepare: 'truncate attendance',
    written: 'semicolons',
    file: attendanceFile('8'),
    maxSeconds: 180,
  },
  {
    name: 'attendance, all new, Excel file',
    resource: 'attendance',
    prepare: 'truncate attendance',
    written: 'sheet',
    file: attendanceFile('8'),
    maxSeconds: 300,
  },
  {
    name: 'attendance, 1 % changed',
    resource: 'attendance',
    prepare: '',
    file: attendanceFile('case when n % 100 = 0 then 4 else 8 end'),
    maxSeconds: 180,
  },
  {
    name: 'attendance, all changed',
    resource: 'attendance',
    prepare: '',
    file: attendanceFile('6'),
    maxSeconds: 180,
  },
]

const maxMegabytes = 300
/** The p99 latency during a sync divided by that before it. */
const maxLatencyRatio = 3

interface Latencies {
  readonly read: number[]
  readonly create: number[]
  failed: number
}

const readsPerSecond = 40
const createsPerSecond = 20
const baselineSeconds = 15

/** Sends reads and creates at a fixed rate until `done` resolves; a slow response does not delay the next request. */
const measureLoad = async (origin: string, done: Promise<unknown>): Promise<Latencies> => {
  const latencies: Latencies = { read: [], create: [], failed: 0 }
  let isDone = false
  const finished = done.finally(() => {
    isDone = true
  })
  const running = new Set<Promise<void>>()
  const send = (kind: 'read' | 'create', path: string, init: RequestInit, status: number): void => {
    const startedAt = performance.now()
    const request = fetch(`${origin}/api/v1${path}`, init)
      .then(async (response) => {
        await response.arrayBuffer()
        latencies[kind].push(performance.now() - startedAt)
        if (response.status !== status) latencies.failed += 1
      })
      .catch(() => {
        latencies.failed += 1
      })
      .finally(() => running.delete(request))
    running.add(request)
  }
  const loop = async (perSecond: number, sendNext: (n: number) => void): Promise<void> => {
    const startedAt = performance.now()
    for (let n = 0; !isDone; n += 1) {
      sendNext(n)
      await pause(Math.max(0, startedAt + ((n + 1) * 1_000) / perSecond - performance.now()))
    }
  }
  await Promise.all([
    finished,
    loop(readsPerSecond, (n) =>
      send(
        'read',
        n % 2 === 0
          ? `/employees/${1 + ((n * 7919) % employeeRows)}`
          : `/employees?dept_id=${1 + (n % 40)}&limit=20&offset=${n % 100}`,
        {},
        200,
      ),
    ),
    loop(createsPerSecond, (n) =>
      send(
        'create',
        '/leave',
        {
          method: 'POST',
          headers: { authorization: `Bearer ${writeToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ employee_id: 1 + ((n * 104_729) % employeeRows), leave_type: 'annual' }),
        },
        201,
      ),
    ),
  ])
  await Promise.all(running)
  return latencies
}

const percentile99 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN

/** How attendance is written with `written`: names of columns, and the fields of the map. */
const attendanceMap = {
  resource: 'attendance',
  delimiter: ';',
  encoding: 'windows-1252',
  decimal: ',',
  thousands: '.',
  date: 'DD.MM.YYYY',
  columns: {
    Nummer: 'employee_id',
    Datum: 'att_date',
    Zustand: {
      field: 'status',
      values: { 'anwesend für alle': 'present', 'zu Hause': 'work_from_home', abwesend: 'absent' },
    },
    Stunden: 'hours',
  },
}

const germanColumns = (file: string): string =>
  `select employee_id as "Nummer", to_char(att_date, 'DD.MM.YYYY') as "Datum",
     case status when 'present' then 'anwesend für alle' when 'absent' then 'abwesend' else 'zu Hause' end as "Zustand",
     replace(hours::numeric(4, 2)::text, '.', ',') as "Stunden" from (${file}) as written`

const writeFiles = async (
  url: string,
  folder: string,
  { resource, file: select, written }: SyncCase,
): Promise<{ readonly file: string; readonly map?: string }> => {
  const file = join(folder, `${resource}.${written === 'sheet' ? 'xlsx' : 'csv'}`)
  if (written === undefined) {
    await copyOut(url, select, file, 'format csv, header')
    return { file }
  }
  const map = join(folder, 'map.json')
  await writeFile(map, JSON.stringify(attendanceMap))
  if (written === 'semicolons')
    await copyOut(url, germanColumns(select), file, `format csv, header, delimiter ';', encoding 'WIN1252'`)
  else await writeSheet(file, Object.keys(attendanceMap.columns), attendanceRows, attendanceCells)
  return { file, map }
}

const firstDay = Date.UTC(2026, 0, 1) / 86_400_000 + 25_569
const states = ['anwesend für alle', 'anwesend für alle', 'zu Hause', 'abwesend']

const attendanceCells = (row: number): SheetCell[] => [
  { value: 1 + (row % employeeRows) },
  { value: firstDay + Math.floor(row / employeeRows), isDate: true },
  { value: states[row % 4] as string },
  { value: 8 },
]

const measureCase = async (url: string, origin: string, folder: string, syncCase: SyncCase): Promise<string[]> => {
  if (syncCase.prepare !== '') await runSql(url, syncCase.prepare)
  const { file, map } = await writeFiles(url, folder, syncCase)
  await runSql(url, 'checkpoint')
  const before = await measureLoad(origin, pause(baselineSeconds * 1_000))
  const sync = runSync(url, syncCase.resource, file, { map })
  const during = await measureLoad(origin, sync)
  const { seconds, cpuSeconds, megabytes, summary } = await sync
  console.log(
    `${syncCase.name}: ${seconds.toFixed(1)} s (CPU ${cpuSeconds.toFixed(1)} s), at most ${Math.round(megabytes)} MB (${summary})`,
  )
  const problems: string[] = []
  for (const kind of ['read', 'create'] as const) {
    const [p99Before, p99During] = [percentile99(before[kind]), percentile99(during[kind])]
    const ratio = p99During / p99Before
    console.log(
      `  ${kind}s: p99 ${p99Before.toFixed(1)} ms before, ${p99During.toFixed(1)} ms during (${ratio.toFixed(1)} ×), ${during[kind].length} requests`,
    )
    if (ratio > maxLatencyRatio) problems.push(`${syncCase.name}: ${kind}s ${ratio.toFixed(1)} × slower`)
  }
  console.log(`  failed requests: ${during.failed}`)
  if (during.failed + before.failed > 0)
    problems.push(`${syncCase.name}: ${during.failed + before.failed} failed requests`)
  if (seconds > syncCase.maxSeconds) problems.push(`${syncCase.name}: ${seconds.toFixed(1)} s`)
  if (megabytes > maxMegabytes) problems.push(`${syncCase.name}: ${Math.round(megabytes)} MB`)
  return problems
}

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const run = async (serverUrl: string): Promise<boolean> => {
  const databaseName = `bench_sync_${process.pid}`
  const url = Object.assign(new URL(serverUrl), { pathname: `/${databaseName}` }).href
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-sync-'))
  try {
    await runSql(serverUrl, `create database ${databaseName} encoding 'UTF8' template template0`)
    await migrate(url)
    for (const statement of fillSql.split(';')) await runSql(url, statement)
    const problems: string[] = []
    await withServer(startService(url), async ({ origin }) => {
      for (const syncCase of cases.filter(({ name }) => name.includes(values.only ?? '')))
        problems.push(...(await measureCase(url, origin, folder, syncCase)))
    })
    for (const problem of problems) console.log(`too slow: ${problem}`)
    return problems.length === 0
  } finally {
    await runSql(serverUrl, `drop database if exists ${databaseName} with (force)`)
    await rm(folder, { recursive: true })
  }
}

await runBench(superuser, run)
