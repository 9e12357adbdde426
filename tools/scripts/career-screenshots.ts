/**
 * Takes the screenshots that docs/career-sites.md shows of a running service with career sites, such as
 * `muster demo --size medium`.
 *
 *   MUSTER_URL=http://127.0.0.1:8080 npm run careers:screenshots
 */
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { saveScreenshot } from './screenshot.ts'

const folder = fileURLToPath(new URL('../../docs/career-sites/', import.meta.url))
const {
  MUSTER_URL: serviceUrl = 'http://127.0.0.1:8080',
  CHROMIUM: executablePath = '/usr/bin/chromium-headless-shell',
} = process.env

/** A site of the demo company with English texts only. */
const sitePath = 'careers/wattlebird-freight-au/en-AU/'

await mkdir(folder, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
const desktop = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' })
await desktop.goto(new URL(sitePath, `${serviceUrl}/`).href)
await saveScreenshot(desktop, `${folder}list-desktop.webp`)

const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true })
await phone.goto(new URL(sitePath, `${serviceUrl}/`).href)
await phone.locator('.list a').first().click()
await phone.locator('article').waitFor()
await saveScreenshot(phone, `${folder}job-phone.webp`)
await browser.close()
