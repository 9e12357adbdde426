/** In charge of the address of the owner of the tables, for the commands that change more than a create may. */
import type { Environment } from '../config.ts'
import { readDatabaseUrl } from '../config.ts'

/** Asked for by the name it stands under, so that a complaint names the setting that is wrong. */
export const ownerUrl = (env: Environment): string =>
  (env.DATABASE_MIGRATE_URL ?? '').trim() === '' ? readDatabaseUrl(env) : readDatabaseUrl(env, 'DATABASE_MIGRATE_URL')
