/** The connection pools: runs each statement in its pool, and turns errors of the database into those of the API. */
import pg from 'pg'
import { databaseUnavailable, Problem, queryTimeout } from '../../errors.ts'
import { statementMs, timeoutSettings } from '../schema/roles.ts'
import type { Labels, PoolName, Statement } from '../sql/statement.ts'
import { tablesOf } from '../sql/statement.ts'
import type { AdmissionQueue, Share } from './admission-queue.ts'
import { openAdmissionQueue } from './admission-queue.ts'
import type { Copy, CopyStatements, Transaction } from './copy-stream.ts'
import { streamCopy } from './copy-stream.ts'
import { explainDatabaseError } from './explain-error.ts'
import { runQuery } from './prepared-query.ts'
import {
  ConstraintViolation,
  isDatabaseError,
  isDataError,
  isServerDown,
  isTimeout,
  readConstraintViolation,
} from './sqlstate.ts'
import { maxWaitMs } from './wait-limit.ts'

export interface DatabaseOptions {
  readonly url: string
  /** URL of a read-only role; `url` by default. */
  readonly readUrl?: string
  /**
   * In transaction mode each statement may run in another session, so session settings and prepared statements fail.
   */
  readonly pooler?: 'none' | 'transaction' | undefined
  readonly poolSize: number
  /** Time limit of a read statement. */
  readonly timeoutMs?: number
  /** How long a statement waits for a slot; see wait-limit.ts. */
  readonly patienceMs?: number
  readonly observer?: DatabaseObserver | undefined
}

/** Receives the waiting time, duration and result of every statement. */
export interface DatabaseObserver {
  /** The time a statement has waited for a slot, whether or not it was admitted. */
  onPoolWait(pool: PoolName, ms: number): void
  /**
   * Called when a statement starts. The function it returns is called when the statement ends, without `rows` if the
   * statement failed.
   */
  onStatement(pool: PoolName, labels: Labels): (rows?: number, error?: unknown) => void
}

export interface PoolUsage {
  readonly name: PoolName
  readonly size: number
  readonly busy: number
  readonly waiting: number
  readonly open: number
}

/** One row as the values of its columns, in the order of the select list. */
export type Row = readonly unknown[]

export interface Runner {
  /**
   * Runs one statement in its pool. Rejects with `overloaded` if no slot is free in time, with `query_timeout` if the
   * statement exceeds its time limit, with the error itself if a value causes it, else with `database_unavailable`. In
   * the write pool, a constraint violation rejects with `ConstraintViolation`, and a result
   * means that the write is durable.
   */
  run(statement: Statement): Promise<readonly Row[]>
}

/** `run` itself is for statements that are not run on behalf of a client. */
export interface RunnerFactory extends Runner {
  /** Statements count toward the client's share of each pool. */
  forClient(client: string | undefined): Runner
}

export interface CopyClient {
  readonly client: string | undefined
  /** This signal is aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface Database extends RunnerFactory {
  /** Streams rows from one snapshot; aborting the signal cancels the statement in the database too. */
  copy<T>(statements: CopyStatements<T>, client: CopyClient): Promise<Copy<T>>
  /** While not ready, statements fail with `database_unavailable` without a connection attempt. */
  setReady(ready: boolean): void
  readonly ready: boolean
  /** Before a shutdown: statements wait no longer than `maxWaitMs`, so that all responses are sent in time. */
  endPatience(): void
  readonly pools: readonly PoolUsage[]
  readonly readPool: pg.Pool
  readonly writePool: pg.Pool
  /** The pool for health checks, which run even while requests are rejected or fill the other pools. */
  readonly controlPool: pg.Pool
  close(): Promise<void>
}

export const openDatabase = ({
  url,
  readUrl = url,
  pooler,
  poolSize,
  timeoutMs: readMs = requestMs,
  patienceMs: readPatienceMs,
  observer,
}: DatabaseOptions): Database => {
  const behindPooler = pooler === 'transaction'
  const openRolePool = (roleUrl: string, size: number, timeoutMs: number, settings: readonly string[] = []): pg.Pool =>
    openPool({
      url: roleUrl,
      size,
      timeoutMs,
      settings: behindPooler
        ? []
        : [
            ...settings,
            ...sessionSettings(timeoutMs),
            `default_transaction_read_only=${roleUrl === url ? 'off' : 'on'}`,
          ],
    })
  const halfSize = Math.ceil(poolSize / 2)
  const pool = openRolePool(readUrl, poolSize, readMs, genericPlans)
  const listPool = openRolePool(readUrl, halfSize, readMs, largeWorkMem)
  const searchPool = openRolePool(readUrl, halfSize, readMs, largeWorkMem)
  const reportPool = openRolePool(readUrl, reportSlots, readMs, largeWorkMem)
  const writePool = openRolePool(url, poolSize, requestMs, genericPlans)
  const controlPool = openRolePool(readUrl, 1, Math.min(controlMs, readMs), genericPlans)
  const maintenancePool = openRolePool(url, 1, backgroundMs)
  // The pool sets no timeout: each copy transaction sets its own.
  const copyPool = openPool({
    url: readUrl,
    size: maxCopies,
    timeoutMs: 0,
    settings: behindPooler ? [] : roleOverrides,
  })
  let ready = false
  const queues: AdmissionQueue[] = []
  const runIfReady = async <T>(poolUrl: string, work: () => Promise<T>): Promise<T> => {
    if (!ready) throw databaseUnavailable()
    try {
      return await work()
    } catch (error) {
      if (error instanceof ConstraintViolation || error instanceof Problem || !isDatabaseError(error)) throw error
      // Until the next health check succeeds, statements fail without a connection attempt.
      if (isServerDown(error)) ready = false
      if (isDataError(error)) throw error
      const cause = explainDatabaseError(error, poolUrl) ?? error
      throw isTimeout(error) ? queryTimeout(cause) : databaseUnavailable(cause)
    }
  }
  const pools: PoolUsage[] = []
  const openQueueFor = (name: PoolName, connections: pg.Pool, patienceMs = readPatienceMs) => {
    const { max: slots, connectionString: poolUrl = url } = connections.options
    const onWait = observer === undefined ? undefined : (ms: number) => observer.onPoolWait(name, ms)
    const queue = openAdmissionQueue(slots, { patienceMs, onWait })
    queues.push(queue)
    pools.push(usageOf(name, slots, connections, queue))
    return <T extends Rows>(labels: Labels, share: Share, work: () => Promise<T>): Promise<T> =>
      runIfReady(poolUrl, () =>
        queue.run(share, () => {
          // The database may have failed while the statement waited.
          if (!ready) throw databaseUnavailable()
          return observer === undefined ? work() : runObserved(observer, name, labels, work)
        }),
      )
  }
  const runOn = (name: PoolName, connections: pg.Pool, runQuery = readOn) => {
    const runAdmitted = openQueueFor(name, connections)
    return (statement: Statement, client: string | undefined) => {
      const sentStatement = behindPooler ? withoutName(statement) : statement
      return runAdmitted(statement, { client, tables: tablesIn(statement) }, () => runQuery(connections, sentStatement))
    }
  }
  const runByPool = {
    read: runOn('read', pool),
    list: runOn('list', listPool),
    search: runOn('search', searchPool),
    report: runOn('report', reportPool),
    write: runOn('write', writePool, writeOn),
    control: runOn('control', controlPool),
    maintenance: runOn('maintenance', maintenancePool),
  }
  const runCopy = openQueueFor('export', copyPool, maxWaitMs)
  const run = (statement: Statement, client?: string) => runByPool[statement.pool](statement, client)
  const cancel = ({ backendPid, startedAt }: Transaction) =>
    run({ pool: 'control', summary: 'cancel', text: cancelText, values: [backendPid, startedAt] })
  return {
    pools,
    readPool: pool,
    writePool,
    controlPool,
    get ready() {
      return ready
    },
    setReady(isReady) {
      ready = isReady
    },
    endPatience() {
      for (const queue of queues) queue.endPatience()
    },
    run: (statement) => run(statement),
    forClient: (client) => ({ run: (statement) => run(statement, client) }),
    copy: <T>(statements: CopyStatements<T>, { client, signal }: CopyClient) => {
      const copyStarted = Promise.withResolvers<Copy<T>>()
      const work = () => streamCopy(copyPool, statements, { open: copyStarted.resolve, signal, cancel })
      runCopy(statements.labels, { client, tables: [] }, work).catch(copyStarted.reject)
      return copyStarted.promise
    },
    close: async () => {
      const allPools = [pool, listPool, searchPool, reportPool, writePool, controlPool, maintenancePool, copyPool]
      await Promise.all(allPools.map((connections) => connections.end()))
    },
  }
}

const withoutName = ({ name, ...unnamed }: Statement): Statement => unnamed

const tablesIn = ({ tables, versionOf }: Statement): readonly string[] =>
  tables ?? (versionOf === undefined ? [] : tablesOf(versionOf))

const usageOf = (name: PoolName, size: number, connections: pg.Pool, queue: AdmissionQueue): PoolUsage => ({
  name,
  size,
  get busy() {
    return queue.active
  },
  get waiting() {
    return queue.queued
  },
  get open() {
    return connections.totalCount
  },
})

type Rows = { readonly length: number }

const runObserved = async <T extends Rows>(
  observer: DatabaseObserver,
  pool: PoolName,
  labels: Labels,
  work: () => Promise<T>,
): Promise<T> => {
  const endStatement = observer.onStatement(pool, labels)
  try {
    const rows = await work()
    endStatement(rows.length)
    return rows
  } catch (error) {
    endStatement(undefined, error)
    throw error
  }
}

const readOn = async (pool: pg.Pool, statement: Statement): Promise<readonly Row[]> => {
  const client = await pool.connect()
  try {
    const rows = await runQuery(client, statement)
    client.release()
    return rows
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * If the wait for the synchronous standby was cancelled, the commit may not be durable, so it is not reported as done.
 */
const writeOn = async (pool: pg.Pool, statement: Statement): Promise<readonly Row[]> => {
  const client = await pool.connect()
  let cancelledWait: Error | undefined
  const onNotice = ({ routine }: { routine: string | undefined }): void => {
    // The server's notice about this is identified by the routine that sent it, because its message is in the server's
    // language.
    if (routine === 'SyncRepWaitForLSN')
      cancelledWait = new Error('The wait for the synchronous standby was cancelled.')
  }
  client.on('notice', onNotice)
  try {
    const rows = await runQuery(client, statement)
    if (cancelledWait !== undefined) throw cancelledWait
    client.release()
    return rows
  } catch (error) {
    const violation = readConstraintViolation(error)
    // After a constraint violation the connection is still usable; after any other error it is closed.
    client.release(violation === undefined)
    throw violation ?? error
  } finally {
    client.off('notice', onNotice)
  }
}

/**
 * Named statements have one good plan, whatever their values. By default PostgreSQL assumes that a LIMIT passed as a
 * parameter returns a tenth of the table, which has two effects. It plans the statement again for each run, which takes
 * longer than running it. And it reads pages of a large table with parallel workers, whose start-up takes a hundred
 * times as long as the query.
 */
const genericPlans = ['plan_cache_mode=force_generic_plan', 'max_parallel_workers_per_gather=0']

/**
 * Enough memory for an exact bitmap of the matches in ten million rows: with a lossy bitmap, PostgreSQL rechecks every
 * row on each page that contains a match.
 */
const largeWorkMem = ['work_mem=32MB']

/**
 * Maximum number of concurrent reports. Each may occupy several CPU cores of the database server. With fewer slots, one
 * client or one table could occupy them all (`limitsOf` in admission-queue.ts).
 */
const reportSlots = 4

/**
 * Maximum number of concurrent exports, of which one client may run two. Each export occupies a CPU core of the
 * database server while its client reads.
 */
const maxCopies = 3
const cancelText = 'select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start = $2::timestamptz'

/**
 * How much earlier the server's timeout fires than that of the driver, so that a create that got 503 is not stored
 * later.
 */
const headStartMs = 500
const sessionSettings = (timeoutMs: number): string[] => [
  ...Object.entries(timeoutSettings(timeoutMs - headStartMs)).map(([name, value]) => `${name}=${value}`),
  // JIT compilation takes longer than it saves in any of these statements.
  'jit=off',
  ...roleOverrides,
]

/**
 * A role can alter its own settings, and no grant prevents that. Settings that could make statements fail, or change
 * how numbers are written, are therefore set in every session, which overrides those of the role. A transaction pooler
 * does not pass session settings on.
 */
const roleOverrides = [
  'search_path=public',
  'default_transaction_isolation=read\\ committed',
  'default_transaction_deferrable=off',
  'extra_float_digits=1',
]

/**
 * Time limits of a request's statement (not including its time in the queue), of control statements, of maintenance,
 * and of connecting.
 */
const requestMs = statementMs + headStartMs
const controlMs = 2_000
const backgroundMs = 600_000
const connectMs = 2_500

interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly timeoutMs: number
  /** Settings of each session, as name=value. */
  readonly settings: readonly string[]
}

const openPool = ({ url, size, timeoutMs, settings }: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    ...(settings.length === 0 ? {} : { options: settings.map((setting) => `-c ${setting}`).join(' ') }),
    max: size,
    connectionTimeoutMillis: connectMs,
    // This is the only time limit of a commit that waits for a standby: the server's timeouts do not cover that wait.
    query_timeout: timeoutMs,
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    application_name: 'muster',
  })
  // Without an `error` listener on each client, the process would crash when an administrator ends a session that is
  // checked out.
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('error', ignore)
  return pool
}

/** The running query rejects with the same error, and the pool drops the client. */
const ignore = (): void => {}
