/** Every answer that is found has one tag, length and body per encoding, from memory and from the database alike. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildApp } from '../src/app.ts'
import { Representations } from '../src/http/representations.ts'
import { openLog } from '../src/log.ts'
import { openServices } from '../src/services.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, servedAs } from './support/database.ts'
import { askRaw, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: (bytes) => brotliDecompressSync(bytes),
  gzip: (bytes) => gunzipSync(bytes),
  identity: (bytes) => bytes,
}

describe('representations', () => {
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
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    askRaw(`${service.base}${path}`, { method, headers })

  /** Each asked for twice at least: the first comes from the database, the others from memory. */
  for (const path of ['/v1/employees', '/v1/jobs?limit=3', '/v1/jobs/1', '/openapi.json', '', '/../swagger.json']) {
    it(`of "${path}" are the same bytes in every encoding, with tags that differ and 304 to each`, async () => {
      const plain = await ask(path)
      assert.equal(plain.headers['content-encoding'], undefined)
      const encodings = plain.bytes.length < 1_000 ? ['identity'] : ['identity', 'br', 'gzip']
      const varies = path.startsWith('/v1/') ? /^accept, accept-encoding$/ : /^accept-encoding$/
      const tags = new Set<string>()
      for (const encoding of encodings) {
        for (const round of [1, 2]) {
          const { status, headers, bytes } = await ask(path, { 'accept-encoding': encoding })
          assert.deepEqual([status, headers['content-encoding'] ?? 'identity'], [200, encoding], `round ${round}`)
          assert.deepEqual(decoders[encoding]?.(bytes), plain.bytes)
          assert.equal(headers['content-length'], String(bytes.length))
          assert.match(String(headers.vary), varies)
          const tag = String(headers.etag)
          tags.add(tag)
          const head = await ask(path, { 'accept-encoding': encoding }, 'HEAD')
          const { date: _, 'x-request-id': __, ...said } = headers
          const { date: ___, 'x-request-id': ____, ...saidToHead } = head.headers
          assert.deepEqual([head.status, head.bytes.length, saidToHead], [200, 0, said])
          for (const method of ['GET', 'HEAD']) {
            for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
              const same = await ask(path, { 'accept-encoding': encoding, 'if-none-match': held }, method)
              assert.deepEqual([same.status, same.bytes.length, same.headers.etag], [304, 0, tag], held)
              assert.match(String(same.headers.vary), varies)
              assert.equal(same.headers['content-encoding'], undefined)
            }
          }
        }
      }
      assert.equal(tags.size, encodings.length)
    })
  }

  it('are tagged for those who take them: a tag of bytes a client does not take is not one it holds', async () => {
    const { headers } = await ask('/v1/employees', { 'accept-encoding': 'br' })
    const held = { 'if-none-match': String(headers.etag) }
    for (const accepted of ['', 'gzip', 'br;q=0'])
      assert.equal((await ask('/v1/employees', { ...held, 'accept-encoding': accepted })).status, 200, accepted)
    const plain = String((await ask('/v1/employees')).headers.etag)
    const same = await ask('/v1/employees', { 'if-none-match': plain, 'accept-encoding': 'br' })
    assert.deepEqual([same.status, same.headers.etag], [304, plain])
  })

  it('of few bytes are sent as they are', async () => {
    const { headers } = await ask('/v1/departments/1', { 'accept-encoding': 'br, gzip' })
    assert.deepEqual([headers['content-encoding'], headers.vary], [undefined, 'accept, accept-encoding'])
  })

  it('are never 406', async () => {
    for (const accepted of ['identity;q=0', '*;q=0', 'identity;q=0, *;q=0', 'zstd', ',;q=,', 'br;q=9, gzip;q=-1']) {
      const { status, headers } = await ask('/v1/employees', { 'accept-encoding': accepted })
      assert.deepEqual([status, headers['content-encoding']], [200, undefined], accepted)
    }
  })

  it('show a write at once, in every encoding', async () => {
    const path = '/v1/organizations?limit=200'
    const about = { name: 'A name that is long enough to compress'.repeat(10) }
    await post(`${service.base}/v1/organizations`, { ...about, slug: 'written' })
    await post(`${service.base}/v1/organizations`, { ...about, slug: 'written-too' })
    for (let round = 0; round < 10; round += 1) {
      for (const encoding of ['br', 'gzip']) await ask(path, { 'accept-encoding': encoding })
      const slug = `written-${round}`
      await post(`${service.base}/v1/organizations`, { ...about, slug })
      for (const encoding of ['br', 'gzip']) {
        const { bytes } = await ask(path, { 'accept-encoding': encoding })
        assert.ok(decoders[encoding]?.(bytes).includes(slug), `${slug} in ${encoding}`)
      }
    }
  })

  it('of the documentation page are made for each request', async () => {
    for (const encoding of ['br', 'gzip']) {
      const { headers, bytes } = await ask('/docs', { 'accept-encoding': encoding })
      assert.deepEqual(
        [headers['content-encoding'], headers.vary, headers.etag],
        [encoding, 'accept-encoding', undefined],
      )
      assert.match(String(decoders[encoding]?.(bytes)), /<!doctype html>/)
    }
  })
})

describe('representations in memory', () => {
  const text = JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id })))

  it('are made once each, also for those who ask at once, and counted', async () => {
    let grown = 0
    const onGrown = () => {
      grown += 1
    }
    const answer = new Representations('name', [text], [])
    const before = answer.bytes
    const both = await Promise.all([answer.in('br', onGrown), answer.in('br', onGrown)])
    assert.equal(both[0], both[1])
    assert.equal(answer.in('br', onGrown), both[0])
    assert.deepEqual([grown, answer.bytes - before], [1, both[0].body.length])
  })

  it('hold no more memory than their own bytes, compressed or not', async () => {
    const response = new Representations('name', [text], [])
    for (const encoding of ['identity', 'br', 'gzip'] as const) {
      const { body } = await response.in(encoding, () => {})
      // Plain bodies are rounded up to whole pages of memory.
      assert.ok(
        body.buffer.byteLength < body.length + 4_096,
        `${encoding}: ${body.length} of ${body.buffer.byteLength}`,
      )
    }
  })

  it('are forgotten together when they are more than is to be kept', async () => {
    const database = await createSeededDatabase()
    // A quarter is kept for what searches find.
    const room = (bytes: number) => Math.ceil(bytes / 0.75)
    const path = '/api/v1/employees'
    const kept = async (cacheBytes: number, encoding: string): Promise<[boolean, number]> => {
      const services = openServices({
        ...servedAs(database.url),
        poolSize: 2,
        cacheBytes,
        reads: 'public',
        tokens: { write: [], read: [] },
      })
      const app = buildApp(services, openLog('silent'))
      await new Promise<void>((resolve, reject) => services.watch(() => resolve(), reject))
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      const askOnce = () => askRaw(`${address}${path}`, { headers: { 'accept-encoding': encoding } })
      await askOnce()
      const { bytes } = await askOnce()
      const isKept = services.answers.recall('full', path, () => {})
      await app.close()
      await services.close()
      return [isKept, bytes.length]
    }
    const [, plain] = await kept(1_000_000, '')
    const [, br] = await kept(1_000_000, 'br')
    const [isPlainKept] = await kept(room(plain + br / 2 + 1_500), '')
    const [isBothKept] = await kept(room(plain + br / 2 + 1_500), 'br')
    assert.deepEqual([isPlainKept, isBothKept], [true, false])
    await database.drop()
  })
})
