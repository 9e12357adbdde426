import { explainDatabaseError } from '../../postgres/connection/explain-error.ts'
import { minServerVersion } from '../../postgres/schema/migrate.ts'
import type { Check, Finding } from './finding.ts'
import { databaseCheck, isLocalUrl, ok, ownerVariable, psqlCommand, wrong } from './finding.ts'

export const reachabilityCheck: Check = {
  label: 'database',
  run({ client, databaseUrl, error: connectError }) {
    if (databaseUrl === undefined)
      return wrong(
        'There is no database to connect to: DATABASE_URL is not set, or is not a PostgreSQL URL.',
        setUrlCommand,
      )
    if (client !== undefined) return reachableFinding(databaseUrl)
    const sentence =
      explainDatabaseError(connectError, databaseUrl)?.message ??
      `The database is not reachable: ${String(connectError)}.`
    return wrong(sentence, fixFor(connectError, databaseUrl))
  },
}

const reachableFinding = (url: string): Finding =>
  isLocalUrl(url) || new URL(url).searchParams.get('sslmode') === 'verify-full'
    ? ok(`${describeTarget(url)} is reachable.`)
    : {
        verdict: 'advice',
        sentence: `${describeTarget(url)} is on another machine, and the connection is not encrypted: add sslmode=verify-full to the URL.`,
      }

const setUrlCommand = 'export DATABASE_URL=postgres://user:password@127.0.0.1:5432/muster'

const describeTarget = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `The database "${decodeURIComponent(pathname.slice(1))}" at ${host || 'the local socket'}`
}

const fixFor = (error: unknown, url: string): string | undefined => {
  if (!URL.canParse(url)) return setUrlCommand
  const { hostname, port, username, pathname } = new URL(url)
  const connectionOptions = `--host=${hostname} --port=${port || '5432'} --username=${decodeURIComponent(username) || 'postgres'}`
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'sudo systemctl start postgresql'
    case '3D000':
      return `createdb ${connectionOptions} --encoding=UTF8 --template=template0 ${decodeURIComponent(pathname.slice(1))}`
    default:
      return setUrlCommand
  }
}

export const serverVersionCheck = databaseCheck('version', async (client) => {
  const { rows } = await client.query<{ version: string; major: number; encoding: string; standby: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
            current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`,
  )
  const { version = '', major = 0, encoding = '', standby = false } = rows[0] ?? {}
  if (major < minServerVersion)
    return wrong(`PostgreSQL ${version} is too old: ${minServerVersion} or later is required.`, 'pg_upgrade --help')
  if (encoding !== 'UTF8')
    return wrong(
      `The database has the encoding ${encoding}, but must have UTF8.`,
      'createdb --encoding=UTF8 --template=template0 muster',
    )
  if (standby) return wrong('The server is a read-only standby: point DATABASE_URL at the primary.', setUrlCommand)
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
  const variable = ownerVariable(env)
  const commands = settingsOff
    .map(({ name, source }) => turnOnSql(name, source))
    .map((sql) => psqlCommand(variable, sql))
  return wrong(
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} off: acknowledged writes can be lost in a power failure.`,
    [...commands, psqlCommand(variable, 'select pg_reload_conf()')].join(' && '),
  )
})

/** Settings of a role or a database override those of the server, so they have to be reset. */
const turnOnSql = (name: string, source: string): string => {
  if (source === 'user') return `alter role current_user reset ${name}`
  if (source === 'database')
    return `do $$ begin execute format('alter database %I reset ${name}', current_database()); end $$`
  return `alter system set ${name} = on`
}
