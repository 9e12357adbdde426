import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

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

export default defineConfig({
  testMatch: '**/*.test.ts',
  // The tests in folders named long take several minutes: `npm test -- browser-long`.
  testIgnore: process.env.BROWSER_TESTS === 'long' ? [] : '**/long/**',
  globalSetup: './support/global-setup.ts',
  outputDir: '../../test-results',
  reporter: [['list'], ['../../tools/test/playwright-reporter.ts']],
  // Tests of one file may run in several workers, so that no worker is without work while another has a long file.
  fullyParallel: true,
  workers: Math.min(4, availableParallelism()),
  forbidOnly: true,
  // Long limits, because the machine may be busy.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: chromiumFlags,
      timeout: 120_000,
    },
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // All days of the service are days in UTC. West of it, a page that formats them as local times shows the day before.
    timezoneId: 'Pacific/Honolulu',
    // Animations take CPU time, and no test is about them.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    screenshot: 'only-on-failure',
    // Recording a trace of every test in case it fails takes too much CPU time. `--trace on` records on request.
    trace: 'off',
  },
})
