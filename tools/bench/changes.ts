/**
 * Measures what the change feed costs: the same writes in a database with it and in one without, alternately, in CPU time
 * of the database session; and how long it takes to read 10,000 changes.
 *
 *   DATABASE_URL=… node tools/bench/changes.ts [--pairs 41] [--rows 10000]
 *
 * DATABASE_URL is that of a PostgreSQL superuser on this machine. Nothing else may write to that server meanwhile.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { changesLimits, resourceAt } from '@muster/model'
import { Client } from 'pg'
import { migrate, readMigrationFiles } from '../../packages/server/src/postgres/schema/migrate.ts'
import { insertStatement } from '../../packages/server/src/queries/create/create.ts'
import { runBench, superuser, UsageError } from './command.ts'
import { formatRatio, measureAlternately, summarizeRatios } from './ratios.ts'
import { startService, withServer } from './service-process.ts'

const feedMigration = '0013-changes.sql'
const createsPerSample = 200

interface Session {
  readonly client: Client
  readonly pid: number
}

const openSession = async (url: string): Promise<Session> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  // The settings of the service's pool for creates. Without them the plan would differ, not the feed.
  await client.query('set plan_cache_mode = force_generic_plan; set jit = off')
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return { client, pid: rows[0]?.pid ?? 0 }
}

/** CPU time of a process in milliseconds. */
const cpuMs = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1_000_000

const measure = async ({ client, pid }: Session, write: Write): Promise<number> => {
  const before = await cpuMs(pid)
  await write(client)
  return (await cpuMs(pid)) - before
}

type Write = (client: Client) => Promise<void>

const leave = resourceAt('leave')

const create: Write = async (client) => {
  for (let index = 0; index < createsPerSample; index += 1) {
    const {
      name = '',
      text,
      values,
    } = insertStatement(
      leave,
      new Map<string, string | number>([
        ['employee_id', 1],
        ['leave_type', 'annual'],
        ['from_date', '2026-11-16'],
        ['status', 'pending'],
      ]),
      { actor: { requestId: 'request', token: 'token' } },
    )
    await client.query({ name, text, values: [...values] })
  }
}

const writesOf = (rows: number): Readonly<Record<string, Write>> => ({
  [`${createsPerSample} creates`]: create,
  [`copy of ${rows} rows`]: async (client) => {
    await client.query(
      `copy attendance (employee_id, att_date, status) from program 'seq ${rows} | sed "s/.*/1\\t2026-11-16\\tpresent/"'`,
    )
  },
  [`update of ${rows / 10} scattered rows`]: async (client) => {
    await client.query('update attendance set status = $1 where id % 10 = 0 and id <= $2', [
      randomBytes(4).toString('hex'),
      rows,
    ])
  },
  [`delete of ${rows / 10} scattered rows`]: async (client) => {
    await client.query(
      'delete from attendance where id in (select id from attendance where id % 2 = 1 order by id desc limit $1)',
      [rows / 10],
    )
  },
})

const compareWrites = async (plain: Session, withFeed: Session, pairs: number, rows: number): Promise<void> => {
  console.log(`rate with the feed / without it, ${pairs} pairs, CPU time of the database session`)
  for (const [name, write] of Object.entries(writesOf(rows))) {
    for (const session of [plain, withFeed]) await write(session.client)
    const times = await measureAlternately(pairs, {
      before: () => measure(plain, write),
      after: () => measure(withFeed, write),
    })
    const ratio = summarizeRatios(times.map(({ before, after }) => before / after))
    const meanOf = (figure: 'before' | 'after') => times.reduce((sum, pair) => sum + pair[figure], 0) / pairs
    console.log(
      `${name.padEnd(32)} ${formatRatio(ratio)}  ${meanOf('before').toFixed(1)} ms without, ${meanOf('after').toFixed(1)} ms with`,
    )
  }
}

/** Reads 10,000 changes in pages of the maximum size, over HTTP. */
const readChanges = async (url: string, session: Session): Promise<void> => {
  await withServer(startService(url), async ({ origin }) => {
    const page = async (after: string) =>
      (await (await fetch(`${origin}/api/v1/changes${after}`)).json()) as {
        data: unknown[]
        meta: { next: string; more: boolean }
      }
    const start = (await page('')).meta.next
    for (const [name, insert] of [
      ['10,000 changes of 10,000 statements', create],
      [
        '10,000 changes of one statement',
        async (client: Client) => {
          await client.query(
            "insert into attendance (employee_id, att_date, status) select 1, '2026-11-16', 'present' from generate_series(1, 10000)",
          )
        },
      ],
    ] as const) {
      const from = name.includes('one') ? (await page('')).meta.next : start
      for (let round = 0; round < (name.includes('one') ? 1 : 10_000 / createsPerSample); round += 1)
        await insert(session.client)
      const times: number[] = []
      let count = 0
      for (let round = 0; round < 11; round += 1) {
        const startedAt = performance.now()
        count = 0
        let after = from
        for (let more = true; more; ) {
          const { data, meta } = await page(`?after=${after}&limit=${changesLimits.maxLimit}`)
          count += data.length
          ;({ more } = meta)
          after = meta.next
        }
        times.push(performance.now() - startedAt)
      }
      const sorted = times.toSorted((a, b) => a - b)
      console.log(
        `${name}: ${count} read in ${sorted[5]?.toFixed(0)} ms (${sorted[1]?.toFixed(0)} to ${sorted[9]?.toFixed(0)})`,
      )
    }
  })
}

const run = async (serverUrl: string): Promise<void> => {
  const { values } = parseArgs({
    options: { pairs: { type: 'string', default: '41' }, rows: { type: 'string', default: '10000' } },
  })
  const [pairs, rows] = [Number(values.pairs), Number(values.rows)]
  if (!(pairs >= 5 && rows >= 1_000)) throw new UsageError('--pairs is at least 5, --rows at least 1,000.')
  const admin = new Client({ connectionString: serverUrl })
  await admin.connect()
  const suffix = randomBytes(4).toString('hex')
  const names = [`bench_plain_${suffix}`, `bench_feed_${suffix}`]
  const urlOf = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const [plainUrl = '', feedUrl = ''] = names.map(urlOf)
  const files = await readMigrationFiles()
  try {
    for (const name of names) await admin.query(`create database ${name} template template0 encoding 'UTF8'`)
    await migrate(plainUrl, { files: files.filter(({ name }) => name < feedMigration) })
    await migrate(feedUrl, { files })
    const [plain, withFeed] = [await openSession(plainUrl), await openSession(feedUrl)]
    for (const { client } of [plain, withFeed])
      await client.query("insert into employees (id, status, alumni) values (1, 'active', 0)")
    await compareWrites(plain, withFeed, pairs, rows)
    await readChanges(feedUrl, withFeed)
    await Promise.all([plain.client.end(), withFeed.client.end()])
  } finally {
    for (const name of names) await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

await runBench(superuser, run)
