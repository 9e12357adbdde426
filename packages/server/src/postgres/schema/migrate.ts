/** Applies the migration files in order, and compares a database with them. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { explainDatabaseError, OperatorError } from '../connection/explain-error.ts'
import type { Queryable } from '../connection/session.ts'
import { withSession } from '../connection/session.ts'
import { isLockTimeout } from '../connection/sqlstate.ts'
import { changedBiViews, replaceBiViews } from './bi-views.ts'
import { grantSql, readerPermissions, writerPermissions } from './roles.ts'

export interface MigrationFile {
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

export interface SchemaState {
  /**
   * `expanded`: a newer release has extended the schema, and this release is still compatible with it. `newer`: this
   * release is not compatible. `superseded`: the database has the series of migrations from before 1.0.0.
   */
  readonly state: 'current' | 'expanded' | 'missing' | 'newer' | 'changed' | 'superseded'
  /** The migrations that are missing, unknown to this release, or changed. */
  readonly names: readonly string[]
}

export interface MigrateOptions {
  readonly files?: readonly MigrationFile[]
  readonly onApplied?: (name: string) => void
  /** Called once when another migration is running. */
  readonly onWaiting?: () => void
  /** Called once per file if other sessions hold locks on its tables. */
  readonly onLocked?: (name: string) => void
  /** How often a file that waits for a lock is tried. */
  readonly lockAttempts?: number
  /** Roles that are granted the permissions they need. */
  readonly writer?: string
  readonly reader?: string
}

export const migrationsFolder = new URL('../../../migrations/', import.meta.url)

/** These migrations exist only in series from before 1.0.0, which later releases do not upgrade. */
const supersededMigrations = ['0002-people.sql', '0002-record-text.sql']
export const supersededSentence =
  'The database has the tables of a release before 1.0 and cannot be upgraded: export it with the last release that has these tables (muster export --all DIR), which also writes the keys of erased persons (DIR/erased-keys.ndjson), create a new database, run "muster migrate" and import into it (muster import --all DIR).'

export const minServerVersion = 15
/** The advisory lock of migrations: an arbitrary number that no other program uses. */
const lockKey = '5577006791947779410'
const lockPollMs = 200
/**
 * How long a file waits for a lock on a table before it is rolled back and tried again. While it waits, for example for
 * an export or a backup, every later statement on that table waits behind it.
 */
const lockTimeout = '2s'
const lockRetryMs = 1_000
/** About ten minutes. A job that fails is seen; one that waits for a forgotten session is not. */
const maxLockAttempts = 200

export const readMigrationFiles = async (folder: URL = migrationsFolder): Promise<MigrationFile[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      // A checkout with CRLF line endings must have the same hash.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export const schemaState = async (database: Queryable, files?: readonly MigrationFile[]): Promise<SchemaState> => {
  const releaseFiles = files ?? (await readMigrationFiles())
  const appliedMigrations = await readApplied(database)
  const supersededNames = supersededMigrations.filter((name) => appliedMigrations.has(name))
  if (supersededNames.length > 0) return { state: 'superseded', names: supersededNames }
  const names = new Set(releaseFiles.map((file) => file.name))
  const unknownNames = [...appliedMigrations.keys()].filter((name) => !names.has(name))
  const newerNames = unknownNames.filter((name) => appliedMigrations.get(name)?.expands !== true)
  if (newerNames.length > 0) return { state: 'newer', names: newerNames }
  const changedFiles = releaseFiles.filter(
    (file) => appliedMigrations.has(file.name) && appliedMigrations.get(file.name)?.sha256 !== file.sha256,
  )
  if (changedFiles.length > 0) return { state: 'changed', names: changedFiles.map((file) => file.name) }
  const missingFiles = releaseFiles.filter((file) => !appliedMigrations.has(file.name))
  if (missingFiles.length > 0) return { state: 'missing', names: missingFiles.map((file) => file.name) }
  return unknownNames.length > 0 ? { state: 'expanded', names: unknownNames } : { state: 'current', names: [] }
}

/** Throws unless the schema is that of this release, or one of `alsoAllowed`. */
export const requireSchema = async (
  database: Queryable,
  alsoAllowed: readonly SchemaState['state'][] = [],
): Promise<void> => {
  const { state } = await schemaState(database)
  if (state !== 'current' && !alsoAllowed.includes(state))
    throw new OperatorError('The database does not have the tables of this release: run npx muster migrate first.')
}

/** Upgrades a database to this release and returns the names of the files it applied. */
export const migrate = async (connectionString: string, options: MigrateOptions = {}): Promise<string[]> => {
  const files = options.files ?? (await readMigrationFiles())
  try {
    // The lock is released when the session ends.
    return await withSession(connectionString, 'migrate', async (client) => {
      await prepareSession(client)
      await takeLock(client, options.onWaiting)
      const appliedNames = await applyMissing(client, files, options)
      // A newer release, whose migrations only expand the schema, has views of its own.
      if ((await schemaState(client)).state === 'current') await updateBiViews(client, options)
      await grantPermissions(client, options)
      return appliedNames
    })
  } catch (error) {
    // The error for a missing permission or extension has a message of its own, which helps more than the name of the
    // migration.
    const cause = error instanceof OperatorError ? error.cause : error
    throw explainDatabaseError(cause, connectionString) ?? error
  }
}

const prepareSession = async (client: Client): Promise<void> => {
  const { rows } = await client.query(
    `select current_setting('server_version') as version,
            current_setting('server_version_num')::int / 10000 as major,
            current_setting('server_encoding') as encoding,
            set_config('search_path', 'public' || coalesce(', ' || nullif(current_setting('search_path'), ''), ''), false),
            set_config('statement_timeout', '0', false),
            set_config('idle_in_transaction_session_timeout', '0', false)`,
  )
  const { version, major, encoding } = rows[0] as { version: string; major: number; encoding: string }
  if (major < minServerVersion)
    throw new OperatorError(`PostgreSQL ${version} is too old: upgrade the server to ${minServerVersion} or later.`)
  if (encoding !== 'UTF8')
    throw new OperatorError(
      `The database is encoded in ${encoding}: create one with "create database … encoding 'UTF8' template template0" and migrate that.`,
    )
}

/** Polls, because a session waiting for a lock holds a snapshot that "create index concurrently" waits for in turn. */
const takeLock = async (client: Client, onWaiting?: () => void): Promise<void> => {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query(`select pg_try_advisory_lock(${lockKey}) as taken`)
    if (rows[0].taken) return
    if (attempt === 0) onWaiting?.()
    await pause(lockPollMs)
  }
}

const migrationsTableSql = `
  create table if not exists public.muster_migrations (
    name text primary key,
    sha256 text not null,
    applied timestamptz not null default now()
  );
  alter table public.muster_migrations add column if not exists expands boolean not null default false`

const applyMissing = async (
  client: Client,
  files: readonly MigrationFile[],
  options: MigrateOptions,
): Promise<string[]> => {
  const { state, names } = await schemaState(client, files)
  if (state === 'superseded') throw new OperatorError(supersededSentence)
  if (state === 'newer')
    throw new OperatorError(
      `The database is newer than this release: it has ${names.join(', ')}, so run the release that contains it.`,
    )
  if (state === 'changed')
    throw new OperatorError(
      `${names.join(', ')} changed after it was applied here: restore the file and make the change in a new migration. If this is the database of a demo, start it with "muster demo --fresh" instead.`,
    )
  if (state === 'current' || state === 'expanded') return []
  await inShortTransaction(client, 'muster_migrations', options, () => client.query(migrationsTableSql))
  for (const file of files) {
    if (!names.includes(file.name)) continue
    if (hasDirective(file, 'no-transaction')) await applyStatement(client, file)
    else await applyInTransaction(client, file, options)
    options.onApplied?.(file.name)
  }
  return [...names]
}

/**
 * A file can begin with directives, one per line. "-- no-transaction": the file is one repeatable statement, such as
 * "create index concurrently if not exists"; if recording it fails, it runs again. "-- expands": the file only adds
 * what older releases can ignore, so they keep serving next to the new one.
 */
const hasDirective = ({ sql }: MigrationFile, word: 'no-transaction' | 'expands'): boolean =>
  /^(?:-- (?:no-transaction|expands)\n)*/.exec(sql)?.[0].includes(`-- ${word}\n`) === true

const applyStatement = async (client: Client, file: MigrationFile): Promise<void> => {
  try {
    await client.query(file.sql)
    await recordFile(client, file)
  } catch (error) {
    throw migrationError(file, 'and may be partly applied', error)
  }
}

const applyInTransaction = (client: Client, file: MigrationFile, options: MigrateOptions): Promise<void> =>
  inShortTransaction(client, file.name, options, async () => {
    try {
      await client.query(file.sql)
      await recordFile(client, file)
    } catch (error) {
      throw isLockTimeout(error) ? error : migrationError(file, 'and was rolled back', error)
    }
  })

const updateBiViews = async (client: Client, options: MigrateOptions): Promise<void> => {
  const changedViews = await changedBiViews(client)
  if (changedViews.length > 0)
    await inShortTransaction(client, 'muster_bi', options, () => replaceBiViews(client, changedViews))
}

/** Runs `work` in a transaction that waits for locks only shortly, and repeats it if it did not get one. */
const inShortTransaction = async (
  client: Client,
  name: string,
  { onLocked, lockAttempts = maxLockAttempts }: MigrateOptions,
  work: () => Promise<unknown>,
): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`begin; set local lock_timeout = '${lockTimeout}'`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!isLockTimeout(error)) throw error
    }
    if (attempt === lockAttempts)
      throw new OperatorError(
        `${name} was tried ${attempt} times, but other sessions kept using its tables, so nothing of it was applied: wait until exports and backups have ended, or end the sessions in pg_stat_activity, and run "npx muster migrate" again.`,
      )
    if (attempt === 1) onLocked?.(name)
    await pause(lockRetryMs)
  }
}

const recordFile = async (client: Client, file: MigrationFile): Promise<void> => {
  await client.query('insert into public.muster_migrations (name, sha256, expands) values ($1, $2, $3)', [
    file.name,
    file.sha256,
    hasDirective(file, 'expands'),
  ])
}

/**
 * The permissions are granted on every run, because a release may add tables that the roles have no permissions on yet.
 */
const grantPermissions = async (client: Client, { writer, reader }: MigrateOptions): Promise<void> => {
  const grants = [
    ...(writer === undefined ? [] : writerPermissions.map((permission) => grantSql(writer, permission))),
    ...(reader === undefined ? [] : readerPermissions.map((permission) => grantSql(reader, permission))),
  ]
  if (grants.length > 0) await client.query(grants.join(';\n'))
}

const migrationError = (file: MigrationFile, effect: string, cause: unknown): OperatorError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new OperatorError(`${file.name} failed ${effect}: ${message}.`, { cause })
}

interface AppliedMigration {
  readonly sha256: string
  readonly expands: boolean
}

const readApplied = async (database: Queryable): Promise<Map<string, AppliedMigration>> => {
  const { rows } = await database.query("select to_regclass('public.muster_migrations') is not null as present")
  if (!rows[0]?.present) return new Map()
  // In a database last migrated by an older release, the column `expands` does not exist.
  const result = await database.query(
    `select name, sha256, to_jsonb(m) ->> 'expands' as expands from public.muster_migrations m order by name collate "C"`,
  )
  return new Map(
    result.rows.map(({ name, sha256, expands }) => [
      String(name),
      { sha256: String(sha256), expands: expands === 'true' },
    ]),
  )
}
