/** Fixes for logins that the server refuses. */
import { DatabaseError } from 'pg'
import type { DatabaseSetting } from '../../config/database-url.ts'
import { readDatabaseUrl } from '../../config/database-url.ts'
import type { Environment } from '../../config/read-setting.ts'
import { isSet } from '../../config/read-setting.ts'
import { OperatorError } from '../../errors.ts'
import { targetOf } from '../../postgres/connection/target.ts'
import { connectTo } from './finding.ts'

export const rolesCommand = 'npx muster roles | psql "$ADMIN_URL"'

/** The settings that "muster roles" reads. */
const roleSettings = ['DATABASE_MIGRATE_URL', 'DATABASE_URL', 'DATABASE_READ_URL'] as const
type RoleSetting = (typeof roleSettings)[number]

const exampleRoles: Readonly<Record<RoleSetting, string>> = {
  DATABASE_MIGRATE_URL: 'muster_owner',
  DATABASE_URL: 'muster_writer',
  DATABASE_READ_URL: 'muster_reader',
}

export const setUrlCommand = (name: RoleSetting): string =>
  `export ${name}=postgres://${exampleRoles[name]}:password@127.0.0.1:5432/muster`

/** `muster migrate` also grants the permissions again, if it connects as the owner. */
export const migrateCommand = (env: Environment): string =>
  withUrls(env, ['DATABASE_MIGRATE_URL'], ['npx muster migrate'])

const createRolesCommand = (env: Environment): string =>
  withUrls(env, roleSettings, [rolesCommand, 'npx muster migrate'])

const withUrls = (env: Environment, names: readonly RoleSetting[], commands: readonly string[]): string =>
  [...names.filter((name) => !isSet(env, name)).map(setUrlCommand), ...commands].join(' && ')

/** Undefined if no command can fix the error, such as that of a server that is down. */
export const connectionFix = async (
  error: unknown,
  name: RoleSetting,
  env: Environment,
): Promise<string | undefined> => {
  if (error instanceof OperatorError) return setUrlCommand(name)
  if (!(error instanceof DatabaseError)) return undefined
  if (error.code === '28P01') return (await isRoleMissing(name, env)) ? createRolesCommand(env) : setUrlCommand(name)
  // This function of PostgreSQL reports a role that does not exist. Others reject a login because of pg_hba.conf.
  return error.code === '28000' && error.routine === 'InitializeSessionUserId' ? createRolesCommand(env) : undefined
}

/**
 * If PostgreSQL asks for a password, it does not tell a missing role from a wrong password. The other URLs can find out.
 * If none of the three can connect, the roles were probably never created.
 */
const isRoleMissing = async (name: RoleSetting, env: Environment): Promise<boolean> => {
  const role = targetOf(readDatabaseUrl(env, name))?.user
  for (const other of roleSettings) {
    const exists = isSet(env, other) ? await roleExists(role, other, env) : undefined
    if (exists !== undefined) return !exists
  }
  return roleSettings.every((each) => isSet(env, each))
}

/** Undefined if the URL of this setting cannot connect. */
const roleExists = async (
  role: string | undefined,
  name: DatabaseSetting,
  env: Environment,
): Promise<boolean | undefined> => {
  try {
    const client = await connectTo(readDatabaseUrl(env, name), env)
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
    await client.end()
    return rowCount === 1
  } catch {
    return undefined
  }
}
