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
  /** Lets requests through, or refuses them before a connection is asked for. */
  setReady(ready: boolean): void
  readonly ready: boolean
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
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
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
  let ready = false
  return {
    pool,
    get ready() {
      return ready
    },
    setReady(now) {
      ready = now
    },
    async run({ name, text, values }) {
      if (!ready) throw databaseUnavailable()
      try {
        const query = { text, values: [...values], rowMode: 'array' as const, ...(name === undefined ? {} : { name }) }
        return (await pool.query<unknown[]>(query)).rows
      } catch (error) {
        throw isUnavailable(error) ? databaseUnavailable(error) : error
      }
    },
    close: () => pool.end(),
  }
}

/** The query in hand rejects with the same fault, and the pool drops the client. */
const ignore = (): void => {}
