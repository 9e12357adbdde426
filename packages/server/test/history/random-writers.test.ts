/** Random writers, and values by history compared with a reference that knows nothing of the triggers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import type { State, TrackedRecords, Value } from '../../../../tests/support/history-writer.ts'
import {
  dayText,
  HistoryWriter,
  historyFields,
  historyProbes,
  historyTables,
  readToday,
} from '../../../../tests/support/history-writer.ts'
import { randomNumbers } from '../../../../tests/support/random.ts'

const seed = Number(process.env.TEST_SEED ?? 20_261_119)
const transactionCount = 300
const probeCount = 300

interface Version {
  readonly record_id: string
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly [field: string]: Value
}

describe('values by history', () => {
  let database: TestDatabase
  let records: TrackedRecords
  let today: number

  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) values ('One'), ('Two'), ('Three');
      insert into employees (code, status) values ('M1', 'active'), ('M2', 'active');
      insert into candidates (status) values ('active');
      insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open');
    `)
    await withClient(database.url, async (client) => {
      const writer = new HistoryWriter(randomNumbers(seed))
      for (let count = 0; count < transactionCount; count += 1) await writer.transaction(client)
      records = writer.records
      today = await readToday(client)
    })
  })
  after(() => database.drop())

  const probes = () => {
    const days = Array.from({ length: 312 }, (_, index) => today - 310 + index)
    return historyProbes(records, randomNumbers(seed + 1), days, probeCount)
  }

  it('covers records whose fields changed often, and several times on a day', () => {
    const changed = [...records.values()]
      .flatMap(({ states }) => [...states.values()])
      .filter(({ length }) => length > 1)
    const isRepeated = (states: readonly State[]) => states.some(({ from }, index) => states[index + 1]?.from === from)
    assert.ok(changed.length > 100)
    assert.ok(changed.filter(isRepeated).length > 20)
  })

  it('are those of the reference on any day', () =>
    withClient(database.url, async (client) => {
      for (const { table, id, field, day, expected } of probes()) {
        const { rows } = await client.query(
          `select ${field}::text as value from muster_values_on_${table}($1) where record_id = $2`,
          [dayText(day), id],
        )
        assert.equal(rows[0]?.value, expected, `${table} ${id} ${field} ${dayText(day)}`)
      }
    }))

  it('are in the version of each day, and versions follow one another without gaps', async () => {
    const versions = new Map<string, Version[]>()
    for (const table of historyTables) {
      const columns = historyFields[table].map((name) => `${name}::text`).join(', ')
      for (const row of await database.query<Version>(
        `select record_id::text, valid_from::text, valid_to::text, ${columns} from muster_versions_${table}()
         ${table === 'employees' ? 'where record_id > 2' : ''} order by record_id, version`,
      )) {
        const key = `${table} ${row.record_id}`
        versions.set(key, [...(versions.get(key) ?? []), row])
      }
    }
    assert.deepEqual([...versions.keys()].toSorted(), [...records.keys()].toSorted())
    for (const [key, rows] of versions) {
      const starts = rows.slice(1).map(({ valid_from }) => valid_from)
      assert.deepEqual(
        rows.map(({ valid_to }) => valid_to),
        [...starts, null],
        key,
      )
    }
    for (const { table, id, field, day, expected } of probes()) {
      const text = dayText(day)
      const rows = versions.get(`${table} ${id}`) ?? []
      const matching = rows.filter(
        ({ valid_from, valid_to }, index) =>
          (index === 0 || (valid_from ?? '') <= text) && (valid_to === null || text < valid_to),
      )
      assert.deepEqual(
        matching.map((row) => row[field]),
        [expected],
        `${table} ${id} ${field} ${text}`,
      )
    }
  })

  it('are chained: each change begins with the value that the one before ended with', async () => {
    const entries = await database.query<{ key: string; field: string; old: Value; new: Value; on: string }>(
      `select resource || ' ' || record_id as key, field, old, new, "on" from history order by "on", id`,
    )
    const byRecord = Map.groupBy(entries, ({ key }) => key)
    for (const [key, { states }] of records)
      for (const [field, fieldStates] of states)
        assert.deepEqual(
          (byRecord.get(key) ?? [])
            .filter((entry) => entry.field === field)
            .map((entry) => [entry.old, entry.new, entry.on]),
          fieldStates
            .slice(1)
            .map(({ value, from }, index) => [fieldStates[index]?.value ?? null, value, dayText(from)]),
          `${key} ${field}`,
        )
    assert.ok([...byRecord.keys()].every((key) => records.has(key)))
  })
})
