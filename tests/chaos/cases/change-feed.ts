/**
 * Writers commit after random pauses while readers copy files and follow the change feed; transactions of another database,
 * which must not hold the feed back, begin and end meanwhile; the service and the database are killed. In the end each copy
 * equals the tables.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Resource } from '@muster/model'
import { changesAfterHeader, resourceAt, resources } from '@muster/model'
import pg from 'pg'
import { baseRowCount, insertRowsSql } from '../../support/base-rows.ts'
import type { Cluster } from '../../support/postgres-cluster.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { Random } from '../../support/random.ts'
import { pick, randomNumbers } from '../../support/random.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client, ClientResponse } from '../client.ts'
import { openClient } from '../client.ts'
import type { Environment } from '../environment.ts'

const copied = ['departments', 'candidates', 'leave', 'organizations'].map((path) => resourceAt(path))
const updatedColumns: Readonly<Record<string, string>> = {
  departments: 'name',
  candidates: 'headline',
  leave: 'reason',
  organizations: 'name',
}
const maxPauseMs = 300

const writeOnce = async (client: pg.Client, resource: Resource, random: Random): Promise<void> => {
  const { table, path } = resource
  switch (random(4)) {
    case 0:
      await client.query(`delete from ${table} where id > ${baseRowCount} and id % 40 = $1`, [random(40)])
      return
    case 1:
      await client.query(`update ${table} set ${updatedColumns[path]} = $1 where id % 60 = $2`, [
        `${random(2 ** 31)}`,
        random(60),
      ])
      return
    default:
      await client.query(insertRowsSql(resource), [1 + random(4)])
  }
}

type RunTransaction = (client: pg.Client, random: Random) => Promise<void>

/** Transactions of one to three statements, with a pause before the commit. One in eight is rolled back. */
const runTransaction: RunTransaction = async (client, random) => {
  await client.query('begin')
  for (let left = 1 + random(3); left > 0; left -= 1) await writeOnce(client, pick(random, copied), random)
  await pause(random(maxPauseMs))
  await client.query(random(8) === 0 ? 'rollback' : 'commit')
}

/** Gives the transaction an id, which is all that the feed sees of a transaction of another database. */
const runOtherTransaction: RunTransaction = async (client, random) => {
  await client.query('begin; select pg_current_xact_id()')
  await pause(random(10 * maxPauseMs))
  await client.query('commit')
}

interface Writers {
  readonly transactionCount: number
  stop(): Promise<void>
}

const startWriters = (url: string, count: number, seed: number, run: RunTransaction = runTransaction): Writers => {
  let isStopping = false
  let transactionCount = 0
  const write = async (random: Random): Promise<void> => {
    while (!isStopping) {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      try {
        await client.connect()
        while (!isStopping) {
          // Deadlocks and foreign keys of concurrent writers make some transactions fail.
          await run(client, random).catch(() => client.query('rollback'))
          transactionCount += 1
        }
      } catch {
        // The server was killed.
        await pause(50)
      } finally {
        await client.end().catch(() => {})
      }
    }
  }
  const writers = Promise.all(Array.from({ length: count }, (_, index) => write(randomNumbers(seed + index))))
  return {
    get transactionCount() {
      return transactionCount
    },
    async stop() {
      isStopping = true
      await writers
    },
  }
}

/** The ids that a page of the feed names, by path of their resource. */
type ChangedIds = ReadonlyMap<string, readonly number[]>

/** How a reader finds out what changed. */
interface Feed {
  /** Called with the response of the first file, before any other file is read. */
  begin(file: ClientResponse): Promise<void>
  next(): Promise<ChangedIds>
}

type Get = (path: string) => Promise<ClientResponse>

/** Repeats a request until the service can respond to it. */
const getFrom =
  (service: Client): Get =>
  async (path) => {
    for (;;) {
      const response = await service.send(path).catch(() => undefined)
      if (response !== undefined && response.status !== 503) return response
      await pause(50)
    }
  }

const openFeed = (get: Get): Feed => {
  let cursor = ''
  return {
    async begin({ headers }) {
      cursor = String(headers[changesAfterHeader.toLowerCase()])
    },
    async next() {
      const { status, text } = await get(`/api/v1/changes?after=${cursor}`)
      if (status !== 200) throw new Error(`the feed responded ${status} ${text}`)
      const { data, meta } = JSON.parse(text) as { data: { resource: string; id: number }[]; meta: { next: string } }
      cursor = meta.next
      return new Map(
        Map.groupBy(data, ({ resource }) => resource)
          .entries()
          .map(([path, changes]) => [path, [...new Set(changes.map(({ id }) => id))]]),
      )
    },
  }
}

/** A feed that a client could build if it ordered the changes by `seq` alone. */
const openFeedBySeq = (url: string): Feed => {
  let seq = '0'
  const query = (text: string, values: unknown[]) => withClient(url, (client) => client.query(text, values))
  return {
    async begin() {
      seq = (await query('select coalesce(max(seq), 0)::text as seq from muster_changes', [])).rows[0].seq
    },
    async next() {
      const { rows } = await query(
        `select seq::text, table_name, array(select generate_series(lower(r), upper(r) - 1)::int from unnest(ids) r) as ids
         from muster_changes where seq > $1 order by seq limit 40`,
        [seq],
      )
      seq = rows.at(-1)?.seq ?? seq
      const pathOf = (table: string) => resources.find((resource) => resource.table === table)?.path ?? ''
      return new Map(
        Map.groupBy(rows, ({ table_name }) => pathOf(table_name))
          .entries()
          .map(([path, changes]) => [path, [...new Set(changes.flatMap(({ ids }) => ids as number[]))]]),
      )
    },
  }
}

/** The records of each resource by id. */
type Copy = ReadonlyMap<string, Map<number, string>>

/** Copies files, then follows the feed until it names the given department. */
const runReader = async (get: Get, feed: Feed, random: Random, lastDepartment: Promise<number>): Promise<Copy> => {
  const copy = new Map<string, Map<number, string>>()
  for (const { path } of copied) {
    const file = await get(`/api/v1/${path}?format=ndjson`)
    if (copy.size === 0) await feed.begin(file)
    const records = file.text.split('\n').filter((line) => line !== '')
    copy.set(path, new Map(records.map((line) => [JSON.parse(line).id, JSON.stringify(JSON.parse(line))])))
  }
  let lastId: number | undefined
  void lastDepartment.then((id) => {
    lastId = id
  })
  for (;;) {
    const changed = await feed.next()
    for (const [path, ids] of changed) {
      const records = copy.get(path)
      for (let start = 0; records !== undefined && start < ids.length; start += 200)
        await readAgain(get, path, ids.slice(start, start + 200), records)
    }
    if (lastId !== undefined && copy.get('departments')?.has(lastId)) return copy
    if (lastId === undefined) await pause(random(maxPauseMs))
  }
}

/** A change says which record to read again. A record that is not there any more is removed from the copy. */
const readAgain = async (
  get: Get,
  path: string,
  ids: readonly number[],
  records: Map<number, string>,
): Promise<void> => {
  const { data } = JSON.parse((await get(`/api/v1/${path}?limit=200&id=${ids.join(',')}`)).text)
  for (const id of ids) records.delete(id)
  for (const record of data) records.set(record.id, JSON.stringify(record))
}

const countDifferences = async (url: string, copy: Copy): Promise<number> => {
  let count = 0
  for (const { path, table } of copied) {
    const { rows } = await withClient(url, (client) => client.query(`select id::int, record_json from ${table}`))
    const stored = new Map(rows.map(({ id, record_json }) => [id as number, JSON.stringify(JSON.parse(record_json))]))
    const records = copy.get(path) ?? new Map<number, string>()
    for (const id of new Set([...stored.keys(), ...records.keys()])) if (stored.get(id) !== records.get(id)) count += 1
  }
  return count
}

interface RunOptions {
  readonly writers: number
  readonly readers: number
  readonly kills: number
  readonly openFeed: (get: Get, url: string) => Feed
}

interface RunFigures {
  readonly killCount: number
  readonly transactionCount: number
  readonly differenceCount: number
}

const followOnce = async (environment: Environment, seed: number, options: RunOptions): Promise<RunFigures> => {
  const cluster: Cluster = await environment.cluster()
  let server = await environment.service({ databaseUrl: cluster.url })
  const port = Number(new URL(server.origin).port)
  const service = openClient(server.origin)
  const get = getFrom(service)
  const random = randomNumbers(seed)
  const writers = startWriters(cluster.url, options.writers, seed)
  const otherUrl = Object.assign(new URL(cluster.url), { pathname: '/postgres' }).href
  const otherWriters = startWriters(otherUrl, options.writers / 2, seed + options.writers, runOtherTransaction)
  await waitUntil('writers are running', async () => writers.transactionCount > options.writers)
  const lastDepartment = Promise.withResolvers<number>()
  const readers = Promise.all(
    Array.from({ length: options.readers }, (_, index) =>
      runReader(get, options.openFeed(get, cluster.url), randomNumbers(seed + index), lastDepartment.promise),
    ),
  )
  // A reader that fails ends the run, even while the servers are being killed.
  readers.catch(lastDepartment.reject)
  await pause(1_000)
  for (let killCount = 0; killCount < options.kills; killCount += 1) {
    await pause(500 + random(1_000))
    if (killCount % 2 === 0) {
      await cluster.kill()
      await cluster.start()
    } else {
      server.signal('SIGKILL')
      await server.ended
      server = await environment.service({ databaseUrl: cluster.url, port })
    }
  }
  await pause(1_000)
  await writers.stop()
  await otherWriters.stop()
  const { rows } = await withClient(cluster.url, (client) =>
    client.query("insert into departments (name) values ('the last') returning id::int"),
  )
  lastDepartment.resolve(rows[0].id)
  const copies = await readers
  const differences = await Promise.all(copies.map((copy) => countDifferences(cluster.url, copy)))
  service.close()
  return {
    killCount: options.kills,
    transactionCount: writers.transactionCount,
    differenceCount: differences.reduce((sum, count) => sum + count, 0),
  }
}

const follow = async (environment: Environment, runs: number, options: RunOptions): Promise<Outcome> => {
  const figures: RunFigures[] = []
  for (let run = 0; run < runs; run += 1)
    figures.push(await followOnce(environment, environment.seed + run * 1_000, options))
  const sum = (name: keyof RunFigures) => figures.reduce((total, figure) => total + figure[name], 0)
  const lostCount = sum('differenceCount')
  return {
    ...emptyOutcome,
    faultCount: options.kills === 0 ? sum('transactionCount') : sum('killCount'),
    lostCount,
    violations: failedChecks([lostCount === 0, 'no lost records', `${lostCount} records of the copies are wrong`]),
    notes: [
      `${runs} runs of ${options.writers} writers and ${options.readers} readers: ${sum('transactionCount')} transactions, ${sum('killCount')} kills, ${lostCount} wrong records in the copies`,
    ],
  }
}

export const changeFeed: ChaosCase = {
  name: 'change-feed',
  run: (environment) =>
    follow(environment, environment.size(10, 1), {
      writers: environment.size(32, 8),
      readers: environment.size(3, 2),
      kills: environment.size(4, 2),
      openFeed,
    }),
  control: {
    description: 'changes ordered by seq alone',
    brokenGuarantee: 'no lost records',
    run: (environment) =>
      follow(environment, 1, {
        writers: environment.size(32, 8),
        readers: environment.size(3, 2),
        kills: 0,
        openFeed: (_, url) => openFeedBySeq(url),
      }),
  },
}
