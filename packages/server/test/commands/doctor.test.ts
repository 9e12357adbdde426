import assert from 'node:assert/strict'
import { chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { withClient } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { applyFix } from '../../../../tests/support/shell-fix.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

interface Check {
  readonly verdict: string
  readonly sentence: string
  readonly fix?: string
}

const apiToken = '9f2c1be07d4a56e83b1f9c0d2e4a6b8c7d5e3f10'

/** Every fix that "muster doctor" prints in these tests must be applied in one of them. Sessions have different numbers. */
const printedFixes = new Set<string>()
const appliedFixes = new Set<string>()
const kindOf = (fix: string): string => fix.replaceAll(/\d+/g, 'N')

const runDoctor = async (
  env: Record<string, string>,
): Promise<{ code: number; checks: Record<string, Check>; lastLine: string }> => {
  const { code, out, err } = await muster(['doctor'], { MUSTER_API_TOKEN: apiToken, ...env })
  assert.equal(err, '')
  const lines = out.trimEnd().split('\n')
  const checks: Record<string, Check> = {}
  for (const [index, line] of lines.entries()) {
    const [, verdict, check, sentence] = /^(\w+) +(\w+) +(.+)$/.exec(line) ?? []
    const fix = /^ +fix: (.+)$/.exec(lines[index + 1] ?? '')?.[1]
    if (verdict !== undefined && check !== undefined && sentence !== undefined && index < lines.length - 1)
      checks[check] = { verdict, sentence, ...(fix === undefined ? {} : { fix }) }
    if (fix !== undefined) printedFixes.add(kindOf(fix))
  }
  return { code, checks, lastLine: lines.at(-1) ?? '' }
}

interface DoctorDatabase {
  /** Connects as the administrator. */
  readonly url: string
  /** URLs for the three roles, which the administrator created with the output of "muster roles". */
  readonly env: Record<string, string>
  urlOf(role: string): string
  execute(sql: string): Promise<void>
  /**
   * Runs doctor, does what it says about the check, and runs it again: the check must then be ok. Returns the first finding.
   */
  fixCheck(check: string, env: Record<string, string>): Promise<Check>
}

const createDoctorDatabase = async (server: EmbeddedPostgres, name: string): Promise<DoctorDatabase> => {
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
    urlOf,
    fixCheck: async (check, wrongEnv) => {
      const { checks } = await runDoctor(wrongEnv)
      const finding = checks[check]
      assert.ok(finding?.fix !== undefined, `${check} has no fix: ${finding?.sentence}`)
      appliedFixes.add(kindOf(finding.fix))
      const fix = finding.fix.replaceAll(/postgres:\/\/(\w+):password@127\.0\.0\.1:5432\/muster/g, (_, role) =>
        urlOf(role),
      )
      const {
        ADMIN_URL: _,
        PGPASSWORD: __,
        ...fixedEnv
      } = await applyFix(fix, {
        ...wrongEnv,
        ADMIN_URL: url,
        PGPASSWORD: new URL(url).password,
      })
      const fixed = (await runDoctor(fixedEnv)).checks[check]
      assert.equal(fixed?.verdict, 'ok', `${check} after ${fix}: ${fixed?.sentence}`)
      return finding
    },
    execute: async (sql) => {
      await withClient(url, (client) => client.query(sql))
    },
  }
}

describe('muster doctor', () => {
  let server: EmbeddedPostgres
  let database: DoctorDatabase
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-doctor-'))
    await chmod(folder, 0o755)
    const { bavail, blocks, bsize } = await statfs(folder)
    // Otherwise the doctor rightly reports that the disk is almost full.
    assert.ok(
      bavail * bsize > 1024 ** 3 && bavail / blocks > 0.05,
      `This test needs 1 GiB and 5 % of free disk space in ${tmpdir()}: free some space, or set TMPDIR to another disk.`,
    )
    // A PostgreSQL server of its own, because the shared test server may run without durability.
    server = await startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      persistent: true,
      settings: ['max_prepared_transactions=2'],
    })
    database = await createDoctorDatabase(server, 'healthy')
    assert.equal((await muster(['migrate'], database.env)).code, 0)
  })
  after(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
    assert.deepEqual(
      [...printedFixes].filter((fix) => !appliedFixes.has(fix)),
      [],
      'fixes that no test has applied',
    )
  })

  it('reports nothing wrong for a healthy deployment', async () => {
    const { code, checks, lastLine } = await runDoctor(database.env)
    assert.deepEqual([code, lastLine], [0, 'Nothing is wrong.'])
    assert.deepEqual(Object.keys(checks), [
      'configuration',
      'token',
      'database',
      'version',
      'extensions',
      'migrations',
      'triggers',
      'counts',
      'history',
      'changes',
      'webhooks',
      'careers',
      'privacy',
      'permissions',
      'reading',
      'owner',
      'roles',
      'analyst',
      'durability',
      'clock',
      'disk',
    ])
    // On some machines a check cannot find out what it needs and reports "unknown", which is accepted here.
    for (const [check, { verdict, sentence }] of Object.entries(checks))
      assert.ok(verdict === 'ok' || verdict === 'unknown', `${check}: ${sentence}`)
    assert.deepEqual(
      [checks.permissions?.sentence, checks.reading?.sentence, checks.owner?.sentence],
      [
        '"muster_writer" has the permissions that the service needs, and no more.',
        '"muster_reader" has the permissions that the service needs, and no more.',
        'Migrations and imports run as "muster_owner", which may change the tables.',
      ],
    )
  })

  const wrongSettings: [title: string, env: Record<string, string>, check: string, sentence: RegExp, fix?: string][] = [
    [
      'an unknown setting',
      { MUSTER_POOLSIZE: '4' },
      'configuration',
      /MUSTER_POOLSIZE is not known; did you mean MUSTER_POOL_SIZE\?/,
      'unset MUSTER_POOLSIZE',
    ],
    ['a port that is not a number', { PORT: 'http' }, 'configuration', /^PORT must be a whole number/],
    [
      'a token that is set twice',
      { MUSTER_API_TOKEN_FILE: '/dev/null' },
      'configuration',
      /^Both MUSTER_API_TOKEN and/,
    ],
    [
      'a short token',
      { MUSTER_API_TOKEN: 'sesame' },
      'token',
      /can be guessed/,
      'export MUSTER_API_TOKEN="$(openssl rand -hex 32)"',
    ],
    [
      'a token of one repeated letter',
      { MUSTER_API_TOKEN: 'a'.repeat(40) },
      'token',
      /can be guessed/,
      'export MUSTER_API_TOKEN="$(openssl rand -hex 32)"',
    ],
    [
      'a server that is down',
      { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/x' },
      'database',
      /^No PostgreSQL listens/,
    ],
    [
      'a URL that is not a PostgreSQL URL',
      { DATABASE_URL: 'mysql://x' },
      'database',
      /^There is no database to connect to/,
      'export DATABASE_URL=postgres://muster_writer:password@127.0.0.1:5432/muster',
    ],
  ]
  for (const [title, env, check, sentence, fix] of wrongSettings) {
    it(`reports ${title}`, async () => {
      const { code, checks, lastLine } = await runDoctor({ DATABASE_URL: database.url, ...env })
      assert.equal(code, 1)
      assert.match(lastLine, /^\d of 21 checks found something wrong\.$/)
      assert.equal(checks[check]?.verdict, 'wrong')
      assert.match(checks[check]?.sentence ?? '', sentence)
      assert.equal(checks[check]?.fix, fix)
      if (fix !== undefined)
        await database.fixCheck(check, { DATABASE_URL: database.url, MUSTER_API_TOKEN: apiToken, ...env })
    })
  }

  it('reports "unknown" for every check that needs the database while the database is down', async () => {
    const { checks } = await runDoctor({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/x' })
    for (const check of ['version', 'extensions', 'migrations', 'permissions', 'owner', 'durability', 'clock', 'disk'])
      assert.equal(checks[check]?.verdict, 'unknown', check)
  })

  it('names the session of a transaction that has held the change feed back for more than 5 minutes', async () => {
    await withClient(`${database.url}?application_name=a%20tool`, async (writer) => {
      const { rows } = await writer.query('select pg_backend_pid() as pid, current_user as role')
      await writer.query("begin; insert into departments (name) values ('open')")
      await database.execute(
        "insert into departments (name) values ('held back'); update muster_changes set at = now() - interval '6 minutes 10 seconds'",
      )
      // The fix ends the session.
      writer.on('error', () => {})
      const finding = await database.fixCheck('changes', database.env)
      assert.deepEqual(finding, {
        verdict: 'wrong',
        sentence: `The change feed is 6 minutes behind, because of the transaction of session ${rows[0].pid} (application_name "a tool") of the role "${rows[0].role}" in the database "healthy": later changes are shown when it ends.`,
        fix: `psql "$ADMIN_URL" -c 'select pg_terminate_backend(${rows[0].pid})'`,
      })
    })
  })

  it('names a prepared transaction that has held the change feed back for more than 5 minutes', async () => {
    await database.execute("begin; insert into departments (name) values ('open'); prepare transaction 'it''s open'")
    await database.execute(
      "insert into departments (name) values ('held back'); update muster_changes set at = now() - interval '6 minutes 10 seconds'",
    )
    const { sentence } = await database.fixCheck('changes', database.env)
    assert.match(
      sentence,
      /because of the prepared transaction "it's open" of the role "postgres" in the database "healthy":/,
    )
  })

  it('reports public reads of e-mail addresses that may belong to real people', async () => {
    assert.equal((await runDoctor(database.env)).checks.privacy?.verdict, 'ok')
    await database.execute(
      "insert into candidates (id, first_name, last_name, email, status) values (9001, 'A', 'B', 'a@example.com', 'new')",
    )
    assert.equal((await runDoctor(database.env)).checks.privacy?.verdict, 'ok')
    await database.execute("update candidates set email = 'a@muster-hr.io' where id = 9001")
    const { code, checks, lastLine } = await runDoctor(database.env)
    assert.deepEqual([code, checks.privacy?.verdict, lastLine], [1, 'wrong', '1 of 21 checks found something wrong.'])
    await database.fixCheck('privacy', { ...database.env, MUSTER_API_TOKEN: apiToken })
    await database.fixCheck('privacy', { ...database.env, MUSTER_API_TOKEN: '' })
    await database.execute('delete from candidates where id = 9001')
  })

  it('names brand settings that career sites ignore', async () => {
    await database.execute(`
      insert into organizations (id, name, slug, default_locale, timezone) values (9001, 'O', 'o', 'en', 'UTC');
      insert into recruitment_brands (id, organization_id, name, slug, settings_json)
      values (9001, 9001, 'B', 'b', '{"posting_days": "30"}')`)
    const on = await runDoctor({ ...database.env, MUSTER_CAREER_SITES: 'on' })
    await database.execute('delete from recruitment_brands where id = 9001; delete from organizations where id = 9001')
    assert.deepEqual(
      [on.code, on.checks.careers?.verdict, on.checks.careers?.sentence],
      [
        0,
        'advice',
        'Ignored settings of brand 9001 (b): posting_days is ignored: it must be a whole number from 1 to 3650.',
      ],
    )
    const fixed = await runDoctor({ ...database.env, MUSTER_CAREER_SITES: 'on' })
    assert.equal(fixed.checks.careers?.sentence, 'Career sites are on, and all brand settings that they use are valid.')
  })

  it('suggests the command that creates a missing database', async () => {
    const missingDatabaseUrl = Object.assign(new URL(server.url), { pathname: '/nowhere' }).href
    const { sentence, fix = '' } = await database.fixCheck('database', { DATABASE_URL: missingDatabaseUrl })
    assert.match(sentence, /has no database "nowhere"/)
    assert.match(fix, /^createdb --host=\S+ --port=\d+ --username=\S+ --encoding=UTF8 --template=template0 nowhere$/)
  })

  it('reports missing migrations, and migrations of a later release', async () => {
    const emptyDatabase = await createDoctorDatabase(server, 'empty')
    const resultBeforeMigration = await runDoctor({ DATABASE_URL: emptyDatabase.url })
    assert.deepEqual([resultBeforeMigration.code, resultBeforeMigration.checks.permissions?.verdict], [1, 'unknown'])
    for (const env of [emptyDatabase.env, { DATABASE_URL: emptyDatabase.url }]) {
      await emptyDatabase.fixCheck('extensions', env)
      await emptyDatabase.execute('drop extension pg_trgm')
    }
    await emptyDatabase.fixCheck('migrations', emptyDatabase.env)
    assert.equal((await runDoctor(emptyDatabase.env)).code, 0)
    await emptyDatabase.execute(`insert into muster_migrations (name, sha256) values ('9999-later.sql', 'x')`)
    const resultAfterLaterMigration = await runDoctor({ DATABASE_URL: emptyDatabase.url })
    assert.match(
      resultAfterLaterMigration.checks.migrations?.sentence ?? '',
      /newer than this release: it has 9999-later\.sql\. Run the release that contains them\.$/,
    )
    await emptyDatabase.execute(
      `delete from muster_migrations where name = '9999-later.sql'; update muster_migrations set sha256 = 'x' where name = '0005-tables.sql'`,
    )
    const { migrations } = (await runDoctor({ DATABASE_URL: emptyDatabase.url })).checks
    assert.deepEqual(migrations, {
      verdict: 'wrong',
      sentence:
        'The database was migrated with other versions of 0005-tables.sql. Run the release that applied them, or import an export into a new database.',
    })
  })

  const whereOff: Readonly<Record<string, string>> = {
    'the database': 'alter database healthy set synchronous_commit = off',
    'the role': 'alter role muster_writer set synchronous_commit = off',
    'the role in the database': 'alter role muster_writer in database healthy set synchronous_commit = off',
  }
  for (const [place, sql] of Object.entries(whereOff))
    it(`reports synchronous_commit = off for ${place}, and suggests commands that fix it`, async () => {
      await database.execute(sql)
      const { sentence } = await database.fixCheck('durability', database.env)
      assert.match(sentence, /^synchronous_commit is off: /)
    })

  it('reports a wrong clock and a full disk', async () => {
    // The schema "elsewhere" comes first in the search path, so its clock and settings hide those of the server.
    const fullDiskPath = process.platform === 'linux' ? '/proc' : '/dev'
    await database.execute(`
      create schema elsewhere;
      create function elsewhere.clock_timestamp() returns timestamptz language sql
        return pg_catalog.clock_timestamp() + interval '90 seconds';
      create view elsewhere.pg_settings as
        select name, case name when 'data_directory' then '${fullDiskPath}' else setting end as setting, source
        from pg_catalog.pg_settings;
      alter database healthy set search_path = elsewhere, pg_catalog, public`)
    const { code, checks } = await runDoctor({ DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(
      checks.clock?.sentence ?? '',
      /^The clock of the database is (89|90|91)\.\d s ahead of that of this machine: synchronize both with NTP\.$/,
    )
    assert.match(checks.disk?.sentence ?? '', /^Only 0\.0 GiB \(0 %\) free on the disk of the database/)
    assert.ok(checks.disk?.sentence.includes(` in ${fullDiskPath}, `))
    await database.execute(`alter database healthy reset search_path; drop schema elsewhere cascade`)
  })

  it('reports fsync = off, and suggests commands that fix it', async () => {
    await database.execute('alter system set fsync = off')
    await database.execute('select pg_reload_conf()')
    // Each PostgreSQL session applies a reloaded setting at a different time, so the check is repeated.
    const durability = async () => (await runDoctor(database.env)).checks.durability
    await waitUntil('fsync is off', async () => (await durability())?.verdict === 'wrong', 60_000)
    const { sentence = '', fix = '' } = (await durability()) ?? {}
    assert.match(sentence, /^fsync is off: /)
    appliedFixes.add(kindOf(fix))
    await applyFix(fix, { ADMIN_URL: database.url })
    await waitUntil('fsync is on', async () => (await durability())?.verdict === 'ok', 60_000)
  })

  it('reports disabled triggers, foreign keys that are not checked and wrong row counts, and suggests commands that fix them', async () => {
    await database.execute('alter table departments disable trigger muster_counts_insert')
    await database.fixCheck('triggers', database.env)
    await database.execute('alter table employees disable trigger all; alter table departments disable trigger all')
    const { sentence } = await database.fixCheck('triggers', database.env)
    assert.match(sentence, /^Foreign keys are not checked \(departments, employees\)/)
    await database.execute('update muster_table_versions set rows = rows + 1')
    await database.fixCheck('counts', database.env)
  })

  it('reports changes that are not in the history, and suggests the command that makes it complete from today on', async () => {
    await database.execute(`
      insert into employees (code, status, designation) values ('history', 'active', 'Trainee');
      update employees set designation = 'Engineer' where code = 'history';
      alter table employees disable trigger muster_history_update;
      update employees set designation = 'Manager' where code = 'history';
      alter table employees enable always trigger muster_history_update;
      update muster_history_from set day = '2020-01-02'`)
    const { sentence } = await database.fixCheck('history', database.env)
    assert.match(sentence, /^Changes are not in the history: 1 of employees\./)
    const rows = await withClient(database.url, async (client) => {
      const { rows: found } = await client.query(
        `select h.old, h.new, (select string_agg(resource, ' ') from muster_history_from where day > '2020-01-02') as incomplete
         from history h where resource = 'employees' and record_id = (select id from employees where code = 'history') order by h.id`,
      )
      await client.query(`delete from employees where code = 'history'`)
      return found
    })
    assert.deepEqual(rows, [
      { old: 'Trainee', new: 'Engineer', incomplete: 'employees' },
      { old: 'Engineer', new: 'Manager', incomplete: 'employees' },
    ])
  })

  it('reports roles without the necessary permissions, and suggests the command that grants them', async () => {
    await database.execute(`
      revoke select on employees, muster_table_versions, muster_count_deltas from muster_writer, muster_reader;
      revoke insert (reason) on leave_requests from muster_writer;
      revoke execute on function muster_maintain() from muster_writer`)
    const { code, checks } = await runDoctor(database.env)
    assert.equal(code, 1)
    assert.deepEqual(
      [checks.permissions, checks.reading],
      [
        {
          verdict: 'wrong',
          sentence:
            '"muster_writer" may not read employees, muster_table_versions, muster_count_deltas or insert into leave_requests or run muster_maintain().',
          fix: 'npx muster migrate',
        },
        {
          verdict: 'wrong',
          sentence: '"muster_reader" may not read employees, muster_table_versions, muster_count_deltas.',
          fix: 'npx muster migrate',
        },
      ],
    )
    const { DATABASE_MIGRATE_URL: _, ...withoutOwner } = database.env
    const { fix } = await database.fixCheck('permissions', withoutOwner)
    assert.match(fix ?? '', /^export DATABASE_MIGRATE_URL=\S+ && npx muster migrate$/)
    await database.execute('revoke select on employees from muster_reader')
    await database.fixCheck('reading', database.env)
    assert.equal((await runDoctor(database.env)).code, 0)
  })

  it('does not require permission to insert if no token is configured', async () => {
    await database.execute('revoke insert (reason) on leave_requests from muster_writer')
    assert.equal((await runDoctor({ ...database.env, MUSTER_API_TOKEN: '' })).checks.permissions?.verdict, 'ok')
    assert.equal((await runDoctor(database.env)).checks.permissions?.verdict, 'wrong')
    assert.equal((await muster(['migrate'], database.env)).code, 0)
  })

  it('advises against roles with more permissions than necessary', async () => {
    const { DATABASE_MIGRATE_URL: owner = '' } = database.env
    const ownerResult = await runDoctor({ DATABASE_URL: owner })
    assert.deepEqual([ownerResult.code, ownerResult.checks.permissions?.verdict], [0, 'advice'])
    assert.match(ownerResult.checks.permissions?.sentence ?? '', /^"muster_owner" may change and delete records/)
    const { sentence } = await database.fixCheck('reading', { DATABASE_URL: owner })
    assert.match(sentence, /^Reads and creates use the same role/)
    const { DATABASE_MIGRATE_URL: _, ...withoutOwner } = database.env
    assert.equal((await database.fixCheck('owner', withoutOwner)).verdict, 'advice')
    const administratorResult = await runDoctor({ ...database.env, DATABASE_READ_URL: database.url })
    assert.match(administratorResult.checks.reading?.sentence ?? '', /^"postgres" is a superuser/)
  })

  it('reports a DATABASE_READ_URL with another database, an unreachable server, a wrong password or a wrong scheme', async () => {
    const { DATABASE_READ_URL: reader = '', DATABASE_URL: writer = '' } = database.env
    const wrongUrls: [url: string, sentence: RegExp][] = [
      [Object.assign(new URL(reader), { pathname: '/postgres' }).href, /name different databases/],
      [Object.assign(new URL(reader), { port: '1' }).href, /^No PostgreSQL listens at 127\.0\.0\.1:1/],
      [Object.assign(new URL(reader), { password: 'wrong' }).href, /refuses the password of "muster_reader"/],
      ['mysql://x', /^DATABASE_READ_URL must start with postgres/],
    ]
    for (const [url] of wrongUrls.slice(2))
      await database.fixCheck('reading', { ...database.env, DATABASE_READ_URL: url })
    for (const [url, sentence] of wrongUrls) {
      const { code, checks } = await runDoctor({ ...database.env, DATABASE_READ_URL: url })
      assert.deepEqual([code, checks.reading?.verdict], [1, 'wrong'])
      assert.match(checks.reading?.sentence ?? '', sentence)
    }
    const nonOwnerResult = await runDoctor({ ...database.env, DATABASE_MIGRATE_URL: writer })
    assert.match(nonOwnerResult.checks.owner?.sentence ?? '', /^"muster_writer" may not change the tables/)
    const unreachableResult = await runDoctor({ ...database.env, DATABASE_MIGRATE_URL: 'postgres://x@127.0.0.1:1/x' })
    assert.deepEqual(
      [nonOwnerResult.code, unreachableResult.code, unreachableResult.checks.owner?.sentence],
      [1, 1, 'No PostgreSQL listens at 127.0.0.1:1: start it, or correct the database URL.'],
    )
  })

  const rolesFix = 'npx muster roles | psql "$ADMIN_URL" && npx muster migrate'
  const roles: [role: string, setting: string, check: string][] = [
    ['muster_writer', 'DATABASE_URL', 'database'],
    ['muster_reader', 'DATABASE_READ_URL', 'reading'],
    ['muster_owner', 'DATABASE_MIGRATE_URL', 'owner'],
  ]
  for (const [role, setting, check] of roles)
    it(`suggests to correct ${setting} if the password of "${role}" is wrong`, async () => {
      const wrongPassword = Object.assign(new URL(database.urlOf(role)), { password: 'wrong' }).href
      const { fix } = await database.fixCheck(check, { ...database.env, [setting]: wrongPassword })
      assert.equal(fix, `export ${setting}=postgres://${role}:password@127.0.0.1:5432/muster`)
    })

  for (const [role, setting, check] of roles.slice(0, 2))
    it(`suggests to create the role of ${setting} if it is missing`, async () => {
      const env = { ...database.env, [setting]: database.urlOf(`${role}_missing`) }
      assert.equal((await database.fixCheck(check, env)).fix, rolesFix)
    })

  it('suggests to create the roles if all of them are missing', async () => {
    const newDatabase = await createDoctorDatabase(server, 'new_roles')
    const env = Object.fromEntries(roles.map(([role, setting]) => [setting, newDatabase.urlOf(`${role}_new`)]))
    const { checks } = await runDoctor(env)
    assert.deepEqual([checks.database?.fix, checks.reading?.fix, checks.owner?.fix], [rolesFix, rolesFix, rolesFix])
    await newDatabase.fixCheck('database', env)
    const fixed = await runDoctor(env)
    assert.deepEqual([fixed.code, fixed.lastLine], [0, 'Nothing is wrong.'])
  })

  it('suggests to create a missing role also if the server asks for no password', async () => {
    const hbaFile = join(folder, 'postgres', 'cluster', 'pg_hba.conf')
    const passwordRules = await readFile(hbaFile, 'utf8')
    const reload = () => database.execute('select pg_reload_conf()')
    await writeFile(hbaFile, `host all trusted_missing all trust\n${passwordRules}`)
    await reload()
    const env = { ...database.env, DATABASE_URL: database.urlOf('trusted_missing') }
    await waitUntil('the server asks for no password', async () =>
      /role "trusted_missing" does not exist/.test((await runDoctor(env)).checks.database?.sentence ?? ''),
    )
    assert.equal((await database.fixCheck('database', env)).fix, rolesFix)
    await writeFile(hbaFile, passwordRules)
    await reload()
  })

  it('is not needed to find missing roles, which "muster migrate" reports', async () => {
    const env = {
      ...database.env,
      DATABASE_URL: Object.assign(new URL(database.url), { username: 'nobody' }).href,
    }
    const { code, err } = await muster(['migrate'], env)
    assert.equal(code, 1)
    assert.match(err, /\nThe role "nobody" does not exist: have an administrator run the output of "muster roles"\.\n$/)
  })

  it('accepts new passwords set by the SQL of "muster roles", which fails for superusers and in other databases', async () => {
    const withNewPassword = (url = '') => Object.assign(new URL(url), { password: 'another' }).href
    const newEnv = Object.fromEntries(Object.entries(database.env).map(([name, url]) => [name, withNewPassword(url)]))
    await database.execute((await muster(['roles'], newEnv)).out)
    assert.equal((await runDoctor(newEnv)).code, 0)
    assert.match((await runDoctor(database.env)).checks.database?.sentence ?? '', /refuses the password/)
    await database.execute((await muster(['roles'], database.env)).out)
    const { out } = await muster(['roles'], { ...database.env, DATABASE_READ_URL: database.url })
    await assert.rejects(database.execute(out), /One of the roles is a superuser/)
    await assert.rejects(
      withClient(server.url, (client) => client.query(out)),
      /This is for the database healthy, and not for postgres/,
    )
  })

  it('reports settings that a role changed for itself, which "muster roles" resets', async () => {
    await withClient(database.env.DATABASE_URL ?? '', (client) =>
      client.query(`alter role current_user set default_transaction_read_only = on;
                    alter role current_user in database healthy set statement_timeout = '1ms'`),
    )
    const { code, checks } = await runDoctor(database.env)
    assert.deepEqual([code, checks.roles?.verdict], [1, 'wrong'])
    assert.match(
      checks.roles?.sentence ?? '',
      /: "muster_writer" has default_transaction_read_only=on, "muster_writer" has statement_timeout=1ms\. /,
    )
    await database.fixCheck('roles', database.env)
    await database.execute('alter role muster_reader reset lock_timeout')
    assert.equal((await runDoctor(database.env)).checks.roles?.verdict, 'ok')
    const pooledResult = await runDoctor({ ...database.env, DATABASE_POOLER: 'transaction' })
    assert.match(pooledResult.checks.roles?.sentence ?? '', /: "muster_reader" lacks lock_timeout=2000ms\. /)
    await database.execute((await muster(['roles'], database.env)).out)
  })

  it('reports a wrong password without printing it', async () => {
    const wrongUrl = Object.assign(new URL(server.url), { password: 'wrong-secret' }).href
    const { out } = await muster(['doctor'], { DATABASE_URL: wrongUrl, MUSTER_API_TOKEN: apiToken })
    assert.match(out, /refuses the password of "postgres"/)
    assert.doesNotMatch(out, new RegExp(`wrong-secret|${apiToken}`))
  })
})
