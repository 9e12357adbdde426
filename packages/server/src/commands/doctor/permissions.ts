import type { Client } from 'pg'
import { readDatabaseUrl } from '../../config/database-url.ts'
import type { Environment } from '../../config/read-setting.ts'
import { isSet } from '../../config/read-setting.ts'
import { mayCreate, readTokens } from '../../config/tokens.ts'
import { OperatorError } from '../../errors.ts'
import { explainDatabaseError } from '../../postgres/connection/explain-error.ts'
import { schemaState } from '../../postgres/schema/migrate.ts'
import type { Permission } from '../../postgres/schema/roles.ts'
import {
  hasPermissionSql,
  maintenancePermissions,
  readerPermissions,
  writerPermissions,
} from '../../postgres/schema/roles.ts'
import type { Check, Finding } from './finding.ts'
import { connectTo, databaseCheck, ok, wrong } from './finding.ts'
import { connectionFix, migrateCommand, setUrlCommand } from './login.ts'

export const permissionsCheck = databaseCheck('permissions', (client, { env }) =>
  checkPermissions(client, env, hasToken(env) ? writerPermissions : [...readerPermissions, ...maintenancePermissions]),
)

/** Also true if the token cannot be read, which the check "token" reports. */
const hasToken = (env: Environment): boolean => {
  try {
    return mayCreate(readTokens(env))
  } catch {
    return true
  }
}

export const readerCheck: Check = {
  label: 'reading',
  async run({ env, client: writerClient }) {
    if (!isSet(env, 'DATABASE_READ_URL'))
      return {
        verdict: 'advice',
        sentence: 'Reads and creates use the same role: use a separate, read-only role for reads.',
        fix: setUrlCommand('DATABASE_READ_URL'),
      }
    let url = ''
    let client: Client | undefined
    try {
      url = readDatabaseUrl(env, 'DATABASE_READ_URL')
      client = await connectTo(url, env)
      return (await checkSameDatabase(client, writerClient)) ?? (await checkPermissions(client, env, readerPermissions))
    } catch (error) {
      const operatorError = error instanceof OperatorError ? error : explainDatabaseError(error, url)
      if (operatorError === undefined) throw error
      return wrong(operatorError.message, await connectionFix(error, 'DATABASE_READ_URL', env))
    } finally {
      await client?.end()
    }
  },
}

/**
 * Returns undefined if both clients use the same database. If the reader used another server, reads could lag behind
 * creates.
 */
const checkSameDatabase = async (
  readerClient: Client,
  writerClient: Client | undefined,
): Promise<Finding | undefined> => {
  const identify = async (client: Client): Promise<string> =>
    (await client.query(`select concat(current_database(), ' ', pg_postmaster_start_time()) as place`)).rows[0].place
  if (writerClient === undefined || (await identify(readerClient)) === (await identify(writerClient))) return undefined
  return wrong('DATABASE_READ_URL and DATABASE_URL name different databases: both must name the same one.')
}

const checkPermissions = async (client: Client, env: Environment, needed: readonly Permission[]): Promise<Finding> => {
  const { state } = await schemaState(client)
  if (state !== 'current' && state !== 'expanded')
    return { verdict: 'unknown', sentence: 'Not checked: the schema is not that of this release.' }
  const { rows } = await client.query<{ role: string; superuser: boolean; changes: boolean; held: boolean[] }>(
    `select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser,
            has_schema_privilege('public', 'create') or exists (
              select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
              and has_table_privilege(oid, 'update, delete, truncate')) as changes,
            array[${needed.map(hasPermissionSql).join(', ')}] as held`,
  )
  const { role = '', superuser = false, changes: canChange = false, held: isGranted = [] } = rows[0] ?? {}
  const missingPermissions = needed.filter((_, index) => !isGranted[index])
  if (missingPermissions.length > 0)
    return wrong(`"${role}" may not ${describeMissing(missingPermissions)}.`, migrateCommand(env))
  if (superuser) return tooPermissiveFinding(`"${role}" is a superuser`)
  if (canChange) return tooPermissiveFinding(`"${role}" may change and delete records`)
  return ok(`"${role}" has the permissions that the service needs, and no more.`)
}

const verbs = { select: 'read', insert: 'insert into', update: 'update', usage: 'use', execute: 'run' } as const

const describeMissing = (missing: readonly Permission[]): string =>
  Object.entries(verbs)
    .map(([privilege, verb]) => ({ verb, objects: missing.filter((permission) => permission.privilege === privilege) }))
    .filter(({ objects }) => objects.length > 0)
    .map(({ verb, objects }) => `${verb} ${objects.map(({ on }) => on).join(', ')}`)
    .join(' or ')

const tooPermissiveFinding = (fact: string): Finding => ({
  verdict: 'advice',
  sentence: `${fact}: in production, use the roles that "muster roles" creates, which can only read and insert.`,
})
