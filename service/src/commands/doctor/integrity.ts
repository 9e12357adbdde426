/** Checks triggers, functions and row counts, and the settings of the roles that serve. */
import { resources } from '@muster/model'
import type { Client } from 'pg'
import type { Environment } from '../../config.ts'
import { isSet, readDatabaseUrl } from '../../config.ts'
import { changedDefinitions, countDifference, integrityFault } from '../../database/integrity.ts'
import { schemaState } from '../../database/migrate.ts'
import { limits, statementMs } from '../../database/roles.ts'
import type { Check, Finding } from './finding.ts'
import { connected, connectTo, ok, wrong } from './finding.ts'

const repair = 'npx muster doctor --repair'

const otherSchema: Finding = {
  verdict: 'unknown',
  sentence: 'Not looked at, because the tables are not those of this release.',
}

const hasSchema = async (client: Client): Promise<boolean> => (await schemaState(client)).state === 'current'

export const triggers = connected('triggers', async (client) => {
  if (!(await hasSchema(client))) return otherSchema
  const fault = await integrityFault(client)
  if (fault !== undefined) return wrong(fault, repair)
  const changed = await changedDefinitions(client)
  if (changed.length === 0) return ok('Every trigger and function is as this release defines it.')
  // The repair recreates those of a table; the others are defined only in the migrations.
  const recreated = changed.every((name) => /^(trigger |function muster_books_)/.test(name))
  return recreated
    ? wrong(`Not as this release defines them: ${changed.join(', ')}.`, repair)
    : wrong(
        `Not as this release defines them: ${changed.join(', ')}. Restore a backup, or import an export into a new database.`,
      )
})

export const rowCounts = connected('counts', async (client) => {
  if (!(await hasSchema(client))) return otherSchema
  const off: string[] = []
  // Counts every row, which may take longer than the statement timeout of the role.
  await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  try {
    for (const resource of resources) {
      const difference = await countDifference(client, resource)
      if (difference > 0) off.push(`${resource.table} by ${difference}`)
    }
  } finally {
    await client.query('rollback')
  }
  return off.length === 0
    ? ok('Every kept row count is right.')
    : wrong(`Row counts are off: ${off.join(', ')}. Rows were changed without triggers.`, repair)
})

const writerSettings = limits(statementMs)

/** Every role may alter its own settings, which no grant prevents: anyone who had its password may have left some. */
export const roleSettings: Check = {
  about: 'roles',
  async look({ env, client }) {
    if (client === undefined)
      return { verdict: 'unknown', sentence: 'Not looked at, because the database does not answer.' }
    const required = env.DATABASE_POOLER === 'transaction'
    const found = await settingFaults(client, writerSettings, required)
    if (isSet(env, 'DATABASE_READ_URL')) {
      const reader = await connectReader(env)
      const readerSettings = { ...writerSettings, default_transaction_read_only: 'on' }
      if (reader !== undefined) found.push(...(await settingFaults(reader, readerSettings, required)))
      await reader?.end()
    }
    return found.length === 0
      ? ok('The settings of the roles are those that "muster roles" writes.')
      : wrong(
          `Settings of roles are not those that "muster roles" writes: ${found.join(', ')}. If you did not set them, change the passwords.`,
          'npx muster roles | psql "$ADMIN_URL"',
        )
  },
}

/** If it cannot connect, the check "reading" reports why. */
const connectReader = async (env: Environment): Promise<Client | undefined> => {
  try {
    return await connectTo(readDatabaseUrl(env, 'DATABASE_READ_URL'), env)
  } catch {
    return undefined
  }
}

/** Unexpected settings, and missing ones if `required`: a transaction pooler does not pass on those of the service. */
const settingFaults = async (
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
  const ours = Object.entries(expected).map(([name, value]) => `${name}=${value}`)
  return [
    ...settings.filter((setting) => !ours.includes(setting)).map((setting) => `"${role}" has ${setting}`),
    ...ours.filter((setting) => required && !settings.includes(setting)).map((setting) => `"${role}" lacks ${setting}`),
  ]
}
