/** Counts by group, and files beside them: equal to what is worked out over all records, in either view, and from the books where these know. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ListFilter, Resource } from '@muster/model'
import { groupingsOf, isCountable, maxGroups, redacted, resources } from '@muster/model'
import * as fc from 'fast-check'
import pg from 'pg'
import { countStatement } from '../src/operations/count.ts'
import type { Asked, AskedFilter, Item } from './support/counted.ts'
import { groupsOf, matches, queryOf, withheldFrom } from './support/counted.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

const linesOf = (text: string): Item[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Item)

/** A filter by what a record holds, or by whether it holds anything. */
const filterFor = (filter: ListFilter, record: Item, isNull: boolean): AskedFilter[] => {
  if (filter.test === 'is_null') return [{ filter, value: String(isNull) }]
  const value = record[filter.field.name]
  if (value === null || value === undefined || String(value).trim() === '') return []
  return [{ filter, value: isNull ? String(value).toUpperCase() : String(value) }]
}

const askedArbitrary = (resource: Resource, records: readonly Item[]): fc.Arbitrary<Asked> =>
  fc
    .record({
      record: fc.constantFrom(...records),
      filters: fc.subarray([...resource.listFilters], { maxLength: 2 }),
      isNull: fc.boolean(),
      word: fc.constantFrom('', '', 'a', 'an', 'er', 'manager', 'zzz'),
    })
    .map(({ record, filters, isNull, word }) => ({
      filters: filters.flatMap((filter) => filterFor(filter, record, isNull)),
      word: resource.searchable.length === 0 ? '' : word,
    }))

describe('counts by group', () => {
  let database: TestDatabase
  let service: RunningService
  let redacting: RunningService
  const stored = new Map<string, Item[]>()
  before(async () => {
    database = await createSeededDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(
      `update employees set status = 'ACTIVE' where id % 7 = 0; update leave_requests set status = 'ÉTÉ' where id = 3`,
    )
    for (const { path, table } of resources) {
      const { rows } = await client.query(`select record_json from ${table} order by id`)
      stored.set(
        path,
        rows.map(({ record_json }) => JSON.parse(record_json)),
      )
    }
    await client.end()
    service = await startService(database.url)
    redacting = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await redacting.stop()
    await database.drop()
  })

  const recordsOf = (resource: Resource): Item[] => {
    const records = stored.get(resource.path) ?? []
    return resource.redacted ? records.map((record) => withheldFrom(resource, record)) : records
  }

  /** What is answered is what the records themselves say, or a refusal that they deserve. */
  const compare = async (base: string, resource: Resource, by: readonly string[], asked: Asked): Promise<void> => {
    const groupings = by.flatMap((name) => groupingsOf(resource).filter((grouping) => grouping.name === name))
    const path = `/v1/counts/${resource.path}?by=${by.join(',')}&${queryOf(asked)}`
    const answer = await ask(base + path)
    const isHidden = (field: { personal: boolean }) => resource.redacted && field.personal
    if (groupings.some(({ field }) => isHidden(field)) || asked.filters.some(({ filter }) => isHidden(filter.field))) {
      assert.equal(answer.status, 422, path)
      for (const { type } of answer.json.detail) assert.equal(type, 'field_redacted')
      return
    }
    const found = recordsOf(resource).filter((record) => matches(resource, asked, record))
    const groups = groupsOf(found, groupings)
    if (groups.length > maxGroups) {
      assert.deepEqual([answer.status, answer.json.detail[0].type], [422, 'too_many_groups'], path)
    } else {
      assert.deepEqual(answer.json, { data: groups, meta: { total: found.length, groups: groups.length } }, path)
    }
    const file = await ask(`${base}/v1/${resource.path}?format=ndjson&${queryOf(asked)}`)
    assert.deepEqual(linesOf(file.text), found, path)
  }

  const nothing: Asked = { filters: [], word: '' }
  for (const plain of resources.filter(isCountable)) {
    it(`of ${plain.path} are what its records say, by everything there is and in either view`, async () => {
      for (const [base, resource] of [
        [service.base, plain],
        [redacting.base, redacted(plain)],
      ] as const) {
        const names = groupingsOf(resource).map(({ name }) => name)
        for (const name of names) await compare(base, resource, [name], nothing)
        const records = recordsOf(resource)
        await fc.assert(
          fc.asyncProperty(
            fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }),
            askedArbitrary(resource, records),
            (by, asked) => compare(base, resource, by, asked),
          ),
          { numRuns: 60, seed: 7 },
        )
      }
    })
  }

  const refused: readonly (readonly [query: string, faults: readonly (readonly [type: string, name: string])[]])[] = [
    ['', [['missing', 'by']]],
    ['by=', [['missing', 'by']]],
    ['by=,', [['missing', 'by']]],
    ['by=nothing', [['literal_error', 'by']]],
    ['by=status,nothing', [['literal_error', 'by']]],
    ['by=base_salary', [['literal_error', 'by']]],
    ['by=month(status)', [['literal_error', 'by']]],
    ['by=status,dept_id,alumni', [['too_long', 'by']]],
    ['by=%ff', [['string_unicode', 'by']]],
    [
      'by=nothing&dept_id=x',
      [
        ['literal_error', 'by'],
        ['int_parsing', 'dept_id'],
      ],
    ],
  ]
  for (const [query, faults] of refused) {
    it(`are refused with ${JSON.stringify(faults)} for "${query}"`, async () => {
      const { status, json } = await ask(`${service.base}/v1/counts/employees?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(
        json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc[1]]),
        faults,
      )
    })
  }

  it('take a name given twice for one, and any personal field from the holder of a token', async () => {
    const { json } = await ask(`${service.base}/v1/counts/employees?by=status,status`)
    assert.deepEqual(Object.keys(json.data[0]), ['status', 'count'])
    const answer = await ask(`${redacting.base}/v1/counts/employees?by=email&id=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(answer.json.meta.total, 1)
  })

  it('are not there for a resource that has nothing to count by', async () => {
    assert.equal((await ask(`${service.base}/v1/counts/departments?by=name`)).status, 404)
    assert.equal((await ask(`${service.base}/v1/counts`)).status, 404)
  })
})

describe('counts that change', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const byStatus = async () => (await ask(`${service.base}/v1/counts/attendance?by=status`)).json

  it('are as fresh as a list, by tag too, whether folded into the books or not', async () => {
    assert.deepEqual(await byStatus(), { data: [], meta: { total: 0, groups: 0 } })
    const first = await ask(`${service.base}/v1/counts/attendance?by=status`)
    const held = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }
    assert.equal((await ask(`${service.base}/v1/counts/attendance?by=status`, held)).status, 304)
    const steps: readonly (readonly [sql: string, data: readonly Item[]])[] = [
      [
        `insert into attendance (att_date, status) select date '2026-01-01' + n, case when n % 3 = 0 then 'Absent' else 'present' end from generate_series(1, 3000) n`,
        [
          { status: 'absent', count: 1_000 },
          { status: 'present', count: 2_000 },
        ],
      ],
      [
        'select muster_upkeep()',
        [
          { status: 'absent', count: 1_000 },
          { status: 'present', count: 2_000 },
        ],
      ],
      [`delete from attendance where status = 'Absent'`, [{ status: 'present', count: 2_000 }]],
      [
        `insert into attendance (att_date, status) values ('2026-01-01', '=')`,
        [
          { status: '=', count: 1 },
          { status: 'present', count: 2_000 },
        ],
      ],
      [
        'select muster_upkeep()',
        [
          { status: '=', count: 1 },
          { status: 'present', count: 2_000 },
        ],
      ],
    ]
    for (const [sql, data] of steps) {
      await database.execute(sql)
      assert.deepEqual((await byStatus()).data, data, sql)
      const answer = await ask(`${service.base}/v1/counts/attendance?by=status`, held)
      assert.equal(answer.status, 200)
    }
  })

  it('come from the books where a state is asked for alone, and not from the table', () => {
    for (const resource of resources) {
      for (const grouping of groupingsOf(resource)) {
        const { text } = countStatement(resource, { terms: [], filters: [], groupings: [grouping] })
        assert.equal(text.includes(`from "${resource.table}"`), grouping.field.state !== true, text)
      }
    }
  })

  it('of more groups than a thousand are refused, and of a thousand are not', async () => {
    await database.execute(
      `insert into candidates (status, source) select 'new', 'source ' || n from generate_series(1, 1000) n`,
    )
    assert.equal((await ask(`${service.base}/v1/counts/candidates?by=source`)).json.data.length, 1_000)
    await database.execute(`insert into candidates (status) values ('new')`)
    const { status, json } = await ask(`${service.base}/v1/counts/candidates?by=source`)
    assert.equal(status, 422)
    assert.deepEqual(json.detail, [
      {
        type: 'too_many_groups',
        loc: ['query', 'by'],
        msg: 'There should be at most 1000 groups: narrow the list, or count by something coarser',
        input: 'source',
        ctx: { max_groups: 1_000 },
      },
    ])
    assert.equal((await ask(`${service.base}/v1/counts/candidates?by=source&q=99`)).json.meta.total, 19)
  })
})
