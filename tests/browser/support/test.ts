import { test as base } from '@playwright/test'
import type { Muster } from './muster.ts'
import { startMuster } from './muster.ts'
import { watchRequests } from './settled.ts'

interface WorkerFixtures {
  /**
   * A service with the demo company and public reads, shared by all tests of a worker. It has no tokens, so that no
   * test can create records. A test that changes data or needs other options calls `startMuster` itself.
   */
  readonly muster: Muster
}

export const test = base.extend<object, WorkerFixtures>({
  muster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructuring pattern here
    async ({}, use) => {
      const muster = await startMuster({ tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } })
      await use(muster)
      await muster.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  context: async ({ context }, use) => {
    context.on('page', watchRequests)
    await use(context)
  },
})

export { expect } from '@playwright/test'
