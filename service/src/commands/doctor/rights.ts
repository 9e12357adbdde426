/** In charge of the checks of the roles that serve: whether each may do what it has to, and nothing else. */
import type { Client } from 'pg'
import type { Environment } from '../../config.ts'
import { isSet, readDatabaseUrl, readTokens } from '../../config.ts'
import { schemaState } from '../../database/migrate.ts'
import { explainDatabaseFault } from '../../database/operator-error.ts'
import type { Right } from '../../database/roles.ts'
import { heldSql, readerRights, upkeepRights, writerRights } from '../../database/roles.ts'
import { OperatorError } from '../../errors.ts'
import type { Check, Finding } from './finding.ts'
import { connected, connectTo, ok, wrong } from './finding.ts'

export const permissions = connected('permissions', (client, { env }) =>
  judge(client, env, hasToken(env) ? writerRights : [...readerRights, ...upkeepRights]),
)

/** A token that cannot be read is told of elsewhere. */
const hasToken = (env: Environment): boolean => {
  try {
    return readTokens(env).write.length > 0
  } catch {
    return true
  }
}

export const reading: Check = {
  about: 'reading',
  async look({ env, client: writing }) {
    if (!isSet(env, 'DATABASE_READ_URL'))
      return {
        verdict: 'advice',
        sentence: 'Reads use the role that creates: give them one of their own, which cannot write.',
        mend: 'export DATABASE_READ_URL=postgres://muster_reader:password@127.0.0.1:5432/muster',
      }
    let url = ''
    let client: Client | undefined
    try {
      url = readDatabaseUrl(env, 'DATABASE_READ_URL')
      client = await connectTo(url, env)
      return (await sameDatabase(client, writing)) ?? (await judge(client, env, readerRights))
    } catch (error) {
      const explained = error instanceof OperatorError ? error : explainDatabaseFault(error, url)
      if (explained === undefined) throw error
      return wrong(
        explained.message,
        'export DATABASE_READ_URL=postgres://muster_reader:password@127.0.0.1:5432/muster',
      )
    } finally {
      await client?.end()
    }
  },
}

/** Reads that lag behind creates would answer what is no longer so. */
const sameDatabase = async (reading: Client, writing: Client | undefined): Promise<Finding | undefined> => {
  const place = async (client: Client): Promise<string> =>
    (await client.query(`select concat(current_database(), ' ', pg_postmaster_start_time()) as place`)).rows[0].place
  if (writing === undefined || (await place(reading)) === (await place(writing))) return undefined
  return wrong('DATABASE_READ_URL names another database than DATABASE_URL: both have to be the same.')
}

const judge = async (client: Client, env: Environment, needed: readonly Right[]): Promise<Finding> => {
  const { state } = await schemaState(client)
  if (state !== 'current' && state !== 'expanded')
    return { verdict: 'unknown', sentence: 'Not looked at, because the tables are not those of this release.' }
  const { rows } = await client.query<{ role: string; superuser: boolean; changes: boolean; held: boolean[] }>(
    `select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser,
            has_schema_privilege('public', 'create') or exists (
              select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
              and has_table_privilege(oid, 'update, delete, truncate')) as changes,
            array[${needed.map(heldSql).join(', ')}] as held`,
  )
  const { role = '', superuser = false, changes = false, held = [] } = rows[0] ?? {}
  const missing = needed.filter((_, index) => !held[index])
  if (missing.length > 0) return wrong(`"${role}" may not ${inWords(missing)}.`, grantCommand(env))
  if (superuser) return surplus(`"${role}" is a superuser: in production, serve as roles that may only read and add.`)
  if (changes) return surplus(`"${role}" may change and delete records: in production, serve as roles that cannot.`)
  return ok(`"${role}" may do what the service needs, and no more.`)
}

const verbs = { select: 'read', insert: 'add to', usage: 'number by', execute: 'run' } as const

const inWords = (missing: readonly Right[]): string =>
  Object.entries(verbs)
    .map(([privilege, verb]) => ({ verb, of: missing.filter((right) => right.privilege === privilege) }))
    .filter(({ of }) => of.length > 0)
    .map(({ verb, of }) => `${verb} ${of.map(({ on }) => on).join(', ')}`)
    .join(' or ')

/** Migrating grants anew, as long as it knows the owner. */
const grantCommand = (env: Environment): string =>
  isSet(env, 'DATABASE_MIGRATE_URL')
    ? 'npx muster migrate'
    : 'export DATABASE_MIGRATE_URL=postgres://owner:password@127.0.0.1:5432/muster && npx muster migrate'

const surplus = (sentence: string): Finding => ({ verdict: 'advice', sentence, mend: 'npx muster roles --help' })
