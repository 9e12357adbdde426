/** In charge of the command that writes the SQL by which an administrator makes the roles. */
import type { DatabaseSetting, Environment } from '../config.ts'
import { isSet, readDatabaseUrl } from '../config.ts'
import type { Login, Logins } from '../database/roles.ts'
import { loginOf, rolesSql } from '../database/roles.ts'
import { OperatorError } from '../errors.ts'
import { command, exitCodes } from './command.ts'

export const rolesCommand = command({
  name: 'roles',
  summary: 'Write the SQL that makes the three database roles.',
  details: [
    'The owner migrates, imports and erases (DATABASE_MIGRATE_URL); the writer reads and adds, which is what creates need (DATABASE_URL); the reader reads (DATABASE_READ_URL). Names and passwords are taken from these three addresses. Passwords are written in the form in which PostgreSQL keeps them, never as they are.',
    'An administrator of the server runs what is written, in the database itself; it may be run again, as after a change of passwords. The rights on the tables are granted by "muster migrate".',
  ],
  arguments: [],
  options: {},
  examples: [['roles | psql -v ON_ERROR_STOP=1 muster', 'Before the first "muster migrate"']],
  async run({ env, io }) {
    io.stdout.write(rolesSql(loginsIn(env)))
    return exitCodes.done
  },
})

const loginsIn = (env: Environment): Logins => {
  const logins = {
    owner: loginNamed(env, 'DATABASE_MIGRATE_URL'),
    writer: loginNamed(env, 'DATABASE_URL'),
    reader: loginNamed(env, 'DATABASE_READ_URL'),
  }
  const { owner, writer, reader } = logins
  if (new Set([owner.role, writer.role, reader.role]).size < 3)
    throw new OperatorError('DATABASE_MIGRATE_URL, DATABASE_URL and DATABASE_READ_URL should each name another user.')
  if (new Set([owner.database, writer.database, reader.database]).size > 1)
    throw new OperatorError('DATABASE_MIGRATE_URL, DATABASE_URL and DATABASE_READ_URL should name the same database.')
  return logins
}

const loginNamed = (env: Environment, name: DatabaseSetting): Login => {
  const login = isSet(env, name) ? loginOf(readDatabaseUrl(env, name)) : undefined
  if (login === undefined || login.role === '')
    throw new OperatorError(`${name} names no user: write it as postgres://user:password@127.0.0.1:5432/muster.`)
  return login
}
