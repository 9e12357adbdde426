import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, withClient } from '../../../../tests/support/database.ts'
import { sendRawRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const slugsIn = (text: string): string[] =>
  [...text.matchAll(/<h3><a href="([^"]+)"/g)].map((match) => match[1] as string)

describe('a page of a career site', () => {
  let database: TestDatabase
  let service: RunningService
  let origin: string
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { careerSites: true })
    origin = `http://127.0.0.1:${service.port}`
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const get = async (path: string, host = 'example.com') => {
    const { status, bytes } = await sendRawRequest(origin + path, { headers: { host } })
    return { status, text: bytes.toString() }
  }
  interface Posting {
    slug: string
    job: number
  }
  const postingsOf = (site: string, locale: string): Promise<Posting[]> =>
    database.query<Posting>(
      `select d.slug, d.job_posting_id as job from job_distributions d, job_openings j, career_sites s
       where j.id = d.job_posting_id and s.id = d.career_site_id and s.slug = $1 and d.locale = $2
         and d.status = 'published' and j.status = 'open' and d.published_at <= now()
       order by d.published_at desc, d.id desc`,
      [site, locale],
    )

  it('shows the newest other openings, however many newer distributions are not visible', async () => {
    await database.query(`insert into job_distributions (job_posting_id, career_site_id, locale, slug, status)
      select (select min(id) from job_openings), s.id, 'de', 'draft-' || n, 'draft' from career_sites s, generate_series(1, 60) n
      where s.slug = 'norrgrund-de'`)
    const [first, ...others] = await postingsOf('norrgrund-de', 'de')
    assert.ok(first !== undefined && others.length > 1)
    const { text } = await get(`/careers/norrgrund-de/de/${first.slug}`)
    assert.deepEqual(
      slugsIn(text),
      others
        .filter(({ job }) => job !== first.job)
        .slice(0, 5)
        .map(({ slug }) => slug),
    )
  })

  it('has absolute URLs for search engines at its domain, and without a domain none that must be absolute', async () => {
    const path = '/careers/norrgrund-de/de/'
    const domain = 'jobs.norrgrund.example'
    const linksIn = async (rel: string) =>
      [...(await get(path)).text.matchAll(/<link rel="(\w+)"( hreflang="[^"]*")? href="([^"]*)"/g)]
        .filter((match) => match[1] === rel)
        .map((match) => match[3])
    await database.query(`update career_sites set custom_domain = $1 where slug = 'norrgrund-de'`, [domain])
    assert.deepEqual(await linksIn('canonical'), [`https://${domain}/de/`])
    assert.deepEqual((await linksIn('alternate')).sort(), [`https://${domain}/de/`, `https://${domain}/en/`])
    await database.query(`update career_sites set custom_domain = null where slug = 'norrgrund-de'`)
    assert.deepEqual(await linksIn('canonical'), ['../de/'])
    assert.deepEqual(await linksIn('alternate'), [])
  })

  it('shows each page of a list once, in one order', async () => {
    await database.query(`insert into job_distributions (job_posting_id, career_site_id, locale, slug, status, published_at)
      select j.id, s.id, 'de', 'copy-' || n, 'published', now() - n % 7 * interval '1 hour' from career_sites s,
        (select min(id) as id from job_openings where status = 'open') j, generate_series(1, 120) n
      where s.slug = 'norrgrund-de'`)
    const shown: string[] = []
    for (const page of [1, 2, 3, 4]) shown.push(...slugsIn((await get(`/careers/norrgrund-de/de/?page=${page}`)).text))
    assert.deepEqual(
      shown,
      (await postingsOf('norrgrund-de', 'de')).map(({ slug }) => slug),
    )
  })

  it('is sent while jobs are written all the time, and is current', async () => {
    const [first] = await postingsOf('norrgrund-de', 'en')
    const { slug, job } = first as Posting
    let isDone = false
    const write = (id: number) =>
      withClient(database.url, async (client) => {
        while (!isDone) await client.query('update job_openings set filled = filled + 1 where id = $1', [id])
      })
    const writing = Promise.all([1, 2, 3].map((number) => write(job + number)))
    try {
      for (let round = 0; round < 4; round += 1) {
        const title = `Round ${round}`
        await database.query('update job_openings set title = $2 where id = $1', [job, title])
        for (const path of [`en/${slug}?`, 'en/?', `en/?q=round+${round}&`, 'en/jobs.json?', 'jobs.xml?']) {
          const { status, text } = await get(`/careers/norrgrund-de/${path}round=${round}`)
          assert.equal(status, 200, path)
          assert.ok(text.includes(title), `${path} has ${title}`)
        }
      }
    } finally {
      isDone = true
      await writing
    }
  })

  it('does not exist after the last page of a list', async () => {
    for (const [path, status, robots] of [
      ['?page=1', 200, 'all'],
      ['?page=99', 404, 'noindex'],
      ['?q=no-such-word', 200, 'all'],
      ['?q=no-such-word&page=2', 404, 'noindex'],
    ] as const) {
      const response = await sendRawRequest(`${origin}/careers/norrgrund-de/de/${path}`, {})
      assert.deepEqual([response.status, response.headers['x-robots-tag']], [status, robots], path)
      assert.match(response.bytes.toString(), /<form|href="\.\/"/)
    }
  })
})

describe('without the database', () => {
  it('a host that is no career site has an index and 404 for an unknown path, and the domain of a site has 503', async () => {
    const database = await createSeededDatabase()
    const service = await startService(database.url, { careerSites: true })
    const [site] = await database.query<{ domain: string; locale: string }>(
      `select s.custom_domain as domain, d.locale from career_sites s join job_distributions d on d.career_site_id = s.id
       where s.custom_domain is not null and s.is_active = 1 and d.status = 'published' limit 1`,
    )
    const { domain = '', locale = '' } = site ?? {}
    const statusAt = async (path: string, host: string) =>
      (await sendRawRequest(`http://127.0.0.1:${service.port}${path}`, { headers: { host } })).status
    try {
      for (const isKnown of [false, true]) {
        await database.allowConnections(false)
        await waitUntil('the outage is detected', async () => !service.database.ready)
        assert.equal(await statusAt('/no-such-path', 'api.example'), 404)
        assert.equal(await statusAt('/', 'api.example'), 200)
        assert.equal(await statusAt('/careers/norrgrund-de/de/', 'api.example'), 503)
        if (isKnown) assert.equal(await statusAt(`/${locale}/`, domain), 503)
        await database.allowConnections(true)
        await waitUntil('the outage is over', async () => service.database.ready)
        assert.equal(await statusAt(`/${locale}/`, domain), 200)
      }
    } finally {
      await service.stop()
      await database.drop()
    }
  })
})
