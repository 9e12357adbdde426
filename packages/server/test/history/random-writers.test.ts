/** Random writers, and values by history compared with a reference that knows nothing of the triggers. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import type { Random } from '../../../../tests/support/random.ts'
import { pick, randomNumbers } from '../../../../tests/support/random.ts'

const seed = Number(process.env.TEST_SEED ?? 20_261_119)
const transactionCount = 300
const probeCount = 300
/** Days are numbers: days since 1970. */
const msPerDay = 86_400_000
const dayText = (day: number): string => new Date(day * msPerDay).toISOString().slice(0, 10)
const dayNumber = (text: string): number => Date.parse(text) / msPerDay

type Value = string | null
/** A value and the first day on which it holds at the end of the day; the first value holds since ever. */
interface State {
  readonly value: Value
  readonly from: number
}
interface Tracked {
  readonly states: Map<string, State[]>
  enteredOn: number | null
  /** How many stages there were after the last update. */
  stageCount: number
}
type Records = Map<string, Tracked>

const fields = {
  employees: ['dept_id', 'manager_id', 'designation', 'branch', 'employment_type'],
  applications: ['stage', 'status'],
}
type Table = keyof typeof fields
const tables = ['employees', 'applications'] as const
const values: Readonly<Record<string, readonly Value[]>> = {
  dept_id: ['1', '2', '3', null],
  manager_id: ['1', '2', null],
  designation: ['Engineer', "Cook's mate", '', 'ENGINEER', null],
  branch: ['Oslo', 'Zürich', null],
  employment_type: ['full_time', null],
  stage: ['applied', 'interview', 'offer', 'hired'],
  status: ['active', 'rejected', 'Hired'],
}

const keyOf = (table: Table, id: number): string => `${table} ${id}`

/** Applies a change to the reference, by the rules of docs/decisions/0056. */
const change = (states: State[], value: Value, day: number, today: number): void => {
  const last = states.at(-1) as State
  if (last.value === value) return
  states.push({ value, from: Math.max(Math.min(day, today), last.from) })
}

/** A new day of the same stage moves the last change. */
const moveLast = (states: State[], day: number, today: number): void => {
  const [previous, last] = states.slice(-2)
  if (previous !== undefined && last !== undefined)
    states[states.length - 1] = { ...last, from: Math.max(Math.min(day, today), previous.from) }
}

class Writer {
  records: Records = new Map()
  private readonly random: Random
  private readonly client: Client

  constructor(client: Client, random: Random) {
    this.client = client
    this.random = random
  }

  async transaction(): Promise<void> {
    const before = structuredClone(this.records)
    await this.client.query('begin')
    const { rows } = await this.client.query(`select (now() at time zone 'utc')::date::text as today`)
    const today = dayNumber(rows[0].today)
    const effective = this.random(3) === 0 ? today - 200 + this.random(220) : undefined
    if (effective !== undefined) await this.client.query(`set local muster.effective_on = '${dayText(effective)}'`)
    for (let step = this.random(4); step >= 0; step -= 1) await this.write(today, effective ?? today)
    const isKept = this.random(5) > 0
    await this.client.query(isKept ? 'commit' : 'rollback')
    if (!isKept) this.records = before
  }

  private ids(table: Table): number[] {
    return [...this.records.keys()].filter((key) => key.startsWith(table)).map((key) => Number(key.split(' ')[1]))
  }

  private async write(today: number, effective: number): Promise<void> {
    const table = pick(this.random, tables)
    const ids = this.ids(table)
    const kind = this.random(10)
    if (ids.length < 8 || kind === 0) return this.create(table, today)
    if (kind === 1 && ids.length > 20) return this.delete(table, pick(this.random, ids))
    // One record, or several with the same new values.
    const chosen = kind < 4 ? ids.filter((id) => id % 3 === 0) : [pick(this.random, ids)]
    return this.update(table, chosen, today, effective)
  }

  private randomDay(today: number): number | null {
    return this.random(6) === 0 ? null : today - 300 + this.random(320)
  }

  private async create(table: Table, today: number): Promise<void> {
    const enteredOn = table === 'applications' ? this.randomDay(today) : null
    const chosen = fields[table].map((name) => pick(this.random, values[name] ?? []))
    const columns = [
      ...fields[table],
      ...(table === 'applications' ? ['candidate_id', 'job_id', 'stage_entered_on'] : ['status']),
    ]
    const others = table === 'applications' ? [1, 1, enteredOn === null ? null : dayText(enteredOn)] : ['active']
    const { rows } = await this.client.query(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
      [...chosen, ...others],
    )
    this.records.set(keyOf(table, Number(rows[0].id)), {
      states: new Map(fields[table].map((name, index) => [name, [{ value: chosen[index] ?? null, from: -Infinity }]])),
      enteredOn,
      stageCount: 1,
    })
  }

  private async update(table: Table, ids: readonly number[], today: number, effective: number): Promise<void> {
    const names = fields[table].filter(() => this.random(2) === 0)
    const setsDay = table === 'applications' && this.random(2) === 0
    const enteredOn = setsDay ? this.randomDay(today) : null
    const assigned = names.map((name): [string, Value] => [name, pick(this.random, values[name] ?? [])])
    if (setsDay) assigned.push(['stage_entered_on', enteredOn === null ? null : dayText(enteredOn)])
    if (assigned.length === 0) return
    await this.client.query(
      `update ${table} set ${assigned.map(([name], index) => `${name} = $${index + 2}`).join(', ')} where id = any ($1)`,
      [ids, ...assigned.map(([, value]) => value)],
    )
    for (const id of ids) {
      const record = this.records.get(keyOf(table, id)) as Tracked
      const newDay = setsDay ? enteredOn : record.enteredOn
      for (const [name, value] of assigned) {
        const states = record.states.get(name)
        if (states !== undefined) change(states, value, name === 'stage' ? (newDay ?? today) : effective, today)
      }
      const stages = record.states.get('stage')
      const isSameStage = stages !== undefined && stages.length === record.stageCount
      if (isSameStage && newDay !== null && newDay !== record.enteredOn) moveLast(stages, newDay, today)
      record.enteredOn = newDay
      record.stageCount = stages?.length ?? 0
    }
  }

  private async delete(table: Table, id: number): Promise<void> {
    await this.client.query(`delete from ${table} where id = $1`, [id])
    this.records.delete(keyOf(table, id))
  }
}

/** The value at the end of a day. */
const valueOn = (states: readonly State[], day: number): Value =>
  (states.findLast(({ from }) => from <= day) as State).value

interface Version {
  readonly record_id: string
  readonly valid_from: string | null
  readonly valid_to: string | null
  readonly [field: string]: Value
}

describe('values by history', () => {
  let database: TestDatabase
  let records: Records
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
      const writer = new Writer(client, randomNumbers(seed))
      for (let count = 0; count < transactionCount; count += 1) await writer.transaction()
      records = writer.records
    })
    const [row] = await database.query<{ day: string }>(`select (now() at time zone 'utc')::date::text as day`)
    today = dayNumber(row?.day ?? '')
  })
  after(() => database.drop())

  /** Random records, fields and days, and the value of the reference. */
  const probes = () => {
    const random = randomNumbers(seed + 1)
    return Array.from({ length: probeCount }, () => {
      const [key, { states }] = pick(random, [...records])
      const [table = '', id = ''] = key.split(' ')
      const [field, fieldStates] = pick(random, [...states])
      const day = today - 310 + random(312)
      return { table, id, field, day, expected: valueOn(fieldStates, day) }
    })
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
    for (const table of tables) {
      const columns = fields[table].map((name) => `${name}::text`).join(', ')
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
