/** The books are true in every snapshot: whatever writers do, totals are counts and pages are where they belong. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import { resourceAt, resources } from '@muster/model'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Database } from '../src/database/database.ts'
import type { ListQuery, Reading } from '../src/operations/list.ts'
import { list } from '../src/operations/list.ts'
import { openPlaces } from '../src/operations/places.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { muster } from './support/muster.ts'
import { randomNumbers } from './support/random.ts'
import { startService } from './support/service.ts'

const statuses = ['active', 'Hired', 'archived', 'ACTIVE', "o'clock"]

/** Every way a table is written, as a writer of the test does it. */
const actions: readonly ((client: pg.Client, random: (below: number) => number) => Promise<unknown>)[] = [
  (client, random) => client.query(`insert into candidates (status) values ($1)`, [statuses[random(5)]]),
  (client, random) =>
    client.query(`insert into candidates (status) select $1 from generate_series(1, $2)`, [
      statuses[random(5)],
      random(700),
    ]),
  (client, random) => client.query(`delete from candidates where id % 97 = $1`, [random(97)]),
  (client, random) => client.query(`delete from candidates where id = $1`, [random(5_000)]),
  (client, random) =>
    client.query(`update candidates set status = $1 where id % 89 = $2`, [statuses[random(5)], random(89)]),
  (client, random) => client.query(`update candidates set notes = 'x' where id % 50 = $1`, [random(50)]),
  // An id of long ago, and one of the far future: nothing says that ids come from the sequence.
  (client, random) =>
    client.query(`insert into candidates (id, status) values ($1, 'late') on conflict do nothing`, [
      random(3_000) - 1_000,
    ]),
  (client, random) =>
    client.query(`insert into candidates (id, status) values ($1, 'far') on conflict do nothing`, [
      10_000_000 + random(40_000_000),
    ]),
  async (client, random) => {
    await client.query('begin')
    await client.query(`insert into candidates (status) select 'gone' from generate_series(1, $1)`, [random(300)])
    await client.query('rollback')
  },
  async (client, random) => {
    await client.query('begin')
    await client.query(`insert into candidates (status) values ('kept')`)
    await client.query('savepoint here')
    await client.query(`insert into candidates (status) select 'undone' from generate_series(1, $1)`, [random(300)])
    await client.query('rollback to savepoint here')
    await client.query(`delete from candidates where id = $1`, [random(5_000)])
    await client.query('commit')
  },
  async (client, random) => {
    const lines = Array.from({ length: random(400) }, () => `copied\n`)
    await pipeline(Readable.from(lines), client.query(copyFrom('copy candidates (status) from stdin')))
  },
  (client) => client.query('select muster_upkeep()'),
]

/** Lists as the service reads them, on a connection of the test's own, so that they share its snapshot. */
const readingOn = (client: pg.Client, statements: string[] = []): Reading => {
  const run: Database['run'] = async ({ name, text, values }) => {
    statements.push(name ?? text)
    return (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows
  }
  const database = { run } as Database
  return {
    reader: database,
    places: openPlaces(),
    selections: { page: () => assert.fail('the books count this') },
  }
}

const check = async (client: pg.Client, reading: Reading, resource: Resource, query: ListQuery): Promise<void> => {
  await client.query('begin isolation level repeatable read read only')
  const state = query.filters.find((filter) => 'values' in filter)
  const where =
    state === undefined
      ? ''
      : `where muster_key(${state.field.name}) in (select muster_key(v) from unnest($3::text[]) v)`
  const reference = await client.query({
    text: `select (select count(*)::int from ${resource.table} ${where}), (select string_agg(record_json, ',' order by id) from (select id, record_json from ${resource.table} ${where} order by id limit $1 offset $2) page)`,
    values: [query.limit, query.offset, ...(state === undefined ? [] : [state.values])],
    rowMode: 'array',
  })
  const page = await list(reading, resource, query)
  const shown = JSON.stringify({ resource: resource.path, ...query, offset: String(query.offset) }, (key, value) =>
    key === 'field' ? value.name : value,
  )
  assert.equal(page.total, reference.rows[0]?.[0], `total of ${shown}`)
  assert.equal(page.records, reference.rows[0]?.[1] ?? '', `page of ${shown}`)
  await client.query('commit')
}

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

describe('the books', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(async () => {
    await database.drop()
  })

  it('are true in every snapshot while four writers do all they can, and one holds a transaction open', async (context) => {
    const seed = Number(process.env.TEST_SEED ?? 20_261_115)
    context.diagnostic(`seed ${seed}`)
    const open = await connect(database.url)
    await open.query('begin')
    await open.query(`insert into candidates (status) select 'held' from generate_series(1, 500)`)
    let checking = true
    const writers = [1, 2, 3, 4].map(async (number) => {
      const client = await connect(database.url)
      const random = randomNumbers(seed + number)
      while (checking) {
        try {
          await actions[random(actions.length)]?.(client, random)
        } catch (error) {
          // Writers may want each other's rows, or an id that is taken: a statement that fails is one more case.
          await client.query('rollback')
          if (!['40P01', '23505'].includes(String((error as { code?: string }).code))) throw error
        }
      }
      await client.end()
    })
    const reader = await connect(database.url)
    const statements: string[] = []
    const reading = readingOn(reader, statements)
    try {
      const random = randomNumbers(seed)
      const candidates = resourceAt('candidates')
      const status = candidates.filters.find(({ name }) => name === 'status')
      for (let round = 0; round < 160; round += 1) {
        const { rows } = await reader.query('select count(*)::int as count from candidates')
        const values = Array.from({ length: 1 + random(3) }, () => statuses[random(5)] as string)
        const filters = status !== undefined && random(2) === 1 ? [{ field: status, values }] : []
        await check(reader, reading, candidates, {
          limit: 1 + random(200),
          offset: BigInt(random(rows[0].count + 300)),
          terms: [],
          filters,
          sort: [],
        })
        if (round === 80) await open.query('commit')
      }
    } finally {
      checking = false
      await open.query('rollback')
      await Promise.all(writers)
    }
    const { rows } = await reader.query(`select muster_rebuild_books('candidates', array['status']) as off_by`)
    assert.equal(Number(rows[0].off_by), 0)
    const leaps = statements.filter((text) => text.startsWith('leap')).length
    const seeks = statements.filter((text) => text.includes('muster_seek')).length
    context.diagnostic(`${leaps} places remembered, ${seeks} asked for`)
    assert.ok(leaps > 0 && seeks > 0)
    await Promise.all([open.end(), reader.end()])
  })

  it('are empty after truncate, which other isolation levels may not do', async () => {
    const client = await connect(database.url)
    await client.query('begin')
    await client.query('truncate candidates cascade')
    await client.query('rollback')
    await check(client, readingOn(client), resourceAt('candidates'), {
      limit: 5,
      offset: 300n,
      terms: [],
      filters: [],
      sort: [],
    })
    await client.query('truncate candidates cascade')
    await client.query(`insert into candidates (status) values ('first')`)
    await check(client, readingOn(client), resourceAt('candidates'), {
      limit: 5,
      offset: 0n,
      terms: [],
      filters: [],
      sort: [],
    })
    await client.query('begin isolation level repeatable read')
    await assert.rejects(client.query('truncate candidates cascade'), { code: '0A000' })
    await client.query('rollback')
    const { rows } = await client.query(`select muster_rebuild_books('candidates', array['status']) as off_by`)
    assert.equal(Number(rows[0].off_by), 0)
    await client.end()
  })

  it('are put right by a rebuild after somebody wrote around the triggers', async () => {
    const client = await connect(database.url)
    await database.execute(
      `alter table candidates disable trigger muster_books_insert;
       insert into candidates (status) select 'unseen' from generate_series(1, 10);
       alter table candidates enable always trigger muster_books_insert`,
    )
    const rebuild = async () =>
      Number(
        (await client.query(`select muster_rebuild_books('candidates', array['status']) as off_by`)).rows[0].off_by,
      )
    assert.ok((await rebuild()) > 0)
    assert.equal(await rebuild(), 0)
    await check(client, readingOn(client), resourceAt('candidates'), {
      limit: 20,
      offset: 0n,
      terms: [],
      filters: [],
      sort: [],
    })
    await client.end()
  })

  it('are kept for every resource, with a scope for every state', async () => {
    const client = await connect(database.url)
    const { rows } = await client.query(
      `select tgrelid::regclass::text as table_name, count(*)::int as triggers from pg_trigger where tgname like 'muster_books%' group by 1 order by 1`,
    )
    assert.deepEqual(
      rows,
      resources
        .map(({ table }) => ({ table_name: table, triggers: 4 }))
        .sort((a, b) => (a.table_name < b.table_name ? -1 : 1)),
    )
    for (const { table, all } of resources) {
      const { rows: source } = await client.query('select prosrc from pg_proc where proname = $1', [
        `muster_books_${table}_insert`,
      ])
      const scopes = [...String(source[0].prosrc).matchAll(/'(\w+)=' \|\|/g)].map((match) => match[1])
      const states = all.filter((field) => field.state).map((field) => field.name)
      // Once for a single row, and once for many.
      assert.deepEqual(scopes.sort(), [...states, ...states].sort(), table)
    }
    await client.end()
  })

  it('agree with every table of the demo company, page by page', async () => {
    const seeded = await createSeededDatabase()
    const client = await connect(seeded.url)
    const reading = readingOn(client)
    for (const resource of resources) {
      for (const offset of [0n, 7n, 256n, 300n, 899n, 4_999n, 10n ** 15n]) {
        await check(client, reading, resource, { limit: 50, offset, terms: [], filters: [], sort: [] })
        for (const field of resource.all.filter((each) => each.state)) {
          for (const value of field.values ?? []) {
            await check(client, reading, resource, {
              limit: 20,
              offset,
              terms: [],
              filters: [{ field, values: [value] }],
              sort: [],
            })
          }
        }
      }
    }
    await client.end()
    await seeded.drop()
  })
})

describe('muster doctor --repair', () => {
  it('counts every table anew, and says how far its books were off', async () => {
    const database = await createTestDatabase()
    const doctor = async (): Promise<string> => {
      const { code, out } = await muster(['doctor', '--repair'], { DATABASE_URL: database.url })
      assert.equal(code, 0)
      return out
    }
    assert.match(await doctor(), /candidates +off by 0\n(.*\n)*The row counts were right\. .*\n$/)
    await database.execute(
      `alter table candidates disable trigger all; insert into candidates (status) values ('unseen')`,
    )
    assert.match(
      await doctor(),
      /candidates +off by [1-9]\d*, triggers replaced\n(.*\n)*The row counts are right again\. .*\n$/,
    )
    assert.match(await doctor(), /The row counts were right\. .*\n$/)
    await database.drop()
  })
})

describe('the role that may only read and add', () => {
  it('keeps the books by creating, and cannot write in them', async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    const client = await connect(database.env.DATABASE_URL)
    try {
      for (const slug of ['one', 'two']) {
        assert.equal((await post(`${service.base}/v1/organizations`, { name: 'Adder', slug })).status, 201)
      }
      assert.equal((await ask(`${service.base}/v1/organizations?limit=1`)).json.meta.total, 2)
      await client.query('select muster_upkeep()')
      for (const statement of [
        'update muster_ledger set rows = 0',
        'delete from muster_journal',
        'truncate organizations',
      ])
        await assert.rejects(client.query(statement), { code: '42501' })
    } finally {
      await client.end()
      await service.stop()
      await database.drop()
    }
  })
})
