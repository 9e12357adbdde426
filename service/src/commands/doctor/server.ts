/** In charge of the checks of the database server: whether it answers, what it is, and whether it keeps what it acknowledges. */
import { oldestServer } from '../../database/migrate.ts'
import { explainDatabaseFault } from '../../database/operator-error.ts'
import type { Check, Finding } from './finding.ts'
import { connected, isLocal, ok, ownerVariable, psql, wrong } from './finding.ts'

export const reachability: Check = {
  about: 'database',
  look({ client, databaseUrl, fault }) {
    if (databaseUrl === undefined)
      return wrong('There is no address to try: DATABASE_URL is not set or not a PostgreSQL address.', setUrl)
    if (client !== undefined) return answering(databaseUrl)
    const sentence =
      explainDatabaseFault(fault, databaseUrl)?.message ?? `The database does not answer: ${String(fault)}.`
    return wrong(sentence, mendFor(fault, databaseUrl))
  },
}

const answering = (url: string): Finding =>
  isLocal(url) || new URL(url).searchParams.get('sslmode') === 'verify-full'
    ? ok(`${describeTarget(url)} answers.`)
    : {
        verdict: 'advice',
        sentence: `${describeTarget(url)} answers in plain text, and is not on this machine: add sslmode=verify-full to its address.`,
      }

const setUrl = 'export DATABASE_URL=postgres://user:password@127.0.0.1:5432/muster'

const describeTarget = (url: string): string => {
  const { host, pathname } = new URL(url)
  return `The database "${decodeURIComponent(pathname.slice(1))}" at ${host || 'the local socket'}`
}

const mendFor = (fault: unknown, url: string): string | undefined => {
  if (!URL.canParse(url)) return setUrl
  const { hostname, port, username, pathname } = new URL(url)
  const server = `--host=${hostname} --port=${port || '5432'} --username=${decodeURIComponent(username) || 'postgres'}`
  switch (fault instanceof Error && 'code' in fault ? fault.code : '') {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'sudo systemctl start postgresql'
    case '3D000':
      return `createdb ${server} --encoding=UTF8 --template=template0 ${decodeURIComponent(pathname.slice(1))}`
    default:
      return setUrl
  }
}

export const serverVersion = connected('version', async (client) => {
  const { rows } = await client.query<{ version: string; major: number; encoding: string; standby: boolean }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int / 10000 as major,
            current_setting('server_encoding') as encoding, pg_is_in_recovery() as standby`,
  )
  const { version = '', major = 0, encoding = '', standby = false } = rows[0] ?? {}
  if (major < oldestServer)
    return wrong(`PostgreSQL ${version} is too old: ${oldestServer} or later is needed.`, 'pg_upgrade --help')
  if (encoding !== 'UTF8')
    return wrong(
      `The database is encoded in ${encoding}, and has to be in UTF8.`,
      'createdb --encoding=UTF8 --template=template0 muster',
    )
  if (standby)
    return wrong('The server is a standby, which can only be read: point DATABASE_URL at the primary.', setUrl)
  return ok(`PostgreSQL ${version}, encoded in UTF8.`)
})

/** Settings without which an acknowledged create can be lost with the power. */
const safeguards = ['fsync', 'full_page_writes', 'synchronous_commit']

export const durability = connected('durability', async (client, { env }): Promise<Finding> => {
  const { rows } = await client.query<{ name: string; setting: string; source: string }>(
    'select name, setting, source from pg_settings where name = any($1) order by name',
    [safeguards],
  )
  const off = rows.filter(({ setting }) => setting === 'off')
  if (off.length === 0) return ok(`${rows.map(({ name, setting }) => `${name} is ${setting}`).join(', ')}.`)
  const names = off.map(({ name }) => name)
  const variable = ownerVariable(env)
  const commands = off.map(({ name, source }) => turnOn(name, source)).map((sql) => psql(variable, sql))
  return wrong(
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} off: what was acknowledged can be lost in a power cut.`,
    [...commands, psql(variable, 'select pg_reload_conf()')].join(' && '),
  )
})

/** A setting of a role or a database stands above that of the server. */
const turnOn = (name: string, source: string): string => {
  if (source === 'user') return `alter role current_user reset ${name}`
  if (source === 'database')
    return `do $$ begin execute format('alter database %I reset ${name}', current_database()); end $$`
  return `alter system set ${name} = on`
}
