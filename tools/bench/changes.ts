/**
 * Measures how long it takes to read 10,000 changes.
 *
 *   DATABASE_URL=… node tools/bench/changes.ts
 *
 * DATABASE_URL is that of a PostgreSQL superuser.
 */
import { randomBytes } from 'node:crypto'
import { changesLimits, resourceAt } from '@muster/model'
import { Client } from 'pg'
import { migrate } from '../../packages/server/src/postgres/schema/migrate.ts'
import { insertStatement } from '../../packages/server/src/queries/create/create.ts'
import { runBench, superuser } from './command.ts'
import { startService, withServer } from './service-process.ts'

const createsPerSample = 200

const openSession = async (url: string): Promise<Client> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  // The settings of the service's pool for creates.
  await client.query('set plan_cache_mode = force_generic_plan; set jit = off')
  return client
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

/** Reads 10,000 changes in pages of the maximum size, over HTTP. */
const readChanges = async (url: string, client: Client): Promise<void> => {
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
        await insert(client)
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
  const admin = new Client({ connectionString: serverUrl })
  await admin.connect()
  const name = `bench_changes_${randomBytes(4).toString('hex')}`
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  try {
    await admin.query(`create database ${name} template template0 encoding 'UTF8'`)
    await migrate(url)
    const client = await openSession(url)
    await client.query("insert into employees (id, status, alumni) values (1, 'active', 0)")
    await readChanges(url, client)
    await client.end()
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
}

await runBench(superuser, run)
