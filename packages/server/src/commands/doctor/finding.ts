import { Client, DatabaseError } from 'pg'
import type { Environment } from '../../config/read-setting.ts'

/**
 * `advice` means that something works but could be better, `unknown` that it could not be checked. `muster doctor`
 * fails only if a verdict is `wrong`.
 */
export type Verdict = 'ok' | 'advice' | 'wrong' | 'unknown'

export interface Finding {
  readonly verdict: Verdict
  readonly sentence: string
  /** A shell command that fixes the problem. */
  readonly fix?: string
}

export interface CheckContext {
  readonly env: Environment
  /** A client connected with the database URL of the service; undefined if the connection attempt failed. */
  readonly client: Client | undefined
  readonly databaseUrl: string | undefined
  /** The error of the connection attempt if it failed. */
  readonly error: unknown
}

export interface Check {
  readonly label: string
  run(context: CheckContext): Promise<Finding> | Finding
}

export const ok = (sentence: string): Finding => ({ verdict: 'ok', sentence })

export const wrong = (sentence: string, fix?: string): Finding =>
  fix === undefined ? { verdict: 'wrong', sentence } : { verdict: 'wrong', sentence, fix }

/** A check that needs a database connection. Without a connection, its verdict is `unknown`. */
export const databaseCheck = (
  label: string,
  check: (client: Client, context: CheckContext) => Promise<Finding>,
): Check => ({
  label,
  run: (context) =>
    context.client === undefined
      ? { verdict: 'unknown', sentence: 'Not checked: the database is not reachable.' }
      : check(context.client, context).catch(deniedFinding),
})

/** If the server rejects a query, for example for lack of permission, the verdict is `unknown`, not `wrong`. */
const deniedFinding = (error: unknown): Finding => {
  if (!(error instanceof DatabaseError)) throw error
  return { verdict: 'unknown', sentence: `Not checked: ${error.message}.` }
}

export const isLocalUrl = (url: string): boolean =>
  ['', 'localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/** A psql command that takes the URL from the environment, so that no password is shown. */
export const psqlCommand = (variable: 'DATABASE_URL' | 'DATABASE_MIGRATE_URL' | 'ADMIN_URL', sql: string): string =>
  `psql "$${variable}" -c ${shellQuoted(sql)}`

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Name of the setting with the database URL of the role that owns the tables. */
export const ownerVariable = (env: Environment): 'DATABASE_URL' | 'DATABASE_MIGRATE_URL' =>
  (env.DATABASE_MIGRATE_URL ?? '').trim() === '' ? 'DATABASE_URL' : 'DATABASE_MIGRATE_URL'

/**
 * Overrides the role's statement_timeout, which could cancel checks. A transaction pooler accepts no startup options.
 */
const sessionOptions = (env: Environment) =>
  env.DATABASE_POOLER?.trim() === 'transaction' ? {} : { options: '-c statement_timeout=60s' }

export const connectTo = async (connectionString: string, env: Environment): Promise<Client> => {
  const client = new Client({
    connectionString,
    application_name: 'muster-doctor',
    connectionTimeoutMillis: 5_000,
    ...sessionOptions(env),
  })
  // An unhandled 'error' event would crash the process; the running query reports the error anyway.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Lists the unexpected settings of the client's role, and also the missing ones if `required`.
 */
export const settingDifferences = async (
  client: Client,
  expected: Readonly<Record<string, string>>,
  required: boolean,
): Promise<string[]> => {
  const { rows } = await client.query<{ role: string; settings: string[] }>(
    `select current_user as role, array(select unnest(setconfig) from pg_db_role_setting
       where setrole = current_user::regrole and setdatabase in (0, (select oid from pg_database where datname = current_database())))
     as settings`,
  )
  const { role = '', settings = [] } = rows[0] ?? {}
  const expectedSettings = Object.entries(expected).map(([name, value]) => `${name}=${value}`)
  return [
    ...settings.filter((setting) => !expectedSettings.includes(setting)).map((setting) => `"${role}" has ${setting}`),
    ...expectedSettings
      .filter((setting) => required && !settings.includes(setting))
      .map((setting) => `"${role}" lacks ${setting}`),
  ]
}
