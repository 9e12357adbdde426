/** In charge of PostgreSQL servers that come to harm: cloned from one that was migrated once, killed, stopped and started again. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { EmbeddedPostgres } from '../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.ts'
import { migrate } from '../service/src/database/migrate.ts'
import { baseRows } from './rows.ts'
import { steadyPort } from './steady-port.ts'
import { until } from './wait.ts'

const run = promisify(execFile)

export interface Template {
  readonly folder: string
  remove(): Promise<void>
}

export interface Cluster {
  /** Address of the database; the same after every start. */
  readonly url: string
  readonly port: number
  readonly folder: string
  /** Of the process that all others of the server descend from, while it runs. */
  readonly pid: number | undefined
  /** Ends every process of the server at once, as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends the server in order. */
  stop(): Promise<void>
  /** Sends a signal to every process of the server. */
  signal(name: NodeJS.Signals): Promise<void>
  remove(): Promise<void>
}

export const makeTemplate = async (): Promise<Template> => {
  const folder = await newFolder()
  const server = await startEmbeddedPostgres({ dataDir: folder, persistent: true })
  try {
    await withClient(server.url, (client) => client.query('create database muster'))
    const url = databaseUrl(server.url)
    await migrate(url)
    await withClient(url, baseRows)
  } finally {
    await server.stop()
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export const cloneCluster = async (
  { folder: template }: Template,
  settings: readonly string[] = [],
): Promise<Cluster> => {
  const folder = await newFolder()
  await copyFolder(template, folder)
  return openCluster(folder, settings)
}

/** Starts the server whose files are in the folder, which belong to it from now on. */
export const openCluster = async (folder: string, settings: readonly string[]): Promise<Cluster> => {
  const port = await steadyPort()
  const start = () => startEmbeddedPostgres({ dataDir: folder, port, persistent: true, settings })
  let server: EmbeddedPostgres | undefined = await start()
  const url = databaseUrl(server.url)
  const cluster: Cluster = {
    url,
    port,
    folder,
    get pid() {
      return server?.pid
    },
    async kill() {
      await cluster.signal('SIGKILL')
      server = undefined
    },
    async start() {
      server ??= await start()
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
    async signal(name) {
      if (server === undefined) return
      const family = [server.pid, ...(await childrenOf(server.pid))]
      for (const pid of family) signalProcess(pid, name)
      if (name === 'SIGKILL') await Promise.all(family.map(gone))
    },
    async remove() {
      await cluster.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return cluster
}

/** A standby of a running server, made of its files, that follows it through a port. */
export const cloneStandby = async (primary: Cluster, port: number): Promise<Cluster> => {
  const folder = await newFolder()
  await primary.stop()
  await copyFolder(primary.folder, folder)
  await primary.start()
  // An empty file would do; a copy has the right owner.
  const files = join(folder, 'cluster')
  await run('cp', ['-a', join(files, 'PG_VERSION'), join(files, 'standby.signal')])
  const { password } = new URL(primary.url)
  return openCluster(folder, [
    `primary_conninfo=host=127.0.0.1 port=${port} user=postgres password=${password}`,
    'wal_retrieve_retry_interval=100ms',
  ])
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'muster-faults-'))

/** With owners and modes, which PostgreSQL insists on. */
export const copyFolder = async (from: string, to: string): Promise<void> => {
  await run('cp', ['-a', `${from}/.`, to])
}

const databaseUrl = (server: string): string => {
  const url = new URL(server)
  url.pathname = '/muster'
  return url.href
}

/** Runs work on a connection of its own. */
export const withClient = async <T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Kills one backend. The postmaster then ends all others and runs crash recovery, without being restarted itself. */
export const crashBackend = async (url: string, pid: number): Promise<void> => {
  const other = new pg.Client({ connectionString: url })
  other.on('error', () => {})
  await other.connect()
  // The server accepts connections until the postmaster notices the crash: wait until another connection is ended.
  const ended = new Promise<void>((resolve) => other.once('end', () => resolve()))
  process.kill(pid, 'SIGKILL')
  await ended
  await until('the server takes connections again', () =>
    withClient(url, (client) => client.query('select')).then(
      () => true,
      () => false,
    ),
  )
}

/** Sessions of the server lead process groups of their own, so that only their parent tells that they belong to it. */
const childrenOf = async (parent: number): Promise<number[]> => {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(numbers.map(async (pid) => (await stateOf(pid))?.parent === parent))
  return numbers.filter((_, index) => found[index])
}

/** The name of a process stands in brackets before these fields, and may hold blanks and brackets itself. */
const stateOf = async (pid: number): Promise<{ state: string | undefined; parent: number } | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent) }
}

const signalProcess = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A process that nobody has buried yet is gone as well. */
const gone = async (pid: number): Promise<void> => {
  for (let found = await stateOf(pid); found !== undefined && found.state !== 'Z'; found = await stateOf(pid))
    await pause(5)
}
