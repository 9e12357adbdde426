/** In charge of the connections to PostgreSQL: runs statements, and answers for every client that dies. */
import pg from 'pg'
import { databaseUnavailable } from '../errors.ts'
import { isUnavailable } from './sql-states.ts'
import type { Statement } from './statement.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly poolSize: number
}

/** One row as the values of its columns, in the order of the select list. */
export type Row = readonly unknown[]

export interface Database {
  /** Runs one statement. Throws a `database_unavailable` problem where the fault is not the statement's own. */
  run(statement: Statement): Promise<readonly Row[]>
  /** Runs a short statement on a connection kept for such, so that it never waits behind a long one. */
  look(statement: Statement): Promise<readonly Row[]>
  /** Lets requests through, or refuses them before a connection is asked for. */
  setReady(ready: boolean): void
  readonly ready: boolean
  /** Connections made so far: a change means that the server may be another one than before. */
  readonly connectionsMade: number
  /** For the watcher of the database itself, which must ask even while requests are refused. */
  readonly pool: pg.Pool
  close(): Promise<void>
}

const int8 = 20
const parsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    // Identifiers beyond 2^53-1 are refused on the way in, so a number holds every one of them.
    oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

export const openDatabase = ({ url, poolSize }: DatabaseOptions): Database => {
  let connectionsMade = 0
  const count = () => {
    connectionsMade += 1
  }
  const pool = openPool(url, poolSize, plannedOnce).on('connect', count)
  const searches = openPool(url, Math.ceil(poolSize / 2)).on('connect', count)
  const lookout = openPool(url, 1, plannedOnce).on('connect', count)
  let ready = false
  const runOn =
    (connections: pg.Pool) =>
    async ({ name, text, values }: Statement): Promise<readonly Row[]> => {
      if (!ready) throw databaseUnavailable()
      try {
        const query = { text, values: [...values], rowMode: 'array' as const, ...(name === undefined ? {} : { name }) }
        return (await connections.query<unknown[]>(query)).rows
      } catch (error) {
        throw isUnavailable(error) ? databaseUnavailable(error) : error
      }
    }
  const runPlanned = runOn(pool)
  const runSearch = runOn(searches)
  return {
    pool,
    get connectionsMade() {
      return connectionsMade
    },
    get ready() {
      return ready
    },
    setReady(now) {
      ready = now
    },
    // Statements that recur are quick, and never wait behind a search.
    run: (statement) => (statement.name === undefined ? runSearch(statement) : runPlanned(statement)),
    look: runOn(lookout),
    close: async () => {
      await Promise.all([pool.end(), searches.end(), lookout.end()])
    },
  }
}

/**
 * Named statements have one good plan, whatever their values. Left alone, PostgreSQL takes a limit it does not know for a
 * tenth of the table and plans anew each time, which takes longer than running the plan.
 */
const plannedOnce = '-c plan_cache_mode=force_generic_plan'

const openPool = (url: string, size: number, options?: string): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    ...(options === undefined ? {} : { options }),
    max: size,
    // Bounds the wait for a connection, a new one or a returned one: shed by waiting time, never by count.
    connectionTimeoutMillis: 500,
    query_timeout: 8_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    types: parsers,
    application_name: 'muster',
  })
  // Without a listener on each client, a session ended by an administrator while checked out ends the process.
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('error', ignore)
  return pool
}

/** The query in hand rejects with the same fault, and the pool drops the client. */
const ignore = (): void => {}
