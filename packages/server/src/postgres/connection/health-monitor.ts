/** Checks periodically whether the database can serve requests, and reports each change once. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { integrityError } from '../schema/integrity.ts'
import type { MigrationFile, SchemaState } from '../schema/migrate.ts'
import { schemaState, supersededSentence } from '../schema/migrate.ts'
import type { Database } from './database.ts'
import { explainDatabaseError } from './explain-error.ts'

export interface MonitorOptions {
  readonly database: Database
  readonly url: string
  readonly readUrl: string
  readonly files: readonly MigrationFile[]
  readonly onChange: (change: { ready: boolean; sentence: string }) => void
  readonly signal: AbortSignal
}

/**
 * Pause between checks. The pause is random while the database is down, so that services do not all reconnect at once.
 */
const pauseMs = (ready: boolean): number => (ready ? 1_000 : 250 + Math.random() * 750)

/** Runs until the signal is aborted; the first check runs at once. */
export const monitorDatabase = async ({
  database,
  url,
  readUrl,
  files,
  onChange,
  signal,
}: MonitorOptions): Promise<void> => {
  let lastSentence = ''
  let wasReady = false
  while (!signal.aborted) {
    let health = await checkHealth({ database, url, readUrl, files, wasReady })
    // One check may fail because the machine paused this process or the server for a moment, so it is repeated once.
    if (!health.ready && database.ready && !signal.aborted)
      health = await checkHealth({ database, url, readUrl, files, wasReady })
    const { ready, sentence } = health
    if (signal.aborted) return
    database.setReady(ready)
    wasReady ||= ready
    if (sentence !== lastSentence) onChange({ ready, sentence })
    lastSentence = sentence
    await pause(pauseMs(ready), undefined, { signal }).catch(() => {})
  }
}

interface Health {
  readonly ready: boolean
  readonly sentence: string
}

interface HealthCheckOptions extends Pick<MonitorOptions, 'database' | 'url' | 'readUrl' | 'files'> {
  readonly wasReady: boolean
}

const checkHealth = async ({ database, url, readUrl, files, wasReady }: HealthCheckOptions): Promise<Health> => {
  const [writer, reader] = await Promise.all([
    url === readUrl ? undefined : checkServer(database.writePool, url),
    checkServer(database.controlPool, readUrl),
  ])
  // After the service has been ready once, reads continue even if the writer role cannot connect; only creates fail
  // then, with 503.
  if (!wasReady && writer?.error !== undefined) return { ready: false, sentence: writer.error }
  const error = reader.error ?? standbyError(writer, reader)
  if (error !== undefined) return { ready: false, sentence: error }
  try {
    const schema = await schemaState(database.controlPool, files)
    if (schema.state !== 'current' && schema.state !== 'expanded')
      return { ready: false, sentence: schemaSentence(schema) }
    const violation = await integrityError(database.controlPool)
    return { ready: violation === undefined, sentence: violation?.sentence ?? schemaSentence(schema) }
  } catch (error) {
    return { ready: false, sentence: sentenceFor(error, readUrl) }
  }
}

interface ServerCheck {
  readonly standby?: boolean
  /** Identifies the database: no two databases, on the same or on different servers, have the same value. */
  readonly identity?: string
  readonly error?: string
}

const identityQuery = {
  text: `select pg_is_in_recovery() as standby, concat((select oid from pg_database where datname = current_database()),
    ' ', extract(epoch from pg_postmaster_start_time())) as identity`,
  // Shorter than the time limit of a request's statement: a connection that hangs must not block the health check.
  query_timeout: 2_000,
}

const checkServer = async (pool: pg.Pool, url: string): Promise<ServerCheck> => {
  try {
    const { rows } = await pool.query<{ standby: boolean; identity: string }>(identityQuery)
    return rows[0] ?? {}
  } catch (error) {
    return { error: sentenceFor(error, url) }
  }
}

/**
 * Reports a URL that points to a standby, as can happen during a failover. A standby lags behind, so a get of a record
 * that was just created would respond 404.
 */
const standbyError = (writer: ServerCheck | undefined, reader: ServerCheck): string | undefined => {
  if (writer === undefined)
    return reader.standby ? 'DATABASE_URL points to a standby: set it to the URL of the primary.' : undefined
  if (reader.standby)
    return 'DATABASE_READ_URL points to a standby, which lags behind creates: set it to the URL of the primary, and list standbys in DATABASE_REPLICA_URLS.'
  if (writer.identity !== undefined && writer.identity !== reader.identity)
    return 'DATABASE_READ_URL points to another database than DATABASE_URL: set both to the same one, and list standbys in DATABASE_REPLICA_URLS.'
  return undefined
}

const schemaSentence = ({ state, names }: SchemaState): string => {
  switch (state) {
    case 'current':
      return 'The database is available and its schema is up to date.'
    case 'expanded':
      return `The database is available; a newer release applied ${names.join(', ')}, which this release is compatible with.`
    case 'missing':
      return `The database lacks ${names.length} of this release’s migrations: run "npx muster migrate".`
    case 'newer':
      return `The database has migrations this release does not know (${names.join(', ')}): run the release that contains them.`
    case 'changed':
      return `The database was migrated with other versions of ${names.join(', ')}: run the release that applied them.`
    case 'superseded':
      return supersededSentence
  }
}

const sentenceFor = (error: unknown, url: string): string => {
  try {
    const operatorError = explainDatabaseError(error, url)
    if (operatorError !== undefined) return operatorError.message
  } catch (invalid) {
    if (invalid instanceof Error) return invalid.message
  }
  return 'The database does not respond: start it, or correct DATABASE_URL.'
}
