/** PostgreSQL servers that tests can kill, stop and restart. Each is a copy of a template that was migrated once. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import pg from 'pg'
import { migrate } from '../../packages/server/src/postgres/schema/migrate.ts'
import { insertBaseRows } from './base-rows.ts'
import { signalWithChildren } from './process-signals.ts'
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
      if (server !== undefined) await signalWithChildren(server.pid, name)
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
