/** In charge of proving that the seed writes the whole invented company once, and nothing into anybody else's database. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { resources } from '@muster/model'
import { OperatorError } from '../src/database/operator-error.ts'
import type { SeedOptions } from '../src/demo/seed.ts'
import { seed } from '../src/demo/seed.ts'
import type { TestDatabase } from './support/database.ts'
import { createEmptyDatabase, createSeededDatabase, createTestDatabase, withClient } from './support/database.ts'
import { runCommand } from './support/process.ts'

const tables = resources.map(({ table }) => table)

const withDatabase = async (make: () => Promise<TestDatabase>, work: (url: string) => Promise<void>): Promise<void> => {
  const database = await make()
  try {
    await work(database.url)
  } finally {
    await database.drop()
  }
}

/** One sum per table over every column of every row. */
const sumsOf = (url: string): Promise<Record<string, string>> =>
  withClient(url, async (client) => {
    const sums: Record<string, string> = {}
    for (const table of tables) {
      const { rows } = await client.query(
        `select count(*) || ' ' || md5(string_agg(t::text, E'\n' order by id)) as sum from ${table} t`,
      )
      sums[table] = rows[0].sum
    }
    return sums
  })

const seededSums = async (options: Omit<SeedOptions, 'connectionString'>): Promise<Record<string, string>> => {
  let sums: Record<string, string> = {}
  await withDatabase(createTestDatabase, async (url) => {
    await seed({ connectionString: url, ...options })
    sums = await sumsOf(url)
  })
  return sums
}

const refusal = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OperatorError, String(error))
  assert.match(error.message, words)
  return true
}

suite('a small company', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  test('has the promised number of records', () =>
    withClient(database.url, async (client) => {
      const promised = {
        departments: 12,
        employees: 250,
        attendance: 5000,
        leave_requests: 400,
        job_openings: 40,
        candidates: 600,
        applications: 900,
        organizations: 2,
      }
      for (const [table, count] of Object.entries(promised)) {
        const { rows } = await client.query(`select count(*)::int as count from ${table}`)
        assert.equal(rows[0].count, count, table)
      }
    }))

  test('has every advised state, kind and stage that a demonstration would look for', () =>
    withClient(database.url, async (client) => {
      for (const { table, all } of resources)
        for (const { name, values } of all) {
          if (values === undefined) continue
          const { rows } = await client.query(`select distinct ${name} as value from ${table}`)
          assert.deepEqual(rows.map(({ value }) => value).sort(), [...values].sort(), `${table}.${name}`)
        }
    }))

  test('has names in many scripts', () =>
    withClient(database.url, async (client) => {
      for (const letters of [
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
          [letters],
        )
        assert.ok(rows[0].count > 0, letters)
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

  test('is left as it is by a second seed', async () => {
    const sums = await sumsOf(database.url)
    const command = runCommand('muster.ts', ['seed'], { DATABASE_URL: database.url })
    assert.equal(await command.ended, 0)
    assert.match(command.said, /already.*nothing changed/)
    assert.deepEqual(await sumsOf(database.url), sums)
  })

  test('is not replaced by a company of other parameters', async () => {
    const connectionString = database.url
    for (const other of [{ seed: 'other' }, { asOf: '2025-01-31' }, { size: 'medium' as const }, { employees: 251 }])
      await assert.rejects(
        seed({ connectionString, ...other }),
        refusal(/another invented company .* seed an empty database/),
      )
  })
})

suite('the same parameters', () => {
  test('give the same company in every table, and another seed gives another', async () => {
    const options = { employees: 60, seed: 'one' }
    const first = await seededSums(options)
    assert.deepEqual(await seededSums(options), first)
    const other = await seededSums({ ...options, seed: 'two' })
    for (const table of tables) if (table !== 'departments') assert.notEqual(other[table], first[table], table)
  })

  test('give the same company whatever the time zone, the locale and the hour of the process', async () => {
    const sums: Record<string, string>[] = []
    for (const env of [
      { TZ: 'Pacific/Auckland', LANG: 'tr_TR.UTF-8' },
      { TZ: 'America/St_Johns', LANG: 'C' },
    ])
      await withDatabase(createTestDatabase, async (url) => {
        const command = runCommand('muster.ts', ['seed', '--employees', '60'], { DATABASE_URL: url, ...env })
        assert.equal(await command.ended, 0, command.said)
        sums.push(await sumsOf(url))
      })
    assert.deepEqual(sums[0], sums[1])
  })
})

suite('a number of employees', () => {
  test('scales everything in proportion', () =>
    withDatabase(createTestDatabase, async (url) => {
      const { counts } = await seed({ connectionString: url, employees: 500 })
      assert.equal(counts.employees, 500)
      assert.equal(counts.candidates, 1200)
      assert.equal(counts.applications, 1800)
      assert.equal(counts.attendance, 10_000)
    }))
})

suite('a seed', () => {
  test('refuses a database with rows it did not write', () =>
    withDatabase(createTestDatabase, async (url) => {
      await withClient(url, (client) => client.query(`insert into organizations (name, slug) values ('Own', 'own')`))
      const before = await sumsOf(url)
      await assert.rejects(
        seed({ connectionString: url }),
        refusal(/organizations holds rows .* seed an empty database/),
      )
      assert.deepEqual(await sumsOf(url), before)
    }))

  test('refuses a database without the tables', () =>
    withDatabase(createEmptyDatabase, (url) =>
      assert.rejects(seed({ connectionString: url }), refusal(/npx muster migrate/)),
    ))

  test('started twice at once writes once', () =>
    withDatabase(createTestDatabase, async (url) => {
      const options = { connectionString: url, employees: 60 }
      const results = await Promise.all([seed(options), seed(options)])
      assert.deepEqual(results.map(({ written }) => written).sort(), [false, true])
      assert.deepEqual(results[0]?.counts, results[1]?.counts)
    }))

  test('that is killed leaves nothing', () =>
    withDatabase(createTestDatabase, async (url) => {
      const command = runCommand('muster.ts', ['seed', '--size', 'medium'], { DATABASE_URL: url })
      await command.says(/employees 5000/)
      command.signal('SIGKILL')
      await command.ended
      await withClient(url, async (client) => {
        // Waits until the server has let go of what the seed held.
        await client.query('begin; lock table muster_seed in exclusive mode')
        for (const table of [...tables, 'muster_seed'])
          assert.equal((await client.query(`select from ${table} limit 1`)).rowCount, 0, table)
      })
    }))
})

suite('the command', () => {
  const cases: readonly [string, readonly string[], Record<string, string>, RegExp][] = [
    ['too few employees', ['--employees', '3'], {}, /^Database [^\n]+\nThe number of employees must be[^\n]*\n$/],
    [
      'a day that is none',
      ['--as-of', '2026-02-30'],
      {},
      /^Database [^\n]+\n2026-02-30 is not a day of the calendar[^\n]*\n$/,
    ],
    ['a missing address', [], { DATABASE_URL: '' }, /^DATABASE_URL is not set[^\n]*\n$/],
    [
      'a server that is not there',
      [],
      { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' },
      /^Database "x" at 127\.0\.0\.1:1, as "x"\nNo PostgreSQL listens[^\n]*\n$/,
    ],
  ]
  for (const [name, args, env, sentence] of cases)
    test(`answers ${name} with one sentence`, async () => {
      const command = runCommand('muster.ts', ['seed', ...args], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', ...env })
      assert.equal(await command.ended, 1)
      assert.match(command.said, sentence)
    })

  test('prefers the address for migrations', () =>
    withDatabase(createTestDatabase, async (url) => {
      const env = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', DATABASE_MIGRATE_URL: url }
      const command = runCommand('muster.ts', ['seed', '--employees', '60'], env)
      assert.equal(await command.ended, 0, command.said)
    }))
})
