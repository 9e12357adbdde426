import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'puppeteer-core'
import { launch } from 'puppeteer-core'

export interface TestBrowser {
  readonly browser: Browser
  /** Opens a page whose operations may take long, because the machine may be busy. */
  newPage(context?: BrowserContext): Promise<Page>
  close(): Promise<void>
}

/** Chromium must start as root and without a GPU, and must send no requests of its own to Google. */
const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = async (): Promise<TestBrowser> => {
  const profileFolder = await mkdtemp(join(tmpdir(), 'muster-browser-'))
  const browser = await launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    userDataDir: profileFolder,
    args: chromiumFlags,
    timeout: 120_000,
  })
  return {
    browser,
    async newPage(context = browser.defaultBrowserContext()) {
      const page = await context.newPage()
      page.setDefaultTimeout(120_000)
      return page
    },
    async close() {
      await browser.close()
      // Chromium may still write to its profile after it is closed.
      await rm(profileFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    },
  }
}
