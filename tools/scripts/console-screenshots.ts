/**
 * Takes the screenshots that docs/console.md and README.md show of a running service.
 *
 *   MUSTER_URL=http://127.0.0.1:8080 npm run console:screenshots [-- --today 2026-11-13]
 *
 * The service has the demo company `medium`. --today: the day that is today for the pages, if it is not the last day of the
 * company. Exits with an error if a screen shows one.
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { setToday } from '../../tests/browser/support/clock.ts'
import { consolePaths } from '../../tests/support/console-screens.ts'
import { saveScreenshot } from './screenshot.ts'

const folder = fileURLToPath(new URL('../../docs/console/', import.meta.url))
const {
  MUSTER_URL: serviceUrl = 'http://127.0.0.1:8080',
  CHROMIUM: executablePath = '/usr/bin/chromium-headless-shell',
} = process.env
const { values } = parseArgs({ options: { today: { type: 'string' } } })

const views = {
  wide: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const

/** The opening has applications in several stages in the demo company. */
const paths = consolePaths(
  {
    '/people/$id': 'people/7',
    '/hiring/openings/$id': 'hiring/openings/953',
    '/hiring/candidates/$id': 'hiring/candidates/40369',
    '/hiring/career-sites/$id': 'hiring/career-sites/1',
    '/data/$resource': 'data/employees',
  },
  { people: { 'people with an open record': 'open=50' } },
)

const screenshots: readonly (readonly [name: string, path: string, view: keyof typeof views])[] = [
  ['today-wide', paths.today, 'wide'],
  ['today-phone', paths.today, 'phone'],
  ['people-wide', paths['people with an open record'], 'wide'],
  ['opening-wide', paths.opening, 'wide'],
  ['leave-wide', paths.leave, 'wide'],
  ['leave-phone', paths.leave, 'phone'],
  ['attendance-dark', paths.attendance, 'dark'],
]

await mkdir(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
for (const [name, path, view] of screenshots) {
  const context = await browser.newContext(views[view])
  if (values.today !== undefined) await setToday(context, values.today)
  const page = await context.newPage()
  const url = new URL(`console/${path}`, `${serviceUrl}/`)
  await page.goto(url.href)
  await page.waitForSelector('h1:not([data-first-paint] *)')
  await page.waitForLoadState('networkidle')
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
  if ((await page.getByRole('main').getByRole('alert').count()) > 0) throw new Error(`${url.href} shows an error`)
  await saveScreenshot(page, `${folder}${name}.webp`)
  await context.close()
}
await browser.close()
