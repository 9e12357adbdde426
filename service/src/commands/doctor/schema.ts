/** In charge of the checks of what the migrations made: extensions and tables. */
import type { SchemaState } from '../../database/migrate.ts'
import { readMigrationFiles, schemaState } from '../../database/migrate.ts'
import type { Finding } from './finding.ts'
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
    case 'expanded':
      return ok(`The database is up to date, and expanded by ${names.join(', ')} of a newer release.`)
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
