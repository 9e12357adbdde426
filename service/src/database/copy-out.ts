/** In charge of rows on their way out: counted and copied in one snapshot, and ended at once when nobody wants them any more. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Pool } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { limits } from './roles.ts'
import type { Statement } from './statement.ts'

export interface Copying {
  /** Answers the version of the resource, and how many rows match. */
  readonly count: Pick<Statement, 'summary' | 'text' | 'values'>
  /** A COPY to standard output; it takes no values. */
  readonly rows: string
}

export interface Copy {
  /** Of the resource, in the snapshot of the rows. */
  readonly version: string
  readonly total: number
  /** Its first bytes are there: what goes wrong from here on is an error of this stream. */
  readonly rows: Readable
}

/** A transaction, known by the process that runs it and the moment it began: never taken for the next one there. */
export interface Transaction {
  readonly process: number
  readonly began: string
}

export interface CopyOptions {
  readonly open: (copy: Copy) => void
  /** Aborted when nobody wants the rows any more. */
  readonly signal: AbortSignal
  /** Ends what a transaction runs, by another connection. */
  readonly cancel: (transaction: Transaction) => Promise<unknown>
}

/** Who takes longer than this holds a snapshot that keeps the database from tidying up. */
const copyMs = 3_600_000

/**
 * Set for the transaction and not for the session, which behind a pooler is not ours. The server looks for itself whether
 * we are there, since a process that was killed cancels nothing.
 */
const settings = {
  ...limits(copyMs),
  client_connection_check_interval: '1000ms',
  datestyle: 'ISO',
  extra_float_digits: '1',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
}
const begin = [
  'begin isolation level repeatable read read only',
  ...Object.entries(settings).map(([name, value]) => `set local ${name} = '${value}'`),
].join('; ')

/** Resolves when the last row is taken, with how many there were. */
export const copyOut = async (
  connections: Pool,
  { count, rows }: Copying,
  { open, signal, cancel }: CopyOptions,
): Promise<{ readonly length: number }> => {
  const client = await connections.connect()
  const ask = async (text: string, values: readonly unknown[] = []) =>
    (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows[0] ?? []
  const stopped = new AbortController()
  let isWhole = false
  try {
    await client.query(begin)
    const [process, began] = (await ask('select pg_backend_pid(), now()::text')) as [number, string]
    signal.addEventListener('abort', () => void cancel({ process, began }).catch(() => {}), { signal: stopped.signal })
    signal.throwIfAborted()
    const [version, total] = await ask(count.text, count.values)
    const stream = client.query(copyTo(rows))
    // Whoever waits for the rows hears of it too; told when nobody waits any more, it would end the process.
    stream.on('error', () => {})
    signal.addEventListener('abort', () => stream.destroy(), { signal: stopped.signal })
    await once(stream, 'readable', { signal })
    open({ version: String(version), total: Number(total), rows: stream })
    await finished(stream)
    stopped.abort()
    await client.query('commit')
    isWhole = true
    return { length: stream.rowCount }
  } finally {
    stopped.abort()
    // A connection in the middle of a copy is closed, and with it goes whatever the server has in hand.
    client.release(!isWhole)
  }
}
