import type { SchemaState } from '../../postgres/schema/migrate.ts'
import { readMigrationFiles, schemaState, supersededSentence } from '../../postgres/schema/migrate.ts'
import type { Finding } from './finding.ts'
import { databaseCheck, ok, ownerVariable, psqlCommand, wrong } from './finding.ts'

export const extensionsCheck = databaseCheck('extensions', async (client, { env }) => {
  const required = await requiredExtensions()
  const { rows } = await client.query<{ name: string; installed: boolean }>(
    'select name, installed_version is not null as installed from pg_available_extensions where name = any($1)',
    [required],
  )
  const unavailableNames = required.filter((name) => !rows.some((row) => row.name === name))
  if (unavailableNames.length > 0)
    return wrong(
      `The server lacks ${unavailableNames.join(', ')}: install PostgreSQL's contributed modules there, on Debian the package postgresql-contrib.`,
    )
  const missingNames = rows.filter(({ installed }) => !installed).map(({ name }) => name)
  if (missingNames.length > 0)
    return wrong(
      `Not installed in the database: ${missingNames.join(', ')}.`,
      psqlCommand(ownerVariable(env), missingNames.map((name) => `create extension ${name}`).join('; ')),
    )
  return ok(`${required.join(', ')} ${required.length === 1 ? 'is' : 'are'} installed.`)
})

/** Extensions are declared only by the migrations that need them. */
const requiredExtensions = async (): Promise<string[]> => {
  const files = await readMigrationFiles()
  const matches = files.flatMap(({ sql }) => [...sql.matchAll(/create extension (?:if not exists )?"?(\w+)/g)])
  return [...new Set(matches.map(([, name = '']) => name))]
}

export const migrationsCheck = databaseCheck('migrations', async (client) =>
  migrationFinding(await schemaState(client)),
)

const migrationFinding = ({ state, names }: SchemaState): Finding => {
  switch (state) {
    case 'current':
      return ok('The database is up to date.')
    case 'expanded':
      return ok(`The database is up to date; a newer release has expanded it by ${names.join(', ')}.`)
    case 'missing':
      return wrong(
        `The database lacks ${names.length} migrations of this release, starting with ${names[0]}.`,
        'npx muster migrate',
      )
    case 'newer':
      return wrong(
        `The database is newer than this release: it has ${names.join(', ')}. Run the release that contains them.`,
      )
    case 'changed':
      return wrong(
        `The database was migrated with other versions of ${names.join(', ')}. Run the release that applied them, or import an export into a new database.`,
      )
    case 'superseded':
      return wrong(supersededSentence)
  }
}
