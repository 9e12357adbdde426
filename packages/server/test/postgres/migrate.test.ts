import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { createEmptyDatabase, withClient } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { foldingCases } from '../../../../tests/support/search-folding-cases.ts'
import { OperatorError } from '../../src/postgres/connection/explain-error.ts'
import type { MigrationFile } from '../../src/postgres/schema/migrate.ts'
import { migrate, migrationsFolder, readMigrationFiles, schemaState } from '../../src/postgres/schema/migrate.ts'

const migrationNames = readdirSync(migrationsFolder)
  .filter((name) => name.endsWith('.sql'))
  .sort()

const withEmptyDatabase = async (work: (url: string) => Promise<void>): Promise<void> => {
  const database = await createEmptyDatabase()
  try {
    await work(database.url)
  } finally {
    await database.drop()
  }
}

const stateOf = (url: string, files?: readonly MigrationFile[]) =>
  withClient(url, (client) => schemaState(client, files))

const migrationFile = (name: string, sql: string): MigrationFile => ({ name, sql, sha256: `sum of ${sql}` })

const checkOperatorError = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OperatorError)
  assert.match(error.message, message)
  return true
}

const runMigrate = async (env: Record<string, string>) => {
  const { code, out, err } = await muster(['migrate'], env)
  return { code, stdout: out, stderr: err }
}

test('a fresh database gets every migration in the order of the file names', () =>
  withEmptyDatabase(async (url) => {
    assert.deepEqual(await stateOf(url), { state: 'missing', names: migrationNames })
    const reportedNames: string[] = []
    assert.deepEqual(await migrate(url, { onApplied: (name) => reportedNames.push(name) }), migrationNames)
    assert.deepEqual(reportedNames, migrationNames)
    assert.deepEqual(await stateOf(url), { state: 'current', names: [] })
    const { rows } = await withClient(url, (client) =>
      client.query('select name from muster_migrations order by applied'),
    )
    assert.deepEqual(
      rows.map((row) => row.name),
      migrationNames,
    )
  }))

test('a second migration run changes nothing', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url)
    const migrationRows = () => withClient(url, async (client) => (await client.query('table muster_migrations')).rows)
    const firstRows = await migrationRows()
    assert.deepEqual(await migrate(url), [])
    assert.deepEqual(await migrationRows(), firstRows)
  }))

test('two concurrent migration runs on a fresh database apply each migration once, and both succeed', () =>
  withEmptyDatabase(async (url) => {
    const appliedNames = await Promise.all([migrate(url), migrate(url)])
    assert.deepEqual(appliedNames.flat(), migrationNames)
  }))

test('an index can be built concurrently while another migration run waits', () =>
  withEmptyDatabase(async (url) => {
    const tableMigration = migrationFile('1.sql', 'create table things (id int)')
    const indexMigration = migrationFile(
      '2.sql',
      '-- no-transaction\ncreate index concurrently if not exists things_id on things (id)',
    )
    await migrate(url, { files: [tableMigration] })
    await withClient(url, async (writer) => {
      // The first run builds an index and waits for this transaction, which ends once the second run waits too.
      await writer.query('begin')
      await writer.query('insert into things values (1)')
      const options = { files: [tableMigration, indexMigration], onWaiting: () => void writer.query('commit') }
      const appliedNames = await Promise.all([migrate(url, options), migrate(url, options)])
      assert.deepEqual(appliedNames.flat(), ['2.sql'])
    })
  }))

test('a failed migration is rolled back, and the next run tries it again', () =>
  withEmptyDatabase(async (url) => {
    const goodMigration = migrationFile('1.sql', 'create table things (id int)')
    const badMigration = migrationFile('2.sql', 'create table others (id int); select 1 / 0')
    await assert.rejects(
      migrate(url, { files: [goodMigration, badMigration] }),
      checkOperatorError(/^2\.sql failed and was rolled back: division by zero/),
    )
    assert.deepEqual(await stateOf(url, [goodMigration, badMigration]), { state: 'missing', names: ['2.sql'] })
    const fixedMigration = migrationFile('2.sql', 'create table others (id int)')
    assert.deepEqual(await migrate(url, { files: [goodMigration, fixedMigration] }), ['2.sql'])
  }))

test('statements on a table do not wait behind a migration, which is repeated until the table is free', () =>
  withEmptyDatabase(async (url) => {
    const first = migrationFile('0001.sql', 'create table t (id int)')
    const second = migrationFile('0002.sql', 'alter table t add column name text')
    await migrate(url, { files: [first] })
    await withClient(url, async (exporter) => {
      await exporter.query('begin; select * from t')
      const locked = Promise.withResolvers<string>()
      const migration = migrate(url, { files: [first, second], onLocked: locked.resolve })
      try {
        assert.equal(await locked.promise, '0002.sql')
        // The migration has been rolled back, so nothing waits for it. It tries again, so this read may wait for its
        // lock timeout, but not for the exporter.
        assert.deepEqual((await withClient(url, (client) => client.query('select * from t'))).rows, [])
      } finally {
        await exporter.query('commit')
      }
      assert.deepEqual(await migration, ['0002.sql'])
    })
    assert.deepEqual(await stateOf(url, [first, second]), { state: 'current', names: [] })
  }))

test('a migration gives up after a number of attempts, and the next run continues there', () =>
  withEmptyDatabase(async (url) => {
    const first = migrationFile('0001.sql', 'create table t (id int)')
    const second = migrationFile('0002.sql', 'create table u (id int); alter table t add column name text')
    await migrate(url, { files: [first] })
    await withClient(url, async (dump) => {
      await dump.query('begin; select * from t')
      await assert.rejects(
        migrate(url, { files: [first, second], lockAttempts: 2 }),
        checkOperatorError(
          /^0002\.sql was tried 2 times, but other sessions kept using its tables, so nothing of it was applied: .+ run "npx muster migrate" again\.$/,
        ),
      )
      assert.deepEqual(await stateOf(url, [first, second]), { state: 'missing', names: ['0002.sql'] })
      await dump.query('commit')
    })
    assert.deepEqual(await migrate(url, { files: [first, second] }), ['0002.sql'])
  }))

for (const [name, table] of [
  ['muster_migrations', 'public.muster_migrations'],
  ['muster_bi', 'muster_bi.employees'],
] as const)
  test(`readers of ${table} do not wait behind a migration that waits for a dump`, () =>
    withEmptyDatabase(async (url) => {
      await migrate(url)
      const later = migrationFile('9999-later.sql', '-- expands\ncreate table later (id int)')
      const files = [...(await readMigrationFiles()), ...(name === 'muster_migrations' ? [later] : [])]
      await withClient(url, async (dump) => {
        await dump.query('alter view muster_bi.employees rename column branch to office')
        await dump.query(`begin; select * from ${table}`)
        const locked = Promise.withResolvers<string>()
        const migration = migrate(url, { files, onLocked: locked.resolve })
        try {
          assert.equal(await Promise.race([locked.promise, migration.then(() => 'not locked')]), name)
          await withClient(url, (client) => client.query(`set statement_timeout = '10s'; select * from ${table}`))
        } finally {
          await dump.query('commit')
        }
        await migration
      })
    }))

test('a migration file that changed after it was applied is rejected', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url, { files: [migrationFile('1.sql', 'create table things (id int)')] })
    const changedMigrations = [
      migrationFile('1.sql', 'create table things (id bigint)'),
      migrationFile('2.sql', 'create table others (id int)'),
    ]
    assert.deepEqual(await stateOf(url, changedMigrations), { state: 'changed', names: ['1.sql'] })
    await assert.rejects(
      migrate(url, { files: changedMigrations }),
      checkOperatorError(/^1\.sql changed after it was applied here: .* "muster demo --fresh" instead\.$/),
    )
    assert.deepEqual(await stateOf(url, [migrationFile('1.sql', 'create table things (id int)')]), {
      state: 'current',
      names: [],
    })
  }))

test('a database that is newer than the release is rejected', () =>
  withEmptyDatabase(async (url) => {
    const files = await readMigrationFiles()
    await migrate(url, { files: [...files, migrationFile('9999-later.sql', 'create table later (id int)')] })
    assert.deepEqual(await stateOf(url), { state: 'newer', names: ['9999-later.sql'] })
    await assert.rejects(migrate(url), checkOperatorError(/newer than this release.*9999-later\.sql/))
  }))

test('a database created before release 1.0.0 is rejected with instructions for moving its data to a new one', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url, {
      files: [migrationFile('0001-search.sql', 'select 1'), migrationFile('0002-people.sql', 'select 2')],
    })
    assert.deepEqual(await stateOf(url), { state: 'superseded', names: ['0002-people.sql'] })
    const { code, stdout, stderr } = await runMigrate({ DATABASE_URL: url })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(
      stderr.trimEnd().split('\n').at(-1) ?? '',
      /^The database .+: export it .+muster export --all.+ keys of erased persons .+erased-keys\.ndjson.+, create a new database, .+ import into it .+\.$/,
    )
  }))

test('a database that a newer release only expanded is accepted', () =>
  withEmptyDatabase(async (url) => {
    const files = await readMigrationFiles()
    const expandingMigration = migrationFile('9998-more.sql', '-- expands\ncreate table more (id int)')
    await migrate(url, { files: [...files, expandingMigration] })
    assert.deepEqual(await stateOf(url), { state: 'expanded', names: ['9998-more.sql'] })
    assert.deepEqual(await migrate(url), [])
    const contractingMigration = migrationFile('9999-less.sql', 'drop table more -- expands\n')
    await migrate(url, { files: [...files, expandingMigration, contractingMigration] })
    assert.deepEqual(await stateOf(url), { state: 'newer', names: ['9999-less.sql'] })
  }))

test('a database last migrated by a release that did not record expansions is up to date', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url)
    await withClient(url, (client) => client.query('alter table muster_migrations drop column expands'))
    assert.deepEqual(await stateOf(url), { state: 'current', names: [] })
    const indexMigration = migrationFile(
      '9999-index.sql',
      '-- expands\n-- no-transaction\ncreate index concurrently on candidates (id)',
    )
    const files = [...(await readMigrationFiles()), indexMigration]
    assert.deepEqual(await migrate(url, { files }), ['9999-index.sql'])
    assert.deepEqual(await stateOf(url), { state: 'expanded', names: ['9999-index.sql'] })
  }))

test('Unix and Windows line endings in a checkout give the same migration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-migrations-'))
  await writeFile(join(folder, 'unix.sql'), '-- no-transaction\nselect 1\n')
  await writeFile(join(folder, 'windows.sql'), '-- no-transaction\r\nselect 1\r\n')
  await writeFile(join(folder, 'notes.md'), 'not a migration')
  const [unix, windows, ...otherFiles] = await readMigrationFiles(pathToFileURL(`${folder}/`))
  await rm(folder, { recursive: true })
  assert.deepEqual({ ...windows, name: 'unix.sql' }, unix)
  assert.deepEqual(otherFiles, [])
})

test('a database that is not encoded in UTF-8 is rejected', async () => {
  const database = await createEmptyDatabase({ encoding: 'LATIN1', locale: 'C' })
  await assert.rejects(migrate(database.url), checkOperatorError(/encoded in LATIN1/))
  await database.drop()
})

test('muster migrate prints the migrations that it applied', () =>
  withEmptyDatabase(async (url) => {
    const appliedLines = migrationNames.map((name) => `applied ${name}\n`).join('')
    const { host, pathname, username } = new URL(url)
    const target = `Database "${pathname.slice(1)}" at ${host}, as "${username}"`
    assert.deepEqual(await runMigrate({ DATABASE_URL: 'postgres://unused/unused', DATABASE_MIGRATE_URL: url }), {
      code: 0,
      stdout: `${appliedLines}The database is up to date: ${migrationNames.length} migrations applied.\n`,
      stderr: `${target}\n`,
    })
    assert.deepEqual(await runMigrate({ DATABASE_URL: url }), {
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: `${target}\n`,
    })
  }))

test('muster migrate without a database URL prints which variable to set', async () => {
  const { code, stdout, stderr } = await runMigrate({ DATABASE_URL: ' ' })
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.match(stderr, /^DATABASE_URL is not set: .+\n$/)
})

suite('on PostgreSQL 18', () => {
  let server: EmbeddedPostgres

  before(async () => {
    server = await startEmbeddedPostgres()
  })

  after(async () => {
    await server.stop()
  })

  const urlWith = (changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
    Object.assign(new URL(server.url), changes).href

  test('every migration runs, and muster_fold returns the expected results', async () => {
    assert.deepEqual(await migrate(server.url), migrationNames)
    await withClient(server.url, async (client) => {
      const versionResult = await client.query('show server_version')
      assert.match(versionResult.rows[0].server_version, /^18\./)
      for (const [text, folded] of foldingCases) {
        const { rows } = await client.query('select public.muster_fold($1) as folded', [text])
        assert.equal(rows[0].folded, folded)
      }
    })
  })

  test('an error that the operator can fix is reported as one sentence that contains the fix but no password', async () => {
    await withClient(server.url, async (client) => {
      await client.query("create role guest login password 'guest-secret'")
      await client.query('create database guarded')
    })
    const errors: [url: string, sentence: RegExp][] = [
      [
        urlWith({ password: 'wrong-secret' }),
        /^PostgreSQL at 127\.0\.0\.1:\d+ refuses the password of "postgres": .+$/,
      ],
      [urlWith({ password: '' }), /^PostgreSQL at .+ requires a password for "postgres": .+$/],
      [urlWith({ pathname: '/nowhere' }), /^PostgreSQL at .+ has no database "nowhere": create it .+$/],
      [
        urlWith({ username: 'guest', password: 'guest-secret', pathname: '/guarded' }),
        /^"guest" lacks a permission \(permission denied for schema public\): .+ DATABASE_MIGRATE_URL\.$/,
      ],
      ['postgres://postgres:some-secret@127.0.0.1:1/postgres', /^No PostgreSQL listens at 127\.0\.0\.1:1: start it.+$/],
      [
        'postgres://postgres:some-secret@host.invalid/postgres',
        /^The database host host\.invalid:5432 cannot be resolved.+$/,
      ],
      ['postgres://postgres:some-secret@127.0.0.1:99999/postgres', /^DATABASE_URL is not a URL: .+$/],
      ['some-secret', /^DATABASE_URL must start with postgres:\/\/ or postgresql:\/\/\.$/],
    ]
    for (const [url, sentence] of errors) {
      const { code, stdout, stderr } = await runMigrate({ DATABASE_URL: url })
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
      assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', sentence)
      assert.doesNotMatch(stderr, /secret/)
    }
  })
})
