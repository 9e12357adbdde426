import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { reports } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

const authorization = { authorization: `Bearer ${token}` }

describe('the reports', () => {
  let database: TestDatabase
  let service: RunningService
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendRequest(`${service.baseUrl}/v1/reports${path}`, { headers })
  const rejectedParameters = async (path: string) =>
    (await get(path)).json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [loc[1], type])
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into leave_requests (leave_type, status, from_date, to_date) values ('=1+1', 'approved', '2026-03-02', '2026-03-04')`,
    )
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('are listed with their parameters and columns', async () => {
    const { status, json } = await get('')
    assert.equal(status, 200)
    assert.equal(json.meta.total, reports.length)
    for (const { name, allColumns } of reports) {
      const listed = json.data.find((report: { name: string }) => report.name === name)
      assert.deepEqual([listed.url, listed.parameters[0].name], [`/api/v1/reports/${name}`, 'as_of'])
      assert.deepEqual(
        listed.columns.map((column: { name: string }) => column.name),
        allColumns.map((column) => column.name),
      )
    }
    assert.equal((await get('/none')).status, 404)
  })

  it('all have rows or none for a company with one record, as JSON and as CSV', async () => {
    for (const { name, definition, kind, allColumns } of reports) {
      const { status, json, text } = await get(`/${name}?as_of=2026-03-01`)
      assert.equal(status, 200, text)
      assert.deepEqual([json.meta.definition, json.meta.kind, json.meta.as_of], [definition, kind, '2026-03-01'])
      const csv = await get(`/${name}?as_of=2026-03-01&format=csv`)
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
      assert.equal(csv.headers.get('content-disposition'), `attachment; filename="${name}.csv"`)
      const [header, ...rows] = csv.text.trimEnd().split('\n')
      assert.equal(header, allColumns.map((column) => column.name).join(','))
      assert.equal(rows.length, json.data.length)
      assert.equal((await get(`/${name}?as_of=2026-03-01`, { accept: 'text/csv' })).text, csv.text)
    }
  })

  it('are fresh after every change, and 304 until then', async () => {
    const path = '/leave-days?from=2026-03-01&to=2026-03-03'
    const { headers, json } = await get(path)
    assert.deepEqual(
      json.data.map((row: { day: string; out: number }) => [row.day, row.out]),
      [
        ['2026-03-01', 0],
        ['2026-03-02', 1],
        ['2026-03-03', 1],
      ],
    )
    const etag = headers.get('etag') ?? ''
    assert.equal((await get(path, { 'if-none-match': etag })).status, 304)
    await database.execute(`insert into employees (first_name, status, alumni) values ('Ada', 'active', 0)`)
    assert.equal((await get(path, { 'if-none-match': etag })).status, 200)
  })

  it('of today are for the current day in UTC, which their ETag depends on', async () => {
    const today = () => new Date().toISOString().slice(0, 10)
    const dayBefore = today()
    const byDefault = await get('/leave-days')
    assert.ok([dayBefore, today()].includes(byDefault.json.meta.as_of))
    const explicit = await get(`/leave-days?as_of=${byDefault.json.meta.as_of}`)
    assert.deepEqual(explicit.json, byDefault.json)
    assert.notEqual(explicit.headers.get('etag'), byDefault.headers.get('etag'))
  })

  it('report every invalid parameter at once', async () => {
    assert.deepEqual(
      await rejectedParameters('/leave-days?as_of=x&from=2026-02-30&employee_id=a&employee.dept_id=1,x&format=ndjson'),
      [
        ['as_of', 'date_parsing'],
        ['from', 'date_parsing'],
        ['employee_id', 'int_parsing'],
        ['employee.dept_id', 'int_parsing'],
        ['format', 'literal_error'],
      ],
    )
    const ids = Array.from({ length: 201 }, (_, index) => index).join(',')
    assert.deepEqual(await rejectedParameters(`/leave-days?employee_id=${ids}`), [['employee_id', 'too_long']])
    assert.deepEqual(await rejectedParameters('/leave-days?leave_type=%ff'), [['leave_type', 'string_unicode']])
    assert.deepEqual(await rejectedParameters('/leave-days?from=2026-01-02&to=2026-01-01'), [['to', 'date_order']])
    assert.deepEqual(await rejectedParameters('/leave-days?from=2024-01-01&to=2025-01-01'), [['to', 'period_too_long']])
    assert.equal((await get('/leave-days?from=2024-01-01&to=2024-12-31')).json.data.length, 366)
  })

  it('ignore blank parameters, ids that no record has, and text that no record contains', async () => {
    const plain = await get('/leave-days?as_of=2026-03-01')
    assert.deepEqual((await get('/leave-days?as_of=2026-03-01&from=%20&employee_id=,&format=')).json, plain.json)
    for (const filter of ['employee_id=99999999999999999999999', 'leave_type=%00', 'employee.branch=%00,x'])
      assert.ok(
        (await get(`/leave-days?as_of=2026-03-01&${filter}`)).json.data.every(({ out }: { out: number }) => out === 0),
        filter,
      )
  })

  it('work on the first and the last day of the calendar', async () => {
    for (const { name } of reports)
      for (const day of ['0001-01-01', '9999-12-31']) {
        const { status, text } = await get(`/${name}?as_of=${day}`)
        assert.equal(status, 200, `${name} ${day} ${text}`)
      }
  })

  it('reject unknown parameters under strict handling', async () => {
    const { status, json } = await get('/leave-days?form=2026-01-01', { prefer: 'handling=strict' })
    assert.deepEqual([status, json.detail[0].type], [422, 'unexpected_parameter'])
    assert.equal(json.detail[0].ctx.did_you_mean, 'from')
  })

  it('need a token where every read does', async () => {
    const closed = await startService(database.url, { reads: 'token' })
    try {
      for (const path of ['/v1/reports', '/v1/reports/leave-days']) {
        assert.equal((await sendRequest(closed.baseUrl + path)).status, 401)
        assert.equal((await sendRequest(closed.baseUrl + path, { headers: authorization })).status, 200)
      }
    } finally {
      await closed.stop()
    }
  })

  it('withhold personal columns without a token in redacted mode', async () => {
    const redacting = await startService(database.url, { reads: 'redacted' })
    try {
      for (const { name, allColumns, past } of reports) {
        const personalColumns = allColumns.filter(({ personal }) => personal).map((column) => column.name)
        // An org chart of a past day is rejected.
        const parameters = past === undefined ? '?as_of=2026-03-01' : ''
        const { json } = await sendRequest(`${redacting.baseUrl}/v1/reports/${name}${parameters}`)
        for (const row of json.data)
          for (const column of personalColumns) assert.deepEqual([row[column], row.links[column]], [null, undefined])
      }
    } finally {
      await redacting.stop()
    }
  })
})
