/**
 * Takes the screenshots in docs/console/ of a running service: each screen wide, dark and on a phone.
 *
 *   MUSTER_URL=http://127.0.0.1:8080 node tools/scripts/console-screenshots.ts [--today 2026-11-13]
 *
 * The service has the demo company `medium`. --today: the day that is today for the pages, usually the last day of the
 * company. Exits with an error if a screen shows one.
 */
import { mkdir, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { setToday } from '../../tests/browser/support/clock.ts'

const maxBytes = 200_000
const folder = fileURLToPath(new URL('../../docs/console/', import.meta.url))
const {
  MUSTER_URL: serviceUrl = 'http://127.0.0.1:8080',
  CHROMIUM: executablePath = '/usr/bin/chromium-headless-shell',
} = process.env
const { values } = parseArgs({ options: { today: { type: 'string' } } })

/** The employee is a team manager in the demo company, and the opening has applications in several stages. */
const paths: Readonly<Record<string, string>> = {
  today: 'today',
  people: 'people?open=50',
  person: 'people/50',
  org: 'org?person=50',
  'org-picture': 'org?view=picture',
  openings: 'hiring',
  opening: 'hiring/openings/953',
  funnel: 'hiring/funnel',
  'time-to-hire': 'hiring/time-to-hire',
  sources: 'hiring/sources',
  'career-sites': 'hiring/career-sites',
  'career-site': 'hiring/career-sites/1',
  leave: 'leave',
  attendance: 'attendance',
  headcount: 'headcount?by=dept_id',
  data: 'data/attendance',
  health: 'health',
}

const views = {
  wide: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const

await mkdir(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
for (const [viewName, view] of Object.entries(views)) {
  const context = await browser.newContext(view)
  if (values.today !== undefined) await setToday(context, values.today)
  const page = await context.newPage()
  for (const [name, path] of Object.entries(paths)) {
    const url = new URL(`console/${path}`, `${serviceUrl}/`)
    await page.goto(url.href)
    await page.waitForSelector('h1:not([data-first-paint] *)')
    await page.waitForLoadState('networkidle')
    await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
    if ((await page.getByRole('main').getByRole('alert').count()) > 0) throw new Error(`${url.href} shows an error`)
    const file = `${folder}${name}-${viewName}.png`
    await page.screenshot({ path: file })
    const { size } = await stat(file)
    console.log(`${name}-${viewName}.png ${size} bytes${size > maxBytes ? ', too large' : ''}`)
  }
  await page.close()
}
await browser.close()
