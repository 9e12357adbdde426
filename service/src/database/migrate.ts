/** In charge of the schema's version: applies the migration files in order, and says where a database stands. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { explainDatabaseFault, OperatorError } from './operator-error.ts'
import { grantSql, readerRights, writerRights } from './roles.ts'
import { withSession } from './session.ts'

export interface MigrationFile {
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

export interface SchemaState {
  /** Expanded by a newer release in ways that this one can serve with; newer where it cannot. */
  readonly state: 'current' | 'expanded' | 'missing' | 'newer' | 'changed'
  /** The migrations that are missing, unknown to this release, or changed. */
  readonly names: readonly string[]
}

export interface MigrateOptions {
  readonly files?: readonly MigrationFile[]
  readonly onApplied?: (name: string) => void
  /** Called once when another migration holds the lock. */
  readonly onWaiting?: () => void
  /** Roles that get the rights they need on what the migrations made. */
  readonly writer?: string
  readonly reader?: string
}

/** What a pool, a client and a checked-out client have in common. */
export interface Queryable {
  query(text: string): Promise<{ rows: Record<string, unknown>[] }>
}

export const migrationsFolder = new URL('../../migrations/', import.meta.url)

export const oldestServer = 15
/** Any number nobody else uses: the advisory lock of this database's migrations. */
const lockKey = '5577006791947779410'
const lockPollMs = 200

export const readMigrationFiles = async (folder: URL = migrationsFolder): Promise<MigrationFile[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      // A checkout with other line ends is the same migration.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

export const schemaState = async (database: Queryable, files?: readonly MigrationFile[]): Promise<SchemaState> => {
  const known = files ?? (await readMigrationFiles())
  const applied = await readApplied(database)
  const names = new Set(known.map((file) => file.name))
  const unknown = [...applied.keys()].filter((name) => !names.has(name))
  const newer = unknown.filter((name) => applied.get(name)?.expands !== true)
  if (newer.length > 0) return { state: 'newer', names: newer }
  const changed = known.filter((file) => applied.has(file.name) && applied.get(file.name)?.sha256 !== file.sha256)
  if (changed.length > 0) return { state: 'changed', names: changed.map((file) => file.name) }
  const missing = known.filter((file) => !applied.has(file.name))
  if (missing.length > 0) return { state: 'missing', names: missing.map((file) => file.name) }
  return unknown.length > 0 ? { state: 'expanded', names: unknown } : { state: 'current', names: [] }
}

/** For what works on the tables: they are to be those of this release. */
export const requireSchema = async (database: Queryable): Promise<void> => {
  const { state } = await schemaState(database)
  if (state !== 'current')
    throw new OperatorError('The database does not have the tables of this release: run npx muster migrate first.')
}

/** Brings a database up to this release and returns the names of the files it applied. */
export const migrate = async (connectionString: string, options: MigrateOptions = {}): Promise<string[]> => {
  const files = options.files ?? (await readMigrationFiles())
  try {
    // The end of the session gives the lock back.
    return await withSession(connectionString, 'migrate', async (client) => {
      await prepareSession(client)
      await takeLock(client, options.onWaiting)
      const applied = await applyMissing(client, files, options.onApplied)
      await grant(client, options)
      return applied
    })
  } catch (error) {
    // Lack of a permission or of an extension has a better sentence of its own than the file that met it.
    const fault = error instanceof OperatorError ? error.cause : error
    throw explainDatabaseFault(fault, connectionString) ?? error
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
  if (major < oldestServer)
    throw new OperatorError(`PostgreSQL ${version} is too old: upgrade the server to ${oldestServer} or later.`)
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

const applyMissing = async (
  client: Client,
  files: readonly MigrationFile[],
  onApplied?: (name: string) => void,
): Promise<string[]> => {
  const { state, names } = await schemaState(client, files)
  if (state === 'newer')
    throw new OperatorError(
      `The database is newer than this release: it has ${names.join(', ')}, so run the release that brought it.`,
    )
  if (state === 'changed')
    throw new OperatorError(
      `${names.join(', ')} changed after it was applied here: put the file back as it was and make the change in a new migration.`,
    )
  if (state === 'current' || state === 'expanded') return []
  await client.query(
    `create table if not exists public.muster_migrations (
       name text primary key,
       sha256 text not null,
       applied timestamptz not null default now()
     );
     alter table public.muster_migrations add column if not exists expands boolean not null default false`,
  )
  for (const file of files) {
    if (!names.includes(file.name)) continue
    await apply(client, file)
    onApplied?.(file.name)
  }
  return [...names]
}

/**
 * A file may begin with lines of one word. "-- no-transaction": it holds one statement that can be repeated, such as
 * "create index concurrently if not exists"; should the record of it fail, it runs again. "-- expands": it only adds what
 * older releases can overlook, so that these go on serving beside the one that brought it.
 */
const saysAtItsHead = ({ sql }: MigrationFile, word: 'no-transaction' | 'expands'): boolean =>
  /^(?:-- (?:no-transaction|expands)\n)*/.exec(sql)?.[0].includes(`-- ${word}\n`) === true

const apply = async (client: Client, file: MigrationFile): Promise<void> => {
  const alone = saysAtItsHead(file, 'no-transaction')
  const record = 'insert into public.muster_migrations (name, sha256, expands) values ($1, $2, $3)'
  if (!alone) await client.query('begin')
  try {
    await client.query(file.sql)
    await client.query(record, [file.name, file.sha256, saysAtItsHead(file, 'expands')])
    if (!alone) await client.query('commit')
  } catch (error) {
    if (!alone) await client.query('rollback').catch(() => {})
    throw failed(file, alone, error)
  }
}

/** Each time anew: a release may bring tables that the roles of an older one have never heard of. */
const grant = async (client: Client, { writer, reader }: MigrateOptions): Promise<void> => {
  const granted = [
    ...(writer === undefined ? [] : writerRights.map((right) => grantSql(writer, right))),
    ...(reader === undefined ? [] : readerRights.map((right) => grantSql(reader, right))),
  ]
  if (granted.length > 0) await client.query(granted.join(';\n'))
}

const failed = (file: MigrationFile, alone: boolean, cause: unknown): OperatorError => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const left = alone ? 'and may have left a part behind' : 'and was rolled back'
  return new OperatorError(`${file.name} failed ${left}: ${message}.`, { cause })
}

interface Applied {
  readonly sha256: string
  readonly expands: boolean
}

const readApplied = async (database: Queryable): Promise<Map<string, Applied>> => {
  const { rows } = await database.query("select to_regclass('public.muster_migrations') is not null as present")
  if (!rows[0]?.present) return new Map()
  // A database that was last migrated by an older release does not tell what expands.
  const applied = await database.query(
    `select name, sha256, to_jsonb(m) ->> 'expands' as expands from public.muster_migrations m order by name collate "C"`,
  )
  return new Map(
    applied.rows.map(({ name, sha256, expands }) => [
      String(name),
      { sha256: String(sha256), expands: expands === 'true' },
    ]),
  )
}
