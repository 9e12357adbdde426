import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, roleUrls } from '../../../../tests/support/database.ts'
import { post, sendRawRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { noTokens } from '../../src/config/tokens.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { CachedResponse } from '../../src/http/cache/response-cache.ts'
import { buildApp } from '../../src/http/server.ts'
import { openLog } from '../../src/observability/log.ts'

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  identity: (bytes) => bytes,
}

describe('cached responses', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    sendRawRequest(`${service.baseUrl}${path}`, { method, headers })

  /** Each URL is requested at least twice: the first response comes from the database, the others from the cache. */
  for (const path of ['/v1/employees', '/v1/jobs?limit=3', '/v1/jobs/1', '/openapi.json', '', '/../swagger.json']) {
    it(`of "${path}" decode to the same bytes in every encoding, each with its own ETag`, async () => {
      const uncompressedResponse = await send(path)
      assert.equal(uncompressedResponse.headers['content-encoding'], undefined)
      const encodings = uncompressedResponse.bytes.length < 1_000 ? ['identity'] : ['identity', 'br', 'gzip']
      const varyPattern = path.startsWith('/v1/') ? /^accept, accept-encoding$/ : /^accept-encoding$/
      const etags = new Set<string>()
      for (const encoding of encodings) {
        for (const round of [1, 2]) {
          const { status, headers, bytes } = await send(path, { 'accept-encoding': encoding })
          assert.deepEqual([status, headers['content-encoding'] ?? 'identity'], [200, encoding], `round ${round}`)
          assert.deepEqual(decoders[encoding]?.(bytes), uncompressedResponse.bytes)
          assert.equal(headers['content-length'], String(bytes.length))
          assert.match(String(headers.vary), varyPattern)
          const etag = String(headers.etag)
          etags.add(etag)
          const headResponse = await send(path, { 'accept-encoding': encoding }, 'HEAD')
          const { date: _, 'x-request-id': __, ...ownHeaders } = headers
          const { date: ___, 'x-request-id': ____, ...headHeaders } = headResponse.headers
          assert.deepEqual([headResponse.status, headResponse.bytes.length, headHeaders], [200, 0, ownHeaders])
          for (const method of ['GET', 'HEAD']) {
            for (const tagList of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
              const notModifiedResponse = await send(
                path,
                { 'accept-encoding': encoding, 'if-none-match': tagList },
                method,
              )
              assert.deepEqual(
                [notModifiedResponse.status, notModifiedResponse.bytes.length, notModifiedResponse.headers.etag],
                [304, 0, etag],
                tagList,
              )
              assert.match(String(notModifiedResponse.headers.vary), varyPattern)
              assert.equal(notModifiedResponse.headers['content-encoding'], undefined)
            }
          }
        }
      }
      assert.equal(etags.size, encodings.length)
    })
  }

  it('become 304 only for the ETag of an encoding that the client accepts', async () => {
    const { headers } = await send('/v1/employees', { 'accept-encoding': 'br' })
    const ifNoneMatch = { 'if-none-match': String(headers.etag) }
    for (const acceptEncoding of ['', 'gzip', 'br;q=0'])
      assert.equal(
        (await send('/v1/employees', { ...ifNoneMatch, 'accept-encoding': acceptEncoding })).status,
        200,
        acceptEncoding,
      )
    const uncompressedEtag = String((await send('/v1/employees')).headers.etag)
    const notModifiedResponse = await send('/v1/employees', {
      'if-none-match': uncompressedEtag,
      'accept-encoding': 'br',
    })
    assert.deepEqual([notModifiedResponse.status, notModifiedResponse.headers.etag], [304, uncompressedEtag])
  })

  it('are not compressed if they are small', async () => {
    const { headers } = await send('/v1/departments/1', { 'accept-encoding': 'br, gzip' })
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, 'accept, accept-encoding'])
  })

  it('never have status 406, whatever encodings the client accepts', async () => {
    for (const acceptEncoding of [
      'identity;q=0',
      '*;q=0',
      'identity;q=0, *;q=0',
      'zstd',
      ',;q=,',
      'br;q=9, gzip;q=-1',
    ]) {
      const { status, headers } = await send('/v1/employees', { 'accept-encoding': acceptEncoding })
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], acceptEncoding)
    }
  })

  it('are replaced immediately after a write, in every encoding', async () => {
    const path = '/v1/organizations?limit=200'
    const organization = { name: 'A name that is long enough to compress'.repeat(10) }
    await post(`${service.baseUrl}/v1/organizations`, { ...organization, slug: 'written' })
    await post(`${service.baseUrl}/v1/organizations`, { ...organization, slug: 'written-too' })
    for (let round = 0; round < 10; round += 1) {
      for (const encoding of ['br', 'gzip']) await send(path, { 'accept-encoding': encoding })
      const slug = `written-${round}`
      await post(`${service.baseUrl}/v1/organizations`, { ...organization, slug })
      for (const encoding of ['br', 'gzip']) {
        const { bytes } = await send(path, { 'accept-encoding': encoding })
        assert.ok(decoders[encoding]?.(bytes).includes(slug), `${slug} in ${encoding}`)
      }
    }
  })

  it('of the documentation page are compressed for each request, without ETag', async () => {
    for (const encoding of ['br', 'gzip']) {
      const { headers, bytes } = await send('/docs', { 'accept-encoding': encoding })
      assert.deepEqual(
        [headers['content-encoding'], headers.vary, headers.etag],
        [encoding, 'accept-encoding', undefined],
      )
      assert.match(String(decoders[encoding]?.(bytes)), /<!doctype html>/)
    }
  })
})

const responseOf = (text: string) => {
  let growCount = 0
  const onGrown = () => {
    growCount += 1
  }
  const options = { key: '/', tables: 'a', route: '/', cacheControl: 'no-cache', onGrown }
  const response = new CachedResponse({ version: '1', pieces: [text], rows: 300 }, options)
  return { response, growCount: () => growCount }
}

describe('a cache entry', () => {
  const text = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id })))

  it('is compressed once for each encoding, even for concurrent requests, and reports its larger size to the cache', async () => {
    const { response, growCount } = responseOf(text)
    const bytesBefore = response.bytes
    const client = { encoding: 'br', ifNoneMatch: undefined } as const
    const replies = await Promise.all([response.replyTo(client), response.replyTo(client)])
    assert.equal(replies[0], replies[1])
    assert.equal(response.replyTo(client), replies[0])
    assert.deepEqual([growCount(), response.bytes - bytesBefore], [1, replies[0].body?.length])
  })

  it('retains no more memory than its own bytes, compressed or not', async () => {
    const { response } = responseOf(text)
    for (const encoding of ['identity', 'br', 'gzip'] as const) {
      const { body } = await response.replyTo({ encoding, ifNoneMatch: undefined })
      assert.ok(body !== undefined)
      // The buffer of an uncompressed body is rounded up to whole memory pages.
      assert.ok(body.buffer.byteLength < body.length + 4_096, `${encoding}: ${body.buffer.byteLength}`)
    }
  })

  it('is evicted with all its encodings if they exceed the cache size', async () => {
    const database = await createSeededDatabase()
    // A quarter of the cache is reserved for search results, so responses can use only three quarters.
    const cacheBytesFor = (bytes: number) => Math.ceil(bytes / 0.75)
    const path = '/api/v1/employees'
    const isEntryCached = async (cacheBytes: number, encoding: string): Promise<[boolean, number]> => {
      const dependencies = openDependencies({
        ...roleUrls(database.url),
        poolSize: 2,
        cacheBytes,
        reads: 'public',
        tokens: noTokens,
      })
      const app = buildApp(dependencies, openLog('silent'))
      await new Promise<void>((resolve, reject) => dependencies.watch(() => resolve(), reject))
      const origin = await app.listen({ host: '127.0.0.1', port: 0 })
      const requestOnce = () => sendRawRequest(`${origin}${path}`, { headers: { 'accept-encoding': encoding } })
      await requestOnce()
      const { bytes } = await requestOnce()
      const isCached = dependencies.cache.getFresh(path, () => {})
      await app.close()
      await dependencies.close()
      return [isCached, bytes.length]
    }
    const [, plainBytes] = await isEntryCached(1_000_000, '')
    const [, brotliBytes] = await isEntryCached(1_000_000, 'br')
    const [isPlainCached] = await isEntryCached(cacheBytesFor(plainBytes + brotliBytes / 2 + 1_500), '')
    const [isBrCached] = await isEntryCached(cacheBytesFor(plainBytes + brotliBytes / 2 + 1_500), 'br')
    assert.deepEqual([isPlainCached, isBrCached], [true, false])
    await database.drop()
  })
})
