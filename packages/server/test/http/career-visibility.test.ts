/** GET /api/v1/career-visibility against SQL that is written without the code under test. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readBefore } from '../../../../tests/support/career-sites.ts'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRawRequest, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

interface Site {
  id: number
  slug: string
  is_active: boolean
  path: string | null
  custom_domain: string | null
  colors: {
    field: string
    value: string
    light: { contrast: number; uses: string[] } | null
    dark: { contrast: number; uses: string[] } | null
  }[]
  locales: (Record<string, number> & { locale: string; path: string | null; links: Record<string, string> })[]
}

interface Posting {
  id: number
  job_id: number
  code: string
  title: string
  locale: string
  slug: string
  path: string | null
  state: string
  missing: string[]
}

interface Reason {
  reason: string
  count: number
  link: string | null
}

describe('career visibility', () => {
  let database: TestDatabase
  let service: RunningService
  let origin: string
  let siteId: number
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { careerSites: true })
    origin = `http://127.0.0.1:${service.port}`
    const [site] = await database.query<{ id: number }>(
      `select career_site_id as id from job_distributions join career_sites s on s.id = career_site_id
       where s.is_active = 1 group by 1 order by count(*) desc, 1 limit 1`,
    )
    siteId = site?.id ?? 0
    await database.query(
      `with model as (
         select j.*, d.brand_id from job_distributions d join job_openings j on j.id = d.job_posting_id
         where d.career_site_id = $1 and d.status = 'published' and j.status = 'open' order by d.id limit 1),
       jobs as (
         insert into job_openings (code, title, headcount, filled, location, status, description, opened_on)
         select 'PLANT-' || n, title, 1, 0, location, status, description, opened_on from model, generate_series(1, 12) n returning *)
       insert into job_distributions (job_posting_id, career_site_id, brand_id, locale, slug, status, published_at)
       select id, $1, (select brand_id from model), 'en', lower(code), 'published', now() from jobs
       union all select min(id), $1, null, 'en', 'a-draft', 'draft', null from jobs`,
      [siteId],
    )
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  const get = async (path = '', headers: Record<string, string> = {}) =>
    sendRequest(`${service.baseUrl}/v1/career-visibility${path}`, { headers })
  const sites = async (): Promise<Site[]> => (await get()).json.data
  const siteWith = async (id: number): Promise<Site> => (await sites()).find((site) => site.id === id) as Site
  const hidden = async (query = '', id = siteId) =>
    (await get(`/${id}${query}`)).json as {
      data: Posting[]
      meta: {
        total: number
        limit: number
        offset: number
        path: string | null
        locales: string[]
        postings: number
        listed: number
        reasons: Reason[]
      }
    }
  const hiddenPosting = async (id: number): Promise<Posting | undefined> => {
    const [row] = await database.query<{ locale: string }>('select locale from job_distributions where id = $1', [id])
    for (let offset = 0; ; offset += 200) {
      const { data, meta } = await hidden(`?limit=200&offset=${offset}&locale=${row?.locale}`)
      const found = data.find((posting) => posting.id === id)
      if (found !== undefined || offset + 200 >= meta.total) return found
    }
  }

  it('counts the postings of every site by locale, and links each figure to exactly these postings', async () => {
    const rows = await database.query<Record<string, number | string>>(`
      select career_site_id as site, locale,
        count(*) filter (where d.status = 'published' and j.status = 'open') as published,
        count(*) filter (where d.status = 'published' and j.status is distinct from 'open') as job_not_open,
        count(*) filter (where d.status not in ('published', 'closed', 'archived')) as draft,
        count(*) filter (where d.status in ('closed', 'archived')) as closed
      from job_distributions d join job_openings j on j.id = d.job_posting_id
      group by 1, 2 order by career_site_id, count(*) desc, locale`)
    const { json } = await get()
    const found = (json.data as Site[]).flatMap((site) =>
      site.locales.map(({ links: _, path: __, ...counts }) => ({ site: site.id, ...counts })),
    )
    assert.deepEqual(found, rows)
    const total = await database.query<{ id: number }>('select id from career_sites order by id')
    assert.deepEqual(
      json.data.map(({ id }: Site) => id),
      total.map(({ id }) => id),
    )
    assert.deepEqual(json.meta, { total: total.length, limit: 50, offset: 0, min_contrast: 4.5 })
    let links = 0
    for (const site of json.data as Site[])
      for (const locale of site.locales)
        for (const [name, link] of Object.entries(locale.links)) {
          const list = await sendRequest(`${origin}${link}&limit=1`, { headers: { prefer: 'handling=strict' } })
          assert.equal(list.json.meta.total, locale[name], link)
          links += 1
        }
    assert.equal(links, rows.flatMap((row) => Object.values(row).slice(2)).filter((count) => count !== 0).length)
  })

  it('has the paths of the pages of active sites, and pages of sites', async () => {
    for (const { path, is_active: isActive, locales } of await sites()) {
      assert.equal(path !== null, isActive)
      for (const each of [path, ...locales.map((locale) => locale.path)])
        if (each !== null) assert.equal((await sendRequest(origin + each)).status, 200, each)
    }
    const all = (await get()).json.data
    const [second] = (await get('?limit=1&offset=1')).json.data
    assert.deepEqual(second, all[1])
    assert.deepEqual((await get(`?offset=${'9'.repeat(30)}`)).json.data, [])
  })

  it('says what colours are used for, by their contrast with the background', async () => {
    const colorsOf = async (brand: string, accent: string) => {
      await database.query('update career_sites set brand_color = $2, accent_color = $3 where id = $1', [
        siteId,
        brand,
        accent,
      ])
      return (await siteWith(siteId)).colors
    }
    const [{ brand = '', accent = '' } = {}] = await database.query<{ brand: string; accent: string }>(
      'select brand_color as brand, accent_color as accent from career_sites where id = $1',
      [siteId],
    )
    assert.deepEqual(await colorsOf('#FFF', '#767676'), [
      {
        ...{ field: 'brand_color', value: '#FFF' },
        light: { contrast: 1, uses: ['band'] },
        dark: { contrast: 17.96, uses: ['links'] },
      },
      {
        ...{ field: 'accent_color', value: '#767676' },
        light: { contrast: 4.54, uses: ['links', 'line'] },
        dark: { contrast: 3.95, uses: ['line'] },
      },
    ])
    const [wrong, bars] = await colorsOf('teal', '#777777')
    assert.deepEqual(wrong, { field: 'brand_color', value: 'teal', light: null, dark: null })
    // The contrast is 4.478: as text the colour is too pale, and so it is rounded down.
    assert.deepEqual([bars?.light, bars?.dark?.uses], [{ contrast: 4.47, uses: ['line'] }, ['line']])
    await colorsOf(brand, accent)
  })

  it('tells the postings that search engines get from the others, as the pages do', async () => {
    const { data, meta } = await hidden('?limit=200')
    const [{ postings = 0, visible = 0 } = {}] = await database.query<{ postings: number; visible: number }>(
      `select count(*) as postings, count(*) filter (where d.status = 'published' and j.status = 'open' and d.published_at <= now()) as visible
       from job_distributions d join job_openings j on j.id = d.job_posting_id where d.career_site_id = $1`,
      [siteId],
    )
    assert.ok(visible > 0 && visible < postings)
    assert.deepEqual([meta.postings, meta.listed, meta.total], [postings, visible, postings - visible])
    for (const { state, missing, path } of data) {
      assert.notEqual(state, 'visible')
      assert.deepEqual([missing, path], [[], null])
    }
    assert.equal(
      meta.reasons.reduce((sum, { count }) => sum + count, 0),
      meta.total,
    )
    for (const { link, count } of meta.reasons)
      if (link !== null) assert.equal((await sendRequest(`${origin}${link}&limit=1`)).json.meta.total, count)
  })

  /** Visible postings, each of a job of its own. */
  const visiblePostings = () =>
    database.query<{ id: number; job: number }>(
      `select min(d.id) as id, j.id as job from job_distributions d join job_openings j on j.id = d.job_posting_id
       where d.career_site_id = $1 and d.status = 'published' and j.status = 'open' and d.published_at <= now() and starts_with(j.code, 'PLANT-')
       group by j.id order by 1`,
      [siteId],
    )

  it('names every reason, for the posting that has it', async () => {
    const plants: readonly (readonly [reason: string, statement: string])[] = [
      ['title', `update job_openings set title = E'\\u00a0' where id = $2`],
      ['description', `update job_openings set description = ' ', requirements = null where id = $2`],
      [
        'datePosted',
        `with d as (update job_distributions set published_at = null where id = $1) update job_openings set opened_on = null where id = $2`,
      ],
      ['jobLocation', `update job_openings set location = 'Atlantis' where id = $2`],
      ['apply', 'update job_distributions set brand_id = null where id = $1'],
      ['waiting', `update job_distributions set published_at = now() + interval '1 day' where id = $1`],
      ['job_not_open', `update job_openings set status = 'on_hold' where id = $2`],
      ['draft', `update job_distributions set status = 'draft' where id = $1`],
      ['closed', `update job_distributions set status = 'archived' where id = $1`],
    ]
    const rows = await visiblePostings()
    assert.ok(rows.length >= plants.length)
    const before = (await hidden()).meta
    const countIn = (meta: typeof before, reason: string) =>
      meta.reasons.find((each) => each.reason === reason)?.count ?? 0
    for (const [index, [reason, statement]] of plants.entries()) {
      const { id, job } = rows[index] as { id: number; job: number }
      assert.equal(await hiddenPosting(id), undefined, reason)
      await database.query(`with given as (select $1::bigint, $2::bigint) ${statement.replace(/^with /, ', ')}`, [
        id,
        job,
      ])
      const posting = await hiddenPosting(id)
      const isState = ['waiting', 'job_not_open', 'draft', 'closed'].includes(reason)
      assert.deepEqual([posting?.state, posting?.missing], isState ? [reason, []] : ['visible', [reason]])
      assert.equal(posting?.job_id, job)
      const { data, meta } = await hidden(`?reason=${reason}&limit=200`)
      assert.equal(meta.total, countIn(before, reason) + 1, reason)
      assert.equal(countIn(meta, reason), meta.total)
      assert.ok(data.some((each) => each.id === id))
      const page = await sendRequest(`${origin}${posting?.path ?? '/careers/none/en/none'}`)
      // A visible posting without structured data has a page; the others have none.
      assert.equal(page.status, isState ? 404 : 200, reason)
      assert.doesNotMatch(page.text, /application\/ld\+json/)
    }
    assert.equal((await hidden()).meta.listed, before.listed - plants.length)
  })

  it('puts what can be corrected first, in pages, by locale', async () => {
    const order = ['visible', 'site_inactive', 'job_not_open', 'waiting', 'ended', 'draft', 'closed']
    const { data, meta } = await hidden('?limit=200')
    const ranks = data.map(({ state }) => order.indexOf(state))
    assert.deepEqual(
      ranks,
      ranks.toSorted((a, b) => a - b),
    )
    assert.equal(data[0]?.state, 'visible')
    const page = await hidden('?limit=3&offset=2')
    assert.deepEqual(page.data, data.slice(2, 5))
    assert.deepEqual(page.meta, { ...meta, limit: 3, offset: 2 })
    const locales = (await siteWith(siteId)).locales.map(({ locale }) => locale)
    assert.ok(locales.length > 1)
    assert.deepEqual(meta.locales, locales.toSorted())
    let total = 0
    for (const locale of locales) {
      const ofLocale = await hidden(`?locale=${locale}&limit=200`)
      total += ofLocale.meta.total
      assert.deepEqual(
        ofLocale.data.filter((posting) => posting.locale !== locale),
        [],
      )
      const [{ count = 0 } = {}] = await database.query<{ count: number }>(
        'select count(*) from job_distributions where career_site_id = $1 and locale = $2',
        [siteId, locale],
      )
      assert.equal(ofLocale.meta.postings, count)
    }
    assert.equal(total, meta.total)
    assert.equal((await hidden('?locale=tlh')).meta.postings, 0)
  })

  it('changes without a write when a posting begins and ends by time, also for a client that sends its ETag', async () => {
    const { id } = (await visiblePostings()).at(-1) as { id: number }
    const states = async (etag = '') => {
      // Each encoding has its own ETag, and a shorter response may have another encoding.
      const identity = { 'accept-encoding': 'identity', 'if-none-match': etag }
      const { status, headers } = await get(`/${siteId}?reason=waiting`, identity)
      return { status, etag: headers.get('etag') ?? '' }
    }
    const first = await readBefore(
      (at) =>
        database.query('update job_distributions set published_at = to_timestamp($2::float8 / 1000) where id = $1', [
          id,
          at,
        ]),
      async () => {
        assert.equal((await hiddenPosting(id))?.state, 'waiting')
        return states()
      },
    )
    await waitUntil('the posting has begun', async () => (await hiddenPosting(id)) === undefined)
    const { status, etag } = await states(first.etag)
    assert.deepEqual([status, etag === first.etag], [200, false])
    assert.equal((await states(etag)).status, 304)

    const setEnd = (at: number) =>
      database.query(
        `update job_distributions set published_at = to_timestamp($2::float8 / 1000) - interval '1 day' where id = $1`,
        [id, at],
      )
    await database.query(
      `with brand as (
         insert into recruitment_brands (organization_id, name, slug, settings_json)
         select min(id), 'Short', 'short', '{"posting_days":1,"apply":{"email":"jobs@example.com"}}' from organizations returning id)
       update job_distributions set brand_id = brand.id from brand where job_distributions.id = $1`,
      [id],
    )
    await readBefore(setEnd, async () => assert.equal(await hiddenPosting(id), undefined))
    await waitUntil('the posting has ended', async () => (await hiddenPosting(id))?.state === 'ended')
  })

  it('shows a site that is not active, and what would be visible there', async () => {
    const before = (await hidden()).meta
    await database.query('update career_sites set is_active = 0 where id = $1', [siteId])
    const { is_active: isActive, path, locales, slug } = await siteWith(siteId)
    assert.deepEqual(
      [isActive, path, ...locales.map((locale) => locale.path)],
      [false, null, ...locales.map(() => null)],
    )
    const { data, meta } = await hidden('?reason=site_inactive&limit=200')
    const [{ visible = 0 } = {}] = await database.query<{ visible: number }>(
      `select count(*) as visible from job_distributions d join job_openings j on j.id = d.job_posting_id
       where d.career_site_id = $1 and d.status = 'published' and j.status = 'open' and (d.published_at <= now() or d.published_at is null)
         and not exists (select from recruitment_brands b where b.id = d.brand_id and b.slug = 'short')`,
      [siteId],
    )
    assert.deepEqual([meta.path, meta.listed, meta.total], [null, 0, visible])
    assert.equal(before.path, `/careers/${slug}/`)
    assert.deepEqual([...new Set(data.map((posting) => posting.path))], [null])
    const draftsIn = ({ reasons }: typeof meta) => reasons.find(({ reason }) => reason === 'draft')?.count
    assert.equal(draftsIn(meta), draftsIn(before))
    await database.query('update career_sites set is_active = 1 where id = $1', [siteId])
  })

  it('reads sites with more postings than one batch', async () => {
    const [{ id = 0 } = {}] = await database.query<{ id: number }>(
      `insert into career_sites (name, slug) values ('Batches', 'batches') returning id`,
    )
    await database.query(
      `insert into job_distributions (job_posting_id, career_site_id, brand_id, locale, slug, status)
       select (select min(id) from job_openings where status = 'open'), $1, null, 'en', 'batch-' || n, case when n % 2 = 0 then 'published' else 'draft' end
       from generate_series(1, 1000) n`,
      [id],
    )
    const { data, meta } = await hidden('?limit=1&offset=600', id)
    assert.deepEqual([meta.total, meta.postings, meta.listed], [1_000, 1_000, 0])
    assert.deepEqual(
      meta.reasons.map(({ reason, count, link }) => [reason, count, link]),
      [
        ['apply', 500, null],
        ['draft', 500, null],
      ],
    )
    assert.equal(data[0]?.state, 'draft')
    await database.query('delete from job_distributions where career_site_id = $1', [id])
    assert.deepEqual((await hidden('', id)).meta.reasons, [])
    await database.query('delete from career_sites where id = $1', [id])
  })

  it('leaves out the link of statuses that no filter tells apart', async () => {
    const [{ id = 0, locale = '' } = {}] = await database.query<{ id: number; locale: string }>(
      `select id, locale from job_distributions where career_site_id = $1 and status = 'draft' limit 1`,
      [siteId],
    )
    await database.query(`update job_distributions set status = 'Published!' where id = $1`, [id])
    const draftLink = async () => (await siteWith(siteId)).locales.find((each) => each.locale === locale)?.links.draft
    assert.equal(await draftLink(), undefined)
    await database.query(`update job_distributions set status = 'draft' where id = $1`, [id])
    assert.match((await draftLink()) ?? '', /&status=draft$/)
  })

  it('reports wrong parameters and unknown sites', async () => {
    const problems: Readonly<Record<string, string>> = {
      '?limit=0': 'greater_than_equal',
      '?limit=201': 'less_than_equal',
      '?offset=-1': 'greater_than_equal',
      '/1?reason=weather': 'literal_error',
      '/1?reason=visible': 'literal_error',
      '/1?locale=%ff': 'string_unicode',
      '/1?reason=%ff': 'string_unicode',
      '/%ff': 'string_unicode',
    }
    for (const [path, type] of Object.entries(problems)) {
      const { status, json } = await get(path)
      assert.deepEqual([status, json.detail.map((each: { type: string }) => each.type)], [422, [type]], path)
    }
    const strict = await get('/1?reasons=draft', { prefer: 'handling=strict' })
    assert.deepEqual([strict.status, strict.json.detail[0].ctx], [422, { did_you_mean: 'reason' }])
    assert.equal((await get('/1?reasons=draft&reason=&locale=')).status, 200)
    for (const id of ['0', 'x', '99999', '9'.repeat(30)]) {
      const { status, json } = await get(`/${id}`)
      assert.deepEqual([status, json.error.code], [404, 'not_found'], id)
    }
  })

  it('responds 304 to its ETag, and to a write with the new figures', async () => {
    const first = await sendRawRequest(`${service.baseUrl}/v1/career-visibility`, {})
    const etag = String(first.headers.etag)
    assert.equal((await get('', { 'if-none-match': etag })).status, 304)
    await database.query(`update career_sites set name = name || ' ' where id = $1`, [siteId])
    assert.equal((await get('', { 'if-none-match': etag })).status, 200)
  })

  it('needs the token if reads need it', async () => {
    const other = await startService(database.url, { careerSites: true, reads: 'token' })
    try {
      for (const path of ['', `/${siteId}`]) {
        const url = `${other.baseUrl}/v1/career-visibility${path}`
        assert.equal((await sendRequest(url)).status, 401)
        assert.equal((await sendRequest(url, { headers: { authorization: `Bearer ${token}` } })).status, 200)
      }
    } finally {
      await other.stop()
    }
  })

  it('responds 404 if career sites are off', async () => {
    const other = await startService(database.url)
    try {
      for (const path of ['', `/${siteId}`]) {
        const { status, json } = await sendRequest(`${other.baseUrl}/v1/career-visibility${path}`)
        assert.deepEqual([status, json.error.code], [404, 'not_found'])
      }
    } finally {
      await other.stop()
    }
  })
})
