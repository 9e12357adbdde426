/** A list as a file: every matching record of one moment, in either form, as fast as its reader and no faster, and seen to be cut when it is. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import type { Resource } from '@muster/model'
import { redacted, resourceAt, resources } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase } from './support/database.ts'
import { cellsOf, defused, linesOf, sheetOf } from './support/files.ts'
import { ask } from './support/http.ts'
import type { Row } from './support/reference.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

describe('an export over HTTP', () => {
  let database: TestDatabase
  let service: RunningService
  let redacting: RunningService
  before(async () => {
    database = await createSeededDatabase()
    await database.execute(
      `insert into departments (name) values ('=1+1'), ('+1'), ('-1'), ('@SUM(A1)'), (E'\\tx'), (E'\\rx'), (E'\\nx'), ('＝1'), ('a=1'), (''''), ('"a",b'), (E'a\\nb');
       update candidates set notes = '=cmd', phone = '+15550100', headline = '' where id = 1`,
    )
    service = await startService(database.url)
    redacting = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await redacting.stop()
    await database.drop()
  })

  const everything = async (base: string, path: string, query: string): Promise<Row[]> => {
    const records: Row[] = []
    for (;;) {
      const { json } = await ask(`${base}/v1/${path}?limit=200&offset=${records.length}&${query}`)
      records.push(...json.data)
      if (json.data.length === 0) return records
    }
  }

  const queries = ['', 'q=an', 'q=e%20a', 'status=active,open,present', 'q=%00', 'q=%27%5C$1', 'employee_id=1']
  const views = () =>
    [
      ['public', service, (resource: Resource) => resource],
      ['redacted', redacting, redacted],
    ] as const

  for (const resource of resources) {
    const { path } = resource
    it(`holds what the pages of ${path} hold, in the same order, in either view and form`, async () => {
      for (const [view, { base }, shown] of views()) {
        for (const query of queries) {
          const records = await everything(base, path, query)
          const [csv, ndjson] = await Promise.all([
            ask(`${base}/v1/${path}?${query}`, { headers: { accept: 'text/csv' } }),
            ask(`${base}/v1/${path}?${query}&format=ndjson`),
          ])
          assert.deepEqual(linesOf(ndjson.text), records, `${view} ${query}`)
          assert.deepEqual(sheetOf(shown(resource).all, csv.text), records.map(defused), `${view} ${query}`)
          for (const { headers } of [csv, ndjson]) assert.equal(headers.get('x-total-count'), String(records.length))
        }
      }
    })
  }

  const ordered: readonly (readonly [path: string, name: string, places: readonly number[]])[] = [
    ['candidates', 'created', [4, 0, 3, 1, 2]],
    ['candidates', 'years_experience', [3, 4, 0, 1, 2]],
    ['leave', 'from_date', [0, 3, 1, 2, 4]],
    ['leave', 'days', [3, 4, 0, 1, 2]],
  ]
  it('is in the order that is asked for, of values and not of what is written for them', async () => {
    // As texts, 10:00:00.25Z comes before 10:00:00Z and 10 before 9.
    await database.execute(
      `with odd (day, number, moment) as (values ('0900-01-01', 9, '2026-05-01T10:00:00Z'), ('9999-01-01', 10, '2026-05-01T10:00:00.5Z'),
         (null, null, null), ('2026-01-01', -1, '2026-05-01T10:00:00.25Z'), (null, 2, '2026-05-01T09:59:59.999999Z')),
       people as (insert into candidates (status, years_experience, created) select 'odd', number, moment::timestamptz from odd)
       insert into leave_requests (leave_type, status, from_date, days) select 'order', 'odd', day::date, number from odd`,
    )
    for (const [path, name, places] of ordered) {
      const list = `${service.base}/v1/${path}?status=odd`
      const first = (await ask(`${list}&limit=1`)).json.data[0].id
      const { all } = resourceAt(path)
      for (const [sort, wanted] of [
        [name, places],
        [`-${name}`, places.toReversed()],
      ] as const) {
        const files = [
          sheetOf(all, (await ask(`${list}&sort=${sort}&format=csv`)).text),
          sheetOf(all.slice(0, 2), (await ask(`${list}&sort=${sort}&format=csv&fields=id,${all[1]?.name}`)).text),
          linesOf((await ask(`${list}&sort=${sort}&format=ndjson`)).text),
        ]
        for (const records of files)
          assert.deepEqual(
            records.map(({ id }) => Number(id) - first),
            wanted,
            `${path} ${sort}`,
          )
      }
    }
  })

  it('is named, typed and tagged', async () => {
    const csv = await ask(`${service.base}/v1/departments?format=csv`)
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="departments.csv"')
    assert.match(csv.headers.get('etag') ?? '', /^"[\w-]+"$/)
    const ndjson = await ask(`${service.base}/v1/departments?format=ndjson`)
    assert.equal(ndjson.headers.get('content-type'), 'application/x-ndjson')
    assert.equal(ndjson.headers.get('content-disposition'), 'attachment; filename="departments.ndjson"')
    const again = await ask(`${service.base}/v1/departments?format=csv`, {
      headers: { 'if-none-match': csv.headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
    const json = await ask(`${service.base}/v1/departments`)
    assert.notEqual(json.headers.get('etag'), csv.headers.get('etag'))
  })

  it('is a part where a limit or an offset is given, with the total of all', async () => {
    const { total } = (await ask(`${service.base}/v1/departments?limit=1`)).json.meta
    const page = (await ask(`${service.base}/v1/departments?limit=3&offset=2`)).json.data
    const part = await ask(`${service.base}/v1/departments?limit=3&offset=2&format=ndjson`)
    assert.deepEqual(linesOf(part.text), page)
    assert.equal(part.headers.get('x-total-count'), String(total))
    const rest = await ask(`${service.base}/v1/departments?offset=2&format=ndjson`)
    assert.equal(linesOf(rest.text).length, total - 2)
    const none = await ask(`${service.base}/v1/departments?offset=${'9'.repeat(30)}&format=csv`)
    assert.equal(none.text, 'id,name\n')
  })

  const accepted: readonly (readonly [accept: string | undefined, query: string, type: string])[] = [
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
  for (const [accept, query, type] of accepted) {
    it(`is ${type} where ${accept} is accepted${query === '' ? '' : ` and ${query} asked for`}, whatever is kept`, async () => {
      for (const limit of [7, 7]) {
        const { status, headers } = await ask(`${service.base}/v1/departments?limit=${limit}&${query}`, {
          headers: { accept: accept ?? '' },
        })
        assert.equal(status, 200)
        assert.equal(headers.get('content-type')?.split(';')[0], type)
        assert.equal((await ask(`${service.base}/v1/departments?limit=${limit}&format=json`)).status, 200)
        assert.equal((await ask(`${service.base}/v1/departments?limit=${limit}&`)).json.data.length, 7)
      }
    })
  }

  it('is refused like a list, with every fault at once', async () => {
    const { status, json } = await ask(`${service.base}/v1/employees?format=xml&limit=0&dept_id=x`)
    assert.equal(status, 422)
    assert.deepEqual(
      json.detail.map(({ type, loc }: { type: string; loc: string[] }) => [type, loc[1]]),
      [
        ['greater_than_equal', 'limit'],
        ['int_parsing', 'dept_id'],
        ['literal_error', 'format'],
      ],
    )
    const personal = await ask(`${redacting.base}/v1/employees?format=csv&email=a`)
    assert.deepEqual([personal.status, personal.json.detail[0].type], [422, 'field_redacted'])
    const wrong = await ask(`${service.base}/v1/employees?format=csv&limit=201`)
    assert.equal(wrong.status, 422)
  })

  it('holds the fields that are asked for, and related records where there is a place for them', async () => {
    const csv = await ask(`${service.base}/v1/employees?format=csv&fields=email,id&limit=1`)
    assert.match(csv.text, /^id,email\n1,[^,\n]*\n$/)
    const asked = 'fields=id,dept_id&expand=department,manager&limit=200'
    const list = await ask(`${service.base}/v1/employees?${asked}`)
    const ndjson = await ask(`${service.base}/v1/employees?${asked}&format=ndjson`)
    assert.deepEqual(linesOf(ndjson.text), list.json.data)
    const refused = await ask(`${service.base}/v1/employees?expand=department&format=csv`)
    assert.deepEqual([refused.status, refused.json.detail[0].type], [422, 'relation_in_csv'])
  })

  it('shows personal fields to the holder of a token', async () => {
    const path = '/v1/employees?format=ndjson'
    const full = await ask(`${redacting.base}${path}`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(full.text, (await ask(`${service.base}${path}`)).text)
    assert.notEqual(full.text, (await ask(`${redacting.base}${path}`)).text)
  })

  it('gives no spreadsheet a cell to compute, whether it splits at commas, semicolons or tabs', async () => {
    const attacks = [
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
    const values = attacks.map((attack) => `(${pg.escapeLiteral(`attack ${attack}`)}, ${pg.escapeLiteral(attack)})`)
    await database.execute(
      `insert into job_openings (status, headcount, filled, title, description) select 'attack', 1, 0, * from (values ${values}) a`,
    )
    const list = `${service.base}/v1/jobs?status=attack&fields=title,description`
    const { text } = await ask(`${list}&format=csv`)
    assert.deepEqual(cellsOf('a,"b;""c"";d"e\nf', ','), ['a', 'b;"c";de', 'f'])
    assert.deepEqual(cellsOf('a,"b;""c"";d"e\nf', ';'), ['a,"b', '"c"', 'd"e', 'f'].with(1, 'c""'))
    for (const separator of [',', ';', '\t']) {
      const cells = cellsOf(text, separator)
      assert.ok(cells.length > attacks.length)
      assert.deepEqual(
        cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell)),
        [],
        JSON.stringify(separator),
      )
    }
    // The other form, and the command line's, hold the texts as they are stored.
    const plain = linesOf((await ask(`${list}&format=ndjson`)).text)
    assert.deepEqual(
      plain.map(({ description }) => description),
      attacks,
    )
  })

  it('answers HEAD with its header fields alone, and ends its query', async () => {
    const { status, headers, text } = await ask(`${service.base}/v1/departments?format=csv`, { method: 'HEAD' })
    assert.deepEqual([status, text, headers.get('content-type')?.slice(0, 8)], [200, '', 'text/csv'])
    assert.ok(Number(headers.get('x-total-count')) > 13)
    for (let index = 0; index < 5; index += 1)
      assert.equal((await ask(`${service.base}/v1/departments?format=csv`)).status, 200)
  })
})

describe('a large export over HTTP', () => {
  let database: TestDatabase
  let service: RunningService
  let admin: pg.Client
  const rows = 30_000
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into departments (name) select repeat('x', 2000) || n from generate_series(1, ${rows}) n`,
    )
    service = await startService(database.url)
    admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
  })
  after(async () => {
    await admin.end()
    await service.stop()
    await database.drop()
  })

  const copies = async (): Promise<{ pid: number; wait: string | null }[]> => {
    const { rows: found } = await admin.query(
      `select pid, wait_event as wait from pg_stat_activity
       where datname = current_database() and query like 'copy %' and state = 'active'`,
    )
    return found
  }
  const waitingForLocks = async (): Promise<number> => {
    const { rows: found } = await admin.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return found.length
  }
  const until = async (what: string, holds: () => Promise<boolean>): Promise<number> => {
    const start = performance.now()
    while (!(await holds())) assert.ok(performance.now() - start < 10_000, what)
    return performance.now() - start
  }

  /** An export whose reader takes its head and nothing more. */
  const openReader = async () => {
    const sent = request(`${service.base}/v1/departments?format=csv`, { agent: false }).end()
    const [response] = await once(sent, 'response')
    return { sent, response: response.pause() }
  }
  const countLines = async (response: AsyncIterable<Buffer>): Promise<number> => {
    let lines = 0
    for await (const chunk of response) for (const byte of chunk) if (byte === 10) lines += 1
    return lines
  }

  it('holds all of one snapshot, whatever is written meanwhile', async () => {
    const { response } = await openReader()
    await admin.query('delete from departments where id > 25000')
    await admin.query(`insert into departments (name) values ('later')`)
    assert.equal(await countLines(response), rows + 1)
    assert.equal(response.headers['x-total-count'], String(rows))
  })

  it('waits for its reader, and ends in the database when the reader goes away', async () => {
    const { sent, response } = await openReader()
    await until('the database waits for the reader', async () => (await copies())[0]?.wait === 'ClientWrite')
    response.destroy()
    sent.destroy()
    const ms = await until('the copy ends', async () => (await copies()).length === 0)
    assert.ok(ms < 2_000, `${ms} ms`)
  })

  it('has its total and its rows of the snapshot it began with, however long it waits for either', async () => {
    const locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
    const { rows: before } = await admin.query('select count(*)::int as count from departments')
    await locker.query('begin; lock table muster_ledger in access exclusive mode')
    const sent = ask(`${service.base}/v1/departments?format=csv&fields=id`)
    await until('it waits for the books', async () => (await waitingForLocks()) === 1)
    await locker.query(`insert into departments (name) values ('later')`)
    await locker.query('commit')
    await locker.end()
    const { headers, text } = await sent
    assert.equal(headers.get('x-total-count'), String(before[0].count))
    assert.equal(text.split('\n').length, before[0].count + 2)
  })

  it('ends in the database while it still counts, when nobody waits any more', async () => {
    const locker = new pg.Client({ connectionString: database.url })
    await locker.connect()
    await locker.query('begin; lock table departments in access exclusive mode')
    const sent = request(`${service.base}/v1/departments?format=csv&q=xx`, { agent: false }).end()
    sent.on('error', () => {})
    await until('it waits for the lock', async () => (await waitingForLocks()) === 1)
    sent.destroy()
    const ms = await until('it is gone', async () => (await waitingForLocks()) === 0)
    await locker.end()
    assert.ok(ms < 1_000, `${ms} ms`)
  })

  it('is seen to be cut when the database ends it', async () => {
    const { response } = await openReader()
    await until('the database waits for the reader', async () => (await copies())[0]?.wait === 'ClientWrite')
    await admin.query(`select pg_terminate_backend($1)`, [(await copies())[0]?.pid])
    await assert.rejects(countLines(response), /aborted|ECONNRESET/)
    assert.equal((await ask(`${service.base}/v1/departments?format=csv&limit=1`)).status, 200)
  })

  it('waits its turn, and is refused as overloaded when that does not come', async () => {
    const readers = [await openReader(), await openReader()]
    const start = performance.now()
    const { status, json, headers } = await ask(`${service.base}/v1/departments?format=csv`)
    assert.deepEqual([status, json.error.code, headers.get('retry-after')], [503, 'overloaded', '1'])
    assert.ok(performance.now() - start < 2_000)
    assert.equal((await ask(`${service.base}/v1/departments?limit=1`)).status, 200)
    for (const { sent } of readers) sent.destroy()
    await until('both end', async () => (await copies()).length === 0)
    assert.equal((await ask(`${service.base}/v1/departments?format=csv&limit=1`)).status, 200)
  })
})
