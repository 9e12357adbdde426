/** Streams rows with COPY, after statements in the same snapshot. If the client disconnects, the COPY is cancelled. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { timeoutSettings } from '../schema/roles.ts'
import type { Labels, Statement } from '../sql/statement.ts'
import { runQuery } from './prepared-query.ts'

/** Runs statements in the snapshot of a copy. */
export interface SnapshotReader {
  run(statement: Pick<Statement, 'text' | 'values'>): Promise<readonly (readonly unknown[])[]>
}

export interface CopyStatements<T> {
  readonly labels: Labels
  /** Reads what must be known before the rows are sent, in the snapshot of the rows. */
  readonly readHead: (reader: SnapshotReader) => Promise<T>
  /** The text of a COPY to standard output, with its values written in, because COPY accepts no parameters. */
  readonly rowsText: (head: T) => string
}

export interface Copy<T> {
  /** The result of `readHead`. */
  readonly head: T
  /**
   * The rows as a stream whose first bytes have arrived, unless there are no rows; any later failure is an 'error'
   * event of this stream.
   */
  readonly rows: Readable
}

/** A transaction is identified by process and start time, so that no later one of the same process is cancelled. */
export interface Transaction {
  readonly backendPid: number
  readonly startedAt: string
}

export interface CopyOptions<T> {
  readonly open: (copy: Copy<T>) => void
  /** This signal is aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** Cancels the running statement of a transaction, on another connection. */
  readonly cancel: (transaction: Transaction) => Promise<unknown>
}

/** Time limit of a copy. A client that took longer would hold a snapshot that keeps vacuum from removing dead rows. */
const copyMs = 3_600_000

/**
 * The settings apply to one transaction, because behind a transaction pooler the session is shared. The database server
 * checks periodically whether the connection is still open, because a process that was killed cannot cancel its
 * statement.
 */
const transactionSettings = {
  ...timeoutSettings(copyMs),
  client_connection_check_interval: '1000ms',
  datestyle: 'ISO',
  extra_float_digits: '1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
}
const beginSql = [
  'begin isolation level repeatable read read only',
  ...Object.entries(transactionSettings).map(([name, value]) => `set local ${name} = '${value}'`),
].join('; ')

/** Resolves with the number of rows when the last one has been read. */
export const streamCopy = async <T>(
  connections: Pool,
  { readHead, rowsText }: Omit<CopyStatements<T>, 'labels'>,
  { open, signal, cancel }: CopyOptions<T>,
): Promise<{ readonly length: number }> => {
  const client = await connections.connect()
  // Without a name: a prepared statement would outlive the transaction, which a transaction pooler does not allow.
  const reader: SnapshotReader = { run: ({ text, values }) => runQuery(client, { text, values }) }
  const cleanup = new AbortController()
  let cancellation: Promise<unknown> | undefined
  let isComplete = false
  try {
    await client.query(beginSql)
    const [transaction] = await runQuery(client, { text: 'select pg_backend_pid(), now()::text', values: [] })
    const [backendPid, startedAt] = transaction as [number, string]
    const cancelTransaction = (): void => {
      cancellation = cancel({ backendPid, startedAt }).catch(() => {})
    }
    signal.addEventListener('abort', cancelTransaction, { signal: cleanup.signal })
    signal.throwIfAborted()
    const head = await readHead(reader)
    signal.throwIfAborted()
    const stream = client.query(copyTo(rowsText(head)))
    // The reader of the stream gets the error too. Without this `error` listener, an error after the last reader has
    // gone would crash the process.
    stream.on('error', () => {})
    signal.addEventListener('abort', () => stream.destroy(), { signal: cleanup.signal })
    await once(stream, 'readable', { signal })
    open({ head, rows: stream })
    await finished(stream)
    cleanup.abort()
    // A cancellation that arrived after the commit would stop the next statement of this session, which may be another
    // client's.
    await cancellation
    await client.query('commit')
    isComplete = true
    return { length: stream.rowCount }
  } finally {
    cleanup.abort()
    // Closing a connection in the middle of a COPY ends the statement on the server too.
    client.release(!isComplete)
  }
}
