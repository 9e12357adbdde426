import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

/** The component tests: parts of the kit, each alone in a page. Everything else runs in node:test or Playwright. */
export default defineConfig({
  plugins: [react()],
  // Found late, they would be bundled late, which loads the page again in the middle of a test.
  optimizeDeps: {
    include: [
      '@internationalized/date',
      '@tanstack/react-router',
      'axe-core',
      'lucide-react',
      'react-aria-components',
      'react-dom/client',
      'react/jsx-dev-runtime',
    ],
  },
  test: {
    include: ['test/kit/**/*.test.tsx'],
    reporters: ['default', '../../tools/test/vitest-reporter.ts'],
    // Long limits, because the machine may be busy.
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions: {
          executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
          args: ['--no-sandbox', '--disable-gpu'],
        },
        contextOptions: { reducedMotion: 'reduce', locale: 'en-GB' },
        actionTimeout: 30_000,
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
