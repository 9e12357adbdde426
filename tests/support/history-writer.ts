/**
 * Changes tracked fields at random, and keeps the values of each day as docs/decisions/0056 defines them. It knows nothing of the
 * triggers that write the history.
 */
import type { Client } from 'pg'
import type { Random } from './random.ts'
import { pick } from './random.ts'

const msPerDay = 86_400_000
/** Days are numbers: days since 1970. */
export const dayText = (day: number): string => new Date(day * msPerDay).toISOString().slice(0, 10)
const dayNumber = (text: string): number => Date.parse(text) / msPerDay

export const readToday = async (client: Client): Promise<number> => {
  const { rows } = await client.query(`select (now() at time zone 'utc')::date::text as today`)
  return dayNumber(rows[0].today)
}

export type Value = string | null
/** A value and the first day on which it holds at the end of the day; the first value holds since ever. */
export interface State {
  readonly value: Value
  readonly from: number
}
export interface TrackedRecord {
  readonly states: Map<string, State[]>
  enteredOn: number | null
}
/** The key is the table and the id. */
export type TrackedRecords = Map<string, TrackedRecord>

export const historyFields = {
  employees: ['dept_id', 'manager_id', 'designation', 'branch', 'employment_type'],
  applications: ['stage', 'status'],
} as const
export type HistoryTable = keyof typeof historyFields
export const historyTables = ['employees', 'applications'] as const
const historyValues: Readonly<Record<string, readonly Value[]>> = {
  dept_id: ['1', '2', '3', null],
  manager_id: ['1', '2', null],
  designation: ['Engineer', "Cook's mate", '', 'ENGINEER', null],
  branch: ['Oslo', 'Zürich', null],
  employment_type: ['full_time', null],
  stage: ['applied', 'interview', 'offer', 'hired'],
  status: ['active', 'rejected', 'Hired'],
}

/** New values of one record. `enteredOn` is undefined if it stays. */
export interface Change {
  readonly values: ReadonlyMap<string, Value>
  readonly enteredOn?: number | null
}

/** The value at the end of a day. */
const valueOn = (states: readonly State[], day: number): Value =>
  (states.findLast(({ from }) => from <= day) as State).value

export class HistoryWriter {
  readonly records: TrackedRecords = new Map()
  readonly #random: Random
  /** The records that the last transaction changed, as they were before. */
  #before = new Map<string, TrackedRecord | undefined>()

  constructor(random: Random) {
    this.#random = random
  }

  ids(table: HistoryTable): number[] {
    return [...this.records.keys()].filter((key) => key.startsWith(table)).map((key) => Number(key.split(' ')[1]))
  }

  begin(): void {
    this.#before = new Map()
  }

  /** Forgets what happened since `begin`. */
  undo(): void {
    for (const [key, record] of this.#before)
      if (record === undefined) this.records.delete(key)
      else this.records.set(key, record)
    this.#before = new Map()
  }

  add(table: HistoryTable, id: number, { values, enteredOn = null }: Change): void {
    const key = `${table} ${id}`
    this.#before.set(key, undefined)
    this.records.set(key, {
      states: new Map([...values].map(([name, value]) => [name, [{ value, from: -Infinity }]])),
      enteredOn,
    })
  }

  apply(table: HistoryTable, id: number, { values, enteredOn }: Change, { today, effective = today }: Days): void {
    const record = this.#touch(`${table} ${id}`)
    const enteredDay = enteredOn === undefined ? record.enteredOn : enteredOn
    const bounded = (day: number, earliest: number) => Math.max(Math.min(day, today), earliest)
    const stages = record.states.get('stage') ?? []
    const stageCount = stages.length
    for (const [name, value] of values) {
      const states = record.states.get(name) as State[]
      const last = states.at(-1) as State
      const day = name === 'stage' ? (enteredDay ?? today) : effective
      if (last.value !== value) states.push({ value, from: bounded(day, last.from) })
    }
    // A new day of the same stage moves the last change.
    const [previous, last] = stages.slice(-2)
    const isMoved = stages.length === stageCount && enteredDay !== null && enteredDay !== record.enteredOn
    if (isMoved && previous !== undefined && last !== undefined)
      stages[stageCount - 1] = { ...last, from: bounded(enteredDay, previous.from) }
    record.enteredOn = enteredDay
  }

  /** Whether one of the values would begin before the last change of its field. The stage has a day of its own. */
  isBeforeLastChange(table: HistoryTable, id: number, values: ReadonlyMap<string, Value>, day: number): boolean {
    const { states } = this.records.get(`${table} ${id}`) as TrackedRecord
    return [...values].some(([name, value]) => {
      const last = states.get(name)?.at(-1) as State
      return name !== 'stage' && last.value !== value && last.from > day
    })
  }

  remove(table: HistoryTable, id: number): void {
    this.#touch(`${table} ${id}`)
    this.records.delete(`${table} ${id}`)
  }

  /** One transaction of several statements, which is sometimes rolled back. */
  async transaction(client: Client, hooks: TransactionHooks = {}): Promise<void> {
    this.begin()
    await client.query('begin')
    const today = await readToday(client)
    const effective = this.#random(3) === 0 ? today - 200 + this.#random(220) : undefined
    if (effective !== undefined) await client.query(`set local muster.effective_on = '${dayText(effective)}'`)
    for (let step = this.#random(4); step >= 0; step -= 1) {
      await this.#write(client, { today, effective })
      await hooks.afterWrite?.(this.#before.keys())
    }
    await hooks.beforeEnd?.()
    const isKept = this.#random(5) > 0
    await client.query(isKept ? 'commit' : 'rollback')
    if (!isKept) this.undo()
  }

  /** A day before or after today, or none. */
  randomDay(today: number): number | null {
    return this.#random(6) === 0 ? null : today - 300 + this.#random(320)
  }

  #touch(key: string): TrackedRecord {
    const record = this.records.get(key) as TrackedRecord
    if (!this.#before.has(key)) this.#before.set(key, structuredClone(record))
    return record
  }

  async #write(client: Client, days: Days): Promise<void> {
    const table = pick(this.#random, historyTables)
    const ids = this.ids(table)
    const kind = this.#random(10)
    if (ids.length < 8 || kind === 0) return this.#create(client, table, days.today)
    if (kind === 1 && ids.length > 20) {
      const id = pick(this.#random, ids)
      await client.query(`delete from ${table} where id = $1`, [id])
      return this.remove(table, id)
    }
    // One record, or several with the same new values.
    const chosen = kind < 4 ? ids.filter((id) => id % 3 === 0) : [pick(this.#random, ids)]
    return this.#update(client, table, chosen, days)
  }

  async #create(client: Client, table: HistoryTable, today: number): Promise<void> {
    const enteredOn = table === 'applications' ? this.randomDay(today) : null
    const values = this.#randomValues(historyFields[table])
    const others =
      table === 'applications'
        ? { candidate_id: 1, job_id: 1, stage_entered_on: textOf(enteredOn) }
        : { status: 'active' }
    const row = { ...Object.fromEntries(values), ...others }
    const { rows } = await client.query(
      `insert into ${table} (${Object.keys(row).join(', ')})
       values (${Object.keys(row)
         .map((_, index) => `$${index + 1}`)
         .join(', ')}) returning id`,
      Object.values(row),
    )
    this.add(table, Number(rows[0].id), { values, enteredOn })
  }

  async #update(client: Client, table: HistoryTable, ids: readonly number[], days: Days): Promise<void> {
    const values = this.#randomValues(historyFields[table].filter(() => this.#random(2) === 0))
    const setsDay = table === 'applications' && this.#random(2) === 0
    const day = setsDay ? { enteredOn: this.randomDay(days.today) } : {}
    const columns = {
      ...Object.fromEntries(values),
      ...(setsDay ? { stage_entered_on: textOf(day.enteredOn ?? null) } : {}),
    }
    const names = Object.keys(columns)
    if (names.length === 0) return
    await client.query(
      `update ${table} set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = any ($1)`,
      [ids, ...Object.values(columns)],
    )
    for (const id of ids) this.apply(table, id, { values, ...day }, days)
  }

  #randomValues(names: readonly string[]): Map<string, Value> {
    return new Map(names.map((name) => [name, pick(this.#random, historyValues[name] ?? [])]))
  }
}

const textOf = (day: number | null): string | null => (day === null ? null : dayText(day))

interface Days {
  readonly today: number
  /** The day of the changes of all fields but the stage; default: today. */
  readonly effective?: number | undefined
}

export interface TransactionHooks {
  /** Called after each statement with the keys of the records that the transaction has changed so far. */
  afterWrite?(changed: Iterable<string>): Promise<void>
  /** Called before the commit or rollback. */
  beforeEnd?(): Promise<void>
}

/** A record, a field and a day, and the value that the field then had. */
export interface HistoryProbe {
  readonly table: HistoryTable
  readonly id: number
  readonly field: string
  readonly day: number
  readonly expected: Value
}

export const historyProbes = (
  records: TrackedRecords,
  random: Random,
  days: readonly number[],
  count: number,
): HistoryProbe[] => {
  const entries = [...records]
  return Array.from({ length: count }, () => {
    const [key, { states }] = pick(random, entries)
    const [table, id] = key.split(' ') as [HistoryTable, string]
    const [field, fieldStates] = pick(random, [...states])
    const day = pick(random, days)
    return { table, id: Number(id), field, day, expected: valueOn(fieldStates, day) }
  })
}
