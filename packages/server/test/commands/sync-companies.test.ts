/** Tests with whole companies that a sync of B over A gives exactly B, also if it is killed and run again. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { seedDatabase } from '../../src/commands/demo-company.ts'

/** `npm test -- sync-kills` is the long form: 50 kills, and companies that are larger and different in every run. */
const isLong = process.env.SYNC_KILLS !== undefined
const killCount = Number(process.env.SYNC_KILLS ?? 2)
/** Even the smaller number gives more attendance records than a sync fetches at a time. */
const employees = isLong ? 250 : 120
/** The companies of the short form are the same in every run. */
const seeds = isLong
  ? ([`a${randomInt(1_000_000)}`, `b${randomInt(1_000_000)}`] as const)
  : (['a362256', 'b354510'] as const)

const createCompany = async (seed: string): Promise<TestDatabase> => {
  const database = await createTestDatabase()
  await seedDatabase(database.url, { seed, employees })
  return database
}

type State = Readonly<Record<string, unknown>>

/** The records of every table as a digest, and its next id. */
const readState = async (database: TestDatabase): Promise<State> => {
  const states: Record<string, unknown> = {}
  for (const { table } of resources) {
    const [state] = await database.query<{ records: string; next: number }>(
      `select count(*) || ' ' || md5(coalesce(string_agg(record_json, E'\\n' order by id), '')) as records,
         (select last_value + case when is_called then 1 else 0 end from ${table}_id_seq) as next from ${table}`,
    )
    states[table] = state
  }
  return states
}

const recordsOf = (state: State): string =>
  JSON.stringify(Object.values(state).map((table) => (table as { records: string }).records))

type RecordTexts = ReadonlyMap<string, string>

/** The text of every record, by table and id. */
const readRecords = async (database: TestDatabase): Promise<RecordTexts> => {
  const records = new Map<string, string>()
  for (const { table } of resources) {
    const rows = await database.query<{ id: number; record_json: string }>(`select id, record_json from ${table}`)
    for (const { id, record_json } of rows) records.set(`${table} ${id}`, record_json)
  }
  return records
}

/** The changes that turn the records of A into those of B, as `<table> <id> <kind>`. */
const differenceOf = (recordsOfA: RecordTexts, recordsOfB: RecordTexts): string[] => {
  const deleted = [...recordsOfA.keys()].filter((key) => !recordsOfB.has(key)).map((key) => `${key} deleted`)
  const written = [...recordsOfB].flatMap(([key, text]) => {
    if (!recordsOfA.has(key)) return [`${key} created`]
    return recordsOfA.get(key) === text ? [] : [`${key} updated`]
  })
  return [...deleted, ...written].sort()
}

/**
 * The changes in the feed, in the same form. A record that gives up a unique value is written twice. Readers get changes of
 * the history only if they ask for them.
 */
const readChanges = async (database: TestDatabase): Promise<string[]> => {
  const rows = await database.query<{ change: string }>(
    `select distinct table_name || ' ' || id || ' ' || kind as change
     from muster_changes, unnest(ids) as range, generate_series(lower(range), upper(range) - 1) as id
     where table_name <> 'history'`,
  )
  return rows.map(({ change }) => change).sort()
}

/** By how much the maintained row counts are off. */
const countErrors = async (database: TestDatabase): Promise<number> => {
  let total = 0
  for (const { table, storedFields } of resources) {
    const states = storedFields.filter(({ state }) => state).map(({ name }) => name)
    const [row] = await database.query<{ off_by: number }>('select muster_rebuild_counts($1, $2) as off_by', [
      table,
      states,
    ])
    total += row?.off_by ?? Number.NaN
  }
  return total
}

describe('a sync of company B over company A', () => {
  let folder: string
  let companyA: TestDatabase
  let companyB: TestDatabase
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-companies-'))
    companyA = await createCompany(seeds[0])
    companyB = await createCompany(seeds[1])
    await companyB.execute(
      `delete from attendance where id % 7 = 0; delete from leave_requests where id % 5 = 0;
       insert into departments (id, name) values (900, 'Robotics')`,
    )
    for (const [name, { url }] of [
      ['a', companyA],
      ['b', companyB],
    ] as const)
      assert.equal((await muster(['export', '--all', join(folder, name)], { DATABASE_URL: url })).code, 0)
  })
  after(async () => {
    await companyA.drop()
    await companyB.drop()
    await rm(folder, { recursive: true })
  })

  const syncArguments = (name: string): string[] => [
    ...['sync', '--all', join(folder, name), '--delete', '--at-most', '100%'],
  ]

  it(`survives kill -9 at ${killCount} random moments: the records are those of A or of B`, async (test) => {
    const recordsOfA = recordsOf(await readState(companyA))
    const recordsOfB = recordsOf(await readState(companyB))
    const outcomes = { a: 0, b: 0 }
    let longestMs = 0
    for (let kill = 0; kill <= killCount; kill += 1) {
      const startedAt = performance.now()
      const command = runCommand('muster.ts', syncArguments('b'), { DATABASE_URL: companyA.url })
      const ended = command.exitPromise.then(() => 'ended' as const)
      // The first run only shows how long a sync takes.
      const moment = kill === 0 ? undefined : await Promise.race([ended, pause(randomInt(Math.ceil(longestMs)))])
      if (kill > 0 && moment === undefined) command.signal('SIGKILL')
      const code = await command.exitPromise
      if (kill === 0) {
        assert.equal(code, 0, command.output)
        longestMs = performance.now() - startedAt
      }
      await waitForSessions(companyA)
      const records = recordsOf(await readState(companyA))
      assert.ok([recordsOfA, recordsOfB].includes(records), `neither A nor B after kill ${kill}: ${command.output}`)
      outcomes[records === recordsOfA ? 'a' : 'b'] += 1
      assert.equal(await countErrors(companyA), 0)
      if (records !== recordsOfA) {
        const back = await muster(syncArguments('a'), { DATABASE_URL: companyA.url })
        assert.equal(back.code, 0, back.out + back.err)
        assert.equal(recordsOf(await readState(companyA)), recordsOfA)
      }
    }
    test.diagnostic(`seeds ${seeds.join(' and ')}: ${outcomes.a} kills left A, ${outcomes.b} runs made B`)
  })

  it('gives the rows, ids and next ids of B, with exact row counts, and its changes are the difference', async (test) => {
    const before = await readState(companyA)
    const recordsBefore = await readRecords(companyA)
    await companyA.execute('delete from muster_changes')
    const result = await muster(syncArguments('b'), { DATABASE_URL: companyA.url })
    test.diagnostic(`seeds ${seeds.join(' and ')}`)
    assert.equal(result.code, 0, result.out + result.err)
    const expected = await readState(companyB)
    const actual = await readState(companyA)
    assert.equal(recordsOf(actual), recordsOf(expected))
    for (const { table } of resources) {
      const next = (state: State) => (state[table] as { next: number }).next
      // An id is never used again, so the next id of A stays if it is larger.
      assert.equal(next(actual), Math.max(next(before), next(expected)), table)
    }
    assert.equal(await countErrors(companyA), 0)
    const difference = differenceOf(recordsBefore, await readRecords(companyB))
    test.diagnostic(`${difference.length} changes`)
    assert.deepEqual(await readChanges(companyA), difference)
  })

  it('changes nothing the second time', async () => {
    const versions = () =>
      companyA.query('select table_name, sum(changes) as changes from muster_table_versions group by 1 order by 1')
    const before = await versions()
    const result = await muster(syncArguments('b'), { DATABASE_URL: companyA.url })
    assert.deepEqual([result.code, result.out.trimEnd().endsWith('Nothing to change.')], [0, true])
    assert.deepEqual(await versions(), before)
  })

  it('stops at a file that was cut in half', async () => {
    const halves = join(folder, 'half')
    await mkdir(halves)
    const text = await readFile(join(folder, 'b', 'attendance.csv'), 'utf8')
    await writeFile(join(halves, 'attendance.csv'), text.slice(0, text.lastIndexOf('\n', text.length / 2) + 1))
    const result = await muster(['sync', '--all', halves, '--delete'], { DATABASE_URL: companyA.url })
    assert.equal(result.code, 1)
    assert.match(result.out, /^attendance: the sync would delete \d+ of \d+ records, more than 5 %\./m)
    assert.equal(recordsOf(await readState(companyA)), recordsOf(await readState(companyB)))
  })
})

/** Waits until PostgreSQL has noticed that the client of a killed sync is gone. */
const waitForSessions = async (database: TestDatabase): Promise<void> => {
  const deadline = Date.now() + 30_000
  for (;;) {
    const [row] = await database.query<{ count: number }>(
      `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'muster-sync'`,
    )
    if (row?.count === 0) return
    assert.ok(Date.now() < deadline, 'the session of the killed sync never ended')
  }
}
