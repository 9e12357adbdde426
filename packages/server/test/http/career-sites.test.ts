import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parseJsonFeed, parseRssFeed } from 'feedsmith'
import { appearanceOf, everyPlace, readBefore } from '../../../../tests/support/career-sites.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest, sendRequest } from '../../../../tests/support/http.ts'
import { startServer } from '../../../../tests/support/server-process.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { parseJobBoard, parseSitemap, textsAt } from '../../../career-sites/test/schemas/validate.ts'

const slugsIn = (text: string): string[] =>
  [...text.matchAll(/<h3><a href="([^"]+)"/g)].map((match) => match[1] as string)

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
    code: string
    location: string
    department: string
  }
  /** The rule of visibility, written without the code under test: demo brands have no posting period. */
  const visiblePostings = (): Promise<Row[]> =>
    database.query<Row>(`
      select s.slug as site, d.locale, d.slug, j.title, j.code, j.location, p.name as department
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

  it('shows a posting with what a candidate wants to know, and nothing internal', async () => {
    const [{ site, locale, slug, title, location, department, code }] = (await visiblePostings()).filter(
      ({ locale: tag }) => tag === 'en',
    ) as [Row]
    const { status, headers, text } = await get(`${site}/${locale}/${slug}`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, max-age=0, s-maxage=1, stale-while-revalidate=10')
    assert.equal(headers.get('x-robots-tag'), 'all')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-/)
    assert.match(text, new RegExp(`<h1 dir="auto">${RegExp.escape(title)}</h1>`))
    const facts = new Map(
      [...text.matchAll(/<dt>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/g)].map(([, name, value = '']) => [name, value]),
    )
    const names = ['Department', 'Job type', 'Location', 'Pay', 'Posted', 'Reference', 'Workplace']
    assert.deepEqual([...facts.keys()].sort(), names)
    assert.deepEqual(
      ['Location', 'Department', 'Reference'].map((name) => facts.get(name)),
      [location, department, code].map((value) => value.replaceAll('&', '&amp;')),
    )
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

  it('redirects to no other host, whatever the path is', async () => {
    const [{ site, locale }] = (await visiblePostings()).filter(({ locale: tag }) => tag === 'de') as [Row]
    const domain = (await domainOf(site)) as string
    const hostile = [
      'http:evil.example',
      'https:evil.example',
      'javascript:1',
      '%5C%5Cevil.example',
      '%2F%2Fevil.example',
    ]
    const paths = hostile.flatMap((text) => [
      ...[text, `${text}/`, `${site}/${text}`, `${site}/${locale}/${text}/`, `${site}/${locale}?${text}`],
      ...[`${site}/${text}?//evil.example`, `/${text}`, `${site}//${text}/`],
    ])
    let redirects = 0
    for (const [host, prefix] of [
      ['muster.example', '/careers/'],
      [domain, '/'],
    ] as const)
      for (const path of paths) {
        const { headers } = await sendRawRequest(`${origin}${prefix}${path}`, { headers: { host } })
        if (headers.location === undefined) continue
        redirects += 1
        for (const scheme of ['http', 'https']) {
          const location = new URL(String(headers.location), `${scheme}://${host}${prefix}${path}`)
          assert.deepEqual([location.protocol, location.host], [`${scheme}:`, host], path)
        }
      }
    assert.ok(redirects > 10)
  })

  it('has no page at a path with a character that the database cannot have', async () => {
    const [{ site, locale }] = (await visiblePostings()) as [Row]
    for (const path of [`${site}%00/`, `${site}/%00/`, `${site}/${locale}/%00`, `${site}/${locale}%00/rss.xml`])
      assert.equal((await get(path)).status, 404, path)
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

  it('has a page at /careers/, in the language of the browser, that says that there is none', async () => {
    for (const path of ['/careers', '/careers/', '/careers/?utm_source=x']) {
      const { status, headers, text } = await sendRequest(origin + path, { headers: { 'accept-language': 'de' } })
      assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8'], path)
      assert.match(text, /<html lang="de">.*<h1>Seite nicht gefunden<\/h1>/s)
      assert.match(headers.get('vary') ?? '', /accept-language/)
    }
    assert.match((await sendRequest(`${origin}/careers/`)).text, /<h1>Page not found<\/h1>/)
  })

  it('shows drafts and paused jobs as 404 and closed ones as 410, which name the job', async () => {
    type Unpublished = Row & {
      readonly slug: string
      readonly status: string
      readonly job: string
      readonly title: string
    }
    const rows = await database.query<Unpublished>(`
      select s.slug as site, d.locale, d.slug, d.status, j.status as job, j.title
      from job_distributions d, job_openings j, career_sites s
      where j.id = d.job_posting_id and s.id = d.career_site_id and s.is_active = 1 and d.status <> 'published'`)
    const statuses = new Set<string>()
    for (const { site, locale, slug, status, job, title } of rows) {
      const expected = ['closed', 'archived'].some((end) => end === status || end === job) ? 410 : 404
      const response = await get(`${site}/${locale}/${slug}`)
      assert.equal(response.status, expected, `${status} ${job}`)
      const heading = /<h1[^>]*>([^<]*)/.exec(response.text)?.[1]?.replaceAll('&amp;', '&')
      assert.equal(heading === title, expected === 410, title)
      statuses.add(status)
    }
    assert.deepEqual([...statuses].sort(), ['archived', 'closed', 'draft'])
  })

  it('lists the same postings in its feeds, in the XML of job boards and in the sitemap', async () => {
    const sites = Map.groupBy(await visiblePostings(), ({ site }) => site)
    const hidden = await database.query(
      `select from job_distributions d join career_sites s on s.id = d.career_site_id where d.status <> 'published' and s.slug = any ($1)`,
      [[...sites.keys()]],
    )
    assert.ok(sites.size > 4 && hidden.length > 4)
    for (const [site, rows] of sites) {
      const domain = `https://${await domainOf(site)}/`
      for (const [locale, ofLocale] of Map.groupBy(rows, (row) => row.locale)) {
        const urls = ofLocale.map(({ slug }) => `${domain}${locale}/${slug}`)
        const rss = await get(`${site}/${locale}/rss.xml`)
        assert.equal(rss.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
        assert.deepEqual(
          parseRssFeed(rss.text).items?.map(({ guid }) => guid?.value),
          urls,
        )
        const feed = await get(`${site}/${locale}/jobs.json`)
        assert.equal(feed.headers.get('content-type'), 'application/feed+json; charset=utf-8')
        assert.deepEqual(
          parseJsonFeed(feed.json).items?.map(({ id }) => id),
          urls,
        )
      }
      const all = rows.map((row) => `${domain}${row.locale}/${row.slug}`).sort()
      for (const encoding of ['identity', 'gzip', 'br']) {
        const board = await get(`${site}/jobs.xml`, { 'accept-encoding': encoding })
        assert.equal(board.headers.get('content-type'), 'application/xml; charset=utf-8')
        assert.deepEqual(textsAt(parseJobBoard(board.text), '/source/job/url').sort(), all)
      }
      const sitemap = await get(`${site}/sitemap.xml`)
      assert.equal(sitemap.headers.get('content-type'), 'application/xml; charset=utf-8')
      const document = parseSitemap(sitemap.text)
      const lists = new Set(rows.map((row) => `${domain}${row.locale}/`))
      assert.deepEqual(textsAt(document, '//s:loc').sort(), [...all, ...lists].sort())
      assert.equal(textsAt(document, '//s:lastmod').length, all.length)
    }
    const [site] = sites.keys()
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
      const guids = parseRssFeed(await textOf(`${site}/${locale}/rss.xml`)).items?.map(({ guid }) => guid?.value)
      assert.ok(guids?.includes(`http://${host}/careers/${site}/${locale}/${slug}`), host)
      assert.match(await textOf(`${site}/${locale}/${slug}`), new RegExp(`rel="canonical" href="../${locale}/${slug}"`))
    }
    await database.query('update career_sites set custom_domain = $2 where slug = $1', [site, domain])
  })

  it('logs no error or warning about requests to its own domain', async () => {
    const [{ site, locale }] = (await visiblePostings()) as [Row]
    const host = (await domainOf(site)) as string
    const folder = await mkdtemp(join(tmpdir(), 'muster-log-'))
    const logFile = join(folder, 'serve.log')
    const server = await startServer({
      args: ['packages/server/bin/muster.js', 'serve'],
      env: { ...database.env, MUSTER_CAREER_SITES: 'on', MUSTER_LOG_LEVEL: 'info' },
      logFile,
      readyPath: '/readyz',
    })
    try {
      const statuses: number[] = []
      for (const path of ['/?email=secret', `/${locale}/`, '/jobs.xml', '/zz/', '/a/b/c/d'])
        statuses.push((await sendRawRequest(server.origin + path, { headers: { host, accept: 'text/html' } })).status)
      assert.deepEqual(statuses, [302, 200, 200, 404, 404])
      await server.stop()
      const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.startsWith('{'))
      assert.equal(lines.filter((line) => JSON.parse(line).route !== undefined).length >= 5, true)
      // On a busy machine a health check of the database may be late, which is logged and is not about a request.
      const warnings = lines
        .map((line) => JSON.parse(line))
        .filter(({ level, msg }) => level > 30 && !/^PostgreSQL at .* does not respond in time/.test(msg))
      assert.deepEqual(
        warnings.map(({ msg }) => msg),
        [],
      )
      assert.doesNotMatch(lines.join('\n'), /secret/)
    } finally {
      await server.stop()
      await rm(folder, { recursive: true })
    }
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
    await database.query('update career_sites set custom_domain = $2 where slug = $1', [site, 'moved.example'])
    assert.equal((await at(`/${locale}/`, domain)).status, 404)
    assert.equal((await at(`/${locale}/`, 'moved.example')).status, 200)
    await database.query('update career_sites set custom_domain = $2 where slug = $1', [site, domain])
  })

  it('removes a posting from everywhere with the very next request after its job or distribution is closed', async () => {
    const [path] = (await visiblePostings()) as [Row]
    const { site, locale, slug } = path
    const appearance = () => appearanceOf(`${origin}/careers/`, path)
    const idOf = `(select %.id from job_distributions d join job_openings j on j.id = d.job_posting_id
      join career_sites s on s.id = d.career_site_id where s.slug = $1 and d.locale = $2 and d.slug = $3)`
    for (const [table, alias, ends] of [
      ['job_openings', 'j', ['closed', 'archived']],
      ['job_distributions', 'd', ['closed', 'archived']],
    ] as const) {
      const [{ id, status }] = (await database.query(
        `select id, status from ${table} where id = ${idOf.replace('%', alias)}`,
        [site, locale, slug],
      )) as [{ id: number; status: string }]
      const setStatus = (value: string) => database.query(`update ${table} set status = $2 where id = $1`, [id, value])
      for (const end of ends) {
        // The first responses are stored in the cache, the second ones come from it.
        for (let round = 0; round < 2; round += 1)
          assert.deepEqual(await appearance(), { page: 200, places: everyPlace }, `${table} ${end}`)
        const { headers } = await get(`${site}/${locale}/${slug}`)
        await setStatus(end)
        assert.deepEqual(await appearance(), { page: 410, places: [] }, `${table} ${end}`)
        const etag = headers.get('etag') ?? ''
        assert.equal((await get(`${site}/${locale}/${slug}`, { 'if-none-match': etag })).status, 410)
        await setStatus(status)
      }
      assert.deepEqual(await appearance(), { page: 200, places: everyPlace })
    }
  })

  it('is gone with the very next request after it is deactivated', async () => {
    const [{ site, locale, slug }] = (await visiblePostings()) as [Row]
    const paths = [
      '',
      `${locale}/`,
      `${locale}/${slug}`,
      `${locale}/rss.xml`,
      `${locale}/jobs.json`,
      'jobs.xml',
      'sitemap.xml',
    ]
    const statuses = () => Promise.all(paths.map(async (path) => (await getRaw(`${site}/${path}`)).status))
    const active = [302, 200, 200, 200, 200, 200, 200]
    assert.deepEqual(await statuses(), active)
    await database.query(`update career_sites set is_active = 0 where slug = $1`, [site])
    assert.deepEqual(await statuses(), [404, 404, 404, 404, 404, 404, 404])
    await database.query(`update career_sites set is_active = 1 where slug = $1`, [site])
    assert.deepEqual(await statuses(), active)
  })

  it('shows and ends a posting by time, everywhere and without any write', async () => {
    const [path, second] = (await visiblePostings()) as [Row, Row]
    const { site, locale, slug } = path
    const appearance = (of = path) => appearanceOf(`${origin}/careers/`, of)
    /** Twice, so that the second responses come from the cache. `sinceStart` is how long the posting is published then. */
    const readTwiceBefore = (sinceStart: string) =>
      readBefore(
        (at) =>
          database.query(
            `update job_distributions set published_at = to_timestamp($4::float8 / 1000) - $5::interval
             where slug = $2 and locale = $3 and career_site_id = (select id from career_sites where slug = $1)`,
            [site, slug, locale, at, sinceStart],
          ),
        async () => [await appearance(), await appearance()],
      )
    const hidden = { page: 404, places: [] }
    assert.deepEqual(await readTwiceBefore('0 days'), [hidden, hidden])
    const pageStatus = async () => (await get(`${site}/${locale}/${slug}`)).status
    await waitUntil('the posting is visible', async () => (await pageStatus()) === 200)
    const shown = { page: 200, places: everyPlace }
    assert.deepEqual(await appearance(), shown)

    await database.query(`update recruitment_brands set settings_json = '{"posting_days": 1}'`)
    assert.deepEqual(await readTwiceBefore('1 day'), [shown, shown])
    const etag = (await get(`${site}/${locale}/${slug}`)).headers.get('etag') ?? ''
    await waitUntil('the posting has ended', async () => (await pageStatus()) === 410)
    assert.deepEqual(await appearance(), { page: 410, places: [] })
    assert.equal((await get(`${site}/${locale}/${slug}`, { 'if-none-match': etag })).status, 410)
    assert.deepEqual(await appearance(second), { page: 410, places: [] })
    // A setting that is wrong is ignored.
    await database.query(`update recruitment_brands set settings_json = '{"posting_days": "1"}'`)
    assert.deepEqual(await appearance(), shown)
  })
})
