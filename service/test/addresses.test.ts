/** Every address: the methods it takes, what it says to others, and what stands on every answer. */
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, exchange } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService } from './support/service.ts'

const reads = ['/api', '/api/', '/api/openapi.json', '/api/v1/health', '/api/v1/health/', '/livez', '/readyz']
const addresses: [path: string, allow: string][] = [
  ...reads.map((path): [string, string] => [path, 'GET, HEAD, OPTIONS']),
  ...resources.flatMap(({ path, creatable }): [string, string][] => [
    [`/api/v1/${path}`, creatable ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'],
    [`/api/v1/${path}/`, creatable ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'],
    [`/api/v1/${path}/1`, 'GET, HEAD, OPTIONS'],
  ]),
]

describe('addresses', () => {
  let database: TestDatabase
  let service: RunningService
  let host: string
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    host = `http://127.0.0.1:${service.port}`
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  for (const [path, allow] of addresses) {
    it(`${path} takes ${allow} and nothing else`, async () => {
      const allowed = allow.split(', ')
      for (const method of METHODS.filter((name) => !['CONNECT', ...allowed].includes(name))) {
        const answer = await exchange(
          service.port,
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        )
        assert.match(answer, /^HTTP\/1\.1 405 /, method)
        assert.ok(answer.includes(`\r\nallow: ${allow}\r\n`), `${method} ${answer}`)
        assert.ok(answer.includes('"code":"method_not_allowed"'))
      }
      const options = await ask(host + path, { method: 'OPTIONS' })
      assert.deepEqual([options.status, options.headers.get('allow'), options.text], [204, allow, ''])
    })
  }

  it('answer HEAD as GET, without the body', async () => {
    for (const path of [
      '/api',
      '/api/v1/health',
      '/api/v1/employees',
      '/api/v1/employees/1',
      '/api/v1/employees?limit=0',
      '/nowhere',
    ]) {
      const get = await ask(host + path)
      const head = await ask(host + path, { method: 'HEAD' })
      assert.equal(head.status, get.status, path)
      assert.equal(head.text, '')
      assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
      assert.equal(Number(head.headers.get('content-length')) > 0, true)
    }
  })

  for (const path of [
    '/',
    '/nowhere',
    '/api/v2/employees',
    '/api/v1',
    '/api/v1/nothing',
    '/api/v1/nothing/1',
    '/api/v1/Employees',
    '/api//v1/employees',
    '/api/v1/employees/1/2',
    '/%zz',
    '/%ff',
    '/api/v1/%ff/1',
  ]) {
    it(`nothing is at ${path}, whatever the method`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const answer = await ask(host + path, { method })
        assert.equal(answer.status, 404, method)
        assert.equal(answer.json.error.code, 'not_found')
      }
    })
  }

  it('carry application/json and nothing more', async () => {
    for (const path of [
      '/api',
      '/api/v1/employees',
      '/api/v1/employees/1',
      '/api/v1/employees?limit=x',
      '/nowhere',
      '/livez',
    ]) {
      assert.equal(
        (await ask(host + path, { headers: { accept: 'text/html' } })).headers.get('content-type'),
        'application/json',
      )
    }
  })

  it('carry an id that no other answer carries', async () => {
    const paths = [
      '/api',
      '/api/v1/health',
      '/api/v1/employees',
      '/api/v1/employees/1',
      '/api/v1/employees/%ff',
      '/api/v1/employees?limit=x',
      '/%zz',
      '/livez',
    ]
    const ids = await Promise.all(paths.map(async (path) => (await ask(host + path)).headers.get('x-request-id')))
    assert.equal(new Set(ids.filter((id) => id !== null && id !== '')).size, paths.length)
  })

  it('tell of the service at the index', async () => {
    const { json } = await ask(`${host}/api`)
    assert.equal(json.product, 'Muster')
    assert.equal(Object.keys(json.links.resources).length, 12)
    for (const path of Object.values<string>(json.links.resources)) assert.equal((await ask(host + path)).status, 200)
  })

  it('tell of the health in exactly the declared shape', async () => {
    const answer = await ask(`${host}/api/v1/health`)
    assert.equal(answer.text, '{"status":"ok","product":"Muster","version":"1.0.0","writes_enabled":true}')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  })

  it('answer bytes that are no HTTP with the envelope', async () => {
    const answer = await exchange(service.port, 'nonsense\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(answer, /"error":\{"code":"bad_request"/)
  })

  it('answer header fields that are too large with the envelope', async () => {
    const answer = await exchange(service.port, `GET /api HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 /)
    assert.match(answer, /"code":"headers_too_large"/)
  })
})
