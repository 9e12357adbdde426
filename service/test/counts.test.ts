/** Counts by group: equal to what is worked out over all records, in either view, and from the books where these know. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { groupingsOf, isCountable, maxGroups, resources } from '@muster/model'
import { countStatement } from '../src/operations/count.ts'
import { groupsOf } from './support/counted.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { Resource as Path, Row, Rows } from './support/reference.ts'
import { readRows } from './support/reference.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

describe('counts by group', () => {
  let database: TestDatabase
  let service: RunningService
  let redacting: RunningService
  let stored: Rows
  before(async () => {
    database = await createSeededDatabase()
    await database.execute(
      `update employees set status = 'ACTIVE' where id % 7 = 0; update leave_requests set status = 'ÉTÉ' where id = 3`,
    )
    stored = await readRows(database.url)
    service = await startService(database.url)
    redacting = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await redacting.stop()
    await database.drop()
  })

  for (const resource of resources.filter(isCountable)) {
    it(`of ${resource.path} are what its records say, by everything there is and in either view`, async () => {
      for (const grouping of groupingsOf(resource)) {
        const path = `/v1/counts/${resource.path}?by=${grouping.name}`
        const groups = groupsOf(stored[resource.path as Path], [grouping])
        const [answer, withheld] = [await ask(service.base + path), await ask(redacting.base + path)]
        if (groups.length > maxGroups) assert.equal(answer.json.detail[0].type, 'too_many_groups', path)
        else assert.deepEqual(answer.json.data, groups, path)
        if (grouping.field.personal) assert.equal(withheld.json.detail[0].type, 'field_redacted', path)
        else assert.deepEqual([withheld.status, withheld.text], [answer.status, answer.text], path)
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
    const steps: readonly (readonly [sql: string, data: readonly Row[]])[] = [
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

  it('of more states than a thousand are refused by the books too', async () => {
    const path = `${service.base}/v1/counts/leave?by=status`
    await database.execute(
      `insert into leave_requests (leave_type, status) select 'annual', 'state ' || n from generate_series(1, 1000) n`,
    )
    assert.equal((await ask(path)).json.data.length, 1_000)
    await database.execute(`insert into leave_requests (leave_type, status) values ('annual', 'one more')`)
    for (const sql of ['select 1', 'select muster_upkeep()']) {
      await database.execute(sql)
      const { status, json } = await ask(path)
      assert.deepEqual([status, json.detail[0].type], [422, 'too_many_groups'], sql)
    }
  })
})
