/**
 * Transactions, syncs and requests change tracked fields while the database server is killed: afterwards the values of each day by
 * history are those of a reference (tests/support/history-writer.ts).
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Change, HistoryProbe, HistoryTable, TrackedRecords } from '../../support/history-writer.ts'
import { dayText, HistoryWriter, historyProbes, historyTables, readToday } from '../../support/history-writer.ts'
import { muster } from '../../support/muster.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { Random } from '../../support/random.ts'
import { pick, pickSome, randomNumbers } from '../../support/random.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client } from '../client.ts'
import { isReady, openClient, sendUntilServed } from '../client.ts'
import type { Environment } from '../environment.ts'

const writerCount = 4
const transactionsPerRound = 60
const probeCount = 1_000
const probedDays = 120

/** Each transaction stores its mark. After a crash, the mark says whether it was committed. */
const prepareSql = 'create table transaction_marks (mark text primary key)'

/** What a sync changes, and the column that gets its mark. */
const synced = {
  employees: {
    values: { dept_id: ['1', '2', '3'], designation: ['Engineer', 'Cook'], branch: ['Oslo', 'Wien'] },
    mark: 'last_name',
  },
  applications: {
    values: { stage: ['applied', 'interview', 'offer', 'hired'], status: ['active', 'rejected'] },
    mark: 'rejection_reason',
  },
} as const

interface Counts {
  transactions: number
  syncs: number
  refusedSyncs: number
  creates: number
  /** Transactions, syncs and creates that were running when the server was killed, and those of them that were committed. */
  interrupted: number
  interruptedCommitted: number
}

class Writer {
  readonly reference: HistoryWriter
  readonly counts: Counts = {
    transactions: 0,
    syncs: 0,
    refusedSyncs: 0,
    creates: 0,
    interrupted: 0,
    interruptedCommitted: 0,
  }
  /** Syncs that were accepted or refused against the rules. */
  readonly problems: string[] = []
  readonly #random: Random
  readonly #name: string
  readonly #url: string
  readonly #service: Client
  readonly #isOutside: boolean
  #actionCount = 0
  /** Set while the outcome of an action is unknown: finds out whether it was committed, and if not, undoes it in the reference. */
  #settle: ((client: pg.Client) => Promise<boolean>) | undefined

  constructor({ name, seed, url, service, isOutside }: WriterOptions) {
    this.#random = randomNumbers(seed)
    this.reference = new HistoryWriter(this.#random)
    this.#name = name
    this.#url = url
    this.#service = service
    this.#isOutside = isOutside
  }

  /** Writes until the server is killed. */
  async write(): Promise<void> {
    const client = await connect(this.#url)
    const outside = this.#isOutside ? await connect(this.#url) : undefined
    for (;;) {
      this.#actionCount += 1
      // Only triggers see the changes of a sync.
      const kind = outside === undefined ? this.#random(15) : undefined
      try {
        if (kind === 0) await this.#sync(client)
        else if (kind === 1) await this.#create(client)
        else await this.#transaction(client, outside)
        if (this.#settle !== undefined) await this.#settle(client)
        this.#settle = undefined
      } catch (error) {
        if (isConnectionLost(error)) return
        throw error
      }
    }
  }

  /** After a crash: finds out whether the interrupted action was committed. */
  async settle(client: pg.Client): Promise<void> {
    if (this.#settle === undefined) return
    this.counts.interrupted += 1
    if (await this.#settle(client)) this.counts.interruptedCommitted += 1
    this.#settle = undefined
  }

  async #transaction(client: pg.Client, outside: pg.Client | undefined): Promise<void> {
    const { reference } = this
    const mark = this.#nextMark()
    this.#settle = (later) => this.#undoUnless(later, 'select from transaction_marks where mark = $1', [mark])
    try {
      await reference.transaction(client, {
        beforeEnd: async () => {
          await client.query('insert into transaction_marks values ($1)', [mark])
        },
        afterWrite: async (changed) => {
          if (outside !== undefined) await writeHistory(outside, reference.records, changed)
        },
      })
      this.counts.transactions += 1
      this.#settle = undefined
    } catch (error) {
      // Concurrent writers can cause deadlocks.
      if ((error as { code?: unknown }).code !== '40P01') throw error
      await client.query('rollback')
    }
  }

  /** `muster sync` of some records with and without `--effective-on`, also of days that it must refuse. */
  async #sync(client: pg.Client): Promise<void> {
    const { reference } = this
    const table = pick(this.#random, historyTables)
    const ids = pickSome(this.#random, reference.ids(table), 8)
    const [firstId] = ids
    if (firstId === undefined) return
    const mark = this.#nextMark()
    const today = await readToday(client)
    const effective = this.#random(3) === 0 ? undefined : today - this.#random(60)
    const changes = ids.map((id) => [id, this.#syncedChange(table, today)] as const)
    const isEarly = changes.some(([id, { values }]) =>
      reference.isBeforeLastChange(table, id, values, effective ?? today),
    )
    reference.begin()
    for (const [id, change] of changes) reference.apply(table, id, change, { today, effective })
    this.#settle = (later) =>
      this.#undoUnless(later, `select from ${table} where id = $1 and ${synced[table].mark} = $2`, [firstId, mark])
    const { code, out } = await muster(
      [
        ...['sync', table, '--format', 'csv', '--at-most', '100%'],
        ...(effective === undefined ? [] : ['--effective-on', dayText(effective)]),
      ],
      { DATABASE_URL: this.#url },
      fileOf(table, changes, mark),
    )
    const isRefused = out.includes('The last recorded change of this field is of')
    if (isRefused !== isEarly && (code === 0 || isRefused))
      this.problems.push(`a sync of ${table} was ${isRefused ? 'refused' : 'accepted'}`)
    if (code === 0) this.counts.syncs += 1
    if (isRefused) this.counts.refusedSyncs += 1
  }

  #syncedChange(table: HistoryTable, today: number): Change {
    const values = new Map(
      Object.entries<readonly string[]>(synced[table].values).map(([name, all]) => [name, pick(this.#random, all)]),
    )
    return table === 'applications' ? { values, enteredOn: today - 300 + this.#random(320) } : { values }
  }

  async #create(client: pg.Client): Promise<void> {
    const mark = this.#nextMark()
    const today = await readToday(client)
    const values = new Map([
      ['stage', pick(this.#random, synced.applications.values.stage)],
      ['status', 'active'],
    ])
    const enteredOn = today - 300 + this.#random(320)
    const body = {
      ...{ candidate_id: 1, job_id: 1, applied_on: '2020-01-02', rejection_reason: mark },
      ...{ ...Object.fromEntries(values), stage_entered_on: dayText(enteredOn) },
    }
    this.#settle = async (later) => {
      const { rows } = await later.query('select id from applications where rejection_reason = $1', [mark])
      for (const { id } of rows) this.reference.add('applications', Number(id), { values, enteredOn })
      return rows.length > 0
    }
    const response = await this.#service.send('/api/v1/applications', { method: 'POST', body })
    if (response.status === 201) this.counts.creates += 1
  }

  async #undoUnless(client: pg.Client, select: string, parameters: readonly unknown[]): Promise<boolean> {
    const { rowCount } = await client.query(select, [...parameters])
    if (rowCount === 0) this.reference.undo()
    return rowCount !== 0
  }

  #nextMark(): string {
    return `${this.#name} ${this.#actionCount}`
  }
}

interface WriterOptions {
  readonly name: string
  readonly seed: number
  readonly url: string
  readonly service: Client
  /** The history is written by another session, for the control. */
  readonly isOutside: boolean
}

/** The file has no record with an empty value, because an empty cell says nothing about text. */
const fileOf = (table: HistoryTable, changes: readonly (readonly [number, Change])[], mark: string): string => {
  const { values, mark: markColumn } = synced[table]
  const dayColumns = table === 'applications' ? ['stage_entered_on'] : []
  const head = ['id', ...Object.keys(values), ...dayColumns, markColumn]
  const lines = changes.map(([id, change]) => [
    id,
    ...change.values.values(),
    ...(change.enteredOn == null ? [] : [dayText(change.enteredOn)]),
    mark,
  ])
  return [head, ...lines].map((cells) => `${cells.join(',')}\n`).join('')
}

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return client
}

const isConnectionLost = (error: unknown): boolean =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', '57P01', '57P02', '57P03'].includes(
    String((error as { code?: unknown }).code),
  ) ||
  (error instanceof Error && /Connection terminated|not queryable/.test(error.message))

/** Writes the history of the records of the reference, in a transaction of its own. */
const writeHistory = async (client: pg.Client, records: TrackedRecords, changed: Iterable<string>): Promise<void> => {
  for (const key of changed) {
    const [table, id] = key.split(' ')
    await client.query('delete from history where resource = $1 and record_id = $2', [table, id])
    for (const [field, states] of records.get(key)?.states ?? [])
      for (const [index, { value, from }] of states.slice(1).entries())
        await client.query(
          `insert into history (resource, record_id, field, old, new, "on", at) values ($1, $2, $3, $4, $5, $6, now())`,
          [table, id, field, states[index]?.value, value, dayText(from)],
        )
  }
}

const readBySql = async (client: pg.Client, probes: readonly HistoryProbe[]): Promise<Map<HistoryProbe, unknown>> => {
  const values = new Map<HistoryProbe, unknown>()
  for (const group of Map.groupBy(probes, ({ table, day }) => `${table} ${day}`).values()) {
    const [{ table, day }] = group as [HistoryProbe]
    const { rows } = await client.query(`select * from muster_values_on_${table}($1)`, [dayText(day)])
    const byRecord = new Map(rows.map((row) => [Number(row.record_id), row]))
    for (const probe of group) values.set(probe, byRecord.get(probe.id)?.[probe.field])
  }
  return values
}

interface Entry {
  readonly field: string
  readonly new: string | null
  readonly on: string | null
}

/** The value that the history of the record has for the day: that of the last entry until then, or the first one. */
const readByHttp = async (service: Client, probes: readonly HistoryProbe[]): Promise<Map<HistoryProbe, unknown>> => {
  const values = new Map<HistoryProbe, unknown>()
  for (const [path, group] of Map.groupBy(probes, ({ table, id }) => `${table}/${id}`)) {
    const { status, text } = await sendUntilServed(service, `/api/v1/${path}/history`)
    const entries: Entry[] = status === 200 ? JSON.parse(text).data : []
    for (const probe of group) {
      const [first, ...later] = entries.filter(({ field }) => field === probe.field)
      const last = later.findLast(({ on }) => (on ?? '') <= dayText(probe.day)) ?? first
      values.set(probe, last?.new)
    }
  }
  return values
}

const differences = (
  probes: readonly HistoryProbe[],
  values: ReadonlyMap<HistoryProbe, unknown>,
  by: string,
): string[] =>
  probes
    .filter((probe) => values.get(probe) !== probe.expected)
    .map(
      (probe) =>
        `${probe.table} ${probe.id} ${probe.field} on ${dayText(probe.day)} by ${by}: ${values.get(probe)} instead of ${probe.expected}`,
    )

/** Triggers that leave the history alone. With those of deletes, another session that writes it would wait for the writer. */
const noRecordingSql = historyTables
  .flatMap((table) => [`${table}_update`, `${table}_delete`])
  .map(
    (name) => `create or replace function public.muster_history_${name}() returns trigger
      language plpgsql as $$ begin return null; end $$`,
  )
  .join(';')

const changeUntilCrashes = async (environment: Environment, rounds: number, isOutside = false): Promise<Outcome> => {
  const cluster = await environment.cluster()
  await withClient(cluster.url, async (client) => {
    await client.query(prepareSql)
    if (isOutside) await client.query(noRecordingSql)
  })
  const { origin } = await environment.service({ databaseUrl: cluster.url })
  const service = openClient(origin)
  const random = randomNumbers(environment.seed)
  const writers = Array.from(
    { length: writerCount },
    (_, index) =>
      new Writer({ name: `writer ${index}`, seed: environment.seed + index, url: cluster.url, service, isOutside }),
  )
  const sumOf = (name: keyof Counts): number => writers.reduce((sum, { counts }) => sum + counts[name], 0)
  for (let round = 0; round < rounds; round += 1) {
    const writing = Promise.all(writers.map((writer) => writer.write()))
    const hasWritten = async (): Promise<boolean> =>
      sumOf('transactions') >= (round + 1) * transactionsPerRound &&
      (isOutside || (sumOf('syncs') > round && sumOf('refusedSyncs') > round))
    await Promise.race([writing, waitUntil('the writers have written', hasWritten, 180_000)])
    // The server is killed at a random time, so that each crash interrupts different statements.
    await pause(random(500))
    await cluster.kill()
    await writing
    await cluster.start()
    await waitUntil('the service is ready again', () => isReady(service))
    await withClient(cluster.url, async (client) => {
      for (const writer of writers) await writer.settle(client)
    })
  }
  const records: TrackedRecords = new Map(writers.flatMap(({ reference }) => [...reference.records]))
  const { wrong, entryCount } = await withClient(cluster.url, async (client) => {
    const today = await readToday(client)
    const days = Array.from({ length: probedDays }, () => today - 310 + random(312))
    const probes = historyProbes(records, random, days, probeCount)
    const { rows } = await client.query<{ key: string; count: number }>(
      `select resource || ' ' || record_id as key, count(*)::int from history group by 1`,
    )
    return {
      wrong: [
        ...differences(probes, await readBySql(client, probes), 'SQL'),
        ...differences(probes, await readByHttp(service, probes), 'HTTP'),
        ...rows.filter(({ key }) => !records.has(key)).map(({ key }) => `${key} has a history, but does not exist`),
      ],
      entryCount: rows.reduce((sum, { count }) => sum + count, 0),
    }
  })
  service.close()
  const doctor = await muster(['doctor'], { DATABASE_URL: cluster.url })
  const problems = writers.flatMap((writer) => writer.problems)
  return {
    ...emptyOutcome,
    faultCount: sumOf('interrupted') === 0 ? 0 : rounds,
    acknowledgedCount: sumOf('transactions') + sumOf('syncs') + sumOf('creates'),
    staleCount: wrong.length,
    violations: failedChecks(
      [wrong.length === 0, 'correct history', `${wrong.length} wrong: ${wrong.slice(0, 3).join('; ')}`],
      [problems.length === 0, 'expected responses', problems.slice(0, 3).join('; ')],
      [/^ok +history /m.test(doctor.out), 'correct history', doctor.out],
    ),
    notes: [
      `${sumOf('transactions')} transactions, ${sumOf('syncs')} syncs, ${sumOf('refusedSyncs')} refused syncs, ${sumOf('creates')} creates; ` +
        `${sumOf('interrupted')} interrupted, ${sumOf('interruptedCommitted')} of them committed; ` +
        `${entryCount} changes of ${records.size} records, ${probeCount} values compared, ${wrong.length} wrong`,
    ],
  }
}

export const trackedChanges: ChaosCase = {
  name: 'tracked-changes',
  run: (environment) => changeUntilCrashes(environment, environment.size(12, 2)),
  control: {
    description: 'history written in another transaction',
    brokenGuarantee: 'correct history',
    run: (environment) => changeUntilCrashes(environment, 1, true),
  },
}
