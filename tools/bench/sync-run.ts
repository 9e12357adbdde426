/** Runs `muster sync` and measures it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from '../../tests/support/server-process.ts'
import { readProcessCpuSeconds } from './cpu-time.ts'
import { runSql } from './data.ts'
import { runProgram } from './tools.ts'

export const employeeRows = 50_000

export const employeeColumns =
  'code, first_name, last_name, email, dept_id, designation, branch, status, date_of_joining, alumni'

export const fillSql = `
  insert into departments (name) select 'Department ' || n from generate_series(1, 40) as n;
  insert into employees (code, first_name, last_name, email, dept_id, designation, branch, status, date_of_joining, alumni)
  select 'E' || n, 'First' || n % 977, 'Last' || n % 3779, 'employee.' || n || '@example.com', 1 + n % 40,
    'Position ' || n % 120, 'Branch ' || n % 25, case when n % 20 = 0 then 'on_leave' else 'active' end,
    date '2015-01-01' + n % 4000, 0 from generate_series(1, ${employeeRows}) as n;
  vacuum analyze`

interface SyncRun {
  readonly seconds: number
  readonly megabytes: number
  /** CPU time of the command and of its database session; the session counts only if the server is on this machine. */
  readonly cpuSeconds: number
  readonly summary: string
}

const readSessionPid = async (url: string): Promise<number | undefined> => {
  const [session] = await runSql<{ pid: number }>(
    url,
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'muster-sync'
     order by backend_start limit 1`,
  )
  return session?.pid
}

/** `checkout` is the folder of the release. */
export const runSync = async (
  url: string,
  resource: string,
  file: string,
  { map, checkout = root }: { readonly map?: string | undefined; readonly checkout?: string } = {},
): Promise<SyncRun> => {
  const startedAt = performance.now()
  const musterFile = join(checkout, 'packages', 'server', 'bin', 'muster.js')
  const mapOptions = map === undefined ? [] : ['--map', map]
  const child = spawn(process.execPath, [musterFile, 'sync', resource, file, '--at-most', '100%', ...mapOptions], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  let kilobytes = 0
  let commandCpu = 0
  let sessionCpu = 0
  let sessionPid: number | undefined
  const ended = once(child, 'close')
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    kilobytes = Math.max(kilobytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
    commandCpu = Math.max(commandCpu, await readProcessCpuSeconds(child.pid ?? 0))
    sessionPid ??= await readSessionPid(url)
    sessionCpu = Math.max(sessionCpu, await readProcessCpuSeconds(sessionPid ?? 0))
    await Promise.race([ended, pause(50)])
  }
  if (child.exitCode !== 0) throw new Error(output)
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    seconds,
    cpuSeconds: commandCpu + sessionCpu,
    megabytes: kilobytes / 1_024,
    summary: /^\w+: .+ unchanged$/m.exec(output)?.[0] ?? output,
  }
}

export const copyOut = (url: string, select: string, file: string, options: string): Promise<unknown> =>
  runProgram('psql', [url, '-q', '-c', `\\copy (${select.replaceAll(/\s+/g, ' ')}) to '${file}' (${options})`])

export const changedEmployees = (change: string): string =>
  `select ${employeeColumns.replace('branch', `case when id % 100 = 0 then ${change} else branch end as branch`)} from employees`
