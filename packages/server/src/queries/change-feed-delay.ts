/** How far the change feed is behind, and which transaction holds it back. */
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../errors.ts'
import type { Runner } from '../postgres/connection/database.ts'
import type { Statement } from '../postgres/sql/statement.ts'
import { behindSecondsExpression } from './changes.ts'

export interface ChangeFeedDelay {
  readonly behindSeconds: number
  /** The oldest open transaction of this database that writes. */
  readonly transaction: OpenTransaction | undefined
}

export interface OpenTransaction {
  readonly database: string
  readonly role: string
  /** The process id of its session. Undefined if the transaction is prepared, and so belongs to no session. */
  readonly pid: string | undefined
  readonly applicationName: string
  /** The identifier of a prepared transaction. */
  readonly gid: string
}

/** Not in the pool `control`: health checks and cached responses would wait for this statement, which may be slow. */
const delayStatement: Statement = {
  pool: 'read',
  summary: 'change feed delay',
  text: `
select ${behindSecondsExpression}, (
  select array[database::text, role::text, pid::text, application_name, gid] from (
    select backend_xid as xid, datname as database, usename as role, pid, application_name, '' as gid from pg_stat_activity
    union all select transaction, database, owner, null, '', gid from pg_prepared_xacts
  ) open where xid is not null and database = current_database() order by age(xid) desc limit 1)`,
  values: [],
}

export const readChangeFeedDelay = async (database: Runner): Promise<ChangeFeedDelay> => {
  const [row = []] = await database.run(delayStatement)
  const [behindSeconds, columns] = row as readonly [number, (string | null)[] | null]
  return { behindSeconds: Number(behindSeconds), transaction: columns === null ? undefined : readTransaction(columns) }
}

const readTransaction = (columns: readonly (string | null)[]): OpenTransaction => {
  const [database, role, pid, applicationName, gid] = columns
  return {
    database: database ?? '',
    role: role ?? '',
    pid: pid ?? undefined,
    applicationName: applicationName ?? '',
    gid: gid ?? '',
  }
}

export const describeTransaction = ({ database, role, pid, applicationName, gid }: OpenTransaction): string =>
  pid === undefined
    ? `the prepared transaction "${gid}" of the role "${role}" in the database "${database}"`
    : `the transaction of session ${pid} (application_name "${applicationName}") of the role "${role}" in the database "${database}"`

export interface FeedMonitorOptions {
  readonly database: Runner
  /** Called with undefined if the delay cannot be read. */
  readonly onRead: (delay: ChangeFeedDelay | undefined) => void
  /** Called when the feed begins to be late, when another transaction holds it back, and when it is up to date again. */
  readonly onChange: (change: { isLate: boolean; sentence: string }) => void
  readonly signal: AbortSignal
}

const pauseMs = 5_000

/** The log names the transaction from this delay on. */
const lateSeconds = 30

/** Runs until the signal is aborted. */
export const monitorChangeFeed = async ({ database, onRead, onChange, signal }: FeedMonitorOptions): Promise<void> => {
  let lastCause: string | undefined
  while (!signal.aborted) {
    try {
      const delay = await readChangeFeedDelay(database)
      onRead(delay)
      const cause = causeOf(delay)
      if (cause !== lastCause) onChange({ isLate: cause !== undefined, sentence: sentenceFor(delay, cause) })
      lastCause = cause
    } catch (error) {
      onRead(undefined)
      // That the database is known not to respond is reported elsewhere.
      if (!isKnownOutage(error)) {
        const message = messageOf((error instanceof Problem ? error.cause : undefined) ?? error)
        if (message !== lastCause)
          onChange({ isLate: true, sentence: `The delay of the change feed is unknown: ${message}` })
        lastCause = message
      }
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {})
  }
}

const isKnownOutage = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'database_unavailable' && error.cause === undefined

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Undefined if the feed is not late, or if the transaction has just ended. */
const causeOf = ({ behindSeconds, transaction }: ChangeFeedDelay): string | undefined =>
  behindSeconds < lateSeconds || transaction === undefined ? undefined : describeTransaction(transaction)

const sentenceFor = ({ behindSeconds }: ChangeFeedDelay, cause: string | undefined): string =>
  cause === undefined
    ? 'The change feed is up to date again.'
    : `The change feed is ${Math.floor(behindSeconds)} s behind, because of ${cause}: later changes are shown when it ends.`
