/** Varnish caches career sites for a second, and never responds with an older state of the API. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runWrk } from '../../tools/bench/wrk.ts'
import { appearanceOf, everyPlace } from '../support/career-sites.ts'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { post, sendRequest } from '../support/http.ts'
import type { ReverseProxy } from '../support/reverse-proxy.ts'
import { startVarnish } from '../support/reverse-proxy.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const floodSeconds = Number(process.env.FLOOD_SECONDS ?? 3)
const readCount = Number(process.env.READS_AFTER_WRITES ?? 300)

describe('Varnish in front of the service', () => {
  let database: TestDatabase
  let service: RunningService
  let varnish: ReverseProxy
  let origin: string
  /** Requests that have reached the service, by path. */
  let received: Map<string, number>
  const receivedOf = (path: string): number => received.get(path) ?? 0
  before(async () => {
    database = await createTestDatabase()
    await database.query(`insert into career_sites (id, name, slug) values (1, 'Site', 'site')`)
    await database.query(
      `insert into job_openings (id, title, headcount, filled, status) values (1, 'Planner', 1, 0, 'open'), (2, 'Driver', 1, 0, 'open')`,
    )
    await database.query(
      `insert into job_distributions (job_posting_id, career_site_id, locale, slug, status)
       values (1, 1, 'de', 'planner', 'published'), (2, 1, 'de', 'driver', 'published')`,
    )
    const settings = { careerSites: true, publicUrl: 'https://jobs.example.com', trustedProxies: ['127.0.0.1'] }
    service = await startService(database.url, settings)
    received = new Map()
    service.app.server.prependListener('request', ({ url = '' }) => received.set(url, receivedOf(url) + 1))
    varnish = await startVarnish(service.port)
    origin = `http://127.0.0.1:${varnish.port}`
  })
  after(async () => {
    await varnish.stop()
    await service.stop()
    await database.drop()
  })

  it('sends a flood of requests for a page to the service at most once a second', async () => {
    for (const path of ['/careers/site/de/', '/careers/site/de/planner', '/careers/site/de/jobs.json']) {
      const [receivedBefore, startedAt] = [receivedOf(path), performance.now()]
      const { rate, requests, failed } = await runWrk(origin, {
        path,
        connections: 64,
        warmUp: 0,
        seconds: floodSeconds,
      })
      const seconds = (performance.now() - startedAt) / 1_000
      const count = receivedOf(path) - receivedBefore
      console.log(`${path}: ${Math.round(rate)} requests a second for ${floodSeconds} s, ${count} reached the service`)
      assert.equal(failed, 0)
      assert.ok(requests > 50 * (seconds + 1), `${requests} requests`)
      assert.ok(count >= 1 && count <= seconds + 1, `${count} of ${path} in ${seconds} s`)
    }
  })

  it('shows and hides a posting at most 11 seconds after the change', async () => {
    const path = { site: 'site', locale: 'de', slug: 'planner' }
    const base = `${origin}/careers/`
    const isShown = async () => (await appearanceOf(base, path)).places.length === everyPlace.length
    const isGone = async () => (await appearanceOf(base, path)).page === 410
    await waitUntil('the posting is shown', isShown)
    await database.query(`update job_openings set status = 'closed' where id = 1`)
    await waitUntil('the posting is gone', isGone)
    await database.query(`update job_openings set status = 'open' where id = 1`)
    await waitUntil('the posting is shown', isShown)
    const { headers } = await sendRequest(`${base}site/de/planner`)
    // Varnish responds with a stored page until its age is the sum of both.
    assert.match(headers.get('cache-control') ?? '', /s-maxage=1, stale-while-revalidate=10/)
  })

  it('caches a page again after the service could not respond', async () => {
    const url = `${origin}/careers/site/de/driver`
    await database.allowConnections(false)
    assert.equal((await sendRequest(url)).status, 503)
    await database.allowConnections(true)
    await waitUntil('the page is served', async () => (await sendRequest(url)).status === 200)
    const [receivedBefore, startedAt] = [receivedOf('/careers/site/de/driver'), performance.now()]
    for (let read = 0; read < 200; read += 1) assert.equal((await sendRequest(url)).status, 200)
    const count = receivedOf('/careers/site/de/driver') - receivedBefore
    assert.ok(count <= (performance.now() - startedAt) / 1_000 + 1, `${count} of 200`)
  })

  it(`responds with the current state of the API in ${readCount} reads right after a write`, async () => {
    const list = `${origin}/api/v1/organizations?sort=-id&limit=1`
    let etag = ''
    for (let write = 0; write < readCount; write += 1) {
      const slug = `organization-${write}`
      const created = await post(`${origin}/api/v1/organizations`, { name: 'Organization', slug })
      assert.equal(created.status, 201)
      const { status, headers, json } = await sendRequest(list, { headers: { 'if-none-match': etag } })
      assert.equal(status, 200)
      assert.equal(json.data[0].slug, slug)
      etag = headers.get('etag') ?? ''
    }
    const unchanged = await sendRequest(list, { headers: { 'if-none-match': etag } })
    assert.equal(unchanged.status, 304)
  })
})
