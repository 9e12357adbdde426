/** Compares responses byte for byte with expected bodies that were written by hand. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fieldsOf } from '../../../../tests/contract/contract.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

describe('in exact responses,', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await insertRows(database)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('a list has data and meta, with every field in declaration order', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/employees?limit=1`)
    assert.equal(response.status, 200)
    const values: Readonly<Record<string, unknown>> = {
      id: 1,
      code: 'E-1',
      first_name: 'José',
      last_name: 'García',
      email: 'jose@example.com',
      dept_id: 1,
      designation: 'Engineer',
      branch: 'Lisboa',
      status: 'active',
      date_of_joining: '2020-02-29',
      base_salary: 50_000.5,
      employment_type: 'full_time',
      alumni: 0,
    }
    const employee = Object.fromEntries(fieldsOf('employees').map(({ field }) => [field, values[field] ?? null]))
    assert.equal(response.text, JSON.stringify({ data: [employee], meta: { total: 2, limit: 1, offset: 0 } }))
  })

  it('a single record is an object without data and meta', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/departments/1`)
    assert.equal(response.status, 200)
    assert.equal(response.text, '{"id":1,"name":"Research"}')
  })

  it('a create responds 201 with the whole record and its Location', async () => {
    const response = await post(`${service.baseUrl}/v1/leave`, {
      employee_id: 1,
      leave_type: 'annual',
      from_date: '2026-12-01',
      to_date: '2026-12-05T10:00:00+14:00',
      days: 5,
      applied_on: null,
    })
    assert.equal(response.status, 201)
    assert.equal(
      response.text,
      '{"id":1,"employee_id":1,"leave_type":"annual","from_date":"2026-12-01","to_date":"2026-12-05","days":5,' +
        '"status":"pending","reason":null,"applied_on":null}',
    )
    assert.equal(response.headers.get('location'), '/api/v1/leave/1')
    assert.equal(response.headers.get('content-type'), 'application/json')
  })

  it('a timestamp is in UTC, with a fraction only if it is not zero', async () => {
    const body = { job_posting_id: 1, career_site_id: 1, slug: 'one', published_at: '2026-05-01 12:00:00.250+02:00' }
    const response = await post(`${service.baseUrl}/v1/job-distributions`, body)
    assert.equal(
      response.text,
      '{"id":1,"job_posting_id":1,"career_site_id":1,"brand_id":null,"locale":"en","slug":"one","status":"draft",' +
        '"published_at":"2026-05-01T10:00:00.25Z"}',
    )
    const midnightResponse = await post(`${service.baseUrl}/v1/job-distributions`, {
      ...body,
      slug: 'two',
      published_at: '2026-05-01',
    })
    assert.equal(midnightResponse.json.published_at, '2026-05-01T00:00:00Z')
  })

  it('a rejected create lists every error in the order of the fields, including those of the database', async () => {
    const response = await post(`${service.baseUrl}/v1/job-distributions`, {
      zz: true,
      published_at: 'soon',
      slug: ' ',
      locale: 5,
      career_site_id: 99,
      job_posting_id: '1',
    })
    assert.equal(response.status, 422)
    assert.equal(
      response.text.replace(/,"request_id":"[^"]+"/, ''),
      '{"error":{"code":"validation_error","message":"The request body is invalid.","details":{"errors":[' +
        '{"type":"int_type","loc":["body","job_posting_id"],"msg":"Input should be a valid integer","input":"1"},' +
        '{"type":"reference_not_found","loc":["body","career_site_id"],"msg":"No career site has this id","input":99,"ctx":{"resource":"career site"}},' +
        '{"type":"string_type","loc":["body","locale"],"msg":"Input should be a valid string","input":5},' +
        '{"type":"string_too_short","loc":["body","slug"],"msg":"String should have at least 1 character","input":" ","ctx":{"min_length":1}},' +
        '{"type":"datetime_parsing","loc":["body","published_at"],"msg":"Input should be a valid date-time: RFC 3339, or YYYY-MM-DD for midnight UTC","input":"soon"},' +
        '{"type":"extra_forbidden","loc":["body","zz"],"msg":"Extra inputs are not permitted","input":true}]}}}',
    )
  })

  it('invalid list parameters are reported all at once: limit, offset, then the others', async () => {
    const response = await sendRequest(
      `${service.baseUrl}/v1/employees?alumni=x&q=${'q'.repeat(201)}&offset=-1&limit=201`,
    )
    assert.equal(response.status, 422)
    assert.equal(
      response.text,
      '{"detail":[' +
        '{"type":"less_than_equal","loc":["query","limit"],"msg":"Input should be less than or equal to 200","input":"201","ctx":{"le":200}},' +
        '{"type":"greater_than_equal","loc":["query","offset"],"msg":"Input should be greater than or equal to 0","input":"-1","ctx":{"ge":0}},' +
        `{"type":"string_too_long","loc":["query","q"],"msg":"String should have at most 200 characters","input":"${'q'.repeat(201)}","ctx":{"max_length":200}},` +
        '{"type":"int_parsing","loc":["query","alumni"],"msg":"Input should be a valid integer, unable to parse string as an integer","input":"x"}]}',
    )
  })

  it('a request for a missing record gets the error envelope with the request id', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/departments/77`)
    assert.equal(response.status, 404)
    const id = response.headers.get('x-request-id')
    assert.ok(id)
    assert.equal(
      response.text,
      `{"error":{"code":"not_found","message":"Nothing exists at this URL.","details":{"request_id":"${id}"}}}`,
    )
  })
})

const insertRows = (database: TestDatabase): Promise<void> =>
  database.execute(`
    insert into departments (name) values ('Research');
    insert into employees (code, first_name, last_name, email, dept_id, designation, branch, status, date_of_joining,
                           base_salary, employment_type)
      values ('E-1', 'José', 'García', 'jose@example.com', 1, 'Engineer', 'Lisboa', 'active', '2020-02-29', 50000.5, 'full_time'),
             ('E-2', 'Ada', 'Lovelace', 'ada@example.com', 1, 'Analyst', 'London', 'active', null, null, null);
    insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open');
    insert into career_sites (name, slug) values ('Site', 'site');
  `)
