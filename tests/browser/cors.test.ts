/** CORS in a real browser: a page of any origin may read; only a page of an allowed origin may create records. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { TestBrowser } from './support/browser.ts'
import { openBrowser } from './support/browser.ts'
import type { RunningService } from './support/served.ts'
import { serve } from './support/served.ts'

/** Serves an empty page from an origin other than that of the service. */
const startSite = async (): Promise<{ server: Server; origin: string }> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface VisibleResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

describe('a page of another origin', () => {
  let allowedSite: Awaited<ReturnType<typeof startSite>>
  let otherSite: Awaited<ReturnType<typeof startSite>>
  let service: RunningService
  let chromium: TestBrowser
  before(async () => {
    ;[allowedSite, otherSite] = await Promise.all([startSite(), startSite()])
    service = await serve({ MUSTER_CORS_ORIGINS: allowedSite.origin })
    chromium = await openBrowser()
  })
  after(async () => {
    await chromium?.close()
    await service?.stop()
    allowedSite?.server.close()
    otherSite?.server.close()
  })

  /**
   * Opens a page of this site and sends a request to the service from a script on it. The result is undefined if the
   * browser blocks the response.
   */
  const fetchFrom = async (
    siteOrigin: string,
    path: string,
    init: RequestInit = {},
  ): Promise<VisibleResponse | undefined> => {
    const page = await chromium.newPage()
    try {
      await page.goto(siteOrigin)
      return await page.evaluate(
        async (url, init) => {
          try {
            const response = await fetch(url, init)
            return {
              status: response.status,
              headers: Object.fromEntries(response.headers),
              text: await response.text(),
            }
          } catch {
            return undefined
          }
        },
        `${service.origin}/api${path}`,
        init,
      )
    } finally {
      await page.close()
    }
  }
  const leave = { employee_id: 1, leave_type: 'annual', from_date: '2026-03-02', to_date: '2026-03-03', days: 2 }
  const createRequest = (token: string, body: object): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'from-a-page' },
    body: JSON.stringify(body),
  })

  test('can read lists, including the ETag, Link and X-Request-Id headers', async () => {
    for (const { origin } of [allowedSite, otherSite]) {
      const response = await fetchFrom(origin, '/v1/employees?limit=50')
      assert.equal(response?.status, 200)
      for (const name of ['etag', 'link', 'x-request-id']) assert.ok(response.headers[name], name)
      assert.equal(JSON.parse(response.text).data.length, 50)
      const headers = { 'if-none-match': '"other"', prefer: 'handling=strict', authorization: 'Bearer none' }
      assert.equal((await fetchFrom(origin, '/v1/employees', { headers }))?.status, 200)
      assert.equal((await fetchFrom(origin, '/v1/employees?stauts=x', { headers }))?.status, 422)
      assert.equal((await fetchFrom(origin, '/v1/employees/none'))?.status, 404)
    }
  })

  test('can create records and read error responses if its origin is allowed', async () => {
    const createResponse = await fetchFrom(allowedSite.origin, '/v1/leave', createRequest(service.token, leave))
    assert.equal(createResponse?.status, 201)
    assert.ok(createResponse?.headers.location)
    const replayedResponse = await fetchFrom(allowedSite.origin, '/v1/leave', createRequest(service.token, leave))
    assert.deepEqual([replayedResponse?.status, replayedResponse?.headers['idempotent-replayed']], [201, 'true'])
    assert.equal((await fetchFrom(allowedSite.origin, '/v1/leave', createRequest('wrong', leave)))?.status, 401)
    assert.equal((await fetchFrom(allowedSite.origin, '/v1/leave', createRequest(service.token, {})))?.status, 422)
  })

  test('cannot create records if its origin is not allowed', async () => {
    const countLeave = async () =>
      JSON.parse((await fetchFrom(otherSite.origin, '/v1/leave?limit=1'))?.text ?? '{}').meta.total as number
    const countBefore = await countLeave()
    assert.equal(
      await fetchFrom(otherSite.origin, '/v1/leave', createRequest(service.token, { ...leave, days: 1 })),
      undefined,
    )
    assert.equal(await countLeave(), countBefore)
  })
})
