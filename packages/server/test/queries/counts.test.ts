import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { groupingsOf, isCountable, maxGroups, resources } from '@muster/model'
import { expectedGroups } from '../../../../tests/support/count-reference.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { visibilityOf } from '../../../../tests/support/list-reference.ts'
import type { Row, Rows } from '../../../../tests/support/reference.ts'
import { readRows } from '../../../../tests/support/reference.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { countStatement } from '../../src/queries/count.ts'

describe('counts by group', () => {
  let database: TestDatabase
  let service: RunningService
  let redactedService: RunningService
  let storedRows: Rows
  before(async () => {
    database = await createSeededDatabase()
    await database.execute(
      `update employees set status = 'ACTIVE' where id % 7 = 0; update leave_requests set status = 'ÉTÉ' where id = 3`,
    )
    storedRows = await readRows(database.url)
    service = await startService(database.url)
    redactedService = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await redactedService.stop()
    await database.drop()
  })

  for (const resource of resources.filter(isCountable)) {
    it(`of ${resource.path} match its records, for every grouping, with and without redaction`, async () => {
      const visibility = visibilityOf(resource, storedRows, false)
      for (const grouping of groupingsOf(resource)) {
        const path = `/v1/counts/${resource.path}?by=${grouping.name}`
        const groups = expectedGroups(visibility.rows, [grouping], visibility)
        const [response, redacted] = [
          await sendRequest(service.baseUrl + path),
          await sendRequest(redactedService.baseUrl + path),
        ]
        if (groups.length > maxGroups) assert.equal(response.json.detail[0].type, 'too_many_groups', path)
        else assert.deepEqual(response.json.data, groups, path)
        if (grouping.field.personal) assert.equal(redacted.json.detail[0].type, 'field_redacted', path)
        else assert.deepEqual([redacted.status, redacted.text], [response.status, response.text], path)
      }
    })
  }

  const invalidQueries: readonly (readonly [
    query: string,
    errors: readonly (readonly [type: string, name: string])[],
  ])[] = [
    ['', [['missing', 'by']]],
    ['by=', [['missing', 'by']]],
    ['by=,', [['missing', 'by']]],
    ['by=nothing', [['literal_error', 'by']]],
    ['by=status,nothing', [['literal_error', 'by']]],
    ['by=base_salary', [['literal_error', 'by']]],
    ['by=month(status)', [['literal_error', 'by']]],
    ['by=status,dept_id,alumni', [['too_long', 'by']]],
    ['by=%ff', [['string_unicode', 'by']]],
    ['by=status&limit=0', [['greater_than_equal', 'limit']]],
    ['by=status&limit=1001', [['less_than_equal', 'limit']]],
    ['by=status&limit=', [['int_parsing', 'limit']]],
    ['by=status&offset=-1', [['greater_than_equal', 'offset']]],
    [
      'by=nothing&dept_id=x',
      [
        ['literal_error', 'by'],
        ['int_parsing', 'dept_id'],
      ],
    ],
  ]
  for (const [query, errors] of invalidQueries) {
    it(`are rejected with ${JSON.stringify(errors)} for "${query}"`, async () => {
      const { status, json } = await sendRequest(`${service.baseUrl}/v1/counts/employees?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(
        json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc[1]]),
        errors,
      )
    })
  }

  it('ignore the repetition of a grouping, and can be grouped by a personal field if a token is sent', async () => {
    const { json } = await sendRequest(`${service.baseUrl}/v1/counts/employees?by=status,status`)
    assert.deepEqual(Object.keys(json.data[0]), ['status', 'count'])
    const response = await sendRequest(`${redactedService.baseUrl}/v1/counts/employees?by=email&id=1`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.json.meta.total, 1)
  })

  it('get 404 without a resource', async () => {
    assert.equal((await sendRequest(`${service.baseUrl}/v1/counts`)).status, 404)
  })
})

describe('counts after writes', () => {
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

  const countByStatus = async () => (await sendRequest(`${service.baseUrl}/v1/counts/attendance?by=status`)).json

  it('are current, as are their ETags, before and after compaction of the row counts', async () => {
    assert.deepEqual(await countByStatus(), { data: [], meta: { total: 0, groups: 0 } })
    const firstResponse = await sendRequest(`${service.baseUrl}/v1/counts/attendance?by=status`)
    const requestWithEtag = { headers: { 'if-none-match': firstResponse.headers.get('etag') ?? '' } }
    assert.equal((await sendRequest(`${service.baseUrl}/v1/counts/attendance?by=status`, requestWithEtag)).status, 304)
    const steps: readonly (readonly [sql: string, data: readonly Row[]])[] = [
      [
        `insert into attendance (att_date, status) select date '2026-01-01' + n, case when n % 3 = 0 then 'Absent' else 'present' end from generate_series(1, 3000) n`,
        [
          { status: 'absent', count: 1_000 },
          { status: 'present', count: 2_000 },
        ],
      ],
      [
        'select muster_maintain()',
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
        'select muster_maintain()',
        [
          { status: '=', count: 1 },
          { status: 'present', count: 2_000 },
        ],
      ],
    ]
    for (const [sql, data] of steps) {
      await database.execute(sql)
      assert.deepEqual((await countByStatus()).data, data, sql)
      const response = await sendRequest(`${service.baseUrl}/v1/counts/attendance?by=status`, requestWithEtag)
      assert.equal(response.status, 200)
    }
  })

  it('by week are those of ISO 8601, from the first to the last day of the calendar', async () => {
    const days = ['0001-01-01', '2024-12-30', '2025-12-28', '2026-02-14', '2027-01-01', '2027-01-04', '9999-12-31']
    await database.execute(
      `insert into job_openings (title, status, headcount, filled, opened_on)
       select 'Weeks', 'open', 1, 0, day from unnest('{${days}}'::date[]) day`,
    )
    const { json } = await sendRequest(`${service.baseUrl}/v1/counts/jobs?by=week(opened_on)`)
    assert.deepEqual(
      json.data.map((group: Record<string, unknown>) => group['week(opened_on)']),
      ['0001-W01', '2025-W01', '2025-W52', '2026-W07', '2026-W53', '2027-W01', '9999-W52'],
    )
  })

  it('come from the row counts, and not from the table, if they are grouped only by a status field', () => {
    for (const resource of resources) {
      for (const grouping of groupingsOf(resource)) {
        const { text } = countStatement(resource, { terms: [], filters: [], groupings: [grouping] })
        const isStored = grouping.field.state === true && grouping.relation === undefined
        assert.equal(text.includes(`from "${resource.table}"`), !isStored, text)
      }
    }
  })

  it('are rejected if there are more than a thousand groups', async () => {
    await database.execute(
      `insert into candidates (status, source) select 'new', 'source ' || n from generate_series(1, 1000) n`,
    )
    assert.equal((await sendRequest(`${service.baseUrl}/v1/counts/candidates?by=source`)).json.data.length, 1_000)
    await database.execute(`insert into candidates (status) values ('new')`)
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/counts/candidates?by=source`)
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
    assert.equal((await sendRequest(`${service.baseUrl}/v1/counts/candidates?by=source&q=99`)).json.meta.total, 19)
    await database.execute(`insert into candidates (status, source) values ('new', 'another')`)
    const windows: readonly (readonly [query: string, groups: number, limit: number, offset: number])[] = [
      ['limit=1000', 1_000, 1_000, 0],
      ['limit=1000&offset=1000', 2, 1_000, 1_000],
      ['offset=999', 3, 1_000, 999],
      ['limit=3&offset=1002', 0, 3, 1_002],
    ]
    for (const [query, groups, limit, offset] of windows) {
      const { json: page } = await sendRequest(`${service.baseUrl}/v1/counts/candidates?by=source&${query}`)
      assert.deepEqual([page.data.length, page.meta], [groups, { total: 1_002, groups: 1_002, limit, offset }], query)
    }
  })

  it('are rejected if the row counts contain more than a thousand statuses', async () => {
    const path = `${service.baseUrl}/v1/counts/leave?by=status`
    await database.execute(
      `insert into leave_requests (leave_type, status) select 'annual', 'state ' || n from generate_series(1, 1000) n`,
    )
    assert.equal((await sendRequest(path)).json.data.length, 1_000)
    await database.execute(
      `insert into leave_requests (leave_type, status) values ('annual', 'one more'), ('annual', 'yet another')`,
    )
    for (const sql of ['select 1', 'select muster_maintain()']) {
      await database.execute(sql)
      const { status, json } = await sendRequest(path)
      assert.deepEqual([status, json.detail[0].type], [422, 'too_many_groups'], sql)
      const { json: first } = await sendRequest(`${path}&limit=1`)
      assert.deepEqual(first, {
        data: [{ status: 'one more', count: 1 }],
        meta: { total: 1_002, groups: 1_002, limit: 1, offset: 0 },
      })
    }
    const { text } = await sendRequest(`${path}&limit=1&offset=${10n ** 30n}`)
    assert.equal(text, `{"data":[],"meta":{"total":1002,"groups":1002,"limit":1,"offset":${10n ** 30n}}}`)
  })
})
