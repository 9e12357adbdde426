/** The books after crashes: whatever was under way when the server was killed, totals are counts and pages are where they belong. */
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Resource } from '@muster/model'
import { resources } from '@muster/model'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Client } from '../client.ts'
import { openClient } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import { withClient } from '../cluster.ts'
import type { Fault, Outcome } from '../fault.ts'
import { nothing, unless } from '../fault.ts'
import type { House } from '../house.ts'
import type { Random } from '../random.ts'
import { randomNumbers } from '../random.ts'
import { baseCount, columnsOf, insertRows, states } from '../rows.ts'
import { isReady, until } from '../wait.ts'

type Action = (client: pg.Client, resource: Resource, random: Random) => Promise<unknown>

const anyOf = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T
const stateOf = ({ all }: Resource): string | undefined => all.find(({ state }) => state)?.name

/** Every way a table is written. Rows that others refer to are left alone: a statement refused by a reference tries nothing. */
const actions: readonly Action[] = [
  (client, resource, random) => client.query(insertRows(resource), [1 + random(3)]),
  (client, resource, random) => client.query(insertRows(resource), [random(600)]),
  (client, { table }, random) =>
    client.query(`delete from ${table} where id > ${baseCount} and id % 17 = $1`, [random(17)]),
  (client, { table }, random) => client.query(`delete from ${table} where id = $1`, [baseCount + 1 + random(2_000)]),
  async (client, resource, random) => {
    const state = stateOf(resource)
    if (state === undefined) return
    await client.query(`update ${resource.table} set ${state} = $1 where id % 31 = $2`, [
      anyOf(states, random),
      random(31),
    ])
  },
  // An id of the far future: nothing says that ids come from the sequence.
  async (client, resource, random) => {
    await client.query('begin')
    const { rows } = await client.query(`${insertRows(resource)} returning id`, [1 + random(50)])
    await client.query(`update ${resource.table} set id = id + 10000000 + $1 where id = $2`, [
      random(40_000_000),
      rows[0].id,
    ])
    await client.query('commit')
  },
  async (client, resource, random) => {
    await client.query('begin')
    await client.query(insertRows(resource), [random(300)])
    await client.query('rollback')
  },
  async (client, resource, random) => {
    await client.query('begin')
    await client.query(insertRows(resource), [1])
    await client.query('savepoint here')
    await client.query(insertRows(resource), [random(300)])
    await client.query('rollback to savepoint here')
    await client.query(`delete from ${resource.table} where id = $1`, [baseCount + 1 + random(2_000)])
    await client.query('commit')
  },
  async (client, resource, random) => {
    const columns = columnsOf(resource)
    const lines = Array.from(
      { length: random(400) },
      () => `${columns.map((field) => copied(field, random)).join('\t')}\n`,
    )
    const statement = `copy ${resource.table} (${columns.map(({ name }) => name).join(', ')}) from stdin`
    await pipeline(Readable.from(lines), client.query(copyFrom(statement)))
  },
  (client) => client.query('select muster_upkeep()'),
]

const copied = ({ kind, state }: Resource['all'][number], random: Random): string => {
  if (state) return anyOf(states, random)
  switch (kind) {
    case 'reference':
      return String(1 + random(baseCount))
    case 'integer':
      return '1'
    case 'date':
      return '2026-11-15'
    case 'timestamp':
      return '2026-11-15T12:00:00Z'
    default:
      return `${random(2 ** 31)}-${random(2 ** 31)}`
  }
}

/** What a writer may meet without any crash: it wants another's rows, or rows that others have come to refer to. */
const expected = new Set(['40P01', '23505', '23503'])

interface Writing {
  readonly committed: number
  /** Statements that were under way when the server was killed. */
  readonly cutOff: number
}

/** Writes until the server dies. */
const writeUntilCut = async (url: string, seed: number): Promise<Writing> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const random = randomNumbers(seed)
  let committed = 0
  for (;;) {
    try {
      await anyOf(actions, random)(client, anyOf(resources, random), random)
      committed += 1
    } catch (error) {
      const code = String((error as { code?: unknown }).code)
      if (!expected.has(code)) {
        if (!isCut(code, error)) throw error
        return { committed, cutOff: 1 }
      }
      if (
        !(await client.query('rollback').then(
          () => true,
          () => false,
        ))
      )
        return { committed, cutOff: 0 }
    }
  }
}

const isCut = (code: string, error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', '57P01', '57P02', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code) ||
  (error instanceof Error && /Connection terminated|not queryable/.test(error.message))

/** The service may still find that a connection did not outlive the crash: it says 503 then, and is asked again. */
const served = async (service: Client, path: string): Promise<string> => {
  let text = ''
  await until(`${path} is answered`, async () => {
    const answer = await service.ask(path)
    text = answer.text
    return answer.status !== 503
  })
  return text
}

/** Compares what the service lists with what the tables hold, while nobody writes; returns what differs. */
const compare = async (service: Client, client: pg.Client, random: Random): Promise<string[]> => {
  const wrong: string[] = []
  for (const resource of resources) {
    const { table, path } = resource
    const state = stateOf(resource)
    for (const value of ['', ...(state === undefined ? [] : states.slice(0, 2))]) {
      const where = value === '' ? '' : `where muster_key(${state}) = muster_key($1)`
      const values = value === '' ? [] : [value]
      const counted = await client.query(`select count(*)::int as total from ${table} ${where}`, values)
      const total: number = counted.rows[0].total
      for (const offset of [0, random(total + 1), Math.max(0, total - 7), total + 3]) {
        const limit = 1 + random(200)
        const page = await client.query(
          `select id::int from ${table} ${where} order by id offset ${offset} limit ${limit}`,
          values,
        )
        const filter = value === '' ? '' : `&${state}=${encodeURIComponent(value)}`
        const text = await served(service, `/api/v1/${path}?limit=${limit}&offset=${offset}${filter}`)
        const { data, meta } = JSON.parse(text) as { data: { id: number }[]; meta: { total: number } }
        if (meta.total !== total) wrong.push(`${path} ${value} counts ${meta.total} records, and there are ${total}`)
        else if (data.map(({ id }) => id).join() !== page.rows.map(({ id }) => id).join())
          wrong.push(`${path} ${value} shows another page at offset ${offset}`)
      }
    }
  }
  return wrong
}

/** How far the books are off by the word of `muster doctor --repair`. */
const difference = async (url: string): Promise<number> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['service/bin/muster.js', 'doctor', '--repair'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  })
  const figures = [...stdout.matchAll(/off by (\d+)$/gm)].map((match) => Number(match[1]))
  if (figures.length !== resources.length) throw new Error(`muster doctor --repair spoke of ${figures.length} tables`)
  return figures.reduce((sum, each) => sum + each, 0)
}

const crash = async (
  house: House,
  rounds: number,
  before: (cluster: Cluster) => Promise<unknown> = async () => {},
): Promise<Outcome> => {
  const cluster = await house.cluster()
  await before(cluster)
  const { origin } = await house.service({ databaseUrl: cluster.url })
  const service = openClient(origin)
  const random = randomNumbers(house.seed)
  const writers = 6
  let committed = 0
  let cutOff = 0
  let compared = 0
  const wrong: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const writing = Promise.all(
      Array.from({ length: writers }, (_, number) => writeUntilCut(cluster.url, house.seed + round * writers + number)),
    )
    // Somewhere in the work, and never at the same place of it twice.
    await Promise.race([writing, pause(500 + random(1_000))])
    await cluster.kill()
    for (const each of await writing) {
      committed += each.committed
      cutOff += each.cutOff
    }
    await cluster.start()
    await until('the service is ready again', () => isReady(service))
    wrong.push(...(await withClient(cluster.url, (client) => compare(service, client, random))))
    compared += 1
  }
  const offBy = await difference(cluster.url)
  service.close()
  return {
    ...nothing,
    fired: cutOff === 0 ? 0 : compared,
    acknowledged: committed,
    stale: wrong.length,
    broken: unless(
      [wrong.length === 0, 'books right', wrong.slice(0, 3).join('; ')],
      [offBy === 0, 'books right', `muster doctor --repair found them off by ${offBy}`],
    ),
    notes: [
      `${committed} writes done, ${cutOff} cut off in ${compared} crashes, ${resources.length} tables, off by ${offBy}`,
    ],
  }
}

export const booksAfterCrashes: Fault = {
  name: 'books',
  run: (house) => crash(house, house.size(12, 2)),
  control: {
    about: 'books outside the write-ahead log',
    breaks: 'books right',
    run: (house) =>
      crash(house, 1, ({ url }) =>
        withClient(url, (client) =>
          client.query('alter table muster_ledger set unlogged; alter table muster_blocks set unlogged'),
        ),
      ),
  },
}
