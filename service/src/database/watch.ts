/** In charge of knowing whether the database can serve: asks it time and again, and says so once when that changes. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from './database.ts'
import { integrityFault } from './integrity.ts'
import type { MigrationFile, SchemaState } from './migrate.ts'
import { schemaState } from './migrate.ts'
import { explainDatabaseFault } from './operator-error.ts'

export interface WatchOptions {
  readonly database: Database
  readonly url: string
  readonly readUrl: string
  readonly files: readonly MigrationFile[]
  readonly onChange: (change: { ready: boolean; sentence: string }) => void
  readonly signal: AbortSignal
}

/** While it is away the pause varies, so that not all services knock at once when it comes back. */
const pauseMs = (ready: boolean): number => (ready ? 1_000 : 250 + Math.random() * 750)

/** Runs until the signal says stop; the first look is made at once. */
export const watchDatabase = async ({
  database,
  url,
  readUrl,
  files,
  onChange,
  signal,
}: WatchOptions): Promise<void> => {
  let said = ''
  let served = false
  while (!signal.aborted) {
    const { ready, sentence }: Look = await look({ database, url, readUrl, files, served })
    if (signal.aborted) return
    database.setReady(ready)
    served ||= ready
    if (sentence !== said) onChange({ ready, sentence })
    said = sentence
    await pause(pauseMs(ready), undefined, { signal }).catch(() => {})
  }
}

interface Look {
  readonly ready: boolean
  readonly sentence: string
}

interface LookOptions extends Pick<WatchOptions, 'database' | 'url' | 'readUrl' | 'files'> {
  /** Whether the service was ready before. */
  readonly served: boolean
}

const look = async ({ database, url, readUrl, files, served }: LookOptions): Promise<Look> => {
  const [written, read] = await Promise.all([
    url === readUrl ? undefined : serverOf(database.writers, url),
    serverOf(database.lookout, readUrl),
  ])
  // Once the service was ready, reads continue without the writer's connection: creates respond 503 by themselves.
  if (!served && written?.fault !== undefined) return { ready: false, sentence: written.fault }
  const fault = read.fault ?? standbyFault(written, read)
  if (fault !== undefined) return { ready: false, sentence: fault }
  try {
    const found = await schemaState(database.lookout, files)
    if (found.state !== 'current' && found.state !== 'expanded')
      return { ready: false, sentence: schemaSentence(found) }
    const unsound = await integrityFault(database.lookout)
    return { ready: unsound === undefined, sentence: unsound ?? schemaSentence(found) }
  } catch (error) {
    return { ready: false, sentence: sentenceFor(error, readUrl) }
  }
}

interface Server {
  readonly standby?: boolean
  /** Differs between any two databases, on the same or on different servers. */
  readonly identity?: string
  readonly fault?: string
}

const identityQuery = {
  text: `select pg_is_in_recovery() as standby, concat((select oid from pg_database where datname = current_database()),
    ' ', extract(epoch from pg_postmaster_start_time())) as identity`,
  // Less than a request may take: a connection that hangs must not hold up the health check.
  query_timeout: 2_000,
}

const serverOf = async (pool: pg.Pool, url: string): Promise<Server> => {
  try {
    const { rows } = await pool.query<{ standby: boolean; identity: string }>(identityQuery)
    return rows[0] ?? {}
  } catch (error) {
    return { fault: sentenceFor(error, url) }
  }
}

/** A standby lags behind: reads of a record that was just created would respond 404. This can happen during a failover too. */
const standbyFault = (written: Server | undefined, read: Server): string | undefined => {
  if (written === undefined)
    return read.standby ? 'DATABASE_URL leads to a standby: point it at the primary.' : undefined
  if (read.standby)
    return 'DATABASE_READ_URL leads to a standby, which lags behind creates: point it at the primary, and name standbys in DATABASE_REPLICA_URLS.'
  if (written.identity !== undefined && written.identity !== read.identity)
    return 'DATABASE_READ_URL leads to another database than DATABASE_URL: point both at the same one, and name standbys in DATABASE_REPLICA_URLS.'
  return undefined
}

const schemaSentence = ({ state, names }: SchemaState): string => {
  switch (state) {
    case 'current':
      return 'The database answers and its schema is this release’s.'
    case 'expanded':
      return `The database answers; a newer release expanded its schema by ${names.join(', ')}, which this one can serve with.`
    case 'missing':
      return `The database lacks ${names.length} of this release’s migrations: run "npm run migrate".`
    case 'newer':
      return `The database has migrations this release does not know (${names.join(', ')}): run the release that brought them.`
    case 'changed':
      return `The database was migrated with other versions of ${names.join(', ')}: run the release that did it.`
  }
}

const sentenceFor = (error: unknown, url: string): string => {
  try {
    const explained = explainDatabaseFault(error, url)
    if (explained !== undefined) return explained.message
  } catch (unreadable) {
    if (unreadable instanceof Error) return unreadable.message
  }
  return 'The database does not answer: start it, or correct DATABASE_URL.'
}
