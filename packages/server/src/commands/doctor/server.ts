import { DatabaseError } from 'pg'
import type { Environment } from '../../config/read-setting.ts'
import { explainDatabaseError } from '../../postgres/connection/explain-error.ts'
import { minServerVersion } from '../../postgres/schema/migrate.ts'
import type { Check, Finding } from './finding.ts'
import { databaseCheck, isLocalUrl, ok, ownerVariable, psqlCommand, wrong } from './finding.ts'
import { connectionFix, setUrlCommand } from './login.ts'

export const reachabilityCheck: Check = {
  label: 'database',
  async run({ env, client, databaseUrl, error: connectError }) {
    if (databaseUrl === undefined)
      return wrong(
        'There is no database to connect to: DATABASE_URL is not set, or is not a PostgreSQL URL.',
        setUrlCommand('DATABASE_URL'),
      )
    if (client !== undefined) return reachableFinding(databaseUrl)
    const sentence =
      explainDatabaseError(connectError, databaseUrl)?.message ??
      `The database is not reachable: ${String(connectError)}.`
    return wrong(sentence, await fixFor(connectError, databaseUrl, env))
  },
}

const reachableFinding = (url: string): Finding =>
  isLocalUrl(url) || new URL(url).searchParams.get('sslmode') === 'verify-full'
    ? ok(`${describeTarget(url)} is reachable.`)
    : {
        verdict: 'advice',
        sentence: `${describeTarget(url)} is on another machine, and the connection is not encrypted: add sslmode=verify-full to the URL.`,
      }

const describeTarget = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `The database "${decodeURIComponent(pathname.slice(1))}" at ${host || 'the local socket'}`
}

const fixFor = async (error: unknown, url: string, env: Environment): Promise<string | undefined> => {
  if (!(error instanceof DatabaseError) || error.code !== '3D000') return connectionFix(error, 'DATABASE_URL', env)
  const { hostname, port, username, pathname } = new URL(url)
  const connectionOptions = `--host=${hostname} --port=${port || '5432'} --username=${decodeURIComponent(username) || 'postgres'}`
  return `createdb ${connectionOptions} --encoding=UTF8 --template=template0 ${decodeURIComponent(pathname.slice(1))}`
}

export const serverVersionCheck = databaseCheck('version', async (client) => {
  const { rows } = await client.query<{ version: string; major: number; encoding: string; standby: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
            current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`,
  )
  const { version = '', major = 0, encoding = '', standby = false } = rows[0] ?? {}
  if (major < minServerVersion)
    return wrong(`PostgreSQL ${version} is too old: upgrade the server to ${minServerVersion} or later.`)
  if (encoding !== 'UTF8')
    return wrong(
      `The database has the encoding ${encoding}, but must have UTF8: create another one, and set DATABASE_URL.`,
    )
  if (standby) return wrong('The server is a read-only standby: point DATABASE_URL at the primary.')
  return ok(`PostgreSQL ${version}, encoding UTF8.`)
})

/** If one of these settings is off, an acknowledged create can be lost in a power failure. */
const durabilitySettings = ['fsync', 'full_page_writes', 'synchronous_commit']

export const durabilityCheck = databaseCheck('durability', async (client, { env }): Promise<Finding> => {
  const { rows } = await client.query<{ name: string; setting: string; source: string }>(
    'select name, setting, source from pg_settings where name = any($1) order by name',
    [durabilitySettings],
  )
  const settingsOff = rows.filter(({ setting }) => setting === 'off')
  if (settingsOff.length === 0) return ok(`${rows.map(({ name, setting }) => `${name} is ${setting}`).join(', ')}.`)
  const names = settingsOff.map(({ name }) => name)
  return wrong(
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} off: acknowledged writes can be lost in a power failure.`,
    settingsOff.some(({ source }) => source === 'command line')
      ? undefined
      : settingsOff.map(({ name, source }) => turnOnCommand(name, source, env)).join(' && '),
  )
})

/**
 * Settings of a role or a database override those of the server, so they have to be reset. No SQL changes a setting on the
 * command line of the server.
 */
const turnOnCommand = (name: string, source: string, env: Environment): string => {
  switch (source) {
    case 'user':
      return psqlCommand('DATABASE_URL', `alter role current_user reset ${name}`)
    case 'database user':
      return psqlCommand('DATABASE_URL', inDatabaseSql(`alter role current_user in database %I reset ${name}`))
    case 'database':
      return psqlCommand(ownerVariable(env), inDatabaseSql(`alter database %I reset ${name}`))
    default:
      return `${psqlCommand('ADMIN_URL', `alter system set ${name} = on`)} && ${psqlCommand('ADMIN_URL', 'select pg_reload_conf()')}`
  }
}

const inDatabaseSql = (format: string): string => `do $$ begin execute format('${format}', current_database()); end $$`
