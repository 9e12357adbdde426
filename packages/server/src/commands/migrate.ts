import { migrate } from '../postgres/schema/migrate.ts'
import { printable } from '../printable.ts'
import { command, exitCodes } from './command.ts'
import { announcedOwnerUrl, serviceRoles } from './owner-url.ts'

export const migrateCommand = command({
  name: 'migrate',
  summary: 'Update the database schema to this release.',
  details: [
    'Applies missing migrations in order, each in its own transaction. Safe to repeat and to run concurrently: a second run waits for the first.',
    'A migration never waits for a lock for more than 2 s, so that requests do not wait behind it: it is rolled back and tried again, up to 200 times in about ten minutes. Then the command fails, and the next run continues there.',
    'Connects as DATABASE_MIGRATE_URL if it is set, and grants the roles of DATABASE_URL and DATABASE_READ_URL their permissions. Otherwise connects as DATABASE_URL.',
  ],
  arguments: [],
  options: {},
  examples: [['migrate', 'Before the first start, and after every upgrade']],
  async run({ env, io }) {
    const print = (line: string) => io.stdout.write(`${printable(line)}\n`)
    const appliedNames = await migrate(announcedOwnerUrl(env, io), {
      ...serviceRoles(env),
      onApplied: (name) => print(`applied ${name}`),
      onWaiting: () => print('another migration is running; waiting for it'),
      onLocked: (name) => print(`${name} is waiting for other sessions that use its tables; retrying until they end`),
    })
    const count = `${appliedNames.length} ${appliedNames.length === 1 ? 'migration' : 'migrations'}`
    print(appliedNames.length === 0 ? 'The database is up to date.' : `The database is up to date: ${count} applied.`)
    return exitCodes.success
  },
})
