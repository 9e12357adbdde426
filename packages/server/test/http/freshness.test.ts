import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { probeCount } from '../../../../tests/support/probes.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { noTokens } from '../../src/config/tokens.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { openResponseCache } from '../../src/http/cache/response-cache.ts'
import { buildApp } from '../../src/http/server.ts'
import { openLog } from '../../src/observability/log.ts'
import { openTableVersions } from '../../src/postgres/row-counts/table-versions.ts'

/** Four ways to read a new record. A response that does not show the record is stale. */
const reads: [
  name: string,
  path: (id: number, slug: string) => string,
  shows: (json: Json, slug: string) => boolean,
][] = [
  ['by id', (id) => `organizations/${id}`, (json, slug) => json.slug === slug],
  ['by list', () => 'organizations?limit=1', (json, slug) => json.meta.total >= Number(slug.split('-')[1])],
  ['by filter', (_, slug) => `organizations?slug=${slug}`, (json) => json.meta.total === 1],
  ['by q', (_, slug) => `organizations?q=${slug}`, (json) => json.meta.total >= 1],
]
// biome-ignore lint/suspicious/noExplicitAny: a JSON response
type Json = any

describe('cached responses', () => {
  let database: TestDatabase
  let writer: RunningService
  let reader: RunningService
  before(async () => {
    database = await createTestDatabase()
    writer = await startService(database.url)
    reader = await startService(database.url)
  })
  after(async () => {
    await writer.stop()
    await reader.stop()
    await database.drop()
  })

  const maxWrites = probeCount(1_000)
  it(`are never stale: ${4 * maxWrites} reads right after a write by another process`, async () => {
    let writeCount = 0
    const staleResponses: string[] = []
    let readCount = 0
    const writeAndRead = async (): Promise<void> => {
      while (writeCount < maxWrites) {
        writeCount += 1
        const slug = `mark-${writeCount}-x`
        // These requests fill the cache with responses that the following write makes stale.
        for (const [, path] of [...reads, ...reads]) await sendRequest(`${reader.baseUrl}/v1/${path(writeCount, slug)}`)
        const { json, status } = await post(`${writer.baseUrl}/v1/organizations`, { name: 'Fresh', slug })
        assert.equal(status, 201)
        const minTotal = (await sendRequest(`${writer.baseUrl}/v1/organizations?limit=1`)).json.meta.total
        for (const [name, path, shows] of reads) {
          const response = await sendRequest(`${reader.baseUrl}/v1/${path(json.id, slug)}`)
          readCount += 1
          const isFresh = name === 'by list' ? response.json.meta.total >= minTotal : shows(response.json, slug)
          if (!isFresh) staleResponses.push(`${name} ${response.text.slice(0, 120)}`)
        }
      }
    }
    await Promise.all([writeAndRead(), writeAndRead(), writeAndRead(), writeAndRead()])
    assert.ok(readCount >= 4 * maxWrites)
    assert.deepEqual(staleResponses, [])
  })

  it('are used: after two requests, an unchanged list is no longer read from the database', async () => {
    const url = `${reader.baseUrl}/v1/organizations?limit=3`
    await sendRequest(url)
    await sendRequest(url)
    await withClient(database.url, async (client) => {
      // A reader of the table waits.
      await client.query('begin; lock table organizations in access exclusive mode')
      for (let round = 0; round < 50; round += 1) assert.equal((await sendRequest(url)).status, 200)
      await client.query('rollback')
    })
  })

  it('are stored at the second request of a list, however long the first waited, and at the first of a count', async () => {
    const dependencies = openDependencies({
      databaseUrl: database.url,
      poolSize: 2,
      cacheBytes: 1_000_000,
      reads: 'public',
      tokens: noTokens,
    })
    dependencies.database.setReady(true)
    const app = buildApp(dependencies, openLog('silent'))
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const { memory } = dependencies.cache
    const slowList = await withClient(database.url, async (client) => {
      await client.query('begin; lock table organizations in access exclusive mode')
      const response = sendRequest(`${origin}/api/v1/organizations?limit=1`)
      await waitUntil('the list waits for the lock', async () => {
        const { rowCount } = await client.query('select from pg_locks where not granted')
        return rowCount !== 0
      })
      await client.query('select pg_sleep(0.1); commit')
      return response
    })
    assert.equal(slowList.status, 200)
    assert.equal(memory.bytes, 0)
    await sendRequest(`${origin}/api/v1/organizations?limit=1`)
    const listBytes = memory.bytes
    assert.ok(listBytes > 0)
    await sendRequest(`${origin}/api/v1/counts/organizations?by=slug`)
    assert.ok(memory.bytes > listBytes)
    await app.close()
    await dependencies.close()
  })

  it('become 304 if the ETag matches, and 200 again after a write', async () => {
    const url = `${reader.baseUrl}/v1/organizations?limit=2`
    const firstResponse = await sendRequest(url)
    const etag = firstResponse.headers.get('etag') ?? ''
    assert.match(etag, /^"[\w-]{27}"$/)
    assert.equal(firstResponse.headers.get('cache-control'), 'no-cache')
    for (const tagList of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const notModifiedResponse = await sendRequest(url, { headers: { 'if-none-match': tagList } })
      assert.deepEqual(
        [notModifiedResponse.status, notModifiedResponse.text, notModifiedResponse.headers.get('etag')],
        [304, '', etag],
      )
    }
    // The other process sends the same ETag, because ETags are derived from the content.
    assert.equal((await sendRequest(`${writer.baseUrl}/v1/organizations?limit=2`)).headers.get('etag'), etag)
    await post(`${writer.baseUrl}/v1/organizations`, { name: 'Other', slug: 'another-tag' })
    const changedResponse = await sendRequest(url, { headers: { 'if-none-match': etag } })
    assert.equal(changedResponse.status, 200)
    assert.notEqual(changedResponse.headers.get('etag'), etag)
  })

  it('become 304 for If-None-Match: * only if the record or list exists', async () => {
    const expectedStatuses: [path: string, status: number][] = [
      ['organizations/999999', 404],
      ['organizations/hello', 404],
      ['organizations?limit=abc', 422],
      ['organizations?limit=1', 304],
    ]
    for (const [path, status] of expectedStatuses) {
      const response = await sendRequest(`${reader.baseUrl}/v1/${path}`, { headers: { 'if-none-match': '*' } })
      assert.equal(response.status, status, path)
    }
  })

  it('are discarded, as are cached offsets, when the database is replaced', async () => {
    const replacedDatabase = await createTestDatabase()
    const service = await startService(replacedDatabase.url)
    const insertFrom = (firstId: number) =>
      replacedDatabase.execute(
        `insert into departments (id, name) select n, 'D' from generate_series(${firstId}, ${firstId + 19_999}) n; select muster_maintain()`,
      )
    const url = `${service.baseUrl}/v1/departments?offset=15000&limit=1`
    await insertFrom(1)
    const firstResponse = await sendRequest(url)
    assert.equal(firstResponse.json.data[0].id, 15_001)
    await replacedDatabase.execute(
      `drop schema public cascade; create schema public authorization pg_database_owner; grant usage on schema public to public`,
    )
    assert.equal((await muster(['migrate'], replacedDatabase.env)).code, 0)
    await insertFrom(1_001)
    const deadline = Date.now() + 10_000
    let latestResponse = await sendRequest(url)
    while (latestResponse.status !== 200 && Date.now() < deadline) latestResponse = await sendRequest(url)
    assert.equal(latestResponse.json.data[0].id, 16_001)
    assert.notEqual(latestResponse.headers.get('etag'), firstResponse.headers.get('etag'))
    await service.stop()
    await replacedDatabase.drop()
  })

  it('would be stale if the table versions were not checked (control experiment)', async () => {
    const dependencies = openDependencies({
      databaseUrl: database.url,
      poolSize: 2,
      cacheBytes: 1_000_000,
      reads: 'public',
      tokens: noTokens,
    })
    dependencies.database.setReady(true)
    const oldVersions = await openTableVersions(dependencies.database).read()
    const uncheckedCache = openResponseCache({ read: async () => oldVersions }, 1_000_000, 'public')
    const app = buildApp({ ...dependencies, cache: uncheckedCache }, openLog('silent'))
    const origin = await app.listen({ host: '127.0.0.1', port: 0 })
    const readTotal = async (): Promise<number> =>
      (await sendRequest(`${origin}/api/v1/organizations?limit=1`)).json.meta.total
    await readTotal()
    let staleCount = 0
    for (let round = 0; round < 20; round += 1) {
      const totalBefore = await readTotal()
      await post(`${writer.baseUrl}/v1/organizations`, { name: 'Control', slug: `control-${round}` })
      if ((await readTotal()) === totalBefore) staleCount += 1
    }
    await app.close()
    await dependencies.close()
    assert.ok(staleCount > 0)
  })
})
