import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { listedResources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawBytes, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const readPaths = [
  ...['/', '/api', '/api/', '/api/openapi.json', '/api/v1/health', '/api/v1/health/', '/livez', '/readyz'],
  ...['/console', '/console/', '/console/people/12', '/console/assets/index.js'],
]
const routes: [path: string, allow: string][] = [
  ...readPaths.map((path): [string, string] => [path, 'GET, HEAD, OPTIONS']),
  ...listedResources.flatMap(({ path, creatable }): [string, string][] => [
    [`/api/v1/${path}`, creatable ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'],
    [`/api/v1/${path}/`, creatable ? 'GET, HEAD, POST, OPTIONS' : 'GET, HEAD, OPTIONS'],
    [`/api/v1/${path}/1`, 'GET, HEAD, OPTIONS'],
  ]),
]

describe('routes', () => {
  let database: TestDatabase
  let service: RunningService
  let origin: string
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    origin = `http://127.0.0.1:${service.port}`
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  for (const [path, allow] of routes) {
    it(`allow only ${allow} at ${path}`, async () => {
      const allowedMethods = allow.split(', ')
      for (const method of METHODS.filter((name) => !['CONNECT', ...allowedMethods].includes(name))) {
        const response = await sendRawBytes(
          service.port,
          `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        )
        assert.match(response, /^HTTP\/1\.1 405 /, method)
        assert.ok(response.includes(`\r\nallow: ${allow}\r\n`), `${method} ${response}`)
        assert.ok(response.includes('"code":"method_not_allowed"'))
      }
      const optionsResponse = await sendRequest(origin + path, { method: 'OPTIONS' })
      assert.deepEqual(
        [optionsResponse.status, optionsResponse.headers.get('allow'), optionsResponse.text],
        [204, allow, ''],
      )
    })
  }

  it('respond to HEAD as to GET, but without the body', async () => {
    for (const path of [
      '/api',
      '/api/v1/health',
      '/api/v1/employees',
      '/api/v1/employees/1',
      '/api/v1/employees?limit=0',
      '/nowhere',
    ]) {
      const getResponse = await sendRequest(origin + path)
      const headResponse = await sendRequest(origin + path, { method: 'HEAD' })
      assert.equal(headResponse.status, getResponse.status, path)
      assert.equal(headResponse.text, '')
      assert.equal(headResponse.headers.get('content-type'), getResponse.headers.get('content-type'))
      assert.equal(Number(headResponse.headers.get('content-length')) > 0, true)
    }
  })

  for (const path of [
    '/nowhere',
    '/consoles',
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
    it(`respond 404 at ${path} for every method`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const response = await sendRequest(origin + path, { method })
        assert.equal(response.status, 404, method)
        assert.equal(response.json.error.code, 'not_found')
      }
    })
  }

  it('respond with content type application/json without parameters', async () => {
    for (const path of [
      '/api',
      '/api/v1/employees',
      '/api/v1/employees/1',
      '/api/v1/employees?limit=x',
      '/nowhere',
      '/livez',
    ]) {
      assert.equal(
        (await sendRequest(origin + path, { headers: { accept: 'text/html' } })).headers.get('content-type'),
        'application/json',
      )
    }
  })

  it('respond with a unique request id', async () => {
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
    const ids = await Promise.all(
      paths.map(async (path) => (await sendRequest(origin + path)).headers.get('x-request-id')),
    )
    assert.equal(new Set(ids.filter((id) => id !== null && id !== '')).size, paths.length)
  })

  it('include an index of the resources', async () => {
    const { json } = await sendRequest(`${origin}/api`)
    assert.equal(json.product, 'Muster')
    assert.deepEqual(
      Object.values(json.links.resources),
      listedResources.map(({ path }) => `/api/v1/${path}`),
    )
    for (const path of Object.values<string>(json.links.resources))
      assert.equal((await sendRequest(origin + path)).status, 200)
  })

  it('include a health check with exactly the declared body', async () => {
    const response = await sendRequest(`${origin}/api/v1/health`)
    assert.equal(response.text, '{"status":"ok","product":"Muster","version":"1.0.0","writes_enabled":true}')
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  it('respond to bytes that are not HTTP with the error envelope', async () => {
    const response = await sendRawBytes(service.port, 'nonsense\r\n\r\n')
    assert.match(response, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(response, /"error":\{"code":"bad_request"/)
  })

  it('respond to headers that are too large with the error envelope', async () => {
    const response = await sendRawBytes(
      service.port,
      `GET /api HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    )
    assert.match(response, /^HTTP\/1\.1 431 /)
    assert.match(response, /"code":"headers_too_large"/)
  })
})
