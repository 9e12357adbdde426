/** The database server is killed during writes of every kind: after each restart all totals and pages are correct. */
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Resource } from '@muster/model'
import { listedResources, resources } from '@muster/model'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { baseRowCount, insertRowsSql, requiredColumns, statusValues } from '../../support/base-rows.ts'
import type { Cluster } from '../../support/postgres-cluster.ts'
import { withClient } from '../../support/postgres-cluster.ts'
import type { Random } from '../../support/random.ts'
import { randomNumbers } from '../../support/random.ts'
import { waitUntil } from '../../support/wait.ts'
import type { ChaosCase, Outcome } from '../chaos-case.ts'
import { emptyOutcome, failedChecks } from '../chaos-case.ts'
import type { Client } from '../client.ts'
import { isReady, openClient } from '../client.ts'
import type { Environment } from '../environment.ts'

type WriteAction = (client: pg.Client, resource: Resource, random: Random) => Promise<unknown>

const pickRandom = <T>(elements: readonly T[], random: Random): T => elements[random(elements.length)] as T
const statusColumnOf = ({ allFields: all }: Resource): string | undefined => all.find(({ state }) => state)?.name

/**
 * Every kind of SQL statement that writes to a table. None deletes rows that other rows refer to, because PostgreSQL
 * would reject the statement.
 */
const writeActions: readonly WriteAction[] = [
  (client, resource, random) => client.query(insertRowsSql(resource), [1 + random(3)]),
  (client, resource, random) => client.query(insertRowsSql(resource), [random(600)]),
  (client, { table }, random) =>
    client.query(`delete from ${table} where id > ${baseRowCount} and id % 17 = $1`, [random(17)]),
  (client, { table }, random) => client.query(`delete from ${table} where id = $1`, [baseRowCount + 1 + random(2_000)]),
  async (client, resource, random) => {
    const column = statusColumnOf(resource)
    if (column === undefined) return
    await client.query(`update ${resource.table} set ${column} = $1 where id % 31 = $2`, [
      pickRandom(statusValues, random),
      random(31),
    ])
  },
  // An id need not come from the sequence: the id set here is far above the sequence.
  async (client, resource, random) => {
    await client.query('begin')
    const { rows } = await client.query(`${insertRowsSql(resource)} returning id`, [1 + random(50)])
    await client.query(`update ${resource.table} set id = id + 10000000 + $1 where id = $2`, [
      random(40_000_000),
      rows[0].id,
    ])
    await client.query('commit')
  },
  async (client, resource, random) => {
    await client.query('begin')
    await client.query(insertRowsSql(resource), [random(300)])
    await client.query('rollback')
  },
  async (client, resource, random) => {
    await client.query('begin')
    await client.query(insertRowsSql(resource), [1])
    await client.query('savepoint here')
    await client.query(insertRowsSql(resource), [random(300)])
    await client.query('rollback to savepoint here')
    await client.query(`delete from ${resource.table} where id = $1`, [baseRowCount + 1 + random(2_000)])
    await client.query('commit')
  },
  async (client, resource, random) => {
    const columns = requiredColumns(resource)
    const lines = Array.from(
      { length: random(400) },
      () => `${columns.map((field) => copyValueOf(field, random)).join('\t')}\n`,
    )
    const statement = `copy ${resource.table} (${columns.map(({ name }) => name).join(', ')}) from stdin`
    await pipeline(Readable.from(lines), client.query(copyFrom(statement)))
  },
  (client) => client.query('select muster_maintain()'),
]

const copyValueOf = ({ kind, state }: Resource['allFields'][number], random: Random): string => {
  if (state) return pickRandom(statusValues, random)
  switch (kind) {
    case 'reference':
      return String(1 + random(baseRowCount))
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

/** SQLSTATEs that concurrent writers cause without a crash: deadlock, unique violation, foreign key violation. */
const expectedErrorCodes = new Set(['40P01', '23505', '23503'])

interface WriterResult {
  readonly committedCount: number
  /** Number of statements that were running when the server was killed. */
  readonly abortedCount: number
}

const writeUntilCrash = async (url: string, seed: number): Promise<WriterResult> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const random = randomNumbers(seed)
  let committedCount = 0
  for (;;) {
    try {
      await pickRandom(writeActions, random)(client, pickRandom(resources, random), random)
      committedCount += 1
    } catch (error) {
      const code = String((error as { code?: unknown }).code)
      if (!expectedErrorCodes.has(code)) {
        if (!isConnectionLost(code, error)) throw error
        return { committedCount, abortedCount: 1 }
      }
      if (
        !(await client.query('rollback').then(
          () => true,
          () => false,
        ))
      )
        return { committedCount, abortedCount: 0 }
    }
  }
}

const isConnectionLost = (code: string, error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', '57P01', '57P02', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code) ||
  (error instanceof Error && /Connection terminated|not queryable/.test(error.message))

/** Retries after 503: the first use of a pooled connection that broke in the crash fails. */
const getWithRetries = async (service: Client, path: string): Promise<string> => {
  let text = ''
  await waitUntil(`${path} is served`, async () => {
    const response = await service.send(path)
    text = response.text
    return response.status !== 503
  })
  return text
}

/** Compares lists with the tables and returns the differences. Nothing may write meanwhile. */
const compareLists = async (service: Client, client: pg.Client, random: Random): Promise<string[]> => {
  const differences: string[] = []
  for (const resource of resources) {
    const { table, path } = resource
    const column = statusColumnOf(resource)
    for (const value of ['', ...(column === undefined ? [] : statusValues.slice(0, 2))]) {
      const whereClause = value === '' ? '' : `where muster_key(${column}) = muster_key($1)`
      const values = value === '' ? [] : [value]
      const countResult = await client.query(`select count(*)::int as total from ${table} ${whereClause}`, values)
      const total: number = countResult.rows[0].total
      for (const offset of [0, random(total + 1), Math.max(0, total - 7), total + 3]) {
        const limit = 1 + random(200)
        const page = await client.query(
          `select id::int from ${table} ${whereClause} order by id offset ${offset} limit ${limit}`,
          values,
        )
        const filter = value === '' ? '' : `&${column}=${encodeURIComponent(value)}`
        const text = await getWithRetries(service, `/api/v1/${path}?limit=${limit}&offset=${offset}${filter}`)
        const { data, meta } = JSON.parse(text) as { data: { id: number }[]; meta: { total: number } }
        if (meta.total !== total) differences.push(`${path} ${value} reports ${meta.total} records instead of ${total}`)
        else if (data.map(({ id }) => id).join() !== page.rows.map(({ id }) => id).join())
          differences.push(`${path} ${value} shows another page at offset ${offset}`)
      }
    }
  }
  return differences
}

/** Runs `muster doctor --repair` and returns the sum of all row count errors that it reports. */
const repairRowCounts = async (url: string): Promise<number> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['packages/server/bin/muster.js', 'doctor', '--repair'],
    {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
    },
  )
  const countErrors = [...stdout.matchAll(/off by (\d+)$/gm)].map((match) => Number(match[1]))
  if (countErrors.length !== listedResources.length)
    throw new Error(`muster doctor --repair reported ${countErrors.length} tables`)
  return countErrors.reduce((sum, difference) => sum + difference, 0)
}

const crashRepeatedly = async (
  environment: Environment,
  rounds: number,
  prepare: (cluster: Cluster) => Promise<unknown> = async () => {},
): Promise<Outcome> => {
  const cluster = await environment.cluster()
  await prepare(cluster)
  const { origin } = await environment.service({ databaseUrl: cluster.url })
  const service = openClient(origin)
  const random = randomNumbers(environment.seed)
  const writerCount = 6
  let committedCount = 0
  let abortedCount = 0
  let crashCount = 0
  const differences: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const writersPromise = Promise.all(
      Array.from({ length: writerCount }, (_, writerIndex) =>
        writeUntilCrash(cluster.url, environment.seed + round * writerCount + writerIndex),
      ),
    )
    // The server is killed at a random time, so that each crash interrupts different statements.
    await Promise.race([writersPromise, pause(500 + random(1_000))])
    await cluster.kill()
    for (const result of await writersPromise) {
      committedCount += result.committedCount
      abortedCount += result.abortedCount
    }
    await cluster.start()
    await waitUntil('the service is ready again', () => isReady(service))
    differences.push(...(await withClient(cluster.url, (client) => compareLists(service, client, random))))
    crashCount += 1
  }
  const countErrorSum = await repairRowCounts(cluster.url)
  service.close()
  return {
    ...emptyOutcome,
    faultCount: abortedCount === 0 ? 0 : crashCount,
    acknowledgedCount: committedCount,
    staleCount: differences.length,
    violations: failedChecks(
      [differences.length === 0, 'correct row counts', differences.slice(0, 3).join('; ')],
      [countErrorSum === 0, 'correct row counts', `muster doctor --repair found row counts off by ${countErrorSum}`],
    ),
    notes: [
      `${committedCount} writes committed, ${abortedCount} aborted in ${crashCount} crashes, ${resources.length} tables, off by ${countErrorSum}`,
    ],
  }
}

export const rowCountsAfterCrashes: ChaosCase = {
  name: 'row-counts',
  run: (environment) => crashRepeatedly(environment, environment.size(12, 2)),
  control: {
    description: 'row counts in unlogged tables',
    brokenGuarantee: 'correct row counts',
    run: (environment) =>
      crashRepeatedly(environment, 1, ({ url }) =>
        withClient(url, (client) =>
          client.query('alter table muster_table_versions set unlogged; alter table muster_count_buckets set unlogged'),
        ),
      ),
  },
}
