/** In charge of proving that migrations bring any supported database up to date, once, whole, and never backwards. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import type { MigrationFile } from '../src/database/migrate.ts'
import { migrate, readMigrationFiles, schemaState } from '../src/database/migrate.ts'
import { OperatorError } from '../src/database/operator-error.ts'
import { createEmptyDatabase, withClient } from './support/database.ts'
import { foldCases } from './support/fold-cases.ts'

const names = [
  '0001-search.sql',
  '0002-people.sql',
  '0003-recruiting.sql',
  '0004-enterprise.sql',
  '0005-demo.sql',
  '0006-record-text.sql',
  '0007-books.sql',
  '0008-idempotency.sql',
  '0009-rights.sql',
  '0010-write-log.sql',
  '0011-ranges-and-orders.sql',
  '0012-single-rows.sql',
  '0013-replicas.sql',
  '0014-epoch.sql',
]

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

const file = (name: string, sql: string): MigrationFile => ({ name, sql, sha256: `sum of ${sql}` })

const refusal = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OperatorError)
  assert.match(error.message, words)
  return true
}

const runCommand = (env: Record<string, string>) => {
  const bin = fileURLToPath(new URL('../bin/muster.ts', import.meta.url))
  return promisify(execFile)(process.execPath, [bin, 'migrate'], { env: { PATH: process.env.PATH, ...env } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code as number, stdout: error.stdout as string, stderr: error.stderr as string }),
  )
}

test('a fresh database gets every migration in the order of their names', () =>
  withEmptyDatabase(async (url) => {
    assert.deepEqual(await stateOf(url), { state: 'missing', names })
    const told: string[] = []
    assert.deepEqual(await migrate(url, { onApplied: (name) => told.push(name) }), names)
    assert.deepEqual(told, names)
    assert.deepEqual(await stateOf(url), { state: 'current', names: [] })
    const { rows } = await withClient(url, (client) =>
      client.query('select name from muster_migrations order by applied'),
    )
    assert.deepEqual(
      rows.map((row) => row.name),
      names,
    )
  }))

test('a second run changes nothing', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url)
    const record = () => withClient(url, async (client) => (await client.query('table muster_migrations')).rows)
    const first = await record()
    assert.deepEqual(await migrate(url), [])
    assert.deepEqual(await record(), first)
  }))

test('of two runs at once on a fresh database one does the work and both succeed', () =>
  withEmptyDatabase(async (url) => {
    const applied = await Promise.all([migrate(url), migrate(url)])
    assert.deepEqual(applied.flat(), names)
  }))

test('an index can be built concurrently while another run waits', () =>
  withEmptyDatabase(async (url) => {
    const table = file('1.sql', 'create table things (id int)')
    const index = file('2.sql', '-- no-transaction\ncreate index concurrently if not exists things_id on things (id)')
    await migrate(url, { files: [table] })
    await withClient(url, async (writer) => {
      // The index cannot be finished before this transaction, which ends when the other run has begun to wait.
      await writer.query('begin')
      await writer.query('insert into things values (1)')
      const options = { files: [table, index], onWaiting: () => void writer.query('commit') }
      const applied = await Promise.all([migrate(url, options), migrate(url, options)])
      assert.deepEqual(applied.flat(), ['2.sql'])
    })
  }))

test('a migration that fails leaves nothing behind, and the next run takes it up again', () =>
  withEmptyDatabase(async (url) => {
    const good = file('1.sql', 'create table things (id int)')
    const bad = file('2.sql', 'create table others (id int); select 1 / 0')
    await assert.rejects(
      migrate(url, { files: [good, bad] }),
      refusal(/^2\.sql failed and was rolled back: division by zero/),
    )
    assert.deepEqual(await stateOf(url, [good, bad]), { state: 'missing', names: ['2.sql'] })
    const mended = file('2.sql', 'create table others (id int)')
    assert.deepEqual(await migrate(url, { files: [good, mended] }), ['2.sql'])
  }))

test('a file that changed after it was applied is refused', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url, { files: [file('1.sql', 'create table things (id int)')] })
    const changed = [file('1.sql', 'create table things (id bigint)'), file('2.sql', 'create table others (id int)')]
    assert.deepEqual(await stateOf(url, changed), { state: 'changed', names: ['1.sql'] })
    await assert.rejects(migrate(url, { files: changed }), refusal(/^1\.sql changed after it was applied/))
    assert.deepEqual(await stateOf(url, [file('1.sql', 'create table things (id int)')]), {
      state: 'current',
      names: [],
    })
  }))

test('a database that is newer than the release is refused', () =>
  withEmptyDatabase(async (url) => {
    const files = await readMigrationFiles()
    await migrate(url, { files: [...files, file('9999-later.sql', 'create table later (id int)')] })
    assert.deepEqual(await stateOf(url), { state: 'newer', names: ['9999-later.sql'] })
    await assert.rejects(migrate(url), refusal(/newer than this release.*9999-later\.sql/))
  }))

test('a database that a newer release only expanded has all that this release needs', () =>
  withEmptyDatabase(async (url) => {
    const files = await readMigrationFiles()
    const expanding = file('9998-more.sql', '-- expands\ncreate table more (id int)')
    await migrate(url, { files: [...files, expanding] })
    assert.deepEqual(await stateOf(url), { state: 'expanded', names: ['9998-more.sql'] })
    assert.deepEqual(await migrate(url), [])
    const contracting = file('9999-less.sql', 'drop table more -- expands\n')
    await migrate(url, { files: [...files, expanding, contracting] })
    assert.deepEqual(await stateOf(url), { state: 'newer', names: ['9999-less.sql'] })
  }))

test('a database last migrated by a release that told nothing of expansions is up to date', () =>
  withEmptyDatabase(async (url) => {
    await migrate(url)
    await withClient(url, (client) => client.query('alter table muster_migrations drop column expands'))
    assert.deepEqual(await stateOf(url), { state: 'current', names: [] })
    const index = file('9999-index.sql', '-- expands\n-- no-transaction\ncreate index concurrently on candidates (id)')
    const files = [...(await readMigrationFiles()), index]
    assert.deepEqual(await migrate(url, { files }), ['9999-index.sql'])
    assert.deepEqual(await stateOf(url), { state: 'expanded', names: ['9999-index.sql'] })
  }))

test('line ends of a checkout do not change a migration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-migrations-'))
  await writeFile(join(folder, 'unix.sql'), '-- no-transaction\nselect 1\n')
  await writeFile(join(folder, 'windows.sql'), '-- no-transaction\r\nselect 1\r\n')
  await writeFile(join(folder, 'notes.md'), 'not a migration')
  const [unix, windows, ...others] = await readMigrationFiles(pathToFileURL(`${folder}/`))
  await rm(folder, { recursive: true })
  assert.deepEqual({ ...windows, name: 'unix.sql' }, unix)
  assert.deepEqual(others, [])
})

test('a database that is not encoded in UTF-8 is refused', async () => {
  const database = await createEmptyDatabase({ encoding: 'LATIN1', locale: 'C' })
  await assert.rejects(migrate(database.url), refusal(/encoded in LATIN1/))
  await database.drop()
})

test('the command tells what it did', () =>
  withEmptyDatabase(async (url) => {
    const applied = names.map((name) => `applied ${name}\n`).join('')
    const { host, pathname, username } = new URL(url)
    const target = `Database "${pathname.slice(1)}" at ${host}, as "${username}"`
    assert.deepEqual(await runCommand({ DATABASE_URL: 'postgres://unused/unused', DATABASE_MIGRATE_URL: url }), {
      code: 0,
      stdout: `${applied}The database is up to date: ${names.length} migrations applied.\n`,
      stderr: `${target}\n`,
    })
    assert.deepEqual(await runCommand({ DATABASE_URL: url }), {
      code: 0,
      stdout: 'The database is up to date.\n',
      stderr: `${target}\n`,
    })
  }))

test('the command without a database address says what to set', async () => {
  const { code, stdout, stderr } = await runCommand({ DATABASE_URL: ' ' })
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

  const address = (changes: Partial<Pick<URL, 'username' | 'password' | 'pathname'>>): string =>
    Object.assign(new URL(server.url), changes).href

  test('every migration runs and folding gives what it gives elsewhere', async () => {
    assert.deepEqual(await migrate(server.url), names)
    await withClient(server.url, async (client) => {
      const version = await client.query('show server_version')
      assert.match(version.rows[0].server_version, /^18\./)
      for (const [written, compared] of foldCases) {
        const { rows } = await client.query('select public.muster_fold($1) as folded', [written])
        assert.equal(rows[0].folded, compared)
      }
    })
  })

  test('a fault the operator can mend is one sentence with the cure and without the password', async () => {
    await withClient(server.url, async (client) => {
      await client.query("create role guest login password 'guest-secret'")
      await client.query('create database guarded')
    })
    const faults: [url: string, sentence: RegExp][] = [
      [
        address({ password: 'wrong-secret' }),
        /^PostgreSQL at 127\.0\.0\.1:\d+ refuses the password of "postgres": .+$/,
      ],
      [address({ password: '' }), /^PostgreSQL at .+ asks "postgres" for a password: .+$/],
      [address({ pathname: '/nowhere' }), /^PostgreSQL at .+ has no database "nowhere": create it .+$/],
      [
        address({ username: 'guest', password: 'guest-secret', pathname: '/guarded' }),
        /^"guest" lacks a permission \(permission denied for schema public\): .+ DATABASE_MIGRATE_URL\.$/,
      ],
      ['postgres://postgres:some-secret@127.0.0.1:1/postgres', /^No PostgreSQL listens at 127\.0\.0\.1:1: start it.+$/],
      [
        'postgres://postgres:some-secret@host.invalid/postgres',
        /^The database host host\.invalid:5432 is not known.+$/,
      ],
      ['postgres://postgres:some-secret@127.0.0.1:99999/postgres', /^DATABASE_URL is not a URL: .+$/],
      ['some-secret', /^DATABASE_URL should start with postgres:\/\/ or postgresql:\/\/\.$/],
    ]
    for (const [url, sentence] of faults) {
      const { code, stdout, stderr } = await runCommand({ DATABASE_URL: url })
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
      assert.match(stderr.trimEnd().split('\n').at(-1) ?? '', sentence)
      assert.doesNotMatch(stderr, /secret/)
    }
  })
})
