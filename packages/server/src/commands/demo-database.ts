/** The database of `muster demo`: an embedded PostgreSQL. The next start reuses its data folder. */
import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { Client } from 'pg'
import type { DatabaseSetting } from '../config/database-url.ts'
import { OperatorError } from '../errors.ts'
import { loginOf, rolesSql } from '../postgres/schema/roles.ts'
import { exists } from './exists.ts'
import { makeFolder } from './make-folder.ts'

export interface DemoDatabase {
  /** The URLs of the three roles: the demo uses the same roles as a deployment. */
  readonly env: Readonly<Record<Exclude<DatabaseSetting, 'DATABASE_ANALYST_URL'>, string>>
  stop(): Promise<void>
}

/** With `fresh`, the data of earlier starts is removed first. */
export const startDemoDatabase = async (folder: string, { fresh }: { fresh: boolean }): Promise<DemoDatabase> => {
  const dataDir = join(folder, 'postgres')
  // Created before PostgreSQL creates its data folder inside, which only the user it runs as may enter.
  await makeFolder(folder)
  await stopOrphan(dataDir)
  if (fresh) await removeData(dataDir)
  try {
    const { url, stop } = await startEmbeddedPostgres({ dataDir, persistent: true })
    return { env: await createRoles(url), stop }
  } catch (error) {
    throw explainStartError(error, folder)
  }
}

/** Removes the folder only if a demo has created it, which its password file shows. */
const removeData = async (dataDir: string): Promise<void> => {
  if (await exists(join(dataDir, 'password'))) await rm(dataDir, { recursive: true })
}

/** Every start generates new passwords, which are not stored. */
const createRoles = async (serverUrl: string): Promise<DemoDatabase['env']> => {
  const urlWith = (changes: Partial<Pick<URL, 'username' | 'password'>>): string =>
    Object.assign(new URL(serverUrl), { pathname: '/muster', ...changes }).href
  const urlWithNewPassword = (username: string): string =>
    urlWith({ username, password: randomBytes(18).toString('hex') })
  const ownerUrl = urlWithNewPassword('muster_owner')
  const writerUrl = urlWithNewPassword('muster_writer')
  const readerUrl = urlWithNewPassword('muster_reader')
  await withClient(serverUrl, async (client) => {
    const { rowCount } = await client.query(`select from pg_database where datname = 'muster'`)
    if (rowCount === 0) await client.query(`create database muster template template0 encoding 'UTF8'`)
  })
  const sql = rolesSql({ owner: loginOf(ownerUrl), writer: loginOf(writerUrl), reader: loginOf(readerUrl) })
  await withClient(urlWith({}), (client) => client.query(sql))
  return { DATABASE_MIGRATE_URL: ownerUrl, DATABASE_URL: writerUrl, DATABASE_READ_URL: readerUrl }
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

const explainStartError = (cause: unknown, folder: string): OperatorError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  if (/^(There is no embedded PostgreSQL|PostgreSQL refuses)/.test(message))
    return new OperatorError(message, { cause })
  if (/EACCES|[Pp]ermission denied|could not (access|change)/.test(message))
    return new OperatorError(
      `The embedded PostgreSQL cannot access ${folder}: it never runs as root, so install Muster and keep its data (--data) in folders that every user can access, or use your own server with --database-url URL.`,
      { cause },
    )
  const lastError = message.split('\n').findLast((line) => /FATAL|error/i.test(line)) ?? message
  return new OperatorError(
    `The embedded PostgreSQL does not start (${lastError.replace(/^.*(FATAL|error): */i, '').trim()}): remove ${folder} to start over.`,
    { cause },
  )
}

/** Stops the PostgreSQL server that a killed demo has left running, unless another demo still uses it. */
const stopOrphan = async (dataDir: string): Promise<void> => {
  const lockFile = join(dataDir, 'cluster', 'postmaster.pid')
  const url = await findOrphanUrl(dataDir, lockFile)
  if (url === undefined) return
  const sessionCount = await countSessions(url)
  if (sessionCount === undefined) return
  if (sessionCount > 0)
    throw new OperatorError(
      `A demo is already running in ${dataDir}: stop it first, or choose another folder with --data.`,
    )
  const pid = Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0) process.kill(pid, 'SIGINT')
  while ((await findOrphanUrl(dataDir, lockFile)) !== undefined) await pause(50)
}

const findOrphanUrl = async (dataDir: string, lockFile: string): Promise<string | undefined> => {
  try {
    const port = (await readFile(lockFile, 'utf8')).split('\n')[3]
    const password = (await readFile(join(dataDir, 'password'), 'utf8')).trim()
    return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  } catch {
    return undefined
  }
}

/**
 * Undefined if no server responds: the lock file was then left by a crash, and PostgreSQL removes it at its next start.
 */
const countSessions = async (connectionString: string): Promise<number | undefined> => {
  try {
    const sql = `select count(*) from pg_stat_activity where application_name like 'muster%'`
    const { rows } = await withClient(connectionString, (client) => client.query<{ count: string }>(sql))
    return Number(rows[0]?.count)
  } catch {
    return undefined
  }
}
