/** The documentation page and its script, as HTTP sees them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { bestEncoding } from '../src/http/encodings.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

describe('the documentation', () => {
  let database: TestDatabase
  let service: RunningService
  let docs: string
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    docs = `${service.base}/docs`
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** Asks without undoing the encoding, as fetch would. */
  const get = async (path: string, encoding: string) => {
    const asked = request({ port: service.port, path, headers: { 'accept-encoding': encoding } }).end()
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      asked.on('response', resolve).on('error', reject),
    )
    return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
  }

  const scriptPath = async (): Promise<string> => / src="([^"]+)"/.exec((await ask(docs)).text)?.[1] ?? ''

  it('is a page in HTML at both spellings of its address', async () => {
    for (const url of [docs, `${docs}/`]) {
      const { status, headers, text } = await ask(url)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-cache')
      assert.match(text, /<title>Muster API<\/title>/)
    }
  })

  it('allows only its own nonce to run or to style, and only itself to be asked', async () => {
    const { headers, text } = await ask(docs)
    const nonce = / nonce="([\w-]{20,})"/.exec(text)?.[1]
    assert.equal(
      headers.get('content-security-policy'),
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; ` +
        "connect-src 'self'; img-src 'self' data:; font-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    for (const [tag] of text.matchAll(/<(?:script|style)\b[^>]*>/g)) assert.ok(tag.includes(` nonce="${nonce}"`), tag)
  })

  it('has another nonce on every answer', async () => {
    const policies = await Promise.all(
      [1, 2, 3].map(async () => (await ask(docs)).headers.get('content-security-policy')),
    )
    assert.equal(new Set(policies).size, 3)
  })

  it('names no other host', async () => {
    const { text } = await ask(docs)
    assert.deepEqual(decodeURIComponent(text).match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)[^"\s]+/g), null)
  })

  it('answers HEAD, and refuses other methods, as every address does', async () => {
    for (const url of [docs, new URL(await scriptPath(), docs).href]) {
      const head = await ask(url, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
      const refused = await ask(url, { method: 'POST' })
      assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
      assert.equal(refused.json.error.code, 'method_not_allowed')
    }
  })

  it('is linked from the index', async () => {
    const { json } = await ask(service.base)
    assert.equal(json.links.documentation, '/api/docs')
  })

  it('has a script that may be kept for good, the same in every encoding', async () => {
    const path = await scriptPath()
    const [br, gzip, identity] = await Promise.all(['gzip, br', 'gzip', ''].map((encoding) => get(path, encoding)))
    assert.ok(br && gzip && identity)
    for (const { status, headers } of [br, gzip, identity]) {
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8')
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers.vary, 'accept-encoding')
    }
    assert.deepEqual(
      [br, gzip, identity].map(({ headers }) => headers['content-encoding']),
      ['br', 'gzip', undefined],
    )
    assert.ok(brotliDecompressSync(br.bytes).equals(identity.bytes))
    assert.ok(gunzipSync(gzip.bytes).equals(identity.bytes))
  })

  it('has a script whose address names its content', async () => {
    const path = await scriptPath()
    assert.match(path, /^\/api\/docs\/scalar-[0-9a-f]{16}\.js$/)
    const other = await ask(new URL(path.replace(/[0-9a-f]{16}/, '0'.repeat(16)), docs).href)
    assert.equal(other.status, 404)
  })

  it('stays within 1.5 MB with all it loads, also for a client that takes gzip alone', async () => {
    const paths = ['/api/docs', await scriptPath(), '/api/openapi.json']
    for (const encoding of ['br', 'gzip']) {
      const answers = await Promise.all(paths.map((path) => get(path, encoding)))
      assert.ok(answers.reduce((total, { bytes }) => total + bytes.length, 0) <= 1_500_000, encoding)
    }
  })

  it('serves the script of the package that is installed', async () => {
    const command = fileURLToPath(new URL('../../scripts/vendor-docs.ts', import.meta.url))
    await promisify(execFile)(process.execPath, [command, '--check'])
  })
})

describe('the encoding of an answer', () => {
  const cases: [accepted: string | undefined, chosen: string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br; q=0.1, gzip', 'gzip'],
    ['gzip;q=0.5, identity', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', 'identity'],
    ['identity;q=0, *;q=0', 'identity'],
    ['gzip;q=0.000', 'identity'],
    ['br;q=2', 'identity'],
    ['*;q=0.3, gzip;q=0.2', 'br'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['deflate', 'identity'],
    ['br;q=nonsense', 'identity'],
  ]
  for (const [accepted, chosen] of cases) {
    it(`is ${chosen} for a client that takes ${JSON.stringify(accepted)}`, () => {
      assert.equal(bestEncoding(accepted), chosen)
    })
  }
})
