import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'puppeteer-core'
import { launch } from 'puppeteer-core'

export interface TestBrowser {
  readonly browser: Browser
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
  })
  return {
    browser,
    async close() {
      await browser.close()
      await rm(profileFolder, { recursive: true, force: true })
    },
  }
}
