/** CORS in a real browser: a page of any origin may read; only a page of an allowed origin may create records. */
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import { test } from '@playwright/test'
import type { Muster } from './support/muster.ts'
import { startMuster, writeToken } from './support/muster.ts'
import type { Site } from './support/site.ts'
import { startSite } from './support/site.ts'

/** The part of RequestInit that Playwright can pass to a page. */
interface RequestOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

interface VisibleResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

test.describe('a page of another origin', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let allowedSite: Site
  let otherSite: Site
  let muster: Muster
  test.beforeAll(async () => {
    ;[allowedSite, otherSite] = await Promise.all([startSite(), startSite()])
    muster = await startMuster({ settings: { MUSTER_CORS_ORIGINS: allowedSite.origin } })
  })
  test.afterAll(async () => {
    await muster?.stop()
    await allowedSite?.stop()
    await otherSite?.stop()
  })

  /**
   * Opens a page of this site and sends a request to the service from a script on it. The result is undefined if the
   * browser blocks the response.
   */
  const fetchFrom = async (
    page: Page,
    siteOrigin: string,
    path: string,
    init: RequestOptions = {},
  ): Promise<VisibleResponse | undefined> => {
    await page.goto(siteOrigin)
    return page.evaluate(
      async ([url, init]) => {
        try {
          const response = await fetch(url, init)
          return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
        } catch {
          return undefined
        }
      },
      [`${muster.origin}/api${path}`, init] as const,
    )
  }
  const leave = { employee_id: 1, leave_type: 'annual', from_date: '2026-03-02', to_date: '2026-03-03', days: 2 }
  const createRequest = (token: string, body: object): RequestOptions => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'from-a-page' },
    body: JSON.stringify(body),
  })

  test('can read lists, including the ETag, Link and X-Request-Id headers', async ({ page }) => {
    for (const { origin } of [allowedSite, otherSite]) {
      const response = await fetchFrom(page, origin, '/v1/employees?limit=50')
      assert.equal(response?.status, 200)
      for (const name of ['etag', 'link', 'x-request-id']) assert.ok(response.headers[name], name)
      assert.equal(JSON.parse(response.text).data.length, 50)
      const headers = { 'if-none-match': '"other"', prefer: 'handling=strict', authorization: 'Bearer none' }
      assert.equal((await fetchFrom(page, origin, '/v1/employees', { headers }))?.status, 200)
      assert.equal((await fetchFrom(page, origin, '/v1/employees?stauts=x', { headers }))?.status, 422)
      assert.equal((await fetchFrom(page, origin, '/v1/employees/none'))?.status, 404)
    }
  })

  test('can create records and read error responses if its origin is allowed', async ({ page }) => {
    const createResponse = await fetchFrom(page, allowedSite.origin, '/v1/leave', createRequest(writeToken, leave))
    assert.equal(createResponse?.status, 201)
    assert.ok(createResponse?.headers.location)
    const replayedResponse = await fetchFrom(page, allowedSite.origin, '/v1/leave', createRequest(writeToken, leave))
    assert.deepEqual([replayedResponse?.status, replayedResponse?.headers['idempotent-replayed']], [201, 'true'])
    assert.equal((await fetchFrom(page, allowedSite.origin, '/v1/leave', createRequest('wrong', leave)))?.status, 401)
    assert.equal((await fetchFrom(page, allowedSite.origin, '/v1/leave', createRequest(writeToken, {})))?.status, 422)
  })

  test('cannot create records if its origin is not allowed', async ({ page }) => {
    const countLeave = async () =>
      JSON.parse((await fetchFrom(page, otherSite.origin, '/v1/leave?limit=1'))?.text ?? '{}').meta.total as number
    const countBefore = await countLeave()
    assert.equal(
      await fetchFrom(page, otherSite.origin, '/v1/leave', createRequest(writeToken, { ...leave, days: 1 })),
      undefined,
    )
    assert.equal(await countLeave(), countBefore)
  })
})
