/**
 * Takes the screenshots in docs/career-sites/ of a running service with career sites, such as `muster demo --size medium`.
 *
 *   MUSTER_URL=http://127.0.0.1:8080 node tools/scripts/career-screenshots.ts
 */
import { mkdir, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { chromium } from '@playwright/test'

const maxBytes = 200_000
const folder = fileURLToPath(new URL('../../docs/career-sites/', import.meta.url))
const {
  MUSTER_URL: serviceUrl = 'http://127.0.0.1:8080',
  CHROMIUM: executablePath = '/usr/bin/chromium-headless-shell',
} = process.env

/** A site of the demo company with English texts only. */
const sitePath = 'careers/wattlebird-freight-au/en-AU/'

const views = {
  desktop: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  'desktop-dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const

const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  const file = `${folder}${name}.png`
  await page.screenshot({ path: file })
  const { size } = await stat(file)
  console.log(`${name}.png ${size} bytes${size > maxBytes ? ', too large' : ''}`)
}

await mkdir(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
for (const [viewName, view] of Object.entries(views)) {
  const page = await browser.newPage(view)
  await page.goto(new URL(sitePath, `${serviceUrl}/`).href)
  await takeScreenshot(page, `list-${viewName}`)
  await page.locator('.list a').first().click()
  await page.locator('article').waitFor()
  await takeScreenshot(page, `job-${viewName}`)
  await page.close()
}
await browser.close()
