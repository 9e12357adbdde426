/** In charge of a real browser for a test: Debian's Chromium with a profile of its own that is gone afterwards. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { launch } from 'puppeteer-core'

export interface TestBrowser {
  readonly browser: Browser
  close(): Promise<void>
}

/** Keeps Chromium from asking its maker anything, and lets it run where there is no screen and no other user than root. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = async (): Promise<TestBrowser> => {
  const profile = await mkdtemp(join(tmpdir(), 'muster-browser-'))
  const browser = await launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    userDataDir: profile,
    args: flags,
  })
  return {
    browser,
    async close() {
      await browser.close()
      await rm(profile, { recursive: true, force: true })
    },
  }
}
