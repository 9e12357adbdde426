/** Lists of career sites: filters, pages and order, and the sitemap of a site with more postings than one may have. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parseJsonFeed, parseRssFeed } from 'feedsmith'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { parseSitemap, textsAt } from '../../../career-sites/test/schemas/validate.ts'

const slugsIn = (text: string): string[] =>
  [...text.matchAll(/<h3><a href="([^"]+)"/g)].map((match) => match[1] as string)

/** URLs in one sitemap, by the protocol. Two lists count too, so two postings less just fit. */
const maxUrls = 50_000
const bigSize = maxUrls - 2

/** Half of the postings are in each locale. In the order of their ids they are not in the order of their times. */
const minuteOf = (n: number): number => (n * 7_919) % bigSize

describe('a list of a career site', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    await database.query(`insert into career_sites (id, name, slug) values (1, 'Big', 'big'), (2, 'Small', 'small')`)
    await database.query(`insert into departments (id, name) values (1, 'Zürich Lab'), (2, 'Depot')`)
    await database.query(
      `insert into job_openings (id, title, code, dept_id, headcount, filled, status, location, employment_type, remote_policy, description, requirements)
       values (1, 'Job', null, null, 1, 0, 'open', null, null, null, null, null),
        (11, 'Crème Brûlée Cook', 'R-1', 1, 1, 0, 'open', 'Bern, Switzerland', 'full_time', 'onsite', 'Sugar.', 'Patience'),
        (12, 'Driver 100%', 'R-2', 2, 1, 0, 'open', 'Bern, Switzerland', 'part_time', 'hybrid', 'Roads.', 'A licence'),
        (13, 'Planner', 'R-3', 2, 1, 0, 'open', 'Lyon, France', 'full_time', 'remote', 'Maps of roads.', null),
        (14, 'Nothing', null, null, 1, 0, 'open', null, null, null, null, null)`,
    )
    await database.query(
      `insert into job_distributions (job_posting_id, career_site_id, locale, slug, status, published_at)
       select 1, 1, case when n % 2 = 0 then 'de' else 'en' end, 'job-' || n, 'published',
         timestamptz '2026-01-05T08:00:00Z' + (n::bigint * 7919 % $1) * interval '1 minute'
       from generate_series(1, $1::int) n`,
      [bigSize],
    )
    await database.query(
      `insert into job_distributions (job_posting_id, career_site_id, locale, slug, status)
       select id, 2, 'en', 'job-' || id, 'published' from job_openings where id > 10`,
    )
    service = await startService(database.url, { careerSites: true })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const get = (path: string): Promise<HttpResponse> => sendRequest(`http://127.0.0.1:${service.port}/careers/${path}`)

  it('filters by department, contract, workplace, place and words', async () => {
    for (const [query, expected] of [
      ['', [11, 12, 13, 14]],
      ['department=Depot', [12, 13]],
      ['contract=full_time', [11, 13]],
      ['remote=remote', [13]],
      ['place=Bern%2C+Switzerland', [11, 12]],
      ['q=CREME+brulee', [11]],
      ['q=zurich', [11]],
      ['q=roads', [12, 13]],
      ['q=roads+licence', [12]],
      ['q=r-3', [13]],
      ['q=lyon', [13]],
      ['q=%25', [12]],
      ['q=Dr_ver', []],
      ['q=roads&department=Depot&contract=part_time&remote=hybrid&place=Bern%2C+Switzerland', [12]],
      ['q=roads&contract=intern', []],
      ['department=depot', []],
      ['remote=%00x', []],
    ] as const) {
      const { status, text } = await get(`small/en/?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(
        slugsIn(text).sort(),
        expected.map((id) => `job-${id}`),
        query,
      )
    }
  })

  it('has pages of 50, and its feeds of 100, newest first', async () => {
    const ofLocale = Array.from({ length: bigSize }, (_, index) => index + 1)
      .filter((n) => n % 2 === 0)
      .sort((a, b) => minuteOf(b) - minuteOf(a))
      .map((n) => `job-${n}`)
    for (const page of [1, 2, 10, Math.ceil(ofLocale.length / 50)]) {
      const { text } = await get(`big/de/?page=${page}`)
      assert.deepEqual(slugsIn(text), ofLocale.slice(50 * (page - 1), 50 * page), `page ${page}`)
      assert.match(text, />24\.999 /)
    }
    const slugsOf = (urls: readonly (string | undefined)[] = []) => urls.map((url) => url?.split('/').at(-1))
    const rss = parseRssFeed((await get('big/de/rss.xml')).text)
    assert.deepEqual(slugsOf(rss.items?.map(({ link }) => link)), ofLocale.slice(0, 100))
    const feed = parseJsonFeed((await get('big/de/jobs.json?page=3')).json)
    assert.deepEqual(slugsOf(feed.items?.map(({ url }) => url)), ofLocale.slice(200, 300))
    assert.match(feed.next_url ?? '', /\/big\/de\/jobs\.json\?page=4$/)
  })

  it('is in a sitemap that becomes an index with more than 50,000 URLs', async () => {
    const base = `http://127.0.0.1:${service.port}/careers/big/`
    const locationsAt = async (path: string, element: 'urlset/s:url' | 'sitemapindex/s:sitemap'): Promise<string[]> => {
      const { status, text } = await get(`big/${path}`)
      assert.equal(status, 200)
      // Only the small documents are validated, because validation of 50,000 URLs takes seconds.
      if (text.length < 10_000) return textsAt(parseSitemap(text), `/s:${element}/s:loc`)
      return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1] as string)
    }
    const single = await locationsAt('sitemap.xml', 'urlset/s:url')
    assert.equal(single.length, maxUrls)
    await database.query(
      `insert into job_distributions (job_posting_id, career_site_id, locale, slug, status) values (1, 1, 'de', 'one-more', 'published')`,
    )
    const pages = await locationsAt('sitemap.xml', 'sitemapindex/s:sitemap')
    assert.deepEqual(pages, [`${base}sitemap.xml?page=1`, `${base}sitemap.xml?page=2`])
    const all = [
      ...(await locationsAt('sitemap.xml?page=1', 'urlset/s:url')),
      ...(await locationsAt('sitemap.xml?page=2', 'urlset/s:url')),
    ]
    assert.deepEqual(all, [...single, `${base}de/one-more`])
    assert.equal(new Set(all).size, maxUrls + 1)
    assert.equal((await get('big/sitemap.xml?page=3')).status, 404)
  })
})
