/** PostgreSQL servers that tests can kill, stop and restart. Each is a copy of a template that was migrated once. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { migrate } from '../../packages/server/src/postgres/schema/migrate.ts'
import { insertBaseRows } from './base-rows.ts'
import { stablePort } from './stable-port.ts'
import { waitUntil } from './wait.ts'

const runProgram = promisify(execFile)

export interface Template {
  readonly folder: string
  remove(): Promise<void>
}

export interface Cluster {
  /** URL of the database. The URL stays the same after every restart. */
  readonly url: string
  readonly port: number
  readonly folder: string
  /** Process id of the postmaster. Undefined while the server is stopped. */
  readonly pid: number | undefined
  /** Kills all processes of the server at once. Unlike a power failure, this does not lose the kernel's page cache. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Shuts the server down normally. */
  stop(): Promise<void>
  /** Sends a signal to every process of the server. */
  signal(name: NodeJS.Signals): Promise<void>
  remove(): Promise<void>
}

export const makeTemplate = async (): Promise<Template> => {
  const folder = await makeFolder()
  const server = await startEmbeddedPostgres({ dataDir: folder, persistent: true })
  try {
    await withClient(server.url, (client) => client.query('create database muster'))
    const url = databaseUrl(server.url)
    await migrate(url)
    await withClient(url, insertBaseRows)
  } finally {
    await server.stop()
  }
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export const cloneCluster = async (
  { folder: template }: Template,
  settings: readonly string[] = [],
): Promise<Cluster> => {
  const folder = await makeFolder()
  await copyFolder(template, folder)
  return openCluster(folder, settings)
}

/** Starts a server on the data folder. `remove` deletes that folder. */
export const openCluster = async (folder: string, settings: readonly string[]): Promise<Cluster> => {
  const port = await stablePort()
  const startServer = () => startEmbeddedPostgres({ dataDir: folder, port, persistent: true, settings })
  let server: EmbeddedPostgres | undefined = await startServer()
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
      server ??= await startServer()
    },
    async stop() {
      await server?.stop()
      server = undefined
    },
    async signal(name) {
      if (server === undefined) return
      // A stopped postmaster starts no process that would be missing from the list.
      if (name !== 'SIGCONT') await stopProcess(server.pid)
      const pids = [server.pid, ...(await childPids(server.pid))]
      for (const pid of pids) signalProcess(pid, name)
      if (name === 'SIGKILL') await Promise.all(pids.map(waitForExit))
    },
    async remove() {
      await cluster.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return cluster
}

/**
 * Starts a standby on a copy of the primary's files. It connects to the primary through `port`, which may be a relay.
 */
export const cloneStandby = async (primary: Cluster, port: number): Promise<Cluster> => {
  const folder = await makeFolder()
  await primary.stop()
  await copyFolder(primary.folder, folder)
  await primary.start()
  // standby.signal may be empty. It is made by copying another file, because a copy has the correct owner.
  const dataFolder = join(folder, 'cluster')
  await runProgram('cp', ['-a', join(dataFolder, 'PG_VERSION'), join(dataFolder, 'standby.signal')])
  const { password } = new URL(primary.url)
  return openCluster(folder, [
    `primary_conninfo=host=127.0.0.1 port=${port} user=postgres password=${password}`,
    'wal_retrieve_retry_interval=100ms',
  ])
}

const makeFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'muster-chaos-'))

/** Keeps the owners and modes of the files, because PostgreSQL checks them. */
export const copyFolder = async (from: string, to: string): Promise<void> => {
  await runProgram('cp', ['-a', `${from}/.`, to])
}

const databaseUrl = (server: string): string => {
  const url = new URL(server)
  url.pathname = '/muster'
  return url.href
}

/** Opens a connection, runs `work` on it and closes it. */
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

/** Kills one backend. The postmaster keeps running, terminates all other backends and performs crash recovery. */
export const crashBackend = async (url: string, pid: number): Promise<void> => {
  const observerClient = new pg.Client({ connectionString: url })
  observerClient.on('error', () => {})
  await observerClient.connect()
  // The server accepts connections until the postmaster notices the crash, so wait until it terminates another
  // connection.
  const observerEnded = new Promise<void>((resolve) => observerClient.once('end', () => resolve()))
  process.kill(pid, 'SIGKILL')
  await observerEnded
  await waitUntil('the server accepts connections again', () =>
    withClient(url, (client) => client.query('select')).then(
      () => true,
      () => false,
    ),
  )
}

/** Finds child processes by their parent id, because each backend has its own process group. */
const childPids = async (parent: number): Promise<number[]> => {
  const allPids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const areChildren = await Promise.all(allPids.map(async (pid) => (await readProcessState(pid))?.parent === parent))
  return allPids.filter((_, index) => areChildren[index])
}

/** Parses /proc/PID/stat after the last parenthesis: the process name before it may contain spaces and parentheses. */
const readProcessState = async (pid: number): Promise<{ state: string | undefined; parent: number } | undefined> => {
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

/** Sends SIGSTOP and waits until the process is stopped or gone. */
const stopProcess = async (pid: number): Promise<void> => {
  signalProcess(pid, 'SIGSTOP')
  await waitUntil(`process ${pid} is stopped`, async () => 'TZ'.includes((await readProcessState(pid))?.state ?? 'Z'))
}

/** Waits until the process is gone or a zombie. */
const waitForExit = async (pid: number): Promise<void> => {
  for (
    let processState = await readProcessState(pid);
    processState !== undefined && processState.state !== 'Z';
    processState = await readProcessState(pid)
  )
    await pause(5)
}
