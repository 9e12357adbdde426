/** In charge of databases for tests: each is a clone of a template that the run made once, and is gone with the run. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import { migrate } from '../../src/database/migrate.ts'
import type { Logins } from '../../src/database/roles.ts'
import { rolesSql } from '../../src/database/roles.ts'

export interface TestDatabase {
  /** As the owner of its tables. */
  readonly url: string
  /** As the service is given it: each role with an address of its own. */
  readonly env: { DATABASE_MIGRATE_URL: string; DATABASE_URL: string; DATABASE_READ_URL: string }
  /** Runs SQL of the test's own, as a superuser: what it wants to find in the database. */
  execute(sql: string): Promise<void>
  drop(): Promise<void>
}

/** Names of the environment variables by which the run tells its test processes where it is. */
const serverVariable = 'TEST_DATABASE_SERVER'
const runVariable = 'TEST_DATABASE_RUN'
const runPrefix = 'muster_test_'

/** A migrated database without records. */
export const createTestDatabase = (): Promise<TestDatabase> => createDatabase(`template ${templateOf(currentRun())}`)

/** A migrated database that holds the demo company. The first call of a run pays for its template. */
export const createSeededDatabase = async (): Promise<TestDatabase> => {
  const template = await seededTemplate()
  // A large template is copied quicker file by file than through the write-ahead log.
  return createDatabase(`template ${template} strategy file_copy`)
}

/** A database with nothing in it; `locale` is any that PostgreSQL's template0 can be given. */
export const createEmptyDatabase = ({ locale, encoding = 'UTF8' }: { locale?: string; encoding?: string } = {}) =>
  createDatabase(
    `template template0 encoding ${escapeLiteral(encoding)}${locale === undefined ? '' : ` locale ${escapeLiteral(locale)}`}`,
  )

/** Makes the run's template and returns what takes the whole run away again. */
export const openRun = async (server: string): Promise<() => Promise<void>> => {
  const run = `${runPrefix}${randomBytes(4).toString('hex')}`
  process.env[serverVariable] = server
  process.env[runVariable] = run
  const keeper = new Client({ connectionString: server })
  await keeper.connect()
  // Held as long as this run lives: databases of a run nobody holds were left by one that was killed.
  await keeper.query(`select pg_advisory_lock(${lockOf(run)})`)
  const close = async () => {
    await dropRun(keeper, run)
    await keeper.end()
  }
  try {
    await dropAbandonedRuns(keeper)
    const template = templateOf(run)
    await keeper.query(`create database ${template} template template0 encoding 'UTF8'`)
    const logins = loginsOf(template)
    await withClient(databaseUrl(template), (client) => client.query(rolesSql(logins)))
    // Tests watch sessions, and end them.
    await keeper.query(`grant pg_monitor, pg_signal_backend to ${logins.owner.role}`)
    await migrate(roleUrl(template, 'owner'), { writer: logins.writer.role, reader: logins.reader.role })
  } catch (error) {
    await close()
    throw error
  }
  return close
}

/** The roles of a run are its own, like its databases. */
const roleNames = ['owner', 'writer', 'reader'] as const
type RoleName = (typeof roleNames)[number]

const roleOf = (run: string, name: RoleName): string => `${run}_${name}`

const loginsOf = (database: string): Logins => {
  const login = (name: RoleName) => ({ role: roleOf(currentRun(), name), password: currentRun(), database })
  return { owner: login('owner'), writer: login('writer'), reader: login('reader') }
}

const roleUrl = (database: string, name: RoleName): string =>
  Object.assign(new URL(databaseUrl(database)), { username: roleOf(currentRun(), name), password: currentRun() }).href

/** The addresses of the roles for a database of this run that is given by its owner's; any other stays as it is. */
export const servedAs = (url: string): { databaseUrl: string; readUrl: string } => {
  const { username, pathname } = new URL(url)
  if (username !== roleOf(currentRun(), 'owner')) return { databaseUrl: url, readUrl: url }
  const name = pathname.slice(1)
  return { databaseUrl: roleUrl(name, 'writer'), readUrl: roleUrl(name, 'reader') }
}

const templateOf = (run: string): string => `${run}_template`

const lockOf = (name: string): string => `hashtext('${runPrefix}'), hashtext(${escapeLiteral(name)})`

const fromEnvironment = (name: string): string => {
  const value = process.env[name]
  if (value === undefined)
    throw new Error('Start the tests with --test-global-setup=service/test/support/global-setup.ts')
  return value
}

const currentRun = (): string => fromEnvironment(runVariable)

const databaseUrl = (name: string): string => {
  const url = new URL(fromEnvironment(serverVariable))
  url.pathname = `/${name}`
  return url.href
}

const withServer = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
  withClient(fromEnvironment(serverVariable), work)

/** Runs work on a connection of its own. */
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
    await client.query(`create database ${name} owner ${roleOf(currentRun(), 'owner')} ${options}`)
    // A template hands down its tables and their rights, and not its own.
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
    execute: async (sql) => {
      await withClient(databaseUrl(name), (client) => client.query(sql))
    },
    drop: async () => {
      await withServer((client) => client.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** The lock lets the first of several test processes make the template while the others wait for it. */
const seededTemplate = (): Promise<string> => {
  const seeded = `${currentRun()}_seeded`
  return withServer(async (client) => {
    await client.query(`select pg_advisory_lock(${lockOf(seeded)})`)
    const { rowCount } = await client.query('select from pg_database where datname = $1', [seeded])
    if (rowCount === 0) await makeSeededTemplate(client, seeded)
    return seeded
  })
}

/** Bears its name only once it is whole, so that a seed that failed is never cloned. */
const makeSeededTemplate = async (client: Client, seeded: string): Promise<void> => {
  const growing = await createTestDatabase()
  try {
    const muster = fileURLToPath(new URL('../../bin/muster.ts', import.meta.url))
    const env = { ...process.env, ...growing.env }
    await promisify(execFile)(process.execPath, [muster, 'seed', '--size', 'small'], { env })
    await client.query(`alter database ${new URL(growing.url).pathname.slice(1)} rename to ${seeded}`)
  } finally {
    await growing.drop()
  }
}

const dropAbandonedRuns = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ run: string }>(
    `select distinct substring(datname from '^${runPrefix}[0-9a-f]{8}') as run
     from pg_database where datname ~ '^${runPrefix}[0-9a-f]{8}_'`,
  )
  for (const { run } of rows) {
    const taken = await client.query(`select pg_try_advisory_lock(${lockOf(run)}) as taken`)
    if (!taken.rows[0].taken) continue
    await dropRun(client, run)
    await client.query(`select pg_advisory_unlock(${lockOf(run)})`)
  }
}

const dropRun = async (client: Client, run: string): Promise<void> => {
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [`${run}_`],
  )
  for (const { datname } of rows) {
    await client.query(`drop database if exists ${escapeIdentifier(datname)} with (force)`)
  }
  for (const name of roleNames) await client.query(`drop role if exists ${roleOf(run, name)}`)
}
