/** In charge of the address of the owner of the tables, for the commands that change more than a create may. */
import type { Environment } from '../config.ts'
import { isSet, readDatabaseUrl } from '../config.ts'
import { loginOf } from '../database/roles.ts'
import { targetOf } from '../database/target.ts'
import type { Io } from './command.ts'

export const ownerUrl = (env: Environment): string => readDatabaseUrl(env, 'DATABASE_MIGRATE_URL')

/** The same, and prints its target first: an operator with the wrong URL in the environment sees it before anything changes. */
export const announcedOwnerUrl = (env: Environment, io: Io): string => {
  const url = ownerUrl(env)
  io.stderr.write(`${describeTarget(url)}\n`)
  return url
}

export const describeTarget = (url: string): string => {
  const target = targetOf(url)
  const user = target?.user === undefined ? '' : `, as "${target.user}"`
  return `Database "${target?.database}" at ${target?.server}${user}`
}

/** The roles that the owner grants their rights to: those the service connects as, where they are not the owner itself. */
export const servingRoles = (env: Environment): { writer?: string; reader?: string } => {
  if (!isSet(env, 'DATABASE_MIGRATE_URL')) return {}
  const owner = loginOf(ownerUrl(env)).role
  const writer = isSet(env, 'DATABASE_URL') ? loginOf(readDatabaseUrl(env)).role : ''
  const reader = isSet(env, 'DATABASE_READ_URL') ? loginOf(readDatabaseUrl(env, 'DATABASE_READ_URL')).role : ''
  return {
    ...(writer === '' || writer === owner ? {} : { writer }),
    ...(reader === '' || reader === owner ? {} : { reader }),
  }
}
