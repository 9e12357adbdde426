import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('the root of the host', () => {
  let database: TestDatabase
  let service: RunningService
  let serviceWithoutConsole: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    serviceWithoutConsole = await startService(database.url, { console: false })
  })
  after(async () => {
    await service.stop()
    await serviceWithoutConsole.stop()
    await database.drop()
  })

  const get = (accept: string | undefined, { port } = service, method = 'GET') =>
    sendRawRequest(`http://127.0.0.1:${port}/`, { method, headers: accept === undefined ? {} : { accept } })

  for (const accept of [browserAccept, 'text/html', 'TEXT/HTML;q=0.1', 'application/json, text/html;charset=utf-8'])
    it(`redirects to the console if Accept is ${accept}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, bytes } = await get(accept, service, method)
        assert.deepEqual([status, headers.location, bytes.length], [302, 'console/', 0])
        assert.deepEqual([headers.vary, headers['cache-control']], ['accept', 'no-cache'])
      }
    })

  for (const accept of [undefined, '', '*/*', 'text/*', 'application/json', 'text/html;q=0', 'text/html-x', 'nonsense'])
    it(`is an index if Accept is ${accept}`, async () => {
      const { status, headers, bytes } = await get(accept)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/json')
      assert.equal(headers.vary, 'accept, accept-encoding')
      assert.equal(headers['cache-control'], 'no-cache')
      assert.deepEqual(JSON.parse(bytes.toString()), {
        product: 'Muster',
        version: '1.0.0',
        links: {
          console: '/console/',
          api: '/api',
          description: '/api/openapi.json',
          documentation: '/api/docs',
          health: '/api/v1/health',
        },
      })
    })

  it('has an ETag', async () => {
    const { headers } = await get('*/*')
    const response = await sendRequest(`http://127.0.0.1:${service.port}/`, {
      headers: { 'if-none-match': headers.etag ?? '' },
    })
    assert.equal(response.status, 304)
  })

  it('redirects to the documentation and links to no console if the console is off', async () => {
    assert.equal((await get(browserAccept, serviceWithoutConsole)).headers.location, 'api/docs')
    const { bytes } = await get('*/*', serviceWithoutConsole)
    assert.equal(JSON.parse(bytes.toString()).links.console, undefined)
  })

  it('links only to paths that exist', async () => {
    const { links } = JSON.parse((await get('*/*', serviceWithoutConsole)).bytes.toString())
    for (const path of Object.values<string>(links))
      assert.equal((await sendRequest(`http://127.0.0.1:${serviceWithoutConsole.port}${path}`)).status, 200, path)
  })
})

describe('the index of the API', () => {
  it('contains the reading mode, and no result of a check that has not run', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    for (const reads of ['public', 'redacted', 'token'] as const) {
      const service = await startService(database.url, { reads })
      const { json } = await sendRequest(service.baseUrl)
      await service.stop()
      assert.deepEqual([json.reads, json.real_email_domains], [reads, null])
    }
  })
})
