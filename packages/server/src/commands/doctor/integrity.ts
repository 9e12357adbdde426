import { listedResources, trackedResources } from '@muster/model'
import type { Client } from 'pg'
import { readDatabaseUrl } from '../../config/database-url.ts'
import type { Environment } from '../../config/read-setting.ts'
import { isSet } from '../../config/read-setting.ts'
import { historyGaps } from '../../postgres/schema/history-gaps.ts'
import type { IntegrityError } from '../../postgres/schema/integrity.ts'
import { changedDefinitions, countDifference, integrityError } from '../../postgres/schema/integrity.ts'
import { schemaState } from '../../postgres/schema/migrate.ts'
import { readOnlySetting, statementMs, timeoutSettings } from '../../postgres/schema/roles.ts'
import { quoteIdentifier } from '../../postgres/sql/statement.ts'
import type { Check, Finding } from './finding.ts'
import { connectTo, databaseCheck, ok, psqlCommand, settingDifferences, wrong } from './finding.ts'
import { rolesCommand } from './login.ts'

const repairCommand = 'npx muster doctor --repair'

const otherSchemaFinding: Finding = {
  verdict: 'unknown',
  sentence: 'Not checked: the schema is not that of this release.',
}

const hasCurrentSchema = async (client: Client): Promise<boolean> => (await schemaState(client)).state === 'current'

export const triggersCheck = databaseCheck('triggers', async (client) => {
  if (!(await hasCurrentSchema(client))) return otherSchemaFinding
  const error = await integrityError(client)
  if (error !== undefined) return wrong(error.sentence, [...enableCommands(error), repairCommand].join(' && '))
  const changedNames = await changedDefinitions(client)
  if (changedNames.length === 0) return ok('All triggers, functions and views are as this release defines them.')
  const sentence = `Different from this release: ${changedNames.join(', ')}.`
  const repairs = repairsOf(changedNames)
  return repairs === undefined
    ? wrong(`${sentence} Restore a backup, or import an export into a new database.`)
    : wrong(sentence, repairs.join(' && '))
})

/** Only a superuser can enable the triggers of foreign keys. */
const enableCommands = ({ uncheckedTables }: IntegrityError): string[] =>
  uncheckedTables.map((table) =>
    psqlCommand('ADMIN_URL', `alter table public.${quoteIdentifier(table)} enable trigger all`),
  )

/**
 * The commands that recreate these triggers, functions and views. Undefined if one is a function that only a migration
 * creates.
 */
const repairsOf = (changedNames: readonly string[]): string[] | undefined => {
  const isView = (name: string): boolean => name.startsWith('view ')
  const isOfTable = (name: string): boolean => /^(trigger |function muster_(counts|history)_)/.test(name)
  if (!changedNames.every((name) => isView(name) || isOfTable(name))) return undefined
  return [
    ...(changedNames.some(isOfTable) ? [repairCommand] : []),
    ...(changedNames.some(isView) ? ['npx muster migrate'] : []),
  ]
}

export const rowCountsCheck = databaseCheck('counts', async (client) => {
  if (!(await hasCurrentSchema(client))) return otherSchemaFinding
  const wrongCounts: string[] = []
  // The check counts every row, which may take longer than the statement timeout of the role.
  await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  try {
    for (const resource of listedResources) {
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

export const historyCheck = databaseCheck('history', async (client) => {
  if (!(await hasCurrentSchema(client))) return otherSchemaFinding
  const missing: string[] = []
  await client.query('begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
  try {
    for (const resource of trackedResources) {
      const gaps = await historyGaps(client, resource)
      if (gaps > 0) missing.push(`${gaps} of ${resource.path}`)
    }
  } finally {
    await client.query('rollback')
  }
  return missing.length === 0
    ? ok('The history ends with the present values.')
    : wrong(
        `Changes are not in the history: ${missing.join(', ')}. They were made without triggers. A repair makes the history complete from today on.`,
        repairCommand,
      )
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
    // A transaction pooler does not pass on the settings that the service requests for its sessions.
    const required = env.DATABASE_POOLER === 'transaction'
    const differences = await settingDifferences(client, writerSettings, required)
    if (isSet(env, 'DATABASE_READ_URL')) {
      const reader = await connectReader(env)
      const readerSettings = { ...writerSettings, ...readOnlySetting }
      if (reader !== undefined) differences.push(...(await settingDifferences(reader, readerSettings, required)))
      await reader?.end()
    }
    return differences.length === 0
      ? ok('The roles have the settings that "muster roles" prints.')
      : wrong(
          `Role settings differ from those that "muster roles" prints: ${differences.join(', ')}. If you did not set them, change the passwords.`,
          rolesCommand,
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
