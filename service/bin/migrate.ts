/** In charge of the command that brings the database up to this release. */
import { migrate } from '../src/database/migrate.ts'
import { OperatorError } from '../src/database/operator-error.ts'

const databaseUrl = (): string => {
  const url = (process.env.DATABASE_MIGRATE_URL?.trim() || process.env.DATABASE_URL?.trim()) ?? ''
  if (url === '')
    throw new OperatorError(
      'DATABASE_URL is not set: set it to the database to migrate, such as postgres://user:password@host:5432/muster.',
    )
  return url
}

try {
  const applied = await migrate(databaseUrl(), {
    onApplied: (name) => console.log(`applied ${name}`),
    onWaiting: () => console.log('another migration is running; waiting for it'),
  })
  console.log(
    applied.length === 0
      ? 'The database is up to date.'
      : `The database is up to date: ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'} applied.`,
  )
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exitCode = 1
}
