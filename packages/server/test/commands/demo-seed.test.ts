import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { SeedOptions } from '@muster/demo-data'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import {
  createEmptyDatabase,
  createSeededDatabase,
  createTestDatabase,
  withClient,
} from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { seedDatabase } from '../../src/commands/demo-company.ts'
import { OperatorError } from '../../src/errors.ts'

const tables = resources.map(({ table }) => table)

const withDatabase = async (
  createDatabase: () => Promise<TestDatabase>,
  work: (url: string) => Promise<void>,
): Promise<void> => {
  const database = await createDatabase()
  try {
    await work(database.url)
  } finally {
    await database.drop()
  }
}

/** One checksum per table, over every column of every row. */
const checksumsOf = (url: string): Promise<Record<string, string>> =>
  withClient(url, async (client) => {
    const checksums: Record<string, string> = {}
    for (const table of tables) {
      const { rows } = await client.query(
        `select count(*) || ' ' || md5(string_agg(t::text, E'\n' order by id)) as sum from ${table} t`,
      )
      checksums[table] = rows[0].sum
    }
    return checksums
  })

const checksumsAfterSeed = async (options: SeedOptions): Promise<Record<string, string>> => {
  let checksums: Record<string, string> = {}
  await withDatabase(createTestDatabase, async (url) => {
    await seedDatabase(url, options)
    checksums = await checksumsOf(url)
  })
  return checksums
}

const checkOperatorError = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OperatorError, String(error))
  assert.match(error.message, message)
  return true
}

suite('a small demo company', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  test('has the documented number of records', () =>
    withClient(database.url, async (client) => {
      const expectedCounts = {
        departments: 12,
        employees: 250,
        attendance: 5000,
        leave_requests: 400,
        job_openings: 40,
        candidates: 600,
        applications: 900,
        organizations: 2,
      }
      for (const [table, count] of Object.entries(expectedCounts)) {
        const { rows } = await client.query(`select count(*)::int as count from ${table}`)
        assert.equal(rows[0].count, count, table)
      }
    }))

  test('has every suggested value of every field', () =>
    withClient(database.url, async (client) => {
      for (const { table, allFields: all } of resources)
        for (const { name, values } of all) {
          if (values === undefined) continue
          const { rows } = await client.query(`select distinct ${name} as value from ${table}`)
          assert.deepEqual(rows.map(({ value }) => value).sort(), [...values].sort(), `${table}.${name}`)
        }
    }))

  test('has names in many scripts', () =>
    withClient(database.url, async (client) => {
      for (const letterPattern of [
        '[а-яіїє]',
        '[α-ωά-ώ]',
        '[\u4e00-\u9fff]',
        '[\u0600-\u06ff]',
        '[\u0900-\u097f]',
        '[łńśż]',
        '[ạ-ỹ]',
      ]) {
        const { rows } = await client.query(
          'select count(*)::int as count from candidates where first_name ~* $1 or last_name ~* $1',
          [letterPattern],
        )
        assert.ok(rows[0].count > 0, letterPattern)
      }
    }))

  test('continues its ids after the last record of each table', () =>
    withClient(database.url, async (client) => {
      for (const table of tables) {
        const { rows } = await client.query(
          `select (select count(*) from ${table})::int as count, nextval(pg_get_serial_sequence('${table}', 'id'))::int as next`,
        )
        assert.equal(rows[0].next, rows[0].count + 1, table)
      }
    }))

  test('is not changed if it is seeded again', async () => {
    const checksums = await checksumsOf(database.url)
    const { code, out } = await muster(['seed'], { DATABASE_URL: database.url })
    assert.equal(code, 0)
    assert.match(out, /already.*nothing changed/)
    assert.deepEqual(await checksumsOf(database.url), checksums)
  })

  test('is not replaced if it is seeded with other parameters', async () => {
    for (const otherOptions of [
      { seed: 'other' },
      { asOf: '2025-01-31' },
      { size: 'medium' as const },
      { employees: 251 },
    ])
      await assert.rejects(
        seedDatabase(database.url, otherOptions),
        checkOperatorError(/another invented company .* seed an empty database/),
      )
  })
})

suite('the same seed parameters', () => {
  test('produce the same rows in every table, and another seed produces other rows', async () => {
    const options = { employees: 60, seed: 'one' }
    const firstChecksums = await checksumsAfterSeed(options)
    assert.deepEqual(await checksumsAfterSeed(options), firstChecksums)
    const otherChecksums = await checksumsAfterSeed({ ...options, seed: 'two' })
    for (const table of tables)
      if (table !== 'departments') assert.notEqual(otherChecksums[table], firstChecksums[table], table)
  })

  test('produce the same rows in any time zone and locale', async () => {
    const checksums: Record<string, string>[] = []
    for (const env of [
      { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8' },
      { TZ: 'America/St_Johns', LANG: 'C' },
    ])
      await withDatabase(createTestDatabase, async (url) => {
        const command = runCommand('muster.ts', ['seed', '--employees', '60'], { DATABASE_URL: url, ...env })
        assert.equal(await command.exitPromise, 0, command.output)
        checksums.push(await checksumsOf(url))
      })
    assert.deepEqual(checksums[0], checksums[1])
  })
})

suite('the option --employees', () => {
  test('scales the number of rows of other tables in proportion', () =>
    withDatabase(createTestDatabase, async (url) => {
      const { counts } = await seedDatabase(url, { employees: 125 })
      assert.equal(counts.employees, 125)
      assert.equal(counts.candidates, 300)
      assert.equal(counts.applications, 450)
      assert.equal(counts.attendance, 2500)
    }))
})

suite('seeding', () => {
  test('rejects a database with rows it did not write', () =>
    withDatabase(createTestDatabase, async (url) => {
      await withClient(url, (client) => client.query(`insert into organizations (name, slug) values ('Own', 'own')`))
      const checksumsBefore = await checksumsOf(url)
      await assert.rejects(seedDatabase(url), checkOperatorError(/organizations has rows .* seed an empty database/))
      assert.deepEqual(await checksumsOf(url), checksumsBefore)
    }))

  test('rejects a database that has not been migrated', () =>
    withDatabase(createEmptyDatabase, (url) =>
      assert.rejects(seedDatabase(url), checkOperatorError(/npx muster migrate/)),
    ))

  test('writes the rows once if it runs twice concurrently', () =>
    withDatabase(createTestDatabase, async (url) => {
      const options = { employees: 60 }
      const results = await Promise.all([seedDatabase(url, options), seedDatabase(url, options)])
      assert.deepEqual(results.map(({ written }) => written).sort(), [false, true])
      assert.deepEqual(results[0]?.counts, results[1]?.counts)
    }))

  test('leaves no rows if it is killed', () =>
    withDatabase(createTestDatabase, async (url) => {
      const args = ['seed', '--size', 'medium', '--employees', '1500']
      const command = runCommand('muster.ts', args, { DATABASE_URL: url })
      await command.waitForOutput(/employees 1500/)
      command.signal('SIGKILL')
      await command.exitPromise
      await withClient(url, async (client) => {
        // This lock waits until the server has released the locks of the killed process.
        await client.query('begin; lock table muster_seed in exclusive mode')
        for (const table of [...tables, 'muster_seed'])
          assert.equal((await client.query(`select from ${table} limit 1`)).rowCount, 0, table)
      })
    }))
})

suite('muster seed', () => {
  const cases: readonly [string, readonly string[], Record<string, string>, RegExp][] = [
    ['too few employees', ['--employees', '3'], {}, /^Database [^\n]+\nThe number of employees must be[^\n]*\n$/],
    [
      'a date that does not exist',
      ['--as-of', '2026-02-30'],
      {},
      /^Database [^\n]+\n2026-02-30 is not a calendar day[^\n]*\n$/,
    ],
    ['a missing URL', [], { DATABASE_URL: '' }, /^DATABASE_URL is not set[^\n]*\n$/],
    [
      'an unreachable server',
      [],
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      /^Database "x" at 127\.0\.0\.1:1, as "x"\nNo PostgreSQL listens[^\n]*\n$/,
    ],
  ]
  for (const [name, args, env, sentence] of cases)
    test(`reports ${name} in one sentence`, async () => {
      const { code, out, err } = await muster(['seed', ...args], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', ...env })
      assert.equal(code, 1)
      assert.match(out + err, sentence)
    })

  test('prefers DATABASE_MIGRATE_URL to DATABASE_URL', () =>
    withDatabase(createTestDatabase, async (url) => {
      const env = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', DATABASE_MIGRATE_URL: url }
      assert.equal((await muster(['seed', '--employees', '60'], env)).code, 0)
    }))
})
