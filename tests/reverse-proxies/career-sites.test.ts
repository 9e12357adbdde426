/** Through both reverse proxies too, a career site is current with every request, and has the URLs of its visitors. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PostingPath } from '../support/career-sites.ts'
import { appearanceOf, everyPlace, readBefore } from '../support/career-sites.ts'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { sendRawRequest, sendRequest } from '../support/http.ts'
import { startHaproxy, startNginx } from '../support/reverse-proxy.ts'
import type { RunningService } from '../support/service.ts'
import { startService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

describe('a career site behind a reverse proxy', () => {
  const path: PostingPath = { site: 'site', locale: 'de', slug: 'planner' }
  const domain = 'jobs.planners.example'
  let database: TestDatabase
  let services: readonly RunningService[]
  before(async () => {
    database = await createTestDatabase()
    await database.query(`insert into career_sites (id, name, slug, custom_domain) values (1, 'Site', 'site', $1)`, [
      domain,
    ])
    await database.query(
      `insert into job_openings (id, title, headcount, filled, status) values (1, 'Planner', 1, 0, 'open'), (2, 'Other', 1, 0, 'open')`,
    )
    await database.query(
      `insert into job_distributions (job_posting_id, career_site_id, locale, slug, status)
       values (1, 1, 'de', 'planner', 'published'), (2, 1, 'de', 'other', 'published')`,
    )
    const settings = { careerSites: true, trustedProxies: ['127.0.0.1'] }
    services = [await startService(database.url, settings), await startService(database.url, settings)]
  })
  after(async () => {
    for (const service of services) await service.stop()
    await database.drop()
  })

  for (const [name, startProxy] of [
    ['nginx', startNginx],
    ['haproxy', startHaproxy],
  ] as const) {
    it(`shows and hides a posting with the very next request through ${name}`, async (t) => {
      const proxy = await startProxy(...services.map(({ port }) => port))
      t.after(() => proxy.stop())
      const bases = [proxy, ...services].map(({ port }) => `http://127.0.0.1:${port}/careers/`)
      const appearances = () => Promise.all(bases.map((base) => appearanceOf(base, path)))
      const shown = { page: 200, places: everyPlace }
      const gone = { page: 410, places: [] }
      const setStatus = (status: string) => database.query(`update job_openings set status = $1 where id = 1`, [status])
      for (let round = 0; round < 5; round += 1) {
        for (let repeat = 0; repeat < 4; repeat += 1)
          assert.deepEqual(
            await appearances(),
            bases.map(() => shown),
          )
        const page = `${bases[0]}site/de/planner`
        const etag = (await sendRequest(page)).headers.get('etag') ?? ''
        assert.equal((await sendRequest(page, { headers: { 'if-none-match': etag } })).status, 304)
        await setStatus('closed')
        assert.equal((await sendRequest(page, { headers: { 'if-none-match': etag } })).status, 410)
        assert.deepEqual(
          await appearances(),
          bases.map(() => gone),
        )
        await setStatus('open')
      }
      assert.deepEqual(
        await appearances(),
        bases.map(() => shown),
      )
    })

    it(`shows a posting by time, without any write, through ${name}`, async (t) => {
      const proxy = await startProxy(...services.map(({ port }) => port))
      t.after(() => proxy.stop())
      const base = `http://127.0.0.1:${proxy.port}/careers/`
      // The proxy distributes requests among two services, so each of them has the pages in its cache.
      const fourTimes = async () => {
        const appearances = []
        for (let repeat = 0; repeat < 4; repeat += 1) appearances.push(await appearanceOf(base, path))
        return appearances
      }
      const hidden = await readBefore(
        (at) =>
          database.query(
            `update job_distributions set published_at = to_timestamp($1::float8 / 1000) where slug = 'planner'`,
            [at],
          ),
        fourTimes,
      )
      for (const appearance of hidden) assert.deepEqual(appearance, { page: 404, places: [] })
      await waitUntil('the posting is visible', async () => (await appearanceOf(base, path)).page === 200)
      for (const appearance of await fourTimes()) assert.deepEqual(appearance, { page: 200, places: everyPlace })
      await database.query('update job_distributions set published_at = null')
    })

    it(`is at its own domain, and has the protocol and host of the visitor in feeds, through ${name}`, async (t) => {
      const proxy = await startProxy(...services.map(({ port }) => port))
      t.after(() => proxy.stop())
      const at = async (url: string, host: string) => {
        const { status, bytes } = await sendRawRequest(`http://127.0.0.1:${proxy.port}${url}`, { headers: { host } })
        return { status, text: bytes.toString() }
      }
      for (const url of ['/de/', '/de/planner', '/de/rss.xml', '/de/jobs.json', '/jobs.xml', '/sitemap.xml']) {
        const atDomain = await at(url, domain)
        assert.deepEqual(atDomain, await at(`/careers/site${url}`, 'muster.example'), url)
        assert.equal(atDomain.status, 200)
      }
      assert.match(
        (await at('/robots.txt', domain)).text,
        new RegExp(`^Sitemap: https://${domain}/sitemap\\.xml$`, 'm'),
      )
      assert.equal((await at('/de/', 'muster.example')).status, 404)

      await database.query(`update career_sites set custom_domain = null`)
      const { text } = await at('/careers/site/de/rss.xml', 'muster.example')
      assert.match(text, /<guid>http:\/\/muster\.example\/careers\/site\/de\/planner<\/guid>/)
      await database.query(`update career_sites set custom_domain = $1`, [domain])
    })
  }
})
