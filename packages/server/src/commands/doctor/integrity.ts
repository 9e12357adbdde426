import { resources } from '@muster/model'
import type { Client } from 'pg'
import { readDatabaseUrl } from '../../config/database-url.ts'
import type { Environment } from '../../config/read-setting.ts'
import { isSet } from '../../config/read-setting.ts'
import { changedDefinitions, countDifference, integrityError } from '../../postgres/schema/integrity.ts'
import { schemaState } from '../../postgres/schema/migrate.ts'
import { statementMs, timeoutSettings } from '../../postgres/schema/roles.ts'
import type { Check, Finding } from './finding.ts'
import { connectTo, databaseCheck, ok, wrong } from './finding.ts'

const repairCommand = 'npx muster doctor --repair'

const otherSchemaFinding: Finding = {
  verdict: 'unknown',
  sentence: 'Not checked: the schema is not that of this release.',
}

const hasCurrentSchema = async (client: Client): Promise<boolean> => (await schemaState(client)).state === 'current'

export const triggersCheck = databaseCheck('triggers', async (client) => {
  if (!(await hasCurrentSchema(client))) return otherSchemaFinding
  const error = await integrityError(client)
  if (error !== undefined) return wrong(error, repairCommand)
  const changedNames = await changedDefinitions(client)
  if (changedNames.length === 0) return ok('All triggers and functions are as this release defines them.')
  // `repairCommand` recreates the triggers of the tables and the functions these call. All other functions are defined
  // only in the migrations.
  const isRepairable = changedNames.every((name) => /^(trigger |function muster_counts_)/.test(name))
  return isRepairable
    ? wrong(`Different from this release: ${changedNames.join(', ')}.`, repairCommand)
    : wrong(
        `Different from this release: ${changedNames.join(', ')}. Restore a backup, or import an export into a new database.`,
      )
})

export const rowCountsCheck = databaseCheck('counts', async (client) => {
  if (!(await hasCurrentSchema(client))) return otherSchemaFinding
  const wrongCounts: string[] = []
  // The check counts every row, which may take longer than the statement timeout of the role.
  await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  try {
    for (const resource of resources) {
      const difference = await countDifference(client, resource)
      if (difference > 0) wrongCounts.push(`${resource.table} by ${difference}`)
    }
  } finally {
    await client.query('rollback')
  }
  return wrongCounts.length === 0
    ? ok('All stored row counts are correct.')
    : wrong(`Row counts are off: ${wrongCounts.join(', ')}. Rows were changed without triggers.`, repairCommand)
})

const writerSettings = timeoutSettings(statementMs)

/**
 * Every PostgreSQL role may alter its own settings. An attacker with a stolen password may have left altered settings
 * behind.
 */
export const roleSettingsCheck: Check = {
  label: 'roles',
  async run({ env, client }) {
    if (client === undefined) return { verdict: 'unknown', sentence: 'Not checked: the database is not reachable.' }
    const required = env.DATABASE_POOLER === 'transaction'
    const differences = await settingDifferences(client, writerSettings, required)
    if (isSet(env, 'DATABASE_READ_URL')) {
      const reader = await connectReader(env)
      const readerSettings = { ...writerSettings, default_transaction_read_only: 'on' }
      if (reader !== undefined) differences.push(...(await settingDifferences(reader, readerSettings, required)))
      await reader?.end()
    }
    return differences.length === 0
      ? ok('The roles have the settings that "muster roles" prints.')
      : wrong(
          `Role settings differ from those that "muster roles" prints: ${differences.join(', ')}. If you did not set them, change the passwords.`,
          'npx muster roles | psql "$ADMIN_URL"',
        )
  },
}

/** Undefined if the connection fails: the check "reading" reports why. */
const connectReader = async (env: Environment): Promise<Client | undefined> => {
  try {
    return await connectTo(readDatabaseUrl(env, 'DATABASE_READ_URL'), env)
  } catch {
    return undefined
  }
}

/**
 * Lists the unexpected settings of the client's role, and also the missing ones if `required`. They are required behind
 * a transaction pooler, which does not pass on the settings that the service requests for its sessions.
 */
const settingDifferences = async (
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
