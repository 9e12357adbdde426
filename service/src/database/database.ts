/** In charge of the connections to PostgreSQL: runs statements, and answers for every client that dies. */
import pg from 'pg'
import { databaseUnavailable, Problem } from '../errors.ts'
import type { AdmissionQueue, Share } from './admission-queue.ts'
import { openAdmissionQueue } from './admission-queue.ts'
import type { Copy, Copying, Transaction } from './copy-out.ts'
import { copyOut } from './copy-out.ts'
import { explainDatabaseFault } from './operator-error.ts'
import { limits, statementMs } from './roles.ts'
import { isAway, isDatabaseFault, RefusedValue, readRefusal } from './sql-states.ts'
import type { Labels, PoolName, Statement } from './statement.ts'
import { tablesOf } from './statement.ts'
import { WireQuery } from './wire-query.ts'

export interface DatabaseOptions {
  readonly url: string
  /** As a role that may only read; `url` where there is none. */
  readonly readUrl?: string
  /** In transaction mode a session is lent for one statement at a time: nothing can be set or prepared for the next. */
  readonly pooler?: 'none' | 'transaction' | undefined
  readonly poolSize: number
  /** How long a statement of a request may take. */
  readonly answerMs?: number
  readonly observer?: DatabaseObserver | undefined
}

/** Told of every statement, where somebody wants to know. */
export interface DatabaseObserver {
  /** How long a statement has waited for its turn, in vain or not. */
  waited(pool: PoolName, ms: number): void
  /** A statement starts; the answer is called when it is over, without rows where it failed. */
  began(pool: PoolName, labels: Labels): (rows?: number, error?: unknown) => void
}

/** A pool of connections as it is now. */
export interface PoolUse {
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
   * Runs one statement in its pool. Rejects with `overloaded` if no slot is free in time, else with `database_unavailable`.
   * In the write pool, a refused value rejects with `RefusedValue`, and a result means that the write is durable.
   */
  run(statement: Statement): Promise<readonly Row[]>
}

/** `run` without `for` is for statements that belong to no client. */
export interface RunnerFactory extends Runner {
  /** Statements count toward the client's share of each pool. */
  for(client: string | undefined): Runner
}

export interface CopyOwner {
  readonly client: string
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

export interface Database extends RunnerFactory {
  /** Counts rows and has them come as a stream, from one snapshot; aborting the signal ends it in the database too. */
  copy(copying: Copying, owner: CopyOwner): Promise<Copy>
  /** Lets requests through, or refuses them before a connection is asked for. */
  setReady(ready: boolean): void
  readonly ready: boolean
  readonly pools: readonly PoolUse[]
  readonly pool: pg.Pool
  readonly writers: pg.Pool
  /** For the watcher of the database itself, which must ask even while requests are refused or fill the pool. */
  readonly lookout: pg.Pool
  close(): Promise<void>
}

export const openDatabase = ({
  url,
  readUrl = url,
  pooler,
  poolSize,
  answerMs: readMs = requestMs,
  observer,
}: DatabaseOptions): Database => {
  const pooled = pooler === 'transaction'
  const open = (role: string, size: number, answerMs: number, settings: readonly string[] = []): pg.Pool =>
    openPool({
      url: role,
      size,
      answerMs,
      settings: pooled
        ? []
        : [...settings, ...sessionSettings(answerMs), `default_transaction_read_only=${role === url ? 'off' : 'on'}`],
    })
  const half = Math.ceil(poolSize / 2)
  const pool = open(readUrl, poolSize, readMs, plannedOnce)
  const lists = open(readUrl, half, readMs, roomy)
  const searches = open(readUrl, half, readMs, roomy)
  const preparedSearches = open(readUrl, half, readMs, [...plannedOnce, ...roomy])
  const writers = open(url, poolSize, requestMs, plannedOnce)
  const lookout = open(readUrl, 1, Math.min(lookMs, readMs), plannedOnce)
  const background = open(url, 1, backgroundMs)
  // Its time limits are those of its transactions.
  const copies = openPool({ url: readUrl, size: maxCopies, answerMs: 0, settings: pooled ? [] : unlikeTheRole })
  const lent = (statement: Statement): Statement => {
    if (!pooled) return statement
    const { name, ...unnamed } = statement
    return unnamed
  }
  let ready = false
  const serve = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    if (!ready) throw databaseUnavailable()
    try {
      return await work()
    } catch (error) {
      if (error instanceof RefusedValue || error instanceof Problem || !isDatabaseFault(error)) throw error
      // From here to the watcher's next look nobody else knocks at a door that is shut.
      if (isAway(error)) ready = false
      throw databaseUnavailable(explainDatabaseFault(error, address) ?? error)
    }
  }
  const pools: PoolUse[] = []
  /** Several pools can share the slots of one queue, if their sessions differ only in how they plan. */
  const admitTo = (name: PoolName, [first, ...others]: readonly [pg.Pool, ...pg.Pool[]]) => {
    const { max: slots, connectionString: address = url } = first.options
    const queue = openAdmissionQueue(slots, observer === undefined ? undefined : (ms) => observer.waited(name, ms))
    pools.push(useOf(name, slots, [first, ...others], queue))
    return <T extends Rows>(labels: Labels, share: Share, work: () => Promise<T>): Promise<T> =>
      serve(address, () =>
        queue.run(share, observer === undefined ? work : () => observed(observer, name, labels, work)),
      )
  }
  const runOn = (name: PoolName, connections: pg.Pool, prepared?: pg.Pool, runIn = readOn) => {
    const admitted = admitTo(name, prepared === undefined ? [connections] : [connections, prepared])
    return (statement: Statement, client: string | undefined) => {
      const sessions = statement.name === undefined ? connections : (prepared ?? connections)
      return admitted(statement, { client, tables: tablesIn(statement) }, () => runIn(sessions, lent(statement)))
    }
  }
  const runIn = {
    read: runOn('read', pool),
    list: runOn('list', lists),
    search: runOn('search', searches, preparedSearches),
    write: runOn('write', writers, undefined, writeOn),
    control: runOn('control', lookout),
    maintenance: runOn('maintenance', background),
  }
  const copying = admitTo('export', [copies])
  const run = (statement: Statement, client?: string) => runIn[statement.pool](statement, client)
  const cancel = ({ process, began }: Transaction) =>
    run({ pool: 'control', summary: 'cancel', text: cancelText, values: [process, began] })
  return {
    pools,
    pool,
    writers,
    lookout,
    get ready() {
      return ready
    },
    setReady(now) {
      ready = now
    },
    run: (statement) => run(statement),
    for: (client) => ({ run: (statement) => run(statement, client) }),
    copy: (what, { client, signal }) => {
      const opened = Promise.withResolvers<Copy>()
      const work = () => copyOut(copies, what, { open: opened.resolve, signal, cancel })
      copying(what.count, { client, tables: [] }, work).catch(opened.reject)
      return opened.promise
    },
    close: async () => {
      const all = [pool, lists, searches, preparedSearches, writers, lookout, background, copies]
      await Promise.all(all.map((each) => each.end()))
    },
  }
}

const tablesIn = ({ tables, told }: Statement): readonly string[] =>
  tables ?? (told === undefined ? [] : tablesOf(told.resource))

const useOf = (name: PoolName, size: number, connections: readonly pg.Pool[], queue: AdmissionQueue): PoolUse => ({
  name,
  size,
  get busy() {
    return queue.active
  },
  get waiting() {
    return queue.queued
  },
  get open() {
    return connections.reduce((sum, { totalCount }) => sum + totalCount, 0)
  },
})

/** Rows, as far as they are to be counted. */
type Rows = { readonly length: number }

const observed = async <T extends Rows>(
  observer: DatabaseObserver,
  pool: PoolName,
  labels: Labels,
  work: () => Promise<T>,
): Promise<T> => {
  const end = observer.began(pool, labels)
  try {
    const rows = await work()
    end(rows.length)
    return rows
  } catch (error) {
    end(undefined, error)
    throw error
  }
}

const ask = (client: pg.ClientBase, statement: Statement): Promise<readonly Row[]> =>
  new Promise((resolve, reject) => {
    client.query(new WireQuery(statement, (error, rows = []) => (error == null ? resolve(rows) : reject(error))))
  })

const readOn = async (pool: pg.Pool, statement: Statement): Promise<readonly Row[]> => {
  const client = await pool.connect()
  try {
    const rows = await ask(client, statement)
    client.release()
    return rows
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** A commit that is not known to be where it was to be is never told as done: the answer is that nobody knows. */
const writeOn = async (pool: pg.Pool, statement: Statement): Promise<readonly Row[]> => {
  const client = await pool.connect()
  let doubt: Error | undefined
  const listen = ({ routine }: { routine: string | undefined }): void => {
    // Named by the routine, since the message is in the server's language.
    if (routine === 'SyncRepWaitForLSN') doubt = new Error('The wait for the synchronous standby was cut short.')
  }
  client.on('notice', listen)
  try {
    const rows = await ask(client, statement)
    if (doubt !== undefined) throw doubt
    client.release()
    return rows
  } catch (error) {
    const refusal = readRefusal(error)
    // After a refusal the connection is as good as before; after anything else it is not worth finding out.
    client.release(refusal === undefined)
    throw refusal ?? error
  } finally {
    client.off('notice', listen)
  }
}

/**
 * Named statements have one good plan, whatever their values. Left alone, PostgreSQL takes a limit it does not know for a
 * tenth of the table: it plans anew each time, which takes longer than running the plan, and of a large table it has the
 * page fetched by workers, whose start takes a hundred times as long.
 */
const plannedOnce = ['plan_cache_mode=force_generic_plan', 'max_parallel_workers_per_gather=0']

/** What is found in ten million rows must not lose its exact places: every row of every page would be compared again. */
const roomy = ['work_mem=32MB']

/** Each may take as long as its reader, and keeps a core of the database busy while it runs. One client may run two. */
const maxCopies = 3
const cancelText = 'select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and xact_start = $2::timestamptz'

/** The server gives up before we do, so that what was answered 503 is not stored afterwards by a statement that waited. */
const headStartMs = 500
const sessionSettings = (answerMs: number): string[] => [
  ...Object.entries(limits(answerMs - headStartMs)).map(([name, value]) => `${name}=${value}`),
  // Compiling a statement takes longer than any of ours gains by it.
  'jit=off',
  ...unlikeTheRole,
]

/**
 * A role can alter its own settings, and no grant prevents that. Settings that would make statements fail, or numbers read
 * differently, are set in every session, which overrides those of the role. A transaction pooler does not pass them on.
 */
const unlikeTheRole = [
  'search_path=public',
  'default_transaction_isolation=read\\ committed',
  'default_transaction_deferrable=off',
  'extra_float_digits=1',
]

/** How long an answer may take: of a request, which may have waited for its turn before, of a short look, of upkeep. */
const requestMs = statementMs + headStartMs
const lookMs = 2_000
const backgroundMs = 600_000
/** How long a new connection may take to be made. */
const connectMs = 1_000

interface PoolOptions {
  readonly url: string
  readonly size: number
  readonly answerMs: number
  /** Of each session, as name=value. */
  readonly settings: readonly string[]
}

const openPool = ({ url, size, answerMs, settings }: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    ...(settings.length === 0 ? {} : { options: settings.map((setting) => `-c ${setting}`).join(' ') }),
    max: size,
    connectionTimeoutMillis: connectMs,
    // The only bound on a commit that waits for a standby: the server's limits end before it.
    query_timeout: answerMs,
    idleTimeoutMillis: 300_000,
    keepAlive: true,
    application_name: 'muster',
  })
  // Without a listener on each client, a session ended by an administrator while checked out ends the process.
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('error', ignore)
  return pool
}

/** The query in hand rejects with the same fault, and the pool drops the client. */
const ignore = (): void => {}
