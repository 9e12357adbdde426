import type { DatabaseSetting } from '../config/database-url.ts'
import { readDatabaseUrl } from '../config/database-url.ts'
import type { Environment } from '../config/read-setting.ts'
import { isSet } from '../config/read-setting.ts'
import { OperatorError } from '../errors.ts'
import type { Login, Logins } from '../postgres/schema/roles.ts'
import { loginOf, rolesSql } from '../postgres/schema/roles.ts'
import { command, exitCodes } from './command.ts'

export const rolesCommand = command({
  name: 'roles',
  summary: 'Print the SQL that creates the database roles.',
  details: [
    'The owner (DATABASE_MIGRATE_URL) migrates, imports and erases. The writer (DATABASE_URL) reads and inserts, which is all that creates need. The reader (DATABASE_READ_URL) only reads. Names and passwords are taken from these three URLs. If DATABASE_ANALYST_URL is set, there is a fourth role, the analyst, which reads only the views for BI tools (schema muster_bi). The SQL contains SCRAM verifiers, as PostgreSQL stores them, not the passwords.',
    'Run the SQL in the database itself, as an administrator of the server. You can run it again, for example after changing passwords. "muster migrate" grants the permissions on the tables.',
  ],
  arguments: [],
  options: {},
  examples: [['roles | psql -v ON_ERROR_STOP=1 muster', 'Before the first "muster migrate"']],
  async run({ env, io }) {
    io.stdout.write(rolesSql(readLogins(env)))
    return exitCodes.success
  },
})

const readLogins = (env: Environment): Logins => {
  const settings = ['DATABASE_MIGRATE_URL', 'DATABASE_URL', 'DATABASE_READ_URL'] as const
  const [owner, writer, reader] = settings.map((name) => readLogin(env, name)) as [Login, Login, Login]
  const analystSetting = 'DATABASE_ANALYST_URL'
  const analyst = isSet(env, analystSetting) ? readLogin(env, analystSetting) : undefined
  const logins = [owner, writer, reader, ...(analyst === undefined ? [] : [analyst])]
  const names = listFormat.format(analyst === undefined ? settings : [...settings, analystSetting])
  if (new Set(logins.map(({ role }) => role)).size < logins.length)
    throw new OperatorError(`${names} must each name a different user.`)
  if (new Set(logins.map(({ database }) => database)).size > 1)
    throw new OperatorError(`${names} must name the same database.`)
  return { owner, writer, reader, ...(analyst === undefined ? {} : { analyst }) }
}

const listFormat = new Intl.ListFormat('en-GB')

const readLogin = (env: Environment, name: DatabaseSetting): Login => {
  const login = isSet(env, name) ? loginOf(readDatabaseUrl(env, name)) : undefined
  if (login === undefined || login.role === '')
    throw new OperatorError(`${name} names no user: write it as postgres://user:password@127.0.0.1:5432/muster.`)
  return login
}
