import { readDatabaseUrl } from '../config/database-url.ts'
import type { Environment } from '../config/read-setting.ts'
import { isSet } from '../config/read-setting.ts'
import { targetOf } from '../postgres/connection/target.ts'
import { loginOf } from '../postgres/schema/roles.ts'
import { printable } from '../printable.ts'
import type { Io } from './command.ts'

/** The database URL of the owner role, for commands that need more permissions than the writer role has. */
export const ownerUrl = (env: Environment): string => readDatabaseUrl(env, 'DATABASE_MIGRATE_URL')

/**
 * Returns the owner's URL and prints which database it names, so that the operator notices a wrong URL in the
 * environment.
 */
export const announcedOwnerUrl = (env: Environment, io: Io): string => {
  const url = ownerUrl(env)
  io.stderr.write(`${describeTarget(url)}\n`)
  return url
}

export const describeTarget = (url: string): string => {
  const target = targetOf(url)
  const user = target?.user === undefined ? '' : `, as "${target.user}"`
  return printable(`Database "${target?.database}" at ${target?.server}${user}`)
}

/** The roles that the service connects as, except the owner, which grants them their permissions. */
export const serviceRoles = (env: Environment): { writer?: string; reader?: string } => {
  if (!isSet(env, 'DATABASE_MIGRATE_URL')) return {}
  const owner = loginOf(ownerUrl(env)).role
  const writer = isSet(env, 'DATABASE_URL') ? loginOf(readDatabaseUrl(env)).role : ''
  const reader = isSet(env, 'DATABASE_READ_URL') ? loginOf(readDatabaseUrl(env, 'DATABASE_READ_URL')).role : ''
  return {
    ...(writer === '' || writer === owner ? {} : { writer }),
    ...(reader === '' || reader === owner ? {} : { reader }),
  }
}
