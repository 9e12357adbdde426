/**
 * Creates test databases as clones of a template. Each test run has its own template and drops its databases at the
 * end.
 */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SeedOptions } from '@muster/demo-data'
import { Client, escapeIdentifier, escapeLiteral, types } from 'pg'
import { migrate } from '../../packages/server/src/postgres/schema/migrate.ts'
import type { Logins } from '../../packages/server/src/postgres/schema/roles.ts'
import { rolesSql } from '../../packages/server/src/postgres/schema/roles.ts'

export interface TestDatabase {
  /** URL with the role that owns the tables. */
  readonly url: string
  /** Environment variables for the service, with one URL per role. */
  readonly env: { DATABASE_MIGRATE_URL: string; DATABASE_URL: string; DATABASE_READ_URL: string }
  /** URL with the role that reads the views for BI tools. */
  readonly analystUrl: string
  /** Runs SQL as a superuser, to set up data that the service's roles could not create. */
  execute(sql: string): Promise<void>
  /**
   * Runs a statement as the owner of the tables. Integers of any size and decimals are returned as numbers, and dates
   * and times as text.
   */
  query<Row extends object>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  /** With false: ends all connections and refuses new ones, as if the database were stopped. */
  allowConnections(allowed: boolean): Promise<void>
  drop(): Promise<void>
}

/** Names of the environment variables that pass the server URL and the run's name to the test processes. */
const serverVariable = 'TEST_DATABASE_SERVER'
const runVariable = 'TEST_DATABASE_RUN'
const runPrefix = 'muster_test_'

/** Creates a migrated database without records. */
export const createTestDatabase = (): Promise<TestDatabase> => cloneDatabase(templateName(currentRun()))

/** A demo company. Default: size small, without faults. */
export type DemoCompany = Pick<SeedOptions, 'size' | 'seed' | 'asOf' | 'withFaults'>

/**
 * Creates a migrated database with a demo company. The first call of a run for a company also creates its template.
 * `changes` is SQL that a superuser runs in the template, so that it runs once for all databases with these changes.
 */
export const createSeededDatabase = async (company: DemoCompany = {}, changes = ''): Promise<TestDatabase> =>
  cloneDatabase(await seededTemplate(company, changes))

/** Copying files is faster than the default, which writes every page to the write-ahead log. */
const cloneDatabase = (template: string): Promise<TestDatabase> =>
  createDatabase(`template ${template} strategy file_copy`)

/** Creates an empty database, optionally with another locale or encoding. */
export const createEmptyDatabase = ({ locale, encoding = 'UTF8' }: { locale?: string; encoding?: string } = {}) =>
  createDatabase(
    `template template0 encoding ${escapeLiteral(encoding)}${locale === undefined ? '' : ` locale ${escapeLiteral(locale)}`}`,
  )

/** Starts a test run and creates its template. The returned function drops all databases of the run. */
export const openRun = async (server: string): Promise<() => Promise<void>> => {
  const runName = `${runPrefix}${randomBytes(4).toString('hex')}`
  process.env[serverVariable] = server
  process.env[runVariable] = runName
  const lockHolder = new Client({ connectionString: server })
  await lockHolder.connect()
  // The lock is held as long as this run is alive. If the lock of a run is free, the run was killed, and its databases
  // can be dropped.
  await lockHolder.query(`select pg_advisory_lock(${lockKey(runName)})`)
  const closeRun = async () => {
    await dropRun(lockHolder, runName)
    await lockHolder.end()
  }
  try {
    await dropAbandonedRuns(lockHolder)
    const template = templateName(runName)
    await lockHolder.query(`create database ${template} template template0 encoding 'UTF8'`)
    const logins = loginsOf(template)
    await withClient(databaseUrl(template), (client) => client.query(rolesSql(logins)))
    // Some tests list and terminate sessions, which needs these roles.
    await lockHolder.query(`grant pg_monitor, pg_signal_backend to ${logins.owner.role}`)
    await migrate(roleUrl(template, 'owner'), { writer: logins.writer.role, reader: logins.reader.role })
  } catch (error) {
    await closeRun()
    throw error
  }
  return closeRun
}

/** Each run has its own roles, because roles are shared by all databases of a server. */
const roleNames = ['owner', 'writer', 'reader', 'analyst'] as const
type RoleName = (typeof roleNames)[number]

const roleName = (runName: string, name: RoleName): string => `${runName}_${name}`

const loginsOf = (database: string): Logins => {
  const loginOf = (name: RoleName) => ({ role: roleName(currentRun(), name), password: currentRun(), database })
  return {
    owner: loginOf('owner'),
    writer: loginOf('writer'),
    reader: loginOf('reader'),
    analyst: loginOf('analyst'),
  }
}

const roleUrl = (database: string, name: RoleName): string =>
  Object.assign(new URL(databaseUrl(database)), { username: roleName(currentRun(), name), password: currentRun() }).href

/** Turns the owner's URL of a test database into the URLs of writer and reader. Returns any other URL unchanged. */
export const roleUrls = (url: string): { databaseUrl: string; readUrl: string } => {
  const { username, pathname } = new URL(url)
  if (username !== roleName(currentRun(), 'owner')) return { databaseUrl: url, readUrl: url }
  const name = pathname.slice(1)
  return { databaseUrl: roleUrl(name, 'writer'), readUrl: roleUrl(name, 'reader') }
}

const templateName = (runName: string): string => `${runName}_template`

const lockKey = (name: string): string => `hashtext('${runPrefix}'), hashtext(${escapeLiteral(name)})`

const requiredVariable = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error('Start the tests with --test-global-setup=tests/support/global-setup.ts')
  return value
}

const currentRun = (): string => requiredVariable(runVariable)

const databaseUrl = (name: string): string => {
  const url = new URL(requiredVariable(serverVariable))
  url.pathname = `/${name}`
  return url.href
}

const withServer = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(requiredVariable(serverVariable), work)

/** Opens a connection, runs `work` on it and closes it. */
export const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const createDatabase = async (options: string): Promise<TestDatabase> => {
  const name = `${currentRun()}_${randomBytes(6).toString('hex')}`
  await withServer(async (client) => {
    await client.query(`create database ${name} owner ${roleName(currentRun(), 'owner')} ${options}`)
    // A clone gets the tables and their grants from the template, but not the grants on the database itself.
    await client.query(`revoke temporary on database ${name} from public`)
  })
  const url = roleUrl(name, 'owner')
  return {
    url,
    env: {
      DATABASE_MIGRATE_URL: url,
      DATABASE_URL: roleUrl(name, 'writer'),
      DATABASE_READ_URL: roleUrl(name, 'reader'),
    },
    analystUrl: roleUrl(name, 'analyst'),
    execute: async (sql) => {
      await withClient(databaseUrl(name), (client) => client.query(sql))
    },
    query: (sql, parameters = []) =>
      withClient(url, async (client) => {
        const { rows } = await client.query({ text: sql, values: [...parameters], types: plainTypes })
        return rows
      }),
    allowConnections: (allowed) =>
      withServer(async (client) => {
        await client.query(`alter database ${name} with allow_connections ${allowed}`)
        if (!allowed)
          await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      }),
    drop: async () => {
      await withServer((client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** pg would return bigint and numeric as text, and dates as local midnight. */
const plainTypes = {
  getTypeParser: (type: number) => {
    if (numberTypes.includes(type)) return Number
    return timeTypes.includes(type) ? String : types.getTypeParser(type)
  },
}
const { INT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ } = types.builtins
const numberTypes: readonly number[] = [INT8, NUMERIC]
const timeTypes: readonly number[] = [DATE, TIMESTAMP, TIMESTAMPTZ]

/** Takes a lock, so that the first test process creates the template while the others wait. */
const seededTemplate = (company: DemoCompany, changes: string): Promise<string> => {
  const seedArguments = argumentsOf(company)
  const hash = createHash('sha256')
    .update(JSON.stringify([...seedArguments, changes]))
    .digest('hex')
    .slice(0, 8)
  const seededName = `${currentRun()}_seeded_${hash}`
  return withServer(async (client) => {
    await client.query(`select pg_advisory_lock(${lockKey(seededName)})`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [seededName])
    if (rowCount === 0)
      await makeTemplate(client, seededName, async () => {
        if (changes === '') return seedDatabase(seedArguments)
        const database = await createSeededDatabase(company)
        await database.execute(changes)
        return database
      })
    return seededName
  })
}

const argumentsOf = ({ size = 'small', seed, asOf, withFaults = false }: DemoCompany): string[] => [
  ...['--size', size],
  ...(seed === undefined ? [] : ['--seed', seed]),
  ...(asOf === undefined ? [] : ['--as-of', asOf]),
  ...(withFaults ? ['--with-faults'] : []),
]

const seedDatabase = async (seedArguments: readonly string[]): Promise<TestDatabase> => {
  const database = await createTestDatabase()
  const musterFile = fileURLToPath(new URL('../../packages/server/bin/muster.ts', import.meta.url))
  const env = { ...process.env, ...database.env }
  await promisify(execFile)(process.execPath, [musterFile, 'seed', ...seedArguments], { env })
  return database
}

/** The template gets its final name only when it is complete, so that an incomplete database is never cloned. */
const makeTemplate = async (client: Client, name: string, make: () => Promise<TestDatabase>): Promise<void> => {
  const { url } = await make()
  await client.query(`alter database ${new URL(url).pathname.slice(1)} rename to ${name}`)
}

const dropAbandonedRuns = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ run: string }>(
    `select distinct substring(datname from '^${runPrefix}[0-9a-f]{8}') as run
     from pg_database where datname ~ '^${runPrefix}[0-9a-f]{8}_'`,
  )
  for (const { run: runName } of rows) {
    const lockResult = await client.query(`select pg_try_advisory_lock(${lockKey(runName)}) as taken`)
    if (!lockResult.rows[0].taken) continue
    await dropRun(client, runName)
    await client.query(`select pg_advisory_unlock(${lockKey(runName)})`)
  }
}

const dropRun = async (client: Client, runName: string): Promise<void> => {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [`${runName}_`],
  )
  for (const { datname } of rows) {
    await client.query(`drop database if exists ${escapeIdentifier(datname)} with (force)`)
  }
  for (const name of roleNames) await client.query(`drop role if exists ${roleName(runName, name)}`)
}

/** The sessions that stream rows in the database of the client, and what they wait for. */
export const activeCopies = async (
  client: Client,
): Promise<{ readonly pid: number; readonly wait: string | null }[]> => {
  const { rows } = await client.query(
    `select pid, wait_event as wait from pg_stat_activity
     where datname = current_database() and query like 'copy %' and state = 'active'`,
  )
  return rows
}
