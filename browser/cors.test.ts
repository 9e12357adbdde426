/** In charge of pages of other origins as a browser treats them: any may read, a named one may create, no other may. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { TestBrowser } from './support/browser.ts'
import { openBrowser } from './support/browser.ts'
import type { Served } from './support/served.ts'
import { serve } from './support/served.ts'

/** A page of another origin, with nothing on it. */
const openSite = async (): Promise<{ server: Server; origin: string }> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

describe('a page of another origin', () => {
  let named: Awaited<ReturnType<typeof openSite>>
  let other: Awaited<ReturnType<typeof openSite>>
  let served: Served
  let chromium: TestBrowser
  before(async () => {
    ;[named, other] = await Promise.all([openSite(), openSite()])
    served = await serve({ MUSTER_CORS_ORIGINS: named.origin })
    chromium = await openBrowser()
  })
  after(async () => {
    await chromium?.close()
    await served?.stop()
    named?.server.close()
    other?.server.close()
  })

  /** What a script on the page sees of an answer; undefined where the browser lets it see nothing. */
  const fetchFrom = async (site: string, path: string, init: RequestInit = {}): Promise<Seen | undefined> => {
    const page = await chromium.browser.newPage()
    try {
      await page.goto(site)
      return await page.evaluate(
        async (url, init) => {
          try {
            const answer = await fetch(url, init)
            return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() }
          } catch {
            return undefined
          }
        },
        `${served.origin}/api${path}`,
        init,
      )
    } finally {
      await page.close()
    }
  }
  const leave = { employee_id: 1, leave_type: 'annual', from_date: '2026-03-02', to_date: '2026-03-03', days: 2 }
  const create = (token: string, body: object): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'from-a-page' },
    body: JSON.stringify(body),
  })

  test('lists, and sees tag, links and request id', async () => {
    for (const { origin } of [named, other]) {
      const seen = await fetchFrom(origin, '/v1/employees?limit=50')
      assert.equal(seen?.status, 200)
      for (const name of ['etag', 'link', 'x-request-id']) assert.ok(seen.headers[name], name)
      assert.equal(JSON.parse(seen.text).data.length, 50)
      const headers = { 'if-none-match': '"other"', prefer: 'handling=strict', authorization: 'Bearer none' }
      assert.equal((await fetchFrom(origin, '/v1/employees', { headers }))?.status, 200)
      assert.equal((await fetchFrom(origin, '/v1/employees?stauts=x', { headers }))?.status, 422)
      assert.equal((await fetchFrom(origin, '/v1/employees/none'))?.status, 404)
    }
  })

  test('creates where it is named, and sees why it is refused', async () => {
    const created = await fetchFrom(named.origin, '/v1/leave', create(served.token, leave))
    assert.equal(created?.status, 201)
    assert.ok(created?.headers.location)
    const again = await fetchFrom(named.origin, '/v1/leave', create(served.token, leave))
    assert.deepEqual([again?.status, again?.headers['idempotent-replayed']], [201, 'true'])
    assert.equal((await fetchFrom(named.origin, '/v1/leave', create('wrong', leave)))?.status, 401)
    assert.equal((await fetchFrom(named.origin, '/v1/leave', create(served.token, {})))?.status, 422)
  })

  test('does not create where it is not named', async () => {
    const total = async () =>
      JSON.parse((await fetchFrom(other.origin, '/v1/leave?limit=1'))?.text ?? '{}').meta.total as number
    const before = await total()
    assert.equal(await fetchFrom(other.origin, '/v1/leave', create(served.token, { ...leave, days: 1 })), undefined)
    assert.equal(await total(), before)
  })
})
