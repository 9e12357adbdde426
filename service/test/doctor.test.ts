/** The doctor finds each thing that can be wrong with a deployment, and what it prescribes cures it. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { withClient } from './support/database.ts'
import { muster } from './support/muster.ts'
import { until } from './support/until.ts'

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

interface Place {
  /** As the administrator. */
  readonly url: string
  /** As its three roles, which the administrator made by what "muster roles" writes. */
  readonly env: Record<string, string>
  execute(sql: string): Promise<void>
}

const createPlace = async (server: EmbeddedPostgres, name: string): Promise<Place> => {
  const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  await withClient(server.url, (client) => client.query(`create database ${name} template template0 encoding 'UTF8'`))
  const urlOf = (username: string) => Object.assign(new URL(url), { username, password: `secret of ${username}` }).href
  const env = {
    DATABASE_MIGRATE_URL: urlOf('muster_owner'),
    DATABASE_URL: urlOf('muster_writer'),
    DATABASE_READ_URL: urlOf('muster_reader'),
  }
  const { out } = await muster(['roles'], env)
  await withClient(url, (client) => client.query(out))
  return {
    url,
    env,
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
    assert.equal((await muster(['migrate'], database.env)).code, 0)
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it('finds nothing wrong with a deployment that is as it should be', async () => {
    const { code, found, closing } = await examine(database.env)
    assert.deepEqual([code, closing], [0, 'Nothing is wrong.'])
    assert.deepEqual(Object.keys(found), [
      'configuration',
      'token',
      'database',
      'version',
      'extensions',
      'migrations',
      'triggers',
      'counts',
      'permissions',
      'reading',
      'owner',
      'roles',
      'durability',
      'clock',
      'disk',
    ])
    // What cannot be seen from here depends on where "here" is.
    for (const [about, { verdict, sentence }] of Object.entries(found))
      assert.ok(verdict === 'ok' || verdict === 'unknown', `${about}: ${sentence}`)
    assert.deepEqual(
      [found.permissions?.sentence, found.reading?.sentence, found.owner?.sentence],
      [
        '"muster_writer" may do what the service needs, and no more.',
        '"muster_reader" may do what the service needs, and no more.',
        'Migrations and imports run as "muster_owner", which may change the tables.',
      ],
    )
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
      assert.match(closing, /^\d of 15 checks found something wrong\.$/)
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
    assert.equal((await muster(['migrate'], empty.env)).code, 0)
    assert.equal((await examine(empty.env)).code, 0)
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
    // A setting of the server is taken up by its sessions in their own time.
    await until(async () => (await examine({ DATABASE_URL: database.url })).found.durability?.verdict === 'wrong')
    const { found } = await examine({ DATABASE_URL: database.url })
    assert.match(found.durability?.sentence ?? '', /^fsync is off: /)
    for (const sql of sqlOf(found.durability as Line)) await database.execute(sql)
    await until(async () => (await examine({ DATABASE_URL: database.url })).found.durability?.verdict === 'ok')
  })

  it('finds roles that lack rights, and prescribes what grants them', async () => {
    await database.execute(`
      revoke select on employees, muster_ledger, muster_shifts from muster_writer, muster_reader;
      revoke insert (reason) on leave_requests from muster_writer;
      revoke execute on function muster_upkeep() from muster_writer`)
    const { code, found } = await examine(database.env)
    assert.equal(code, 1)
    assert.deepEqual(
      [found.permissions, found.reading],
      [
        {
          verdict: 'wrong',
          sentence:
            '"muster_writer" may not read employees, muster_ledger, muster_shifts or add to leave_requests or run muster_upkeep().',
          mend: 'npx muster migrate',
        },
        {
          verdict: 'wrong',
          sentence: '"muster_reader" may not read employees, muster_ledger, muster_shifts.',
          mend: 'npx muster migrate',
        },
      ],
    )
    assert.equal((await muster(['migrate'], database.env)).out, 'The database is up to date.\n')
    assert.equal((await examine(database.env)).code, 0)
  })

  it('asks for no right to add where there is no token', async () => {
    await database.execute('revoke insert (reason) on leave_requests from muster_writer')
    assert.equal((await examine({ ...database.env, MUSTER_API_TOKEN: '' })).found.permissions?.verdict, 'ok')
    assert.equal((await examine(database.env)).found.permissions?.verdict, 'wrong')
    assert.equal((await muster(['migrate'], database.env)).code, 0)
  })

  it('advises against roles that may do more than they need', async () => {
    const { DATABASE_MIGRATE_URL: owner = '' } = database.env
    const asOwner = await examine({ DATABASE_URL: owner })
    assert.deepEqual([asOwner.code, asOwner.found.permissions?.verdict], [0, 'advice'])
    assert.match(asOwner.found.permissions?.sentence ?? '', /^"muster_owner" may change and delete records/)
    assert.match(asOwner.found.reading?.sentence ?? '', /^Reads use the role that creates/)
    const asAdministrator = await examine({ ...database.env, DATABASE_READ_URL: database.url })
    assert.match(asAdministrator.found.reading?.sentence ?? '', /^"postgres" is a superuser/)
  })

  it('finds reads that go elsewhere, to nobody, or as somebody who is not let in', async () => {
    const { DATABASE_READ_URL: reader = '', DATABASE_URL: writer = '' } = database.env
    const faults: [url: string, sentence: RegExp][] = [
      [Object.assign(new URL(reader), { pathname: '/postgres' }).href, /names another database than DATABASE_URL/],
      [Object.assign(new URL(reader), { port: '1' }).href, /^No PostgreSQL listens at 127\.0\.0\.1:1/],
      [Object.assign(new URL(reader), { password: 'wrong' }).href, /refuses the password of "muster_reader"/],
      ['mysql://x', /^DATABASE_READ_URL should start with postgres/],
    ]
    for (const [url, sentence] of faults) {
      const { code, found } = await examine({ ...database.env, DATABASE_READ_URL: url })
      assert.deepEqual([code, found.reading?.verdict], [1, 'wrong'])
      assert.match(found.reading?.sentence ?? '', sentence)
    }
    const notOwner = await examine({ ...database.env, DATABASE_MIGRATE_URL: writer })
    assert.match(notOwner.found.owner?.sentence ?? '', /^"muster_writer" may not change the tables/)
    const notThere = await examine({ ...database.env, DATABASE_MIGRATE_URL: 'postgres://x@127.0.0.1:1/x' })
    assert.deepEqual(
      [notOwner.code, notThere.code, notThere.found.owner?.sentence],
      [1, 1, 'No PostgreSQL listens at 127.0.0.1:1: start it, or correct the database address.'],
    )
  })

  it('is told by "muster migrate" where the roles have not been made', async () => {
    const strangers = {
      ...database.env,
      DATABASE_URL: Object.assign(new URL(database.url), { username: 'nobody' }).href,
    }
    const { code, err } = await muster(['migrate'], strangers)
    assert.equal(code, 1)
    assert.match(err, /\nThe role "nobody" does not exist: let an administrator run what "muster roles" writes\.\n$/)
  })

  it('makes roles again under other passwords, and never of a superuser', async () => {
    const other = (url = '') => Object.assign(new URL(url), { password: 'another' }).href
    const changed = Object.fromEntries(Object.entries(database.env).map(([name, url]) => [name, other(url)]))
    await database.execute((await muster(['roles'], changed)).out)
    assert.equal((await examine(changed)).code, 0)
    assert.match((await examine(database.env)).found.database?.sentence ?? '', /refuses the password/)
    await database.execute((await muster(['roles'], database.env)).out)
    const { out } = await muster(['roles'], { ...database.env, DATABASE_READ_URL: database.url })
    await assert.rejects(database.execute(out), /One of the roles is a superuser/)
    await assert.rejects(
      withClient(server.url, (client) => client.query(out)),
      /This is for the database healthy, and not for postgres/,
    )
  })

  it('finds settings that a role gave itself, which "muster roles" resets', async () => {
    await withClient(database.env.DATABASE_URL ?? '', (client) =>
      client.query(`alter role current_user set default_transaction_read_only = on;
                    alter role current_user in database healthy set statement_timeout = '1ms'`),
    )
    const { code, found } = await examine(database.env)
    assert.deepEqual([code, found.roles?.verdict], [1, 'wrong'])
    assert.match(
      found.roles?.sentence ?? '',
      /: "muster_writer" has default_transaction_read_only=on, "muster_writer" has statement_timeout=1ms\. /,
    )
    await database.execute((await muster(['roles'], database.env)).out)
    assert.equal((await examine(database.env)).found.roles?.verdict, 'ok')
    await database.execute('alter role muster_reader reset lock_timeout')
    assert.equal((await examine(database.env)).found.roles?.verdict, 'ok')
    const pooled = await examine({ ...database.env, DATABASE_POOLER: 'transaction' })
    assert.match(pooled.found.roles?.sentence ?? '', /: "muster_reader" lacks lock_timeout=2000ms\. /)
    await database.execute((await muster(['roles'], database.env)).out)
  })

  it('tells a wrong password without showing one', async () => {
    const wrong = Object.assign(new URL(server.url), { password: 'wrong-secret' }).href
    const { out } = await muster(['doctor'], { DATABASE_URL: wrong, MUSTER_API_TOKEN: secret })
    assert.match(out, /refuses the password of "postgres"/)
    assert.doesNotMatch(out, new RegExp(`wrong-secret|${secret}`))
  })
})
