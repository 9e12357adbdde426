import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const slugsIn = (text: string): string[] =>
  [...text.matchAll(/<h3><a href="([^"]+)"/g)].map((match) => match[1] as string)

/** The contents of all elements with this name. */
const texts = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map((match) => match[1] as string)

describe('a career site', () => {
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
  const get = (path: string, headers: Record<string, string> = {}) =>
    sendRequest(`${origin}/careers/${path}`, { headers })
  const getRaw = (path: string, headers: Record<string, string> = {}) =>
    sendRawRequest(`${origin}/careers/${path}`, { headers })
  const domainOf = async (site: string): Promise<string | undefined> =>
    (
      await database.query<{ domain: string }>('select custom_domain as domain from career_sites where slug = $1', [
        site,
      ])
    )[0]?.domain
  interface Row {
    site: string
    locale: string
    slug: string
    title: string
    location: string
    department: string
    employment_type: string
    remote_policy: string
  }
  /** The rule of visibility, written without the code under test: demo brands have no posting period. */
  const visiblePostings = (): Promise<Row[]> =>
    database.query<Row>(`
      select s.slug as site, d.locale, d.slug, j.title, j.location, p.name as department, j.employment_type, j.remote_policy
      from job_distributions d, job_openings j, career_sites s, departments p
      where j.id = d.job_posting_id and s.id = d.career_site_id and p.id = j.dept_id and s.is_active = 1
        and d.status = 'published' and j.status = 'open' and d.published_at <= now()
      order by d.published_at desc, d.id desc`)

  it('is not served unless it is turned on', async () => {
    const other = await startService(database.url)
    try {
      const { status, headers } = await sendRequest(`http://127.0.0.1:${other.port}/careers/norrgrund-de/de/`)
      assert.deepEqual([status, headers.get('content-type')], [404, 'application/json'])
    } finally {
      await other.stop()
    }
  })

  it('lists exactly the visible postings of the site and the locale, newest first', async () => {
    const rows = await visiblePostings()
    const lists = Map.groupBy(rows, ({ site, locale }) => `${site}/${locale}/`)
    assert.ok(lists.size > 4)
    for (const [path, expected] of lists) {
      const { status, text } = await get(path)
      assert.equal(status, 200)
      assert.deepEqual(slugsIn(text), expected.map(({ slug }) => slug).slice(0, 50), path)
    }
  })

  it('filters by department, contract, workplace, place and words', async () => {
    const rows = await visiblePostings()
    const [{ site, locale, title, department, employment_type: contract }] = rows as [Row]
    const ofList = rows.filter((row) => row.site === site && row.locale === locale)
    const cases: readonly [string, (row: Row) => boolean][] = [
      [`department=${encodeURIComponent(department)}`, (row) => row.department === department],
      ['contract=full_time', (row) => row.employment_type === 'full_time'],
      ['remote=hybrid', (row) => row.remote_policy === 'hybrid'],
      [`place=${encodeURIComponent(ofList[0]?.location ?? '')}`, (row) => row.location === ofList[0]?.location],
      [`q=${encodeURIComponent(title.toUpperCase())}`, (row) => row.title === title],
      [
        `q=${encodeURIComponent(department.slice(0, 4).toUpperCase())}&contract=${contract}`,
        (row) => row.employment_type === contract,
      ],
      ['q=%25', () => false],
      ['remote=%00x', () => false],
    ]
    for (const [query, matches] of cases) {
      const { status, text } = await get(`${site}/${locale}/?${query}`)
      const shown = slugsIn(text)
      const expected = ofList.filter(matches).map(({ slug }) => slug)
      assert.equal(status, 200)
      if (query.includes('&')) assert.ok(shown.length > 0 && shown.every((slug) => expected.includes(slug)), query)
      else if (query.startsWith('q=') && expected.length > 0)
        assert.ok(
          expected.every((slug) => shown.includes(slug)),
          query,
        )
      else assert.deepEqual(shown, expected, query)
    }
  })

  it('shows a posting with what a candidate wants to know, and nothing internal', async () => {
    const [{ site, locale, slug, title, location }] = (await visiblePostings()) as [Row]
    const { status, headers, text } = await get(`${site}/${locale}/${slug}`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.equal(headers.get('x-robots-tag'), 'all')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
    for (const part of [title, location]) assert.ok(text.includes(part.replaceAll('&', '&amp;')), part)
    assert.doesNotMatch(text, /hiring_manager|headcount|filled|<script(?! type="application\/ld\+json")/)
  })

  it('has the same headers from the cache, with and without the fast path, and responds 304 to its ETag', async () => {
    const [{ site, locale }] = (await visiblePostings()) as [Row]
    const volatile = ['date', 'x-request-id', 'keep-alive', 'connection']
    const headersOf = async (extra: Record<string, string>) => {
      const { status, headers } = await getRaw(`${site}/${locale}/`, extra)
      return {
        status,
        headers: Object.fromEntries(
          Object.entries(headers)
            .filter(([name]) => !volatile.includes(name))
            .sort(),
        ),
      }
    }
    const first = await headersOf({})
    for (const extra of [{}, {}, { prefer: 'x' }]) assert.deepEqual(await headersOf(extra), first)
    const notModified = await headersOf({ 'if-none-match': String(first.headers.etag) })
    const { 'content-type': _, 'content-length': __, ...expected } = first.headers
    assert.deepEqual(notModified, { status: 304, headers: expected })
    assert.deepEqual((await headersOf({ 'if-none-match': String(first.headers.etag), prefer: 'x' })).status, 304)
  })

  it('redirects to the locale that fits, and to URLs with the right slash', async () => {
    const [{ site, locale, slug }] = (await visiblePostings()).filter(({ locale: tag }) => tag === 'de') as [Row]
    for (const [path, language, status, location] of [
      [`${site}/`, 'de-AT', 302, 'de/'],
      [`${site}/`, 'fr,en;q=0.3', 302, 'en/'],
      [site, 'de', 302, `${site}/de/`],
      [`${site}/${locale}?q=x`, 'de', 301, `${locale}/?q=x`],
      [`${site}/${locale}/${slug}/`, 'de', 301, `../${slug}`],
    ] as const) {
      const response = await getRaw(path, { 'accept-language': language })
      assert.deepEqual([response.status, response.headers.location], [status, location], path)
    }
    assert.equal((await getRaw(`${site}/`, {})).headers.vary, 'accept-language')
  })

  it('has error pages in its own frame', async () => {
    const [{ site, locale }] = (await visiblePostings()) as [Row]
    for (const path of [`${site}/${locale}/no-such-job`, `${site}/xx/`, `${site}/xx/y`, `${site}/%22%3E%3Cb%3E/`]) {
      const { status, headers, text } = await get(path)
      assert.deepEqual(
        [status, headers.get('content-type'), headers.get('x-robots-tag')],
        [404, 'text/html; charset=utf-8', 'noindex'],
        path,
      )
      assert.match(text, /class="brand"/)
      assert.doesNotMatch(text, /<b>/)
    }
    for (const path of ['no-such-site/', 'no-such-site/de/', 'no-such-site/de/x'])
      assert.deepEqual(
        [(await get(path)).status, (await get(path)).headers.get('content-type')],
        [404, 'application/json'],
      )
    assert.equal((await sendRequest(`${origin}/careers/${site}/${locale}/`, { method: 'POST' })).status, 405)
  })

  it('shows drafts and paused jobs as 404 and closed ones as 410', async () => {
    const rows = await database.query<{ site: string; locale: string; slug: string; status: string; job: string }>(`
      select s.slug as site, d.locale, d.slug, d.status, j.status as job
      from job_distributions d, job_openings j, career_sites s
      where j.id = d.job_posting_id and s.id = d.career_site_id and s.is_active = 1 and d.status <> 'published'`)
    const statuses = new Set<string>()
    for (const { site, locale, slug, status, job } of rows) {
      const expected = ['closed', 'archived'].some((end) => end === status || end === job) ? 410 : 404
      assert.equal((await get(`${site}/${locale}/${slug}`)).status, expected, `${status} ${job}`)
      statuses.add(status)
    }
    assert.deepEqual([...statuses].sort(), ['archived', 'closed', 'draft'])
  })

  it('lists the same postings in its feeds, in the XML of job boards and in the sitemap', async () => {
    const rows = await visiblePostings()
    const [{ site, locale }] = rows as [Row]
    const domain = `https://${await domainOf(site)}/`
    const ofSite = rows.filter((row) => row.site === site)
    const urls = ofSite.filter((row) => row.locale === locale).map(({ slug }) => `${domain}${locale}/${slug}`)
    const rss = await get(`${site}/${locale}/rss.xml`)
    assert.equal(rss.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
    assert.deepEqual(texts(rss.text, 'guid'), urls)
    const feed = await get(`${site}/${locale}/jobs.json`)
    assert.equal(feed.headers.get('content-type'), 'application/feed+json; charset=utf-8')
    const { version, items } = JSON.parse(feed.text) as { version: string; items: { id: string; title: string }[] }
    assert.deepEqual([version, items.map(({ id }) => id)], ['https://jsonfeed.org/version/1.1', urls])
    const all = ofSite.map((row) => `${domain}${row.locale}/${row.slug}`).sort()
    for (const encoding of ['identity', 'gzip', 'br']) {
      const board = await get(`${site}/jobs.xml`, { 'accept-encoding': encoding })
      assert.equal(board.headers.get('content-type'), 'application/xml; charset=utf-8')
      assert.deepEqual(texts(board.text, 'url').sort(), all)
    }
    const sitemap = await get(`${site}/sitemap.xml`)
    const lists = [...new Set(ofSite.map((row) => `${domain}${row.locale}/`))]
    assert.deepEqual(texts(sitemap.text, 'loc').sort(), [...all, ...lists].sort())
    assert.equal(texts(sitemap.text, 'lastmod').length, all.length)
    for (const path of [
      'no-such-site/jobs.xml',
      'no-such-site/sitemap.xml',
      'no-such-site/de/rss.xml',
      `${site}/xx/rss.xml`,
    ])
      assert.equal((await get(path)).status, 404, path)
  })

  it('has feeds with the host of the request if it has no domain of its own', async () => {
    const [{ site, locale, slug }] = (await visiblePostings()) as [Row]
    const domain = await domainOf(site)
    await database.query('update career_sites set custom_domain = null where slug = $1', [site])
    for (const host of ['jobs.one.example', 'two.example:8080']) {
      const textOf = async (path: string) => (await getRaw(path, { host })).bytes.toString()
      assert.ok(
        texts(await textOf(`${site}/${locale}/rss.xml`), 'guid').includes(
          `http://${host}/careers/${site}/${locale}/${slug}`,
        ),
      )
      assert.match(await textOf(`${site}/${locale}/${slug}`), new RegExp(`rel="canonical" href="../${locale}/${slug}"`))
    }
    await database.query('update career_sites set custom_domain = $2 where slug = $1', [site, domain])
  })

  it('is at the root of its own domain, and nowhere else', async () => {
    const [{ site, locale, slug }] = (await visiblePostings()).filter(({ locale: tag }) => tag === 'de') as [Row]
    const domain = (await domainOf(site)) as string
    const at = (path: string, host: string) =>
      sendRawRequest(origin + path, { headers: { host, accept: 'text/html', 'accept-language': 'de' } })
    const same = async (path: string, host: string) => (await at(path, host)).bytes.toString()
    for (const host of [domain, `${domain.toUpperCase()}:443`]) {
      const root = await at('/', host)
      assert.deepEqual([root.status, root.headers.location], [302, 'de/'])
      assert.equal((await at(`/${locale}`, host)).headers.location, `${locale}/`)
      for (let round = 0; round < 2; round += 1)
        for (const path of [
          `${locale}/`,
          `${locale}/${slug}`,
          `${locale}/rss.xml`,
          `${locale}/jobs.json`,
          'jobs.xml',
          'sitemap.xml',
        ])
          assert.equal(await same(`/${path}`, host), (await get(`${site}/${path}`)).text, path)
      assert.match(await same('/robots.txt', host), new RegExp(`^Sitemap: https://${domain}/sitemap\\.xml$`, 'm'))
      assert.equal((await at(`/${locale}/none`, host)).status, 404)
      assert.match(await same(`/${locale}/none`, host), /class="brand"/)
      assert.equal((await at('/api/v1/health', host)).status, 200)
      assert.equal((await at('/livez', host)).status, 200)
    }
    for (const host of ['127.0.0.1', `x.${domain}`, 'localhost', `${domain}.`]) {
      assert.equal((await at(`/${locale}/`, host)).status, 404, host)
      assert.equal((await at('/robots.txt', host)).status, 404, host)
      assert.match(String((await at('/', host)).headers.location), /^(?:console|api)/)
    }
    await database.query('update career_sites set is_active = 0 where slug = $1', [site])
    assert.equal((await at(`/${locale}/`, domain)).status, 404)
    await database.query('update career_sites set is_active = 1 where slug = $1', [site])
    assert.equal((await at(`/${locale}/`, domain)).status, 200)
  })

  it('removes a posting with the very next request after its job is closed', async () => {
    const rows = await visiblePostings()
    const [{ site, locale, slug }] = rows as [Row]
    const list = `${site}/${locale}/`
    for (let round = 0; round < 3; round += 1) {
      assert.ok(slugsIn((await get(list)).text).includes(slug))
      const { status, headers } = await get(list + slug)
      assert.equal(status, 200)
      await database.query(
        `update job_openings set status = 'closed' where id = (select job_posting_id from job_distributions d
        join career_sites s on s.id = d.career_site_id where s.slug = $1 and d.locale = $2 and d.slug = $3)`,
        [site, locale, slug],
      )
      assert.equal((await get(list + slug, { 'if-none-match': headers.get('etag') ?? '' })).status, 410)
      assert.ok(!slugsIn((await get(list)).text).includes(slug))
      await database.query(
        `update job_openings set status = 'open' where status = 'closed' and id = (select job_posting_id from job_distributions d
        join career_sites s on s.id = d.career_site_id where s.slug = $1 and d.locale = $2 and d.slug = $3)`,
        [site, locale, slug],
      )
      assert.equal((await get(list + slug)).status, 200)
    }
    await database.query(`update career_sites set is_active = 0 where slug = $1`, [site])
    assert.deepEqual([(await get(list)).status, (await get(list + slug)).status], [404, 404])
    await database.query(`update career_sites set is_active = 1 where slug = $1`, [site])
    assert.equal((await get(list)).status, 200)
  })

  it('shows and ends a posting by time, without any write', async () => {
    const [{ site, locale, slug }, second] = (await visiblePostings()) as [Row, Row]
    const list = `${site}/${locale}/`
    const setStart = (expression: string) =>
      database.query(
        `update job_distributions set published_at = ${expression} where slug = $2 and locale = $3 and career_site_id = (select id from career_sites where slug = $1)`,
        [site, slug, locale],
      )
    await setStart(`now() + interval '2 seconds'`)
    // Requested twice, so that the responses are stored.
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await get(list + slug)).status, 404)
      assert.ok(!slugsIn((await get(list)).text).includes(slug))
    }
    await waitUntil('the posting is visible', async () => slugsIn((await get(list)).text).includes(slug))
    assert.equal((await get(list + slug)).status, 200)
    await database.query(`update recruitment_brands set settings_json = '{"posting_days": 1}'`)
    await setStart(`now() - interval '1 day' + interval '3 seconds'`)
    let response = await get(list + slug)
    assert.equal(response.status, 200)
    const { etag } = Object.fromEntries(response.headers)
    assert.deepEqual(slugsIn((await get(list)).text), [slug])
    await waitUntil('the posting has ended', async () => {
      response = await get(list + slug, { 'if-none-match': etag ?? '' })
      return response.status === 410
    })
    assert.deepEqual(slugsIn((await get(list)).text), [])
    assert.equal((await get(`${second.site}/${second.locale}/${second.slug}`)).status, 410)
    await database.query(`update recruitment_brands set settings_json = '{"posting_days": "1"}'`)
    assert.equal((await get(list + slug)).status, 200)
  })

  for (const reads of ['redacted', 'token'] as const) {
    it(`is public in ${reads} mode too, and shows no personal value`, async () => {
      const other = await startService(database.url, { careerSites: true, reads, tokens: [token] })
      try {
        const base = `http://127.0.0.1:${other.port}/careers/`
        const rows = await visiblePostings()
        const pages: string[] = []
        for (const path of [
          ...new Set(rows.flatMap(({ site, locale, slug }) => [`${site}/${locale}/`, `${site}/${locale}/${slug}`])),
        ]) {
          const { status, text } = await sendRequest(base + path)
          assert.equal(status, 200)
          pages.push(text)
        }
        const values = await database.query<{ value: string }>(`
          select distinct value from (
            select unnest(array[first_name || ' ' || last_name, email]) as value from employees
            union all
            select unnest(array[first_name || ' ' || last_name, email, phone, linkedin_url, notes]) from candidates
          ) personal where length(value) > 5`)
        assert.ok(values.length > 500)
        const all = pages.join('\n')
        assert.deepEqual(
          values.filter(({ value }) => all.includes(value)),
          [],
        )
      } finally {
        await other.stop()
      }
    })
  }
})
