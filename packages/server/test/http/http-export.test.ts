import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import { redacted, resourceAt, resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { activeCopies, createSeededDatabase, createTestDatabase } from '../../../../tests/support/database.ts'
import { escapeFormulas, excelCells, parseCsvRows, parseNdjsonRows } from '../../../../tests/support/files.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { Row } from '../../../../tests/support/reference.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

describe('an export over HTTP', () => {
  let database: TestDatabase
  let service: RunningService
  let redactedService: RunningService
  before(async () => {
    database = await createSeededDatabase()
    await database.execute(
      `insert into departments (name) values ('=1+1'), ('+1'), ('-1'), ('@SUM(A1)'), (E'\\tx'), (E'\\rx'), (E'\\nx'), ('＝1'), ('a=1'), (''''), ('"a",b'), (E'a\\nb');
       update candidates set notes = '=cmd', phone = '+15550100', headline = '' where id = 1`,
    )
    service = await startService(database.url)
    redactedService = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await redactedService.stop()
    await database.drop()
  })

  const readAllPages = async (base: string, path: string, query: string): Promise<Row[]> => {
    const records: Row[] = []
    for (;;) {
      const { json } = await sendRequest(`${base}/v1/${path}?limit=200&offset=${records.length}&${query}`)
      records.push(...json.data)
      if (json.data.length === 0) return records
    }
  }

  const searches = ['q=an', 'q=e%20a', 'q=%00', 'q=%27%5C$1']
  const filters = { status: 'active,open,absent', employee_id: '1' }
  /** An unknown filter would be ignored, and the whole list would be compared once more. */
  const queriesOf = ({ listFilters }: Resource): string[] => [
    '',
    ...searches,
    ...Object.entries(filters)
      .filter(([name]) => listFilters.some(({ parameter }) => parameter === name))
      .map(([name, value]) => `${name}=${value}`),
  ]
  const services = () =>
    [
      ['public', service, (resource: Resource) => resource],
      ['redacted', redactedService, redacted],
    ] as const

  for (const resource of resources) {
    const { path } = resource
    it(`of ${path} contains the same records in the same order as the pages, public and redacted, in both formats`, async () => {
      for (const [label, { baseUrl: base }, visibleResource] of services()) {
        for (const query of queriesOf(resource)) {
          const records = await readAllPages(base, path, query)
          const [csv, ndjson] = await Promise.all([
            sendRequest(`${base}/v1/${path}?${query}`, { headers: { accept: 'text/csv' } }),
            sendRequest(`${base}/v1/${path}?${query}&format=ndjson`),
          ])
          assert.deepEqual(parseNdjsonRows(ndjson.text), records, `${label} ${query}`)
          assert.deepEqual(
            parseCsvRows(visibleResource(resource).allFields, csv.text),
            records.map(escapeFormulas),
            `${label} ${query}`,
          )
          for (const { headers } of [csv, ndjson]) assert.equal(headers.get('x-total-count'), String(records.length))
        }
      }
    })
  }

  const sortCases: readonly (readonly [path: string, name: string, ranks: readonly number[]])[] = [
    ['candidates', 'created', [4, 0, 3, 1, 2]],
    ['candidates', 'years_experience', [3, 4, 0, 1, 2]],
    ['leave', 'from_date', [0, 3, 1, 2, 4]],
    ['leave', 'days', [3, 4, 0, 1, 2]],
  ]
  it('is sorted by value, not by the text form of the value', async () => {
    // If values were compared as text, 10:00:00.25Z would come before 10:00:00Z, and 10 before 9.
    await database.execute(
      `with odd (day, number, moment) as (values ('0900-01-01', 9, '2026-05-01T10:00:00Z'), ('9999-01-01', 10, '2026-05-01T10:00:00.5Z'),
         (null, null, null), ('2026-01-01', -1, '2026-05-01T10:00:00.25Z'), (null, 2, '2026-05-01T09:59:59.999999Z')),
       people as (insert into candidates (status, years_experience, created) select 'odd', number, moment::timestamptz from odd)
       insert into leave_requests (leave_type, status, from_date, days) select 'order', 'odd', day::date, number from odd`,
    )
    for (const [path, name, ranks] of sortCases) {
      const listUrl = `${service.baseUrl}/v1/${path}?status=odd`
      const firstId = (await sendRequest(`${listUrl}&limit=1`)).json.data[0].id
      const { allFields: all } = resourceAt(path)
      for (const [sort, expected] of [
        [name, ranks],
        [`-${name}`, ranks.toReversed()],
      ] as const) {
        const files = [
          parseCsvRows(all, (await sendRequest(`${listUrl}&sort=${sort}&format=csv`)).text),
          parseCsvRows(
            all.slice(0, 2),
            (await sendRequest(`${listUrl}&sort=${sort}&format=csv&fields=id,${all[1]?.name}`)).text,
          ),
          parseNdjsonRows((await sendRequest(`${listUrl}&sort=${sort}&format=ndjson`)).text),
        ]
        for (const records of files)
          assert.deepEqual(
            records.map(({ id }) => Number(id) - firstId),
            expected,
            `${path} ${sort}`,
          )
      }
    }
  })

  it('has a file name, a content type and an ETag', async () => {
    const csvResponse = await sendRequest(`${service.baseUrl}/v1/departments?format=csv`)
    assert.equal(csvResponse.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.equal(csvResponse.headers.get('content-disposition'), 'attachment; filename="departments.csv"')
    assert.match(csvResponse.headers.get('etag') ?? '', /^"[\w-]+"$/)
    const ndjsonResponse = await sendRequest(`${service.baseUrl}/v1/departments?format=ndjson`)
    assert.equal(ndjsonResponse.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(ndjsonResponse.headers.get('content-disposition'), 'attachment; filename="departments.ndjson"')
    const notModifiedResponse = await sendRequest(`${service.baseUrl}/v1/departments?format=csv`, {
      headers: { 'if-none-match': csvResponse.headers.get('etag') ?? '' },
    })
    assert.equal(notModifiedResponse.status, 304)
    const jsonResponse = await sendRequest(`${service.baseUrl}/v1/departments`)
    assert.notEqual(jsonResponse.headers.get('etag'), csvResponse.headers.get('etag'))
  })

  it('contains only the page if limit or offset is given, but X-Total-Count is the total of all records', async () => {
    const { total } = (await sendRequest(`${service.baseUrl}/v1/departments?limit=1`)).json.meta
    const pageRecords = (await sendRequest(`${service.baseUrl}/v1/departments?limit=3&offset=2`)).json.data
    const pageExport = await sendRequest(`${service.baseUrl}/v1/departments?limit=3&offset=2&format=ndjson`)
    assert.deepEqual(parseNdjsonRows(pageExport.text), pageRecords)
    assert.equal(pageExport.headers.get('x-total-count'), String(total))
    const restExport = await sendRequest(`${service.baseUrl}/v1/departments?offset=2&format=ndjson`)
    assert.equal(parseNdjsonRows(restExport.text).length, total - 2)
    const emptyExport = await sendRequest(`${service.baseUrl}/v1/departments?offset=${'9'.repeat(30)}&format=csv`)
    assert.equal(emptyExport.text, 'id,name\n')
  })

  const formatCases: readonly (readonly [accept: string | undefined, query: string, type: string])[] = [
    ['text/csv', '', 'text/csv'],
    ['TEXT/CSV;q=0.5', '', 'text/csv'],
    ['application/x-ndjson', '', 'application/x-ndjson'],
    ['text/csv;q=0.5, application/x-ndjson', '', 'application/x-ndjson'],
    ['text/csv, */*', '', 'text/csv'],
    ['text/csv;q=0.1, */*', '', 'application/json'],
    ['text/csv, application/json', '', 'application/json'],
    ['text/csv, application/json;q=0.9', '', 'text/csv'],
    ['text/csv;q=0', '', 'application/json'],
    ['*/*', '', 'application/json'],
    ['text/*', '', 'application/json'],
    ['text/html', '', 'application/json'],
    ['application/json', 'format=csv', 'text/csv'],
    ['text/csv', 'format=json', 'application/json'],
    ['text/csv', 'format=', 'text/csv'],
    ['text/csv', 'format=ndjson', 'application/x-ndjson'],
  ]
  for (const [accept, query, type] of formatCases) {
    it(`is ${type} for Accept: ${accept}${query === '' ? '' : ` with ${query}`}, whether or not a response is cached`, async () => {
      for (const limit of [7, 7]) {
        const { status, headers } = await sendRequest(`${service.baseUrl}/v1/departments?limit=${limit}&${query}`, {
          headers: { accept: accept ?? '' },
        })
        assert.equal(status, 200)
        assert.equal(headers.get('content-type')?.split(';')[0], type)
        assert.equal((await sendRequest(`${service.baseUrl}/v1/departments?limit=${limit}&format=json`)).status, 200)
        assert.equal((await sendRequest(`${service.baseUrl}/v1/departments?limit=${limit}&`)).json.data.length, 7)
      }
    })
  }

  it('with invalid parameters is rejected like a list, with all errors at once', async () => {
    const { status, json } = await sendRequest(`${service.baseUrl}/v1/employees?format=xml&limit=0&dept_id=x`)
    assert.equal(status, 422)
    assert.deepEqual(
      json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc[1]]),
      [
        ['greater_than_equal', 'limit'],
        ['int_parsing', 'dept_id'],
        ['literal_error', 'format'],
      ],
    )
    const personalResponse = await sendRequest(`${redactedService.baseUrl}/v1/employees?format=csv&email=a`)
    assert.deepEqual([personalResponse.status, personalResponse.json.detail[0].type], [422, 'field_redacted'])
    const tooLargeResponse = await sendRequest(`${service.baseUrl}/v1/employees?format=csv&limit=201`)
    assert.equal(tooLargeResponse.status, 422)
  })

  it('contains the requested fields, and related records in NDJSON only', async () => {
    const csvResponse = await sendRequest(`${service.baseUrl}/v1/employees?format=csv&fields=email,id&limit=1`)
    assert.match(csvResponse.text, /^id,email\n1,[^,\n]*\n$/)
    const query = 'fields=id,dept_id&expand=department,manager&limit=200'
    const listResponse = await sendRequest(`${service.baseUrl}/v1/employees?${query}`)
    const ndjsonResponse = await sendRequest(`${service.baseUrl}/v1/employees?${query}&format=ndjson`)
    assert.deepEqual(parseNdjsonRows(ndjsonResponse.text), listResponse.json.data)
    const rejectedExport = await sendRequest(`${service.baseUrl}/v1/employees?expand=department&format=csv`)
    assert.deepEqual([rejectedExport.status, rejectedExport.json.detail[0].type], [422, 'relation_in_csv'])
  })

  it('contains personal fields if the request has a token', async () => {
    const path = '/v1/employees?format=ndjson'
    const fullExport = await sendRequest(`${redactedService.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(fullExport.text, (await sendRequest(`${service.baseUrl}${path}`)).text)
    assert.notEqual(fullExport.text, (await sendRequest(`${redactedService.baseUrl}${path}`)).text)
  })

  it('contains no cell that a spreadsheet would run as a formula, whether it splits lines at commas, semicolons or tabs', async () => {
    const formulas = [
      'x;=cmd',
      'x;"=cmd',
      'a,b;+1',
      'x\t=cmd',
      'x\n=cmd',
      'x\r@SUM(A1)',
      'x;\t-1',
      ';＝1',
      '";"=cmd',
      'a","=cmd',
    ]
    const values = formulas.map((formula) => `(${pg.escapeLiteral(`attack ${formula}`)}, ${pg.escapeLiteral(formula)})`)
    await database.execute(
      `insert into job_openings (status, headcount, filled, title, description) select 'attack', 1, 0, * from (values ${values}) a`,
    )
    const listUrl = `${service.baseUrl}/v1/jobs?status=attack&fields=title,description`
    const { text } = await sendRequest(`${listUrl}&format=csv`)
    assert.deepEqual(excelCells('a,"b;""c"";d"e\nf', ','), ['a', 'b;"c";de', 'f'])
    assert.deepEqual(excelCells('a,"b;""c"";d"e\nf', ';'), ['a,"b', '"c"', 'd"e', 'f'].with(1, 'c""'))
    for (const separator of [',', ';', '\t']) {
      const cells = excelCells(text, separator)
      assert.ok(cells.length > formulas.length)
      assert.deepEqual(
        cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell)),
        [],
        JSON.stringify(separator),
      )
    }
    // Only CSV over HTTP escapes formulas: NDJSON contains text values exactly as they are stored.
    const ndjsonRecords = parseNdjsonRows((await sendRequest(`${listUrl}&format=ndjson`)).text)
    assert.deepEqual(
      ndjsonRecords.map(({ description }) => description),
      formulas,
    )
  })

  it('responds to HEAD with headers only, and ends its query', async () => {
    const { status, headers, text } = await sendRequest(`${service.baseUrl}/v1/departments?format=csv`, {
      method: 'HEAD',
    })
    assert.deepEqual([status, text, headers.get('content-type')?.slice(0, 8)], [200, '', 'text/csv'])
    assert.ok(Number(headers.get('x-total-count')) > 13)
    for (let index = 0; index < 5; index += 1)
      assert.equal((await sendRequest(`${service.baseUrl}/v1/departments?format=csv`)).status, 200)
  })
})

describe('a large export over HTTP', () => {
  let database: TestDatabase
  let service: RunningService
  let adminClient: pg.Client
  const rowCount = 3_000
  before(async () => {
    database = await createTestDatabase()
    // The large column is not searched, so that the insert is fast.
    await database.execute(
      `insert into organizations (name, slug, settings_json) select n, n, repeat('x', 10000) from generate_series(1, ${rowCount}) n`,
    )
    service = await startService(database.url)
    adminClient = new pg.Client({ connectionString: database.url })
    await adminClient.connect()
  })
  after(async () => {
    await adminClient.end()
    await service.stop()
    await database.drop()
  })

  const countLockWaits = async (): Promise<number> => {
    const { rows: sessions } = await adminClient.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query not like '%muster_maintain%'`,
    )
    return sessions.length
  }

  /** Starts an export and reads only the headers of its response. */
  const startExport = async () => {
    const exportRequest = request(`${service.baseUrl}/v1/organizations?format=csv`, { agent: false }).end()
    const [response] = await once(exportRequest, 'response')
    return { exportRequest, response: response.pause() }
  }
  const countLines = async (response: AsyncIterable<Buffer>): Promise<number> => {
    let lineCount = 0
    for await (const chunk of response)
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lineCount += 1
    return lineCount
  }

  it('contains one snapshot despite concurrent writes', async () => {
    const { response } = await startExport()
    await adminClient.query('delete from organizations where id > 2500')
    await adminClient.query(`insert into organizations (name, slug) values ('later', 'later-1')`)
    assert.equal(await countLines(response), rowCount + 1)
    assert.equal(response.headers['x-total-count'], String(rowCount))
  })

  it('waits for a slow client, and its query ends when the client disconnects', async () => {
    const { exportRequest, response } = await startExport()
    await waitUntil(
      'the database waits for the reader',
      async () => (await activeCopies(adminClient))[0]?.wait === 'ClientWrite',
    )
    response.destroy()
    exportRequest.destroy()
    await waitUntil('the copy ends', async () => (await activeCopies(adminClient)).length === 0, 10_000)
  })

  it('takes its total and its rows from one snapshot at its start, even if it then waits for a lock', async () => {
    const lockHolder = new pg.Client({ connectionString: database.url })
    await lockHolder.connect()
    const { rows: before } = await adminClient.query('select count(*)::int as count from organizations')
    await lockHolder.query('begin; lock table muster_table_versions in access exclusive mode')
    const exportResponse = sendRequest(`${service.baseUrl}/v1/organizations?format=csv&fields=id`)
    await waitUntil('it waits for the table versions', async () => (await countLockWaits()) === 1)
    await lockHolder.query(`insert into organizations (name, slug) values ('later', 'later-2')`)
    await lockHolder.query('commit')
    await lockHolder.end()
    const { headers, text } = await exportResponse
    assert.equal(headers.get('x-total-count'), String(before[0].count))
    assert.equal(text.split('\n').length, before[0].count + 2)
  })

  it('has its query cancelled if the client disconnects while the rows are still being counted', async () => {
    const lockHolder = new pg.Client({ connectionString: database.url })
    await lockHolder.connect()
    await lockHolder.query('begin; lock table organizations in access exclusive mode')
    const cancelExport = async (): Promise<number> => {
      const exportRequest = request(`${service.baseUrl}/v1/organizations?format=csv&q=xx`, { agent: false }).end()
      exportRequest.on('error', () => {})
      await waitUntil('it waits for the lock', async () => (await countLockWaits()) === 1)
      exportRequest.destroy()
      return waitUntil('it has ended', async () => (await countLockWaits()) === 0)
    }
    // Without the cancellation, the query ends two seconds after its start, by its lock timeout.
    let ms = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3 && ms >= 1_000; run += 1) ms = Math.min(ms, await cancelExport())
    await lockHolder.end()
    assert.ok(ms < 1_000, `${ms} ms`)
  })

  it('is cut off with an error that the client notices if the database terminates it', async () => {
    const { response } = await startExport()
    await waitUntil(
      'the database waits for the reader',
      async () => (await activeCopies(adminClient))[0]?.wait === 'ClientWrite',
    )
    await adminClient.query(`select pg_terminate_backend($1)`, [(await activeCopies(adminClient))[0]?.pid])
    await assert.rejects(countLines(response), /aborted|ECONNRESET/)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?format=csv&limit=1`)).status, 200)
  })

  it('waits for a slot of the export pool, and gets 503 overloaded if none becomes free', async () => {
    const readers = [await startExport(), await startExport()]
    const start = performance.now()
    const { status, json, headers } = await sendRequest(`${service.baseUrl}/v1/organizations?format=csv`)
    assert.deepEqual([status, json.error.code, headers.get('retry-after')], [503, 'overloaded', '1'])
    assert.ok(performance.now() - start < 10_000)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?limit=1`)).status, 200)
    for (const { exportRequest } of readers) exportRequest.destroy()
    await waitUntil('both end', async () => (await activeCopies(adminClient)).length === 0)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?format=csv&limit=1`)).status, 200)
  })
})
