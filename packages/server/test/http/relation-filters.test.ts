import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exampleGrouping, relationFilters, resourceAt, resources } from '@muster/model'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { withJoinedTables } from '../../src/queries/filters.ts'
import { emptyStatement } from '../../src/queries/list/scan.ts'
import { pageByIdsStatement } from '../../src/queries/list/search-statements.ts'

const rounds = probeCount(100)

describe('a filter through a relation', () => {
  let database: TestDatabase
  let owner: Client
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`
      insert into departments (name) values ('Research'), ('Sales, North');
      insert into employees (code, email, status, dept_id, manager_id, date_of_joining, branch) values
        ('1', 'ada@example.com', 'active', 1, null, '2020-01-01', 'Oslo'),
        ('2', 'bob@example.com', 'ACTIVE', 1, 1, '2024-06-01', 'Rome'),
        ('3', 'eve@example.com', 'on_leave', 2, 1, null, null);
      insert into leave_requests (employee_id, leave_type, status) values
        (1, 'annual', 'approved'), (2, 'annual', 'pending'), (3, 'sick', 'approved'), (null, 'sick', 'approved');
      insert into attendance (employee_id, att_date, status) values
        (1, '2026-01-01', 'present'), (2, '2026-01-01', 'absent'), (3, '2026-01-01', 'present');
    `)
    owner = new Client({ connectionString: database.url })
    await owner.connect()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await owner.end()
    await database.drop()
  })

  const get = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    sendRequest(`${service.baseUrl}/v1/${path}`, { headers })
  const ids = async (path: string): Promise<number[]> => {
    const { status, json, text } = await get(path)
    assert.equal(status, 200, text)
    assert.equal(json.meta.total, json.data.length)
    return json.data.map(({ id }: { id: number }) => id)
  }

  const found: readonly (readonly [path: string, ids: readonly number[]])[] = [
    ['leave?employee.dept_id=1', [1, 2]],
    ['leave?employee.dept_id=1,2', [1, 2, 3]],
    ['leave?employee.dept_id=9', []],
    ['leave?employee.dept_id=', [1, 2, 3, 4]],
    ['leave?employee.dept_id=9223372036854775808', []],
    ['leave?employee.branch=%00', []],
    ['leave?employee.status=active', [1, 2]],
    ['leave?employee.status=active&status=approved', [1]],
    ['leave?employee.status=active&employee.branch=rome,oslo', [1, 2]],
    ['leave?employee.status=active&employee.dept_id=2', []],
    ['leave?employee.date_of_joining_from=2020-01-01&employee.date_of_joining_to=2024-05-31', [1]],
    ['leave?employee.dept_id=1&sort=-status', [2, 1]],
    ['leave?employee.dept_id=1&expand=employee&fields=id', [1, 2]],
    ['leave?employee.dept_id=1&q=annual', [1, 2]],
    ['employees?department.name=Sales,, north', [3]],
    // The same table inside and outside: the conditions are those of the manager.
    ['employees?manager.dept_id=1&dept_id=2', [3]],
    ['employees?manager.status=active', [2, 3]],
    ['attendance?employee.status=active&status=present', [1]],
  ]
  for (const [path, expected] of found)
    it(`finds ${JSON.stringify(expected)} by ${path}`, async () => {
      assert.deepEqual(await ids(path), expected)
      assert.deepEqual(await ids(`${path}&limit=50`), expected)
    })

  it('has the total and the pages of the list', async () => {
    const { json, headers } = await get('leave?employee.dept_id=1&limit=1&offset=1')
    assert.deepEqual([json.data[0].id, json.meta], [2, { total: 2, limit: 1, offset: 1 }])
    assert.match(headers.get('link') ?? '', /employee\.dept_id=1&limit=1&offset=0>; rel="prev"/)
  })

  it('restricts exports and counts', async () => {
    for (const format of ['csv', 'ndjson']) {
      const { headers, text } = await get(`leave?employee.dept_id=1,7&fields=id&format=${format}`)
      assert.equal(headers.get('x-total-count'), '2')
      assert.match(text, /1\D+2/)
    }
    const { json } = await get('counts/leave?by=status&employee.dept_id=1')
    assert.deepEqual(json.data, [
      { status: 'approved', count: 1 },
      { status: 'pending', count: 1 },
    ])
  })

  it('is ignored if the name is not declared, also through two relations, by the id and for null', async () => {
    const names = [
      'employee.id',
      'employee.dept_id_is_null',
      'employee.department.name',
      'employee.first_name',
      '.',
      'x.y',
    ]
    for (const name of names) assert.deepEqual(await ids(`leave?${name}=1`), [1, 2, 3, 4], name)
  })

  it('is rejected like the filter of the related resource', async () => {
    const { status, json } = await get('leave?employee.dept_id=x&employee.date_of_joining_to=y&employee.alumni=0,1')
    assert.equal(status, 422)
    assert.deepEqual(
      json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]),
      [
        ['int_parsing', 'query', 'employee.dept_id'],
        ['date_parsing', 'query', 'employee.date_of_joining_to'],
        ['int_parsing', 'query', 'employee.alumni'],
      ],
    )
  })

  it(`shows every change of the related table, and its ETag changes: ${rounds} changes, each read in eight ways`, async () => {
    const paths = [
      'leave?employee.branch=moved',
      'leave?employee.branch=moved&limit=3&offset=0',
      'leave?employee.branch=moved&sort=-leave_type',
      'leave?employee.branch=moved&q=annual',
      'leave?employee.branch=moved&expand=employee',
      'counts/leave?by=status&employee.branch=moved',
      'employees?manager.branch=moved',
      'leave?employee.branch=moved&format=ndjson',
    ]
    const stale: string[] = []
    const total = (response: HttpResponse) => Number(response.headers.get('x-total-count') ?? response.json.meta.total)
    for (let round = 1; round <= rounds; round += 1) {
      // Every second round nothing matches. Read before the change too, so that caches hold what becomes stale.
      const before = await Promise.all(paths.map((path) => get(path)))
      await owner.query('update employees set branch = $1 where id = 1', [round % 2 === 0 ? 'Oslo' : 'moved'])
      for (const [index, path] of paths.entries()) {
        const etag = before[index]?.headers.get('etag') ?? ''
        const response = await get(path, { 'if-none-match': etag })
        if (response.status !== 200) stale.push(`${path}: ${response.status} in round ${round}`)
        else if ((total(response) === 0) !== (round % 2 === 0))
          stale.push(`${path}: ${total(response)} in round ${round}`)
        const again = await get(path, { 'if-none-match': response.headers.get('etag') ?? '' })
        if (again.status !== 304) stale.push(`${path}: ${again.status} again in round ${round}`)
      }
    }
    assert.deepEqual(stale, [])
  })

  it('of a count shows every change of the table that it groups by', async () => {
    const path = 'counts/leave?by=employee.branch,status&status=approved'
    for (const branch of ['Rome', 'Oslo', 'Rome']) {
      await owner.query('update employees set branch = $1 where id in (1, 3)', [branch])
      const { json, headers } = await get(path)
      assert.deepEqual(json, {
        data: [
          { 'employee.branch': branch.toLowerCase(), status: 'approved', count: 2 },
          { 'employee.branch': null, status: 'approved', count: 1 },
        ],
        meta: { total: 3, groups: 2 },
      })
      assert.equal((await get(path, { 'if-none-match': headers.get('etag') ?? '' })).status, 304)
    }
  })

  it('has no prepared statement, whose text would depend on the related table', () => {
    const leave = resourceAt('leave')
    const query = { limit: 1, offset: 0n, terms: [], filters: [], sort: [] }
    for (const resource of [leave, withJoinedTables(leave, ['employees'])])
      for (const { name } of [emptyStatement(resource), pageByIdsStatement(resource, query, new Float64Array())])
        assert.equal(name === undefined, resource !== leave)
  })

  it('does not depend on the related table if there is none in the request', async () => {
    const etag = (await get('leave?status=pending')).headers.get('etag') ?? ''
    await owner.query(`update employees set branch = 'elsewhere' where id = 2`)
    assert.equal((await get('leave?status=pending', { 'if-none-match': etag })).status, 304)
  })

  it('is not possible by a personal field without a token, on any resource', async () => {
    const redacting = await startService(database.url, { reads: 'redacted' })
    const withToken = { headers: { authorization: `Bearer ${token}` } }
    const values = { equals: 'ada@example.com', not: 'a', from: '2000-01-01', to: '2000-01-01', is_null: 'true' }
    let personal = 0
    try {
      for (const resource of resources) {
        for (const { parameter, field, test } of relationFilters(resource)) {
          const value = ['number', 'integer', 'reference'].includes(field.kind) ? '1' : values[test]
          const listPath = `${resource.path}?${parameter}=${value}`
          const otherPaths = [
            `${listPath}&format=csv`,
            `counts/${resource.path}?by=${exampleGrouping(resource)}&${parameter}=${value}`,
          ]
          for (const path of [listPath, ...(field.personal ? otherPaths : [])]) {
            const { status, text } = await sendRequest(`${redacting.baseUrl}/v1/${path}`)
            assert.equal(status, field.personal ? 422 : 200, `${path} ${text.slice(0, 200)}`)
            if (!field.personal) continue
            personal += 1
            assert.deepEqual(
              JSON.parse(text).detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, ...loc]),
              [['field_redacted', 'query', parameter]],
            )
            assert.equal((await sendRequest(`${redacting.baseUrl}/v1/${path}`, withToken)).status, 200, path)
          }
        }
      }
      assert.ok(personal > 50, `${personal} personal filters`)
    } finally {
      await redacting.stop()
    }
  })
})
