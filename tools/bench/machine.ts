/** Describes what the measured figures depend on: the machine, the versions of programs and the PostgreSQL settings. */
import { cpus, release, totalmem, type } from 'node:os'
import { runSql } from './data.ts'
import { findTool, runProgram } from './tools.ts'

export interface BenchEnvironment {
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, string>>
}

const settingNames = [
  'autovacuum',
  'effective_cache_size',
  'fsync',
  'full_page_writes',
  'jit',
  'max_connections',
  'max_parallel_workers_per_gather',
  'max_wal_size',
  'random_page_cost',
  'shared_buffers',
  'synchronous_commit',
  'wal_level',
  'work_mem',
]

export const describeEnvironment = async (url: string): Promise<BenchEnvironment> => {
  const settings = await runSql<{ name: string; value: string }>(
    url,
    `select name, current_setting(name) as value from pg_settings where name in ('${settingNames.join("', '")}') order by name`,
  )
  const [server] = await runSql<{ server_version: string }>(url, 'show server_version')
  return {
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown model'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${type()} ${release()}`,
    versions: {
      Node: process.versions.node,
      PostgreSQL: server?.server_version ?? '',
      pgbench: (await runProgram(await findTool('pgbench'), ['--version']))
        .replace(/^pgbench \(PostgreSQL\) /, '')
        .trim(),
      wrk: await readWrkVersion(),
    },
    settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  }
}

/** Reads the version of wrk, which prints it only with its usage and then exits with an error. */
const readWrkVersion = async (): Promise<string> => {
  const output = await runProgram(await findTool('wrk'), ['-v']).catch(
    (error: { stdout?: string }) => error.stdout ?? '',
  )
  return /^wrk (\S+)/m.exec(output)?.[1] ?? 'unknown'
}
