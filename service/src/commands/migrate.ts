/** In charge of the command that brings the database up to this release. */
import { migrate } from '../database/migrate.ts'
import { command, exitCodes } from './command.ts'
import { announcedOwnerUrl, servingRoles } from './owner-url.ts'

export const migrateCommand = command({
  name: 'migrate',
  summary: 'Bring the database up to this release.',
  details: [
    'Applies the migrations that the database lacks, in order, each in a transaction of its own. Safe to repeat, and safe to start twice at once: the second waits for the first.',
    'Connects as DATABASE_MIGRATE_URL where that is set, and grants the roles of DATABASE_URL and DATABASE_READ_URL what they need; else as DATABASE_URL.',
  ],
  arguments: [],
  options: {},
  examples: [['migrate', 'Before the first start, and after every upgrade']],
  async run({ env, io }) {
    const say = (sentence: string) => io.stdout.write(`${sentence}\n`)
    const applied = await migrate(announcedOwnerUrl(env, io), {
      ...servingRoles(env),
      onApplied: (name) => say(`applied ${name}`),
      onWaiting: () => say('another migration is running; waiting for it'),
    })
    const count = `${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}`
    say(applied.length === 0 ? 'The database is up to date.' : `The database is up to date: ${count} applied.`)
    return exitCodes.done
  },
})
