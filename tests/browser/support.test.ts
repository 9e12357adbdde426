/** The helpers in support/, on a screen of the console and on small pages that need no service. */
import { findAccessibilityViolations } from './support/accessibility.ts'
import { openConsole, screens } from './support/console-page.ts'
import { figuresOnPage, labelledFigures } from './support/figures.ts'
import { demoDay, readToken, startMuster, writeToken } from './support/muster.ts'
import { expectNoErrors, recordNetwork } from './support/network-recorder.ts'
import { waitUntilSettled } from './support/settled.ts'
import { startSite } from './support/site.ts'
import { expect, test } from './support/test.ts'

interface ListResponse {
  readonly status: number
  readonly total: number | undefined
  readonly firstRecord: Record<string, unknown> | undefined
}

const listEmployees = async (origin: string, token?: string): Promise<ListResponse> => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/v1/employees?limit=1`, { headers })
  const { meta, data } = (await response.json()) as { meta?: { total: number }; data?: Record<string, unknown>[] }
  return { status: response.status, total: meta?.total, firstRecord: data?.[0] }
}

test.describe('startMuster', () => {
  test('serves the demo company, whose database can be queried', async ({ muster }) => {
    const [counts] = await muster.sql<{ people: number; last_day: string }>(
      `select (select count(*) from employees where id > $1) as people, (select max(att_date) from attendance) as last_day`,
      [0],
    )
    expect(counts).toEqual({ people: expect.any(Number), last_day: demoDay })
    expect(await listEmployees(muster.origin)).toMatchObject({ status: 200, total: counts?.people })
    expect(counts?.people).toBeGreaterThan(200)
    expect(await muster.readLog()).toContain('Server listening')
  })

  test('shares a service that creates no records', async ({ muster }) => {
    const { status } = await fetch(`${muster.origin}/api/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writeToken}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(status).toBe(503)
  })

  test('can start with an empty database', async () => {
    const muster = await startMuster({ data: 'empty' })
    try {
      expect(await listEmployees(muster.origin)).toEqual({ status: 200, total: 0, firstRecord: undefined })
    } finally {
      await muster.stop()
    }
  })

  test('can start with another company, which has faults', async () => {
    const muster = await startMuster({ data: { seed: 'support', asOf: '2026-09-30', withFaults: true } })
    try {
      const rows = await muster.sql('select as_of, size, seed from muster_seed')
      expect(rows).toEqual([{ as_of: '2026-09-30', size: 'small with faults', seed: 'support' }])
      expect(await muster.sql('select id from employees where manager_id = id')).toHaveLength(1)
    } finally {
      await muster.stop()
    }
  })

  for (const { reads, anonymous } of [
    { reads: 'redacted', anonymous: { status: 200, firstRecord: { first_name: null } } },
    { reads: 'token', anonymous: { status: 401 } },
  ] as const)
    test(`can restrict reads to the mode ${reads}`, async () => {
      const muster = await startMuster({ reads })
      try {
        expect(await listEmployees(muster.origin)).toMatchObject(anonymous)
        for (const token of [readToken, writeToken])
          expect(await listEmployees(muster.origin, token)).toMatchObject({
            status: 200,
            firstRecord: { first_name: expect.any(String) },
          })
      } finally {
        await muster.stop()
      }
    })

  test('can stop and start the database while the service runs', async () => {
    const muster = await startMuster()
    try {
      await muster.stopDatabase()
      await expect.poll(async () => (await listEmployees(muster.origin)).status).toBe(503)
      await muster.startDatabase()
      await expect.poll(async () => (await listEmployees(muster.origin)).status).toBe(200)
    } finally {
      await muster.stop()
    }
  })
})

test('recordNetwork records requests to other origins, policy violations, failed requests and errors', async ({
  page,
  muster,
}) => {
  const otherSite = await startSite()
  try {
    const network = await recordNetwork(page, muster.origin)
    await openConsole(page, muster, 'health')
    await waitUntilSettled(page)
    expectNoErrors(network)
    const otherUrl = `${otherSite.origin}/`
    const missingUrl = `${muster.origin}/api/v1/employees/none`
    await page.evaluate(
      async ([otherUrl, missingUrl]) => {
        await (await fetch(missingUrl)).text()
        await fetch(otherUrl).catch(() => {})
        document.body.append(Object.assign(new Image(), { src: otherUrl }))
        setTimeout(() => {
          throw new Error('thrown on the page')
        })
      },
      [otherUrl, missingUrl] as const,
    )
    await expect.poll(() => network.errors).toContainEqual(expect.stringContaining('thrown on the page'))
    await expect.poll(() => network.failedRequests).toEqual([`GET ${missingUrl} 404`, `GET ${otherUrl} csp`])
    expect(network.otherOriginUrls).toEqual([otherUrl])
    expect(network.violations).toEqual([`connect-src ${otherUrl}`, `img-src ${otherUrl}`])
    expect(network.requests).toContain(`GET ${missingUrl}`)
    expect(network.takeTransfers().map(({ url }) => url)).toContain(missingUrl)
    expect(() => expectNoErrors(network)).toThrow()
  } finally {
    await otherSite.stop()
  }
})

test('findAccessibilityViolations runs axe-core on a page with a strict Content Security Policy', async ({
  page,
  muster,
}) => {
  const network = await recordNetwork(page, muster.origin)
  await openConsole(page, muster, 'health')
  await waitUntilSettled(page)
  const findImages = async () =>
    (await findAccessibilityViolations(page)).filter((violation) => violation.startsWith('image-alt'))
  expect(await findImages()).toEqual([])
  await page.evaluate(() => document.body.append(document.createElement('img')))
  expect(await findImages()).toEqual([expect.stringContaining('img')])
  expectNoErrors(network)
})

test('figuresOnPage returns name, text, value and link of every figure', async ({ page }) => {
  const pageText = `<!doctype html><title>A page</title>
    <p><a data-figure="people" data-value="1234" href="data/employees?status=active">1,234</a> people</p>
    <p data-figure="rate">  0.85
      % </p>
    <p data-figure="openings">of <a href="/console/data/jobs"><b>12</b></a> openings</p>
    <svg><a data-figure="bar" href="#bar"><text>7</text></a>
      <a data-figure="dot" href="#dot" aria-label="May: 8"><circle r="1"/></a></svg>`
  const site = await startSite({ '/console/today': pageText })
  try {
    await page.goto(`${site.origin}/console/today`)
    expect(await figuresOnPage(page)).toEqual([
      { name: 'people', text: '1,234', value: 1234, href: `${site.origin}/console/data/employees?status=active` },
      { name: 'rate', text: '0.85 %', value: undefined, href: undefined },
      { name: 'openings', text: 'of 12 openings', value: undefined, href: `${site.origin}/console/data/jobs` },
      { name: 'bar', text: '7', value: undefined, href: `${site.origin}/console/today#bar` },
      { name: 'dot', text: 'May: 8', value: undefined, href: `${site.origin}/console/today#dot` },
    ])
  } finally {
    await site.stop()
  }
})

test('labelledFigures returns the labels beside figures, of their groups, and of their rows and columns', async ({
  page,
}) => {
  const pageText = `<!doctype html><title>A page</title><main>
    <p><a data-figure="people" href="data/employees?status=active" aria-label="1,234 People">1,234</a> people</p>
    <p><span data-figure="no label">5</span></p>
    <ul aria-label="Status"><li><span id="left">Left</span> <span data-figure="left" data-named-by="left">7</span></li></ul>
    <section><h2>Stages</h2><table>
      <thead><tr><th>Stage</th><th id="in">Reached</th></tr></thead>
      <tr><th scope="row" id="offer">Offer</th><td>
        <a id="n" data-figure="offer" href="data/applications?id=1" aria-labelledby="n in offer">3</a>
        of <span data-figure="places" data-what="places">4</span></td></tr>
      <tr><th scope="row" id="job"><a href="/console/hiring/openings/9">Writer</a></th><td>
        <span data-figure="job" data-named-by="in job">2</span></td></tr>
    </table></section>
    <svg><a data-figure="dot" data-mark href="#dot" aria-label="May: 8"><circle r="1"/></a></svg></main>`
  const site = await startSite({ '/console/today': pageText })
  try {
    await page.goto(`${site.origin}/console/today`)
    expect(await labelledFigures(page)).toEqual([
      { label: 'people', text: '1,234', link: 'data/employees?status=active', table: undefined },
      { label: 'status: left', text: '7', link: undefined, table: undefined },
      { label: 'stage offer: reached', text: '3', link: 'data/applications?id=1', table: 'Stages' },
      { label: 'stage offer: places', text: '4', link: undefined, table: 'Stages' },
      { label: 'hiring/openings/9: reached', text: '2', link: undefined, table: 'Stages' },
    ])
  } finally {
    await site.stop()
  }
})

test('openConsole sets the size, and stores the theme before the first script of this one page', async ({ page }) => {
  const themedPage = `<!doctype html><title>A page</title><h1>Today</h1>
    <script>document.documentElement.dataset.theme = localStorage.getItem('muster.theme')</script>`
  const site = await startSite({ '/console/today?day=1': themedPage })
  try {
    for (const theme of ['dark', 'light'] as const) {
      await openConsole(page, site, 'today?day=1', { theme, ...screens.phone })
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      expect(page.viewportSize()).toEqual({ width: 360, height: 740 })
    }
    await page.evaluate(() => localStorage.setItem('muster.theme', 'dark'))
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  } finally {
    await site.stop()
  }
})
