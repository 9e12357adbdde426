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
  page.evaluate(() => getComputedStyle(document.body).marginTop === '0px')

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

test('finds jobs with its form and leads to the page of a job and back', async ({ page, muster }) => {
  const { site } = await siteWithJobs(muster, 'en')
  await page.goto(`${muster.origin}/careers/${site}/`)
  await expect(page).toHaveURL(`${muster.origin}/careers/${site}/en/`)
  const title = await page.locator('.list h3 a').first().innerText()
  await page.getByLabel('Job, place or keyword').fill(title)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(/\?q=/)
  await page.getByRole('link', { name: `Remove filter: ${title}` }).click()
  await expect(page).not.toHaveURL(/\?q=/)
  await page.locator('.list h3 a').first().click()
  await expect(page.locator('h1')).toHaveText(title)
  await page.getByRole('link', { name: 'All open positions' }).click()
  await expect(page).toHaveURL(`${muster.origin}/careers/${site}/en/`)
})

/** Texts that are long, missing, or written from right to left. */
const unusualJobs = [
  {
    title: `Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtin (m/w/d) ${'für den Hafen '.repeat(12)}`,
    location: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch, United Kingdom',
    description: `https://a.example/${'x'.repeat(300)}`,
    requirements: `- ${'y'.repeat(300)}`,
  },
  { title: 'No more than a title' },
  {
    title: 'مهندس برمجيات أول',
    location: 'دبي، الإمارات العربية المتحدة',
    description: `- تصميم الأنظمة\n- كتابة الاختبارات${'\n\nنبحث عن مهندس برمجيات.'.repeat(40)}`,
  },
] as const

test.describe('with unusual texts', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let muster: Muster
  let siteUrl: string
  /** Of the jobs above, in English and in Arabic. */
  let slugs: string[]

  test.beforeAll(async () => {
    muster = await startMuster({ tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } })
    const { site } = await siteWithJobs(muster, 'de')
    siteUrl = `${muster.origin}/careers/${site}`
    const rows = await muster.sql<{ id: number; slug: string }>(
      `select j.id, d.slug from job_distributions d join career_sites s on s.id = d.career_site_id join job_openings j on j.id = d.job_posting_id
       where s.slug = $1 and d.locale = 'de' and d.status = 'published' and j.status = 'open' order by d.id limit 3`,
      [site],
    )
    slugs = rows.map(({ slug }) => slug)
    for (const [index, job] of unusualJobs.entries()) {
      const { title, location, description, requirements }: Partial<Record<string, string>> = job
      await muster.sql(
        `update job_openings set title = $2, location = $3, description = $4, requirements = $5 where id = $1`,
        [rows[index]?.id, title, location, description, requirements],
      )
    }
    await muster.sql(
      `update job_openings set dept_id = null, comp_min = null, comp_max = null, remote_policy = null, employment_type = null where location is null`,
    )
    await muster.sql(`update career_sites set logo_url = null, name = repeat('Hafenumschlagsgesellschaft ', 4)`)
    await muster.sql(`update job_distributions set locale = 'ar' where locale = 'de'`)
  })
  test.afterAll(() => muster.stop())

  test('fits every screen', async ({ page }) => {
    const place = encodeURIComponent(unusualJobs[0].location)
    const paths = ['en/', 'ar/', `en/?place=${place}&q=Hafen`, 'en/?q=none', ...slugs.map((slug) => `en/${slug}`)]
    // A page without a script needs to be loaded only once.
    for (const path of paths) {
      await page.goto(`${siteUrl}/${path}`)
      for (const [width, colorScheme] of [
        [320, 'light'],
        [390, 'light'],
        [768, 'light'],
        [1440, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width}`).toBe(width)
        if (width === 320 || width === 1440) await checkAccessibility(page)
      }
    }
  })

  test('keeps the button to apply on the screen while the job is read', async ({ page }) => {
    for (const size of [
      { width: 390, height: 844 },
      { width: 844, height: 390 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size)
      await page.goto(`${siteUrl}/en/${slugs[2]}`)
      const button = page.locator('.apply .button')
      for (const share of [0, 0.5, 0.9]) {
        await page.locator('.text').evaluate((text, part) => scrollTo(0, text.scrollHeight * part), share)
        await expect(button).toBeInViewport({ ratio: 1 })
      }
      const link = page.getByRole('link', { name: 'All open positions' })
      await link.focus()
      const [linkBox, buttonBox] = [await link.boundingBox(), await button.boundingBox()]
      // It does not cover what follows the text.
      expect(linkBox?.y).toBeGreaterThanOrEqual((buttonBox?.y ?? 0) + (buttonBox?.height ?? 0))
    }
  })

  test('mirrors a page in a language that is written from right to left', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${siteUrl}/ar/${slugs[2]}`)
    const left = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.x ?? Number.NaN
    expect(await left('.apply')).toBeLessThan(await left('.text'))
    expect(await left('dd')).toBeLessThan(await left('dt'))
    const item = page.locator('.text li').first()
    expect(await item.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
  })

  test('prints the job without controls, and the URL to apply at', async ({ page }) => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.goto(`${siteUrl}/en/${slugs[2]}`)
    await expect(page.locator('h1')).toBeVisible()
    for (const selector of ['.button', '.others', 'footer', '.langs'])
      for (const element of await page.locator(selector).all()) await expect(element).toBeHidden()
    const link = page.locator('.how a')
    const printed = await link.evaluate((element) => getComputedStyle(element, '::after').content)
    expect(printed).toContain((await link.getAttribute('href')) ?? 'no link')
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
  })
})
