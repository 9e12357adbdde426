import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { consoleBuild, writeConsoleBuild } from '../../../../tests/support/console-build.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService, ServiceSettings } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const { font, html, script, styles } = consoleBuild

describe('the console', () => {
  let database: TestDatabase
  let folder: string
  let service: RunningService
  let origin: string
  const startWith = (settings: ServiceSettings, path = folder): Promise<RunningService> =>
    startService(database.url, { consoleFolder: pathToFileURL(`${path}/`), ...settings })
  /** Starts another service for one test. */
  const startForTest = async (t: TestContext, settings: ServiceSettings, path = folder): Promise<string> => {
    const ownService = await startWith(settings, path)
    t.after(() => ownService.stop())
    return `http://127.0.0.1:${ownService.port}`
  }
  before(async () => {
    database = await createTestDatabase()
    folder = await mkdtemp(join(tmpdir(), 'muster-console-'))
    await writeConsoleBuild(folder)
    service = await startWith({})
    origin = `http://127.0.0.1:${service.port}`
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
    await database.drop()
  })

  it('redirects /console to a relative URL with a slash, and keeps the query', async () => {
    for (const [path, location] of [
      ['/console', 'console/'],
      ['/console?day=2026-10-30', 'console/?day=2026-10-30'],
    ] as const) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await sendRawRequest(origin + path, { method })
        assert.deepEqual([status, headers.location, headers['cache-control']], [302, location, 'no-cache'])
      }
    }
    assert.match((await sendRequest(`${origin}/console`)).text, /<title>today<\/title>/)
  })

  it('is a page that loads only from its own origin', async () => {
    const { status, headers, text } = await sendRequest(`${origin}/console/nowhere`)
    assert.equal(status, 200)
    assert.equal(text, html)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.equal(headers.get('vary'), 'accept-encoding')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-first=' 'sha256-second='; font-src 'self'; " +
        "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  it('has a page for each screen, with URLs that lead to the same files from every path', async () => {
    for (const [path, name] of [
      ['/console/', 'today'],
      ['/console/?q=a/b/c', 'today'],
      ['/console/people', 'people'],
      ['/console/people?open=12', 'people'],
      ['/console/people/12?tab=leave/a', 'person'],
      ['/console/people/a%2Fb', 'person'],
      ['/console/people/$id', 'person'],
      ['/console/hiring/openings/1', 'opening'],
    ] as const) {
      const { status, headers, text } = await sendRequest(origin + path)
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/html; charset=utf-8'], path)
      assert.match(text, new RegExp(`<title>${name}</title>`), path)
      assert.deepEqual(
        [...text.matchAll(/href="([^"]+)"/g)].map(([, url = '']) => new URL(url, origin + path).href),
        ['console/assets/index-B1x_-9Za.js', 'console/today', 'api/docs'].map((file) => `${origin}/${file}`),
        path,
      )
    }
  })

  it('is the same page at every other path', async () => {
    for (const path of [
      '/console/people/',
      '/console/people/12/',
      '/console/People',
      '/console/data/employees/12/',
      '/console/hiring/openings',
      '/console/people//12',
      '/console/constructor',
      '/console/favicon.ico',
      '/console/assets',
      `/console/${'a/'.repeat(16)}`,
    ]) {
      const { status, text } = await sendRequest(origin + path)
      assert.equal(status, 200, path)
      const urls = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url = '']) => new URL(url, origin + path).href)
      assert.deepEqual(
        urls,
        [
          'console/assets/icon.svg',
          'console/assets/index-B1x_-9Za.js',
          'console/assets/index-C2y_-8Yb.css',
          'api/docs',
        ].map((name) => `${origin}/${name}`),
        path,
      )
      assert.ok(text.includes('<p>"./assets/" is text</p>'))
    }
  })

  it('counts the folders of a URL that contains the host, or an encoded path', async () => {
    for (const target of [`http://muster.example/console/people/12`, '/%63onsole/people/12']) {
      const { bytes } = await sendRawRequest(origin, { path: target })
      assert.ok(bytes.toString().includes(' href="../assets/index-B1x_-9Za.js"'), target)
    }
  })

  it('has no page deeper than 16 folders, so that pages take little memory', async () => {
    const response = await sendRequest(`${origin}/console/${'a/'.repeat(17)}`)
    assert.deepEqual([response.status, response.json.error.code], [404, 'not_found'])
  })

  it('returns 304 if the ETag of the page is current, which differs by screen, depth and encoding', async () => {
    const etagOf = async (path: string, encoding: string) =>
      (await sendRawRequest(origin + path, { headers: { 'accept-encoding': encoding } })).headers.etag
    const etags = await Promise.all([
      etagOf('/console/nowhere', 'br'),
      etagOf('/console/nowhere', 'gzip'),
      etagOf('/console/nowhere', 'identity'),
      etagOf('/console/nowhere/', 'br'),
      etagOf('/console/people', 'br'),
    ])
    assert.equal(new Set(etags).size, 5)
    const headers = { 'accept-encoding': 'br', 'if-none-match': etags[0] }
    assert.equal((await sendRawRequest(`${origin}/console/nowhere`, { headers })).status, 304)
    assert.equal((await sendRawRequest(`${origin}/console/elsewhere`, { headers })).status, 304)
    assert.equal((await sendRawRequest(`${origin}/console/nowhere/`, { headers })).status, 200)
  })

  it('has assets with their content types, which browsers may cache for a year', async () => {
    for (const [name, type, text] of [
      ['index-B1x_-9Za.js', 'text/javascript; charset=utf-8', script],
      ['index-C2y_-8Yb.css', 'text/css; charset=utf-8', styles],
      ['data-D3z_-7Xc.json', 'application/json', '{}'],
      ['inter-E4a_-6Wd.woff2', 'font/woff2', font.toString()],
      ['data-F5b_-5Ve.bin', 'application/octet-stream', 'x'],
    ] as const) {
      const url = `${origin}/console/assets/${name}`
      const response = await sendRequest(url)
      assert.deepEqual([response.status, response.headers.get('content-type'), response.text], [200, type, text])
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable')
      assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin')
      const etag = response.headers.get('etag') ?? ''
      assert.equal((await sendRequest(url, { headers: { 'if-none-match': etag } })).status, 304)
    }
  })

  it('has assets without a hash in their name, which browsers revalidate', async () => {
    const { headers } = await sendRequest(`${origin}/console/assets/icon.svg`)
    assert.deepEqual([headers.get('content-type'), headers.get('cache-control')], ['image/svg+xml', 'no-cache'])
  })

  it('sends the Brotli file of the build, or gzip, and fonts as they are', async () => {
    const getAsset = (name: string, encoding: string) =>
      sendRawRequest(`${origin}/console/assets/${name}`, { headers: { 'accept-encoding': encoding } })
    const brotli = await getAsset('index-B1x_-9Za.js', 'gzip, br')
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.equal(brotli.headers.vary, 'accept-encoding')
    assert.equal(brotliDecompressSync(brotli.bytes).toString(), script)
    const gzip = await getAsset('index-B1x_-9Za.js', 'gzip')
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(gzip.bytes).toString(), script)
    const fontResponse = await getAsset('inter-E4a_-6Wd.woff2', 'gzip, br')
    assert.equal(fontResponse.headers['content-encoding'], undefined)
    assert.ok(fontResponse.bytes.equals(font))
  })

  it('serves no other file: unknown assets and paths out of the folder return 404', async () => {
    for (const path of [
      '/console/assets/index.js',
      '/console/assets/index-B1x_-9Za.js.br',
      '/console/assets/../csp.json',
      '/console/assets/..%2fcsp.json',
      '/console/assets/%2e%2e/csp.json',
      '/console/assets/..%5ccsp.json',
      `/console/assets/${encodeURIComponent(join(folder, 'csp.json'))}`,
      '/console/assets/constructor',
      '/console/assets/__proto__',
    ]) {
      const { status, headers, bytes } = await sendRawRequest(origin, { path })
      assert.deepEqual([status, JSON.parse(bytes.toString()).error.code], [404, 'not_found'], path)
      assert.equal(headers['cache-control'], 'no-store')
    }
    assert.equal((await sendRequest(`${origin}/console/csp.json`)).text, html)
  })

  it('responds to HEAD, and with 405 to other methods', async () => {
    for (const path of ['/console/', '/console/people/12', '/console/assets/index-B1x_-9Za.js']) {
      const head = await sendRequest(origin + path, { method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
      assert.ok(Number(head.headers.get('content-length')) > 0)
      const notAllowed = await sendRequest(origin + path, { method: 'POST' })
      assert.deepEqual([notAllowed.status, notAllowed.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('is open if reads need a token, and never counts towards a rate limit', async (t) => {
    const strictOrigin = await startForTest(t, {
      reads: 'token',
      readTokens: ['a-token-for-reads-alone-of-more-than-32-characters'],
      limits: { reads: 1, authFailures: 1 },
    })
    for (let round = 0; round < 3; round += 1)
      for (const path of ['/', '/console/', '/console/people', '/console/assets/index-B1x_-9Za.js'])
        assert.equal((await sendRequest(strictOrigin + path)).status, 200, path)
    assert.equal((await sendRequest(`${strictOrigin}/api/v1/employees`)).status, 401)
  })

  it('can be turned off', async (t) => {
    const originWithout = await startForTest(t, { console: false })
    for (const path of ['/console', '/console/', '/console/people', '/console/assets/index-B1x_-9Za.js'])
      assert.equal((await sendRequest(originWithout + path)).status, 404, path)
  })

  it('names the build command while there is no build, and appears without a restart after the build', async (t) => {
    const newFolder = join(folder, 'new')
    const url = `${await startForTest(t, {}, newFolder)}/console/nowhere`
    for (const state of ['no folder', 'an incomplete build']) {
      const { status, headers, text } = await sendRequest(url)
      assert.equal(status, 503, state)
      assert.ok(text.includes('<pre>npm run build</pre>'))
      assert.deepEqual(
        [headers.get('content-type'), headers.get('cache-control'), headers.get('retry-after')],
        ['text/html; charset=utf-8', 'no-store', null],
      )
      assert.equal((await sendRequest(new URL('assets/index-B1x_-9Za.js', url).href)).status, 404)
      await writeConsoleBuild(newFolder)
      if (state === 'no folder') await rm(join(newFolder, 'csp.json'))
    }
    assert.equal((await sendRequest(url)).text, html)
  })

  it('stays as it was loaded when a later build replaces the files', async (t) => {
    const newFolder = join(folder, 'replaced')
    await writeConsoleBuild(newFolder)
    const url = `${await startForTest(t, {}, newFolder)}/console/`
    assert.equal((await sendRequest(`${url}nowhere`)).text, html)
    await rm(newFolder, { recursive: true })
    assert.equal((await sendRequest(`${url}nowhere`)).text, html)
    assert.equal((await sendRequest(`${url}assets/index-B1x_-9Za.js`)).text, script)
  })

  it('responds 500 if the build cannot be read, and tries again at the next request', async (t) => {
    const brokenFolder = join(folder, 'broken')
    await writeConsoleBuild(brokenFolder)
    await writeFile(join(brokenFolder, 'csp.json'), 'not JSON')
    const url = `${await startForTest(t, {}, brokenFolder)}/console/`
    assert.equal((await sendRequest(url)).json.error.code, 'internal_error')
    await writeConsoleBuild(brokenFolder)
    assert.equal((await sendRequest(url)).status, 200)
  })
})
