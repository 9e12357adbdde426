/** In charge of what a look at one thing yields: a verdict, a sentence, and where something is wrong the command that mends it. */
import { Client, DatabaseError } from 'pg'
import type { Environment } from '../../config.ts'

/** `advice` works but could be better; `unknown` could not be looked at from here. Only `wrong` makes the doctor fail. */
export type Verdict = 'ok' | 'advice' | 'wrong' | 'unknown'

export interface Finding {
  readonly verdict: Verdict
  readonly sentence: string
  /** A command that can be pasted. */
  readonly mend?: string
}

export interface Patient {
  readonly env: Environment
  /** Connected as the service connects; undefined where that fails. */
  readonly client: Client | undefined
  readonly databaseUrl: string | undefined
  /** Why there is no client. */
  readonly fault: unknown
}

export interface Check {
  readonly about: string
  look(patient: Patient): Promise<Finding> | Finding
}

export const ok = (sentence: string): Finding => ({ verdict: 'ok', sentence })

export const wrong = (sentence: string, mend?: string): Finding =>
  mend === undefined ? { verdict: 'wrong', sentence } : { verdict: 'wrong', sentence, mend }

/** A check that needs a connection, and says so where there is none. */
export const connected = (about: string, look: (client: Client, patient: Patient) => Promise<Finding>): Check => ({
  about,
  look: (patient) =>
    patient.client === undefined
      ? { verdict: 'unknown', sentence: 'Not looked at, because the database does not answer.' }
      : look(patient.client, patient).catch(refusedLook),
})

/** What the server refuses to show is one more thing that cannot be seen from here. */
const refusedLook = (error: unknown): Finding => {
  if (!(error instanceof DatabaseError)) throw error
  return { verdict: 'unknown', sentence: `Not looked at: ${error.message}.` }
}

export const isLocal = (url: string): boolean => ['', 'localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/** A psql command over an address that is already in the environment, so that no password is ever shown. */
export const psql = (variable: 'DATABASE_URL' | 'DATABASE_MIGRATE_URL', sql: string): string =>
  `psql "$${variable}" -c ${shellQuoted(sql)}`

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The address that owns the tables. */
export const ownerVariable = (env: Environment): 'DATABASE_URL' | 'DATABASE_MIGRATE_URL' =>
  (env.DATABASE_MIGRATE_URL ?? '').trim() === '' ? 'DATABASE_URL' : 'DATABASE_MIGRATE_URL'

/** Overrides a timeout that a role was given, which would end the checks. A transaction pooler takes no options. */
const sessionOptions = (env: Environment) =>
  env.DATABASE_POOLER?.trim() === 'transaction' ? {} : { options: '-c statement_timeout=60s' }

/** A connection of the doctor, which only reads. */
export const connectTo = async (connectionString: string, env: Environment): Promise<Client> => {
  const client = new Client({
    connectionString,
    application_name: 'muster-doctor',
    connectionTimeoutMillis: 5_000,
    ...sessionOptions(env),
  })
  // Without a listener a server that goes away would end the process; the query in hand reports it anyway.
  client.on('error', () => {})
  await client.connect()
  return client
}
