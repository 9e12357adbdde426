/** In charge of the checks of what the migrations made: extensions, tables, and who may use them. */
import { resources } from '@muster/model'
import type { Client } from 'pg'
import { readTokens } from '../../config.ts'
import type { SchemaState } from '../../database/migrate.ts'
import { readMigrationFiles, schemaState } from '../../database/migrate.ts'
import type { Finding, Patient } from './finding.ts'
import { connected, ok, ownerVariable, psql, wrong } from './finding.ts'

export const extensions = connected('extensions', async (client, { env }) => {
  const wanted = await wantedExtensions()
  const { rows } = await client.query<{ name: string; installed: boolean }>(
    'select name, installed_version is not null as installed from pg_available_extensions where name = any($1)',
    [wanted],
  )
  const unavailable = wanted.filter((name) => !rows.some((row) => row.name === name))
  if (unavailable.length > 0)
    return wrong(
      `The server lacks ${unavailable.join(', ')}, which PostgreSQL's contributed modules bring.`,
      'sudo apt-get install postgresql-contrib',
    )
  const absent = rows.filter(({ installed }) => !installed).map(({ name }) => name)
  if (absent.length > 0)
    return wrong(
      `The database does not have ${absent.join(', ')} yet.`,
      psql(ownerVariable(env), absent.map((name) => `create extension ${name}`).join('; ')),
    )
  return ok(`${wanted.join(', ')} ${wanted.length === 1 ? 'is' : 'are'} there.`)
})

/** The migrations are the only place that says what they need. */
const wantedExtensions = async (): Promise<string[]> => {
  const files = await readMigrationFiles()
  const found = files.flatMap(({ sql }) => [...sql.matchAll(/create extension (?:if not exists )?"?(\w+)/g)])
  return [...new Set(found.map(([, name = '']) => name))]
}

export const migrations = connected('migrations', async (client) => migrationFinding(await schemaState(client)))

const migrationFinding = ({ state, names }: SchemaState): Finding => {
  switch (state) {
    case 'current':
      return ok('The database is up to date.')
    case 'missing':
      return wrong(
        `The database lacks ${names.length} of this release's migrations, from ${names[0]} on.`,
        'npx muster migrate',
      )
    case 'newer':
      return wrong(`The database is newer than this release: it has ${names.join(', ')}.`, 'git pull && npm ci')
    case 'changed':
      return wrong(`${names.join(', ')} changed after it was applied.`, 'git checkout -- service/migrations')
  }
}

interface Rights {
  readonly role: string
  readonly superuser: boolean
  readonly unreadable: readonly string[] | null
  readonly unwritable: readonly string[] | null
  readonly tables: number
}

export const permissions = connected('permissions', async (client, patient) => {
  const rights = await readRights(client)
  if (rights.tables === 0)
    return { verdict: 'unknown', sentence: 'Not looked at, because the tables are not there yet.' }
  return lackingRights(rights, patient) ?? surplusRights(rights)
})

const readRights = async (client: Client): Promise<Rights> => {
  const all = ['muster_migrations', ...resources.map(({ table }) => table)]
  const creatable = resources.filter((resource) => resource.creatable).map(({ table }) => table)
  const { rows } = await client.query<Rights>(
    `select current_user as role, (select rolsuper from pg_roles where rolname = current_user) as superuser,
            array_agg(name) filter (where not has_table_privilege(current_user, place, 'select')) as unreadable,
            array_agg(name) filter (where name = any($2) and not has_table_privilege(current_user, place, 'insert')) as unwritable,
            count(place)::int as tables
     from (select name, to_regclass('public.' || quote_ident(name)) as place from unnest($1::text[]) as name) as tables
     where place is not null`,
    [all, creatable],
  )
  return rows[0] as Rights
}

const lackingRights = ({ role, unreadable, unwritable }: Rights, { env }: Patient): Finding | undefined => {
  const grants: string[] = []
  if (unreadable !== null) grants.push(`grant select on ${unreadable.join(', ')} to "${role}"`)
  if (unwritable !== null && hasToken(env)) grants.push(`grant insert on ${unwritable.join(', ')} to "${role}"`)
  if (grants.length === 0) return undefined
  const lacking = [
    unreadable === null ? '' : 'read',
    grants.some((grant) => grant.startsWith('grant insert')) ? 'add to' : '',
  ].filter((word) => word !== '')
  const tables = [...new Set([...(unreadable ?? []), ...(hasToken(env) ? (unwritable ?? []) : [])])]
  return wrong(
    `"${role}" may not ${lacking.join(' and ')} ${tables.join(', ')}.`,
    psql(ownerVariable(env), grants.join('; ')),
  )
}

/** A token that cannot be read is told of elsewhere. */
const hasToken = (env: Patient['env']): boolean => {
  try {
    return readTokens(env).write.length > 0
  } catch {
    return true
  }
}

const surplusRights = ({ role, superuser }: Rights): Finding =>
  superuser
    ? {
        verdict: 'advice',
        sentence: `"${role}" is a superuser: in production, serve as a role that may only read and add.`,
        mend: psql(
          'DATABASE_URL',
          "create role muster_service login password 'CHANGE-ME'; grant select, insert on all tables in schema public to muster_service",
        ),
      }
    : ok(`"${role}" may do what the service needs.`)
