/** In charge of the address of the owner of the tables, for the commands that change more than a create may. */
import type { Environment } from '../config.ts'
import { isSet, readDatabaseUrl } from '../config.ts'
import { loginOf } from '../database/roles.ts'

export const ownerUrl = (env: Environment): string => readDatabaseUrl(env, 'DATABASE_MIGRATE_URL')

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
