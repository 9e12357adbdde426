/** Runs `muster serve` as a process of its own, with a database of its own. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReadMode } from '@muster/model'
import type { DemoCompany, TestDatabase } from '../../support/database.ts'
import { createSeededDatabase, createTestDatabase } from '../../support/database.ts'
import { startServer } from '../../support/server-process.ts'

export interface MusterOptions {
  /** What the database contains. Default: the demo company of size small, without faults. */
  readonly data?: DemoCompany | 'empty'
  readonly reads?: ReadMode
  /** Default: both tokens below. */
  readonly tokens?: { readonly write?: string; readonly read?: string }
  readonly console?: 'on' | 'off'
  /** More settings of the service, such as MUSTER_CORS_ORIGINS. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Muster {
  readonly origin: string
  /** URL of the database, as the role that owns the tables. */
  readonly databaseUrl: string
  /**
   * Runs SQL as the role that owns the tables. Integers of any size and decimals are returned as numbers, and dates and
   * times as text.
   */
  sql<Row extends object>(query: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** Everything that the service has logged. */
  readLog(): Promise<string>
  /** Ends all connections to the database and refuses new ones until `startDatabase` is called. */
  stopDatabase(): Promise<void>
  startDatabase(): Promise<void>
  /** Stops the service and drops its database. A second call does nothing. */
  stop(): Promise<void>
}

/** The day that counts as today in the demo company, unless `asOf` is set. */
export { DEFAULT_AS_OF as demoDay } from '../../../packages/demo-data/src/plan.ts'

export const writeToken = 'a-write-token-of-more-than-32-characters'
export const readToken = 'a-read-token-of-more-than-32-characters'

/** A busy service refuses a request with 503 and asks to repeat it. */
export const fetchWhenFree = async (url: string, init?: RequestInit): Promise<Response> => {
  for (;;) {
    const response = await fetch(url, init)
    if (response.status !== 503 || !response.headers.has('retry-after')) return response
    await response.body?.cancel()
    await pause(Number(response.headers.get('retry-after')) * 1_000)
  }
}

export const startMuster = async (options: MusterOptions = {}): Promise<Muster> => {
  const database = options.data === 'empty' ? await createTestDatabase() : await createSeededDatabase(options.data)
  const folder = await mkdtemp(join(tmpdir(), 'muster-browser-'))
  const logFile = join(folder, 'serve.log')
  const server = await startServer({
    args: ['packages/server/bin/muster.js', 'serve'],
    env: settingsOf(options, database),
    readyPath: '/readyz',
    logFile,
  })
  const stop = async (): Promise<void> => {
    await server.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  let stopPromise: Promise<void> | undefined
  return {
    origin: server.origin,
    databaseUrl: database.url,
    sql: database.query,
    readLog: () => readFile(logFile, 'utf8'),
    stopDatabase: () => database.allowConnections(false),
    startDatabase: () => database.allowConnections(true),
    stop: () => {
      stopPromise ??= stop()
      return stopPromise
    },
  }
}

const settingsOf = (options: MusterOptions, database: TestDatabase): Record<string, string> => {
  const { reads = 'public', tokens = { write: writeToken, read: readToken }, settings } = options
  return {
    ...database.env,
    MUSTER_READS: reads,
    ...(tokens.write === undefined ? {} : { MUSTER_API_TOKEN: tokens.write }),
    ...(tokens.read === undefined ? {} : { MUSTER_READ_TOKEN: tokens.read }),
    ...(options.console === undefined ? {} : { MUSTER_CONSOLE: options.console }),
    // A client may use half of a pool for one table, and the pool for lists has half of this size: the six requests that
    // a browser sends at the same time never wait for a connection. Connections are opened on demand.
    MUSTER_POOL_SIZE: '24',
    ...settings,
  }
}
