/** Pages whose records exceed 2 MB are streamed: with the bytes of a small page, the limits of exports, and no caching. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { activeCopies, createTestDatabase } from '../../../../tests/support/database.ts'
import type { RawResponse } from '../../../../tests/support/http.ts'
import { sendRawRequest, sendRequest } from '../../../../tests/support/http.ts'
import type { InProcessServer } from '../../../../tests/support/in-process-server.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { maxPageBytes } from '../../src/postgres/sql/statement.ts'

const isStreamed = ({ headers }: RawResponse): boolean => headers['content-length'] === undefined

/** The text of the records in the body of a list. */
const recordsIn = (body: string): string => body.slice('{"data":['.length, body.lastIndexOf('],"meta":'))

describe('a large page', () => {
  let database: TestDatabase
  let service: RunningService
  let redactedService: RunningService
  const smallJobs = 300
  const largeJobs = 60
  before(async () => {
    database = await createTestDatabase()
    // The large column is not searched, so that the insert is fast.
    await database.execute(
      `insert into job_openings (title, status, headcount, filled, description, stages_json)
       select 'Job ' || n, case when n % 2 = 0 then 'open' else 'Closed' end, 1, 0, E'a\\nb\\r\\t"\\\\.\\x01 é😀',
         case when n > ${smallJobs} then repeat('é"' || n, 15000) end from generate_series(1, ${smallJobs + largeJobs}) n;
       insert into candidates (first_name, status) values ('Ada', 'active');
       insert into applications (candidate_id, job_id, rejection_reason)
       select 1, n, 'personal' from generate_series(${smallJobs + 1}, ${smallJobs + largeJobs}) n`,
    )
    service = await startService(database.url)
    redactedService = await startService(database.url, { reads: 'redacted' })
  })
  after(async () => {
    await service.stop()
    await redactedService.stop()
    await database.drop()
  })

  const step = 10
  const queries: readonly (readonly [description: string, list: string, offset: number])[] = [
    ['in the default order', 'jobs?', smallJobs],
    ['near the first page', 'jobs?', 250],
    ['by status', 'jobs?status=open', smallJobs / 2],
    ['by either status', 'jobs?status=open,closed', smallJobs],
    ['sorted by title', 'jobs?sort=-title', 0],
    ['sorted, at a large offset', 'jobs?sort=status,-id', 0],
    ['of a search', 'jobs?q=job', smallJobs],
    ['of a search, sorted', 'jobs?q=job&sort=-created', 0],
    ['of a filter', 'jobs?headcount_from=1', smallJobs],
    ['with selected fields', 'jobs?fields=id,stages_json,description', smallJobs],
    ['without the id', 'jobs?fields=stages_json', smallJobs],
    ['with related records', 'applications?expand=job,candidate', 0],
    ['with related records, by a filter through a relation', 'applications?expand=job&job.status=open', 0],
  ]
  for (const [description, list, offset] of queries)
    it(`${description} has the bytes of the same records on small pages`, async () => {
      for (const { baseUrl } of [service, redactedService]) {
        const url = `${baseUrl}/v1/${list}&limit=200`
        const large = await sendRawRequest(`${url}&offset=${offset}`)
        assert.deepEqual([large.status, isStreamed(large)], [200, true], large.bytes.toString().slice(0, 300))
        const body = large.bytes.toString()
        const { data, meta } = JSON.parse(body)
        assert.ok(Buffer.byteLength(recordsIn(body)) > maxPageBytes)
        const texts: string[] = []
        for (let at = offset; at < offset + data.length; at += step) {
          const small = await sendRawRequest(`${baseUrl}/v1/${list}&limit=${step}&offset=${at}`)
          assert.equal(isStreamed(small), false)
          texts.push(recordsIn(small.bytes.toString()))
        }
        assert.ok(recordsIn(body) === texts.join(','))
        assert.ok(body.endsWith(`],"meta":{"total":${meta.total},"limit":200,"offset":${offset}}}`))
        assert.equal(meta.total, (await sendRequest(`${baseUrl}/v1/${list}&limit=1`)).json.meta.total)
      }
    })

  it('is compressed as the client asks, with an ETag for each encoding', async () => {
    const url = `${service.baseUrl}/v1/jobs?limit=100&offset=${smallJobs}`
    const plain = await sendRawRequest(url)
    const etags = [plain.headers.etag]
    for (const [encoding, decompress] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const { headers, bytes } = await sendRawRequest(url, { headers: { 'accept-encoding': encoding } })
      assert.equal(headers['content-encoding'], encoding)
      assert.ok(decompress(bytes).equals(plain.bytes))
      etags.push(headers.etag)
    }
    assert.equal(new Set(etags).size, 3)
  })

  it('has the headers of a small page, for HEAD too, and 304 for its ETag', async () => {
    const path = `/v1/jobs?limit=60&offset=${smallJobs - 60}`
    const namesOf = ({ headers }: RawResponse) =>
      Object.keys(headers)
        .filter((name) => !/^(?:content-length|transfer-encoding|date)$/.test(name))
        .sort()
    const small = await sendRawRequest(`${service.baseUrl}${path}`)
    const url = `${service.baseUrl}/v1/jobs?limit=60&offset=${smallJobs}`
    const large = await sendRawRequest(url)
    assert.deepEqual([isStreamed(small), isStreamed(large)], [false, true])
    // The last page has no link to the next one, but the same header.
    assert.deepEqual(namesOf(large), namesOf(small))
    for (const name of ['content-type', 'cache-control', 'vary']) assert.equal(large.headers[name], small.headers[name])
    assert.match(String(large.headers.link), /rel="first".*rel="prev".*rel="last"/)

    const head = await sendRawRequest(url, { method: 'HEAD' })
    assert.deepEqual([head.status, head.bytes.length, isStreamed(head)], [200, 0, true])
    for (const name of ['etag', 'link', 'content-type', 'cache-control', 'vary'])
      assert.equal(head.headers[name], large.headers[name])

    const { etag = '' } = large.headers
    for (const ifNoneMatch of [etag, '*', `W/${etag}`]) {
      const { status, headers, bytes } = await sendRawRequest(url, { headers: { 'if-none-match': ifNoneMatch } })
      assert.deepEqual([status, headers.etag, bytes.length], [304, etag, 0], ifNoneMatch)
    }
    assert.equal((await sendRawRequest(url, { headers: { 'if-none-match': '"other"' } })).status, 200)
    await database.execute(`insert into job_openings (title, status, headcount, filled) values ('later', 'new', 1, 0)`)
    const later = await sendRawRequest(url, { headers: { 'if-none-match': etag } })
    assert.equal(later.status, 200)
    assert.notEqual(later.headers.etag, etag)
  })
})

describe('the limit of a small page', () => {
  let database: TestDatabase
  let server: InProcessServer
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into organizations (name, slug, settings_json)
       select n, n, repeat('x', 95000) from generate_series(1, 20) n`,
    )
    server = await startInProcess({ DATABASE_URL: database.url, MUSTER_API_TOKEN: token })
    await server.ready
  })
  after(async () => {
    await server.stop()
    await database.drop()
  })

  it('is 2 MB of records; a larger page is streamed and never cached', async () => {
    const [row] = await database.query<{ bytes: number }>(
      `select octet_length(string_agg(record_json, ','))::int as bytes from organizations`,
    )
    const addText = (length: number) =>
      database.execute(`update organizations set settings_json = settings_json || repeat('y', ${length}) where id = 20`)
    const readThreeTimes = async (): Promise<RawResponse[]> => {
      const responses: RawResponse[] = []
      while (responses.length < 3)
        responses.push(await sendRawRequest(`${server.origin}/api/v1/organizations?limit=50`))
      return responses
    }
    const outcomes = (): string[] =>
      server.output
        .split('\n')
        .filter((line) => line.includes('/v1/organizations'))
        .flatMap((line) => /"cache":"(\w+)"/.exec(line)?.[1] ?? [])
    await addText(maxPageBytes - (row?.bytes ?? 0))
    const small = await readThreeTimes()
    assert.deepEqual(small.map(isStreamed), [false, false, false])
    assert.equal(recordsIn(small[0]?.bytes.toString() ?? '').length, maxPageBytes)
    await waitUntil('three requests are logged', async () => outcomes().length === 3)
    assert.deepEqual(outcomes(), ['miss', 'miss', 'hit'])

    await addText(1)
    const large = await readThreeTimes()
    assert.deepEqual(large.map(isStreamed), [true, true, true])
    const expected = small[0]?.bytes.toString().replace(/y(?=[^y]*$)/, 'yy')
    for (const { bytes } of large) assert.ok(bytes.toString() === expected)
    await waitUntil('three more requests are logged', async () => outcomes().length === 6)
    assert.deepEqual(outcomes().slice(3), ['none', 'none', 'none'])
  })
})

describe('the stream of a large page', () => {
  let database: TestDatabase
  let service: RunningService
  let adminClient: pg.Client
  const rowCount = 200
  before(async () => {
    database = await createTestDatabase()
    // More than the buffers of a connection hold.
    await database.execute(
      `insert into organizations (name, slug, settings_json)
       select n, n, repeat('x', 100000) from generate_series(1, ${rowCount}) n`,
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

  const pageUrl = () => `${service.baseUrl}/v1/organizations?limit=${rowCount}`
  /** Starts a page and reads only the headers of its response. */
  const startPage = async (encoding = 'identity') => {
    const pageRequest = request(pageUrl(), { agent: false, headers: { 'accept-encoding': encoding } }).end()
    const [response] = (await once(pageRequest, 'response')) as [IncomingMessage]
    return { pageRequest, response: response.pause() }
  }
  const waitForNoCopy = () =>
    waitUntil('the statements end', async () => (await activeCopies(adminClient)).length === 0)

  it('is one snapshot despite concurrent writes', async () => {
    const { response } = await startPage()
    await adminClient.query(`insert into organizations (name, slug) values ('later', 'later-1')`)
    const { data, meta } = JSON.parse(Buffer.concat(await response.toArray()).toString())
    assert.deepEqual([data.length, meta.total], [rowCount, rowCount])
    await adminClient.query(`delete from organizations where slug = 'later-1'`)
  })

  it('is complete for a request inside the process, as agents send them', async () => {
    for (let read = 0; read < 3; read += 1) {
      const { statusCode, payload } = await service.app.inject(`/api/v1/organizations?limit=${rowCount}`)
      assert.equal(statusCode, 200)
      assert.equal(JSON.parse(payload).data.length, rowCount)
    }
  })

  it('has the limits of exports: a third page of a client gets 503 overloaded, other requests are served', async () => {
    const readers = [await startPage(), await startPage()]
    for (const { response } of readers) assert.equal(response.statusCode, 200)
    const { status, json, headers } = await sendRequest(pageUrl())
    assert.deepEqual([status, json.error.code, headers.get('retry-after')], [503, 'overloaded', '1'])
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?format=csv`)).status, 503)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?limit=1`)).status, 200)
    assert.equal((await sendRequest(pageUrl(), { method: 'HEAD' })).status, 200)
    for (const { pageRequest } of readers) pageRequest.destroy()
    await waitForNoCopy()
    assert.equal((await sendRequest(pageUrl())).json.data.length, rowCount)
  })

  it('waits for a slow client, and its statement ends when the client disconnects', async () => {
    const { pageRequest } = await startPage()
    await waitUntil('the database waits', async () => (await activeCopies(adminClient))[0]?.wait === 'ClientWrite')
    pageRequest.destroy()
    await waitForNoCopy()
    for (let read = 0; read < 3; read += 1) assert.equal((await sendRequest(pageUrl())).status, 200)
  })

  for (const encoding of ['identity', 'gzip'])
    it(`is cut off if the database fails, which the client sees as an error (${encoding})`, async () => {
      const { response } = await startPage(encoding)
      const copies = await activeCopies(adminClient)
      assert.equal(copies.length, 1)
      await adminClient.query('select pg_terminate_backend($1)', [copies[0]?.pid])
      const chunks: Buffer[] = []
      await assert.rejects(async () => {
        for await (const chunk of response) chunks.push(chunk)
      }, /aborted|ECONNRESET/)
      assert.throws(() => JSON.parse(Buffer.concat(chunks).toString()))
      assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations?limit=1`)).status, 200)
    })
})
