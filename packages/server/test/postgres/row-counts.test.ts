import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import { listedResources, resourceAt, resources } from '@muster/model'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { randomNumbers } from '../../../../tests/support/random.ts'
import { startService } from '../../../../tests/support/service.ts'
import type { Database } from '../../src/postgres/connection/database.ts'
import type { ListReader } from '../../src/queries/list/list.ts'
import { executeList, planList } from '../../src/queries/list/list.ts'
import type { ListQuery } from '../../src/queries/list/query.ts'

const statuses = ['active', 'Hired', 'archived', 'ACTIVE', "o'clock"]

/** Inserts, copies, updates and deletes, committed or rolled back, and the maintenance of the row counts. */
const randomWrites: readonly ((client: pg.Client, random: (below: number) => number) => Promise<unknown>)[] = [
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
  // Ids need not come from the sequence: the next two writes choose very small and very large ones.
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
  (client) => client.query('select muster_maintain()'),
]

/** Reads lists as the service does, but on the given connection, so that the reference query sees the same rows. */
const listReaderOn = (client: pg.Client, statements: string[] = []): ListReader => {
  const run: Database['run'] = async ({ name, text, values }) => {
    statements.push(name ?? text)
    return (await client.query<unknown[]>({ text, values: [...values], rowMode: 'array' })).rows
  }
  const database = { run } as Database
  return {
    reader: database,
    searches: { page: () => assert.fail('row counts are kept for this list') },
  }
}

const assertSameAsReference = async (
  client: pg.Client,
  listReader: ListReader,
  resource: Resource,
  query: ListQuery,
): Promise<void> => {
  await client.query('begin isolation level repeatable read read only')
  const statusFilter = query.filters.find((filter) => 'values' in filter)
  const where =
    statusFilter === undefined
      ? ''
      : `where muster_key(${statusFilter.field.name}) in (select muster_key(v) from unnest($3::text[]) v)`
  const reference = await client.query({
    text: `select (select count(*)::int from ${resource.table} ${where}), (select string_agg(record_json, ',' order by id) from (select id, record_json from ${resource.table} ${where} order by id limit $1 offset $2) page)`,
    values: [query.limit, query.offset, ...(statusFilter === undefined ? [] : [statusFilter.values])],
    rowMode: 'array',
  })
  const page = await executeList(planList(query), listReader, resource, query)
  const description = JSON.stringify(
    { resource: resource.path, ...query, offset: String(query.offset) },
    (key, value) => (key === 'field' ? value.name : value),
  )
  assert.equal(page.total, reference.rows[0]?.[0], `total of ${description}`)
  assert.equal(page.records, reference.rows[0]?.[1] ?? '', `page of ${description}`)
  await client.query('commit')
}

/** With a time limit, so that a failed test that leaves a transaction open does not stop the next one. */
const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, lock_timeout: 20_000 })
  await client.connect()
  return client
}

describe('row counts', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(async () => {
    await database.drop()
  })

  it('are correct in every snapshot while four clients write and a fifth holds a transaction open', async (context) => {
    const seed = Number(process.env.TEST_SEED ?? 20_261_115)
    context.diagnostic(`seed ${seed}`)
    const openTransaction = await connect(database.url)
    await openTransaction.query('begin')
    await openTransaction.query(`insert into candidates (status) select 'held' from generate_series(1, 500)`)
    let isChecking = true
    const writers = [1, 2, 3, 4].map(async (number) => {
      const client = await connect(database.url)
      const random = randomNumbers(seed + number)
      while (isChecking) {
        try {
          await randomWrites[random(randomWrites.length)]?.(client, random)
        } catch (error) {
          // Deadlocks and duplicate ids are expected: row counts must stay correct after a failed statement too.
          await client.query('rollback')
          if (!['40P01', '23505'].includes(String((error as { code?: string }).code))) throw error
        }
      }
      await client.end()
    })
    const readingClient = await connect(database.url)
    const statements: string[] = []
    const listReader = listReaderOn(readingClient, statements)
    try {
      const random = randomNumbers(seed)
      const candidates = resourceAt('candidates')
      const status = candidates.filterableFields.find(({ name }) => name === 'status')
      for (let round = 0; round < 80; round += 1) {
        const { rows } = await readingClient.query('select count(*)::int as count from candidates')
        const values = Array.from({ length: 1 + random(3) }, () => statuses[random(5)] as string)
        const filters = status !== undefined && random(2) === 1 ? [{ field: status, values }] : []
        await assertSameAsReference(readingClient, listReader, candidates, {
          limit: 1 + random(200),
          offset: BigInt(random(rows[0].count + 300)),
          terms: [],
          filters,
          sort: [],
        })
        if (round === 40) await openTransaction.query('commit')
      }
    } finally {
      isChecking = false
      await openTransaction.query('rollback')
      await Promise.all(writers)
    }
    const { rows } = await readingClient.query(`select muster_rebuild_counts('candidates', array['status']) as off_by`)
    assert.equal(Number(rows[0].off_by), 0)
    const [scans, seeks, multiValueSeeks] = [/^list/, /^seek/, /union/].map(
      (kind) => statements.filter((text) => kind.test(text)).length,
    )
    context.diagnostic(`${scans} scans, ${seeks} seeks, ${multiValueSeeks} seeks by several values`)
    for (const count of [scans, seeks, multiValueSeeks]) assert.ok(count !== undefined && count > 0)
    await Promise.all([openTransaction.end(), readingClient.end()])
  })

  it('are zero after a truncate, which is rejected in a repeatable read transaction', async () => {
    const client = await connect(database.url)
    await client.query('begin')
    await client.query('truncate candidates cascade')
    await client.query('rollback')
    await assertSameAsReference(client, listReaderOn(client), resourceAt('candidates'), {
      limit: 5,
      offset: 300n,
      terms: [],
      filters: [],
      sort: [],
    })
    await client.query('truncate candidates cascade')
    await client.query(`insert into candidates (status) values ('first')`)
    await assertSameAsReference(client, listReaderOn(client), resourceAt('candidates'), {
      limit: 5,
      offset: 0n,
      terms: [],
      filters: [],
      sort: [],
    })
    await client.query('begin isolation level repeatable read')
    await assert.rejects(client.query('truncate candidates cascade'), { code: '0A000' })
    await client.query('rollback')
    const { rows } = await client.query(`select muster_rebuild_counts('candidates', array['status']) as off_by`)
    assert.equal(Number(rows[0].off_by), 0)
    await client.end()
  })

  it('are corrected by muster_rebuild_counts after a write with disabled triggers', async () => {
    const client = await connect(database.url)
    await database.execute(
      `alter table candidates disable trigger muster_counts_insert;
       insert into candidates (status) select 'unseen' from generate_series(1, 10);
       alter table candidates enable always trigger muster_counts_insert`,
    )
    const rebuild = async () =>
      Number(
        (await client.query(`select muster_rebuild_counts('candidates', array['status']) as off_by`)).rows[0].off_by,
      )
    assert.ok((await rebuild()) > 0)
    assert.equal(await rebuild(), 0)
    await assertSameAsReference(client, listReaderOn(client), resourceAt('candidates'), {
      limit: 20,
      offset: 0n,
      terms: [],
      filters: [],
      sort: [],
    })
    await client.end()
  })

  it('stay exact if maintenance comes while a truncate holds deltas, and it does not wait for it', async () => {
    const [truncating, maintaining] = [await connect(database.url), await connect(database.url)]
    await truncating.query(`select muster_maintain(); truncate candidates, organizations cascade;
      insert into candidates (status) values ('new'); insert into organizations (name, slug) values ('New', 'new')`)
    await truncating.query('begin')
    await truncating.query('truncate organizations cascade')
    await maintaining.query(`set statement_timeout = '10s'; select muster_maintain()`)
    // The deltas of candidates are not held by a maintenance that waits.
    await truncating.query('truncate candidates cascade')
    await truncating.query('commit')
    await maintaining.query('select muster_maintain()')
    const { rows } = await maintaining.query(
      `select muster_row_count('candidates', array['']) as candidates, muster_row_count('organizations', array['']) as organizations`,
    )
    assert.deepEqual(rows, [{ candidates: '0', organizations: '0' }])
    await truncating.end()
    await maintaining.end()
  })

  it('find the row at every offset without deltas, in buckets that are full, sparse, negative or empty', async () => {
    const client = await connect(database.url)
    await client.query('truncate candidates cascade')
    const assertFound = async (): Promise<number> => {
      await client.query('select muster_maintain()')
      const { rows } = await client.query(
        `select key, row.id, row.before,
           (select count(*)::int from candidates c where c.id >= found.start_id and c.id < row.id and (key = '' or 'status=' || muster_key(c.status) = key)) as remainder,
           found.start_id, found.remainder as found_remainder
         from (values (''), ('status=rare'), ('status=common')) keys (key)
         cross join lateral (
           select id, row_number() over (order by id) - 1 as before from candidates c
           where key = '' or 'status=' || muster_key(c.status) = key
         ) row
         left join lateral muster_find_row('candidates', key, row.before) found on true`,
      )
      for (const row of rows) {
        assert.ok(row.start_id !== null && BigInt(row.start_id) <= BigInt(row.id), JSON.stringify(row))
        assert.ok(BigInt(row.id) < BigInt(row.start_id) + 256n, JSON.stringify(row))
        assert.equal(Number(row.found_remainder), row.remainder, JSON.stringify(row))
      }
      const { rows: past } = await client.query(
        `select * from muster_find_row('candidates', '', (select count(*) from candidates))`,
      )
      assert.deepEqual(past, [])
      return rows.length
    }
    await client.query(
      `insert into candidates (id, status)
       select id, case when id % 7 = 0 then 'rare' else 'common' end from (
         select generate_series(-300, 700) union select generate_series(65000, 66100) union select n * 5000 + 1000000 from generate_series(1, 200) n
         union select n * 1000000000000 from generate_series(1, 20) n union select -9000000000000000000
       ) ids (id)`,
    )
    assert.equal(await assertFound(), 2 * (1001 + 1101 + 200 + 20 + 1))
    await client.query('delete from candidates where id between 256 and 65500 or id > 1000000000000')
    await assertFound()
    const { rows: zero } = await client.query(
      `select * from muster_count_buckets where table_name = 'candidates' and (rows = 0 or cardinality(parts) = 0)`,
    )
    assert.deepEqual(zero, [])
    await client.query(`update candidates set status = 'common' where id % 2 = 0`)
    await assertFound()
    await client.query('delete from candidates')
    assert.equal(await assertFound(), 0)
    await client.end()
  })

  it('are kept for every resource, in total and for every value of its status fields', async () => {
    const client = await connect(database.url)
    const { rows } = await client.query(
      `select tgrelid::regclass::text as table_name, count(*)::int as triggers from pg_trigger where tgname like 'muster_counts%' group by 1 order by 1`,
    )
    assert.deepEqual(
      rows,
      listedResources
        .map(({ table }) => ({ table_name: table, triggers: 4 }))
        .sort((a, b) => (a.table_name < b.table_name ? -1 : 1)),
    )
    for (const { table, allFields: all } of listedResources) {
      const { rows: source } = await client.query('select prosrc from pg_proc where proname = $1', [
        `muster_counts_${table}_insert`,
      ])
      const filterKeys = [...String(source[0].prosrc).matchAll(/'(\w+)=' operator\(pg_catalog\.\|\|\)/g)].map(
        (match) => match[1],
      )
      const statusFields = all.filter((field) => field.state).map((field) => field.name)
      // The trigger function contains each field twice: for inserts of a single row and of several rows.
      assert.deepEqual(filterKeys.sort(), [...statusFields, ...statusFields].sort(), table)
    }
    await client.end()
  })

  it('match the rows of every table of the demo company, page by page', async () => {
    const seeded = await createSeededDatabase()
    const client = await connect(seeded.url)
    const listReader = listReaderOn(client)
    for (const resource of resources) {
      for (const offset of [0n, 7n, 256n, 300n, 899n, 4_999n, 10n ** 15n]) {
        await assertSameAsReference(client, listReader, resource, {
          limit: 50,
          offset,
          terms: [],
          filters: [],
          sort: [],
        })
        if (offset > 300n) continue
        for (const field of resource.allFields.filter(({ state }) => state)) {
          for (const value of field.values ?? []) {
            await assertSameAsReference(client, listReader, resource, {
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
  it('recounts every table and prints the difference', async () => {
    const database = await createTestDatabase()
    const runDoctor = async (): Promise<string> => {
      const { code, out } = await muster(['doctor', '--repair'], { DATABASE_URL: database.url })
      assert.equal(code, 0)
      return out
    }
    assert.match(await runDoctor(), /candidates +off by 0\n(.*\n)*The row counts were correct\. .*\n$/)
    await database.execute(
      `alter table candidates disable trigger all; insert into candidates (status) values ('unseen')`,
    )
    assert.match(
      await runDoctor(),
      /candidates +off by [1-9]\d*, triggers replaced\n(.*\n)*The row counts are correct again\. .*\n$/,
    )
    assert.match(await runDoctor(), /The row counts were correct\. .*\n$/)
    await database.drop()
  })
})

describe('the writer role', () => {
  it('updates row counts through creates, but cannot write them directly', async () => {
    const database = await createTestDatabase()
    const service = await startService(database.url)
    const client = await connect(database.env.DATABASE_URL)
    try {
      for (const slug of ['one', 'two']) {
        assert.equal((await post(`${service.baseUrl}/v1/organizations`, { name: 'Adder', slug })).status, 201)
      }
      assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?limit=1`)).json.meta.total, 2)
      await client.query('select muster_maintain()')
      for (const statement of [
        'update muster_table_versions set rows = 0',
        'delete from muster_count_deltas',
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
