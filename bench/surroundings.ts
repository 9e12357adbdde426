/** In charge of what a figure depends on besides the code: machine, versions and settings. */
import { cpus, release, totalmem, type } from 'node:os'
import { sql } from './data.ts'
import { findTool, run } from './tools.ts'

export interface Surroundings {
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

export const readSurroundings = async (url: string): Promise<Surroundings> => {
  const settings = await sql<{ name: string; value: string }>(
    url,
    `select name, current_setting(name) as value from pg_settings where name in ('${settingNames.join("', '")}') order by name`,
  )
  const [server] = await sql<{ server_version: string }>(url, 'show server_version')
  return {
    machine: `${cpus().length} cores (${cpus()[0]?.model ?? 'of unknown make'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${type()} ${release()}`,
    versions: {
      Node: process.versions.node,
      PostgreSQL: server?.server_version ?? '',
      pgbench: (await run(await findTool('pgbench'), ['--version'])).replace(/^pgbench \(PostgreSQL\) /, '').trim(),
      wrk: await wrkVersion(),
    },
    settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  }
}

/** wrk tells its version only together with its usage, and calls that a failure. */
const wrkVersion = async (): Promise<string> => {
  const said = await run(await findTool('wrk'), ['-v']).catch((error: { stdout?: string }) => error.stdout ?? '')
  return /^wrk (\S+)/m.exec(said)?.[1] ?? 'of unknown version'
}
