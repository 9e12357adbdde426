/** The doctor finds each thing that can be wrong with a deployment, and what it prescribes cures it. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { migrate } from '../src/database/migrate.ts'
import { muster } from './support/muster.ts'

interface Line {
  readonly verdict: string
  readonly sentence: string
  readonly mend?: string
}

const secret = '9f2c1be07d4a56e83b1f9c0d2e4a6b8c7d5e3f10'

const examine = async (
  env: Record<string, string>,
): Promise<{ code: number; found: Record<string, Line>; closing: string }> => {
  const { code, out, err } = await muster(['doctor'], { MUSTER_API_TOKEN: secret, ...env })
  assert.equal(err, '')
  const lines = out.trimEnd().split('\n')
  const found: Record<string, Line> = {}
  for (const [index, line] of lines.entries()) {
    const [, verdict, about, sentence] = /^(\w+) +(\w+) +(.+)$/.exec(line) ?? []
    const mend = /^ +mend: (.+)$/.exec(lines[index + 1] ?? '')?.[1]
    if (verdict !== undefined && about !== undefined && sentence !== undefined && index < lines.length - 1)
      found[about] = { verdict, sentence, ...(mend === undefined ? {} : { mend }) }
  }
  return { code, found, closing: lines.at(-1) ?? '' }
}

/** The SQL of the psql commands that were prescribed, for machines that have no psql. */
const sqlOf = ({ mend = '' }: Line): string[] =>
  mend.split(' && ').map((command) => (/^psql "\$\w+" -c '(.+)'$/.exec(command)?.[1] ?? '').replaceAll(`'\\''`, "'"))

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A setting of the server is taken up by its sessions in their own time. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 10_000
  while (!(await holds())) assert.ok(Date.now() < deadline, 'it never came about')
}

interface Place {
  readonly url: string
  execute(sql: string): Promise<void>
}

const createPlace = async (server: EmbeddedPostgres, name: string): Promise<Place> => {
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  await withClient(server.url, (client) => client.query(`create database ${name} template template0 encoding 'UTF8'`))
  return {
    url,
    execute: async (sql) => {
      await withClient(url, (client) => client.query(sql))
    },
  }
}

describe('the doctor', () => {
  let server: EmbeddedPostgres
  let database: Place
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-doctor-'))
    await chmod(folder, 0o755)
    // Of its own, because the one the tests run on need not keep anything.
    server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), persistent: true })
    database = await createPlace(server, 'healthy')
    await migrate(database.url)
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it('finds nothing wrong with a deployment that is as it should be', async () => {
    const { code, found, closing } = await examine({ DATABASE_URL: database.url })
    assert.deepEqual([code, closing], [0, 'Nothing is wrong.'])
    assert.deepEqual(Object.keys(found), [
      'configuration',
      'token',
      'database',
      'version',
      'extensions',
      'migrations',
      'permissions',
      'owner',
      'durability',
      'clock',
      'disk',
    ])
    for (const [about, { verdict, sentence }] of Object.entries(found))
      assert.notEqual(verdict, 'wrong', `${about}: ${sentence}`)
  })

  const settingFaults: [rule: string, env: Record<string, string>, about: string, sentence: RegExp, mend?: string][] = [
    [
      'a setting that is not known',
      { MUSTER_POOLSIZE: '4' },
      'configuration',
      /MUSTER_POOLSIZE is not known; did you mean MUSTER_POOL_SIZE\?/,
      'unset MUSTER_POOLSIZE',
    ],
    ['a port that is none', { PORT: 'http' }, 'configuration', /^PORT should be a whole number/],
    ['two tokens of one name', { MUSTER_API_TOKEN_FILE: '/dev/null' }, 'configuration', /^Both MUSTER_API_TOKEN and/],
    [
      'a short token',
      { MUSTER_API_TOKEN: 'sesame' },
      'token',
      /can be guessed/,
      'export MUSTER_API_TOKEN="$(openssl rand -hex 32)"',
    ],
    ['a token of one letter', { MUSTER_API_TOKEN: 'a'.repeat(40) }, 'token', /can be guessed/],
    [
      'a server that is down',
      { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/x' },
      'database',
      /^No PostgreSQL listens/,
      'sudo systemctl start postgresql',
    ],
    ['an address that is none', { DATABASE_URL: 'mysql://x' }, 'database', /^There is no address to try/],
  ]
  for (const [rule, env, about, sentence, mend] of settingFaults) {
    it(`finds ${rule}`, async () => {
      const { code, found, closing } = await examine({ DATABASE_URL: database.url, ...env })
      assert.equal(code, 1)
      assert.match(closing, /^\d of 11 checks found something wrong\.$/)
      assert.equal(found[about]?.verdict, 'wrong')
      assert.match(found[about]?.sentence ?? '', sentence)
      if (mend !== undefined) assert.equal(found[about]?.mend, mend)
    })
  }

  it('does not guess at what it cannot see while the database is away', async () => {
    const { found } = await examine({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/x' })
    for (const about of ['version', 'extensions', 'migrations', 'permissions', 'owner', 'durability', 'clock', 'disk'])
      assert.equal(found[about]?.verdict, 'unknown', about)
  })

  it('names the command that makes a missing database', async () => {
    const nowhere = Object.assign(new URL(server.url), { pathname: '/nowhere' }).href
    const { found } = await examine({ DATABASE_URL: nowhere })
    assert.match(found.database?.sentence ?? '', /has no database "nowhere"/)
    assert.match(
      found.database?.mend ?? '',
      /^createdb --host=\S+ --port=\d+ --username=\S+ --encoding=UTF8 --template=template0 nowhere$/,
    )
  })

  it('finds migrations that are missing, and those of a later release', async () => {
    const empty = await createPlace(server, 'empty')
    const missing = await examine({ DATABASE_URL: empty.url })
    assert.deepEqual(
      [missing.code, missing.found.migrations?.mend, missing.found.permissions?.verdict],
      [1, 'npx muster migrate', 'unknown'],
    )
    for (const sql of sqlOf(missing.found.extensions as Line)) await empty.execute(sql)
    assert.equal((await examine({ DATABASE_URL: empty.url })).found.extensions?.verdict, 'ok')
    await migrate(empty.url)
    assert.equal((await examine({ DATABASE_URL: empty.url })).code, 0)
    await empty.execute(`insert into muster_migrations (name, sha256) values ('9999-later.sql', 'x')`)
    const newer = await examine({ DATABASE_URL: empty.url })
    assert.match(newer.found.migrations?.sentence ?? '', /newer than this release: it has 9999-later\.sql/)
  })

  it('finds a database that acknowledges before it has written, and prescribes what cures it', async () => {
    await database.execute(`alter database healthy set synchronous_commit = off`)
    const { code, found } = await examine({ DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(found.durability?.sentence ?? '', /^synchronous_commit is off: /)
    for (const sql of sqlOf(found.durability as Line)) await database.execute(sql)
    assert.equal((await examine({ DATABASE_URL: database.url })).found.durability?.verdict, 'ok')
  })

  it('finds a clock that is wrong and a disk that is full', async () => {
    // The server asks these first, as a session of this database.
    const fullPlace = process.platform === 'linux' ? '/proc' : '/dev'
    await database.execute(`
      create schema elsewhere;
      create function elsewhere.clock_timestamp() returns timestamptz language sql
        return pg_catalog.clock_timestamp() + interval '90 seconds';
      create view elsewhere.pg_settings as
        select name, case name when 'data_directory' then '${fullPlace}' else setting end as setting, source
        from pg_catalog.pg_settings;
      alter database healthy set search_path = elsewhere, pg_catalog, public`)
    const { code, found } = await examine({ DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(found.clock?.sentence ?? '', /^The clock of the database is 90\.\d s ahead of that of this machine\.$/)
    assert.equal(found.clock?.mend, 'sudo timedatectl set-ntp true')
    assert.match(found.disk?.sentence ?? '', /^Only 0\.0 GiB \(0 %\) free where the database lies/)
    assert.equal(found.disk?.mend, `df -h ${fullPlace}`)
    await database.execute(`alter database healthy reset search_path; drop schema elsewhere cascade`)
  })

  it('finds a server that does not wait for the disk, and prescribes what cures it', async () => {
    await database.execute('alter system set fsync = off')
    await database.execute('select pg_reload_conf()')
    await until(async () => (await examine({ DATABASE_URL: database.url })).found.durability?.verdict === 'wrong')
    const { found } = await examine({ DATABASE_URL: database.url })
    assert.match(found.durability?.sentence ?? '', /^fsync is off: /)
    for (const sql of sqlOf(found.durability as Line)) await database.execute(sql)
    await until(async () => (await examine({ DATABASE_URL: database.url })).found.durability?.verdict === 'ok')
  })

  it('finds a role that lacks rights, prescribes the grants, and asks for no insert where there is no token', async () => {
    const guest = Object.assign(new URL(server.url), {
      username: 'guest',
      password: 'guest-secret',
      pathname: '/healthy',
    }).href
    await database.execute(`create role guest login password 'guest-secret'`)
    const lacking = await examine({ DATABASE_URL: guest, DATABASE_MIGRATE_URL: database.url })
    assert.match(lacking.found.permissions?.sentence ?? '', /^"guest" may not read and add to .*employees/)
    const [select = '', insert = ''] = sqlOf(lacking.found.permissions as Line).flatMap((sql) => sql.split('; '))
    await database.execute(select)
    assert.equal((await examine({ DATABASE_URL: guest, MUSTER_API_TOKEN: '' })).found.permissions?.verdict, 'ok')
    const reading = await examine({ DATABASE_URL: guest })
    assert.match(reading.found.permissions?.sentence ?? '', /^"guest" may not add to leave_requests/)
    await database.execute(insert)
    const enough = await examine({ DATABASE_URL: guest })
    assert.deepEqual([enough.found.permissions?.verdict, enough.found.owner?.verdict], ['ok', 'advice'])
    const notOwner = await examine({ DATABASE_URL: database.url, DATABASE_MIGRATE_URL: guest })
    assert.match(notOwner.found.owner?.sentence ?? '', /^"guest" may not change the tables/)
    const notThere = await examine({ DATABASE_URL: database.url, DATABASE_MIGRATE_URL: 'postgres://x@127.0.0.1:1/x' })
    assert.deepEqual(
      [notOwner.code, notThere.code, notThere.found.owner?.sentence],
      [1, 1, 'No PostgreSQL listens at 127.0.0.1:1: start it, or correct the database address.'],
    )
  })

  it('tells a wrong password without showing one', async () => {
    const wrong = Object.assign(new URL(server.url), { password: 'wrong-secret' }).href
    const { out } = await muster(['doctor'], { DATABASE_URL: wrong, MUSTER_API_TOKEN: secret })
    assert.match(out, /refuses the password of "postgres"/)
    assert.doesNotMatch(out, new RegExp(`wrong-secret|${secret}`))
  })
})
