import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { preferredEncoding } from '../../src/http/request/accept-encoding.ts'

describe('the documentation page', () => {
  let database: TestDatabase
  let service: RunningService
  let docsUrl: string
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    docsUrl = `${service.baseUrl}/docs`
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** Requests a path with the given Accept-Encoding. Unlike fetch, it does not decompress the response. */
  const getBytes = async (path: string, encoding: string) => {
    const outgoingRequest = request({ port: service.port, path, headers: { 'accept-encoding': encoding } }).end()
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      outgoingRequest.on('response', resolve).on('error', reject),
    )
    return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
  }

  const readScriptPath = async (): Promise<string> =>
    / src="([^"]+)"/.exec((await sendRequest(docsUrl)).text)?.[1] ?? ''

  it('is HTML at its URL with and without a trailing slash', async () => {
    for (const url of [docsUrl, `${docsUrl}/`]) {
      const { status, headers, text } = await sendRequest(url)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('cache-control'), 'no-cache')
      assert.match(text, /<title>Muster API<\/title>/)
    }
  })

  it('has a CSP that allows only scripts and styles with its nonce, and only requests to its own origin', async () => {
    const { headers, text } = await sendRequest(docsUrl)
    const nonce = / nonce="([\w-]{20,})"/.exec(text)?.[1]
    assert.equal(
      headers.get('content-security-policy'),
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; ` +
        "connect-src 'self'; img-src 'self' data:; font-src 'self' data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    for (const [tag] of text.matchAll(/<(?:script|style)\b[^>]*>/g)) assert.ok(tag.includes(` nonce="${nonce}"`), tag)
  })

  it('has a different nonce in every response', async () => {
    const policies = await Promise.all(
      [1, 2, 3].map(async () => (await sendRequest(docsUrl)).headers.get('content-security-policy')),
    )
    assert.equal(new Set(policies).size, 3)
  })

  it('contains no URL of another host', async () => {
    const { text } = await sendRequest(docsUrl)
    assert.deepEqual(decodeURIComponent(text).match(/https?:\/\/(?!www\.w3\.org\/2000\/svg)[^"\s]+/g), null)
  })

  it('responds to HEAD, and with 405 to other methods', async () => {
    for (const url of [docsUrl, new URL(await readScriptPath(), docsUrl).href]) {
      const headResponse = await sendRequest(url, { method: 'HEAD' })
      assert.deepEqual([headResponse.status, headResponse.text], [200, ''])
      const notAllowedResponse = await sendRequest(url, { method: 'POST' })
      assert.deepEqual(
        [notAllowedResponse.status, notAllowedResponse.headers.get('allow')],
        [405, 'GET, HEAD, OPTIONS'],
      )
      assert.equal(notAllowedResponse.json.error.code, 'method_not_allowed')
    }
  })

  it('is linked from the index', async () => {
    const { json } = await sendRequest(service.baseUrl)
    assert.equal(json.links.documentation, '/api/docs')
  })

  it('has an immutable script, which is the same in every encoding', async () => {
    const path = await readScriptPath()
    const [br, gzip, identity] = await Promise.all(['gzip, br', 'gzip', ''].map((encoding) => getBytes(path, encoding)))
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

  it('has a script whose URL contains the hash of its content', async () => {
    const path = await readScriptPath()
    assert.match(path, /^\/api\/docs\/scalar-[0-9a-f]{16}\.js$/)
    const wrongHashResponse = await sendRequest(new URL(path.replace(/[0-9a-f]{16}/, '0'.repeat(16)), docsUrl).href)
    assert.equal(wrongHashResponse.status, 404)
  })

  it('loads at most 1.5 MB in total, even if the client accepts only gzip', async () => {
    const paths = ['/api/docs', await readScriptPath(), '/api/openapi.json']
    for (const encoding of ['br', 'gzip']) {
      const responses = await Promise.all(paths.map((path) => getBytes(path, encoding)))
      assert.ok(responses.reduce((total, { bytes }) => total + bytes.length, 0) <= 1_500_000, encoding)
    }
  })

  it('serves the same script as the installed Scalar package', async () => {
    const scriptFile = fileURLToPath(new URL('../../../../tools/scripts/vendor-docs.ts', import.meta.url))
    await promisify(execFile)(process.execPath, [scriptFile, '--check'])
  })
})

describe('the encoding of a response', () => {
  const cases: [accepted: string | undefined, encoding: string][] = [
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
  for (const [accepted, encoding] of cases) {
    it(`is ${encoding} for Accept-Encoding ${JSON.stringify(accepted)}`, () => {
      assert.equal(preferredEncoding(accepted), encoding)
    })
  }
})
