import { test as base } from '@playwright/test'
import { setToday } from './clock.ts'
import type { Muster, MusterOptions } from './muster.ts'
import { demoDay, startMuster } from './muster.ts'
import { watchRequests } from './settled.ts'

interface SharedServices {
  /**
   * Starts a service, or returns the one that another test of this worker has started with the same arguments. The
   * statements change its records. Tests that use it must not change data.
   */
  start(options: MusterOptions, statements?: readonly string[]): Promise<Muster>
}

interface TestFixtures {
  /** The day that is today for the pages: the last day of the demo company by default. Null: the real day. */
  readonly today: string | null
}

interface WorkerFixtures {
  readonly services: SharedServices
  /**
   * A service with the demo company and public reads, shared by all tests of a worker. It has no tokens, so that no
   * test can create records. A test that changes data calls `startMuster` itself.
   */
  readonly muster: Muster
  /** The same, but without a token personal values are withheld. */
  readonly redactedMuster: Muster
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  today: [demoDay, { option: true }],
  services: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires a destructuring pattern here
    async ({}, use) => {
      const started = new Map<string, Promise<Muster>>()
      const startWith = async (options: MusterOptions, statements: readonly string[]): Promise<Muster> => {
        const muster = await startMuster(options)
        for (const statement of statements) await muster.sql(statement)
        return muster
      }
      await use({
        start: (options, statements = []) => {
          const key = JSON.stringify([options, statements])
          const muster = started.get(key) ?? startWith(options, statements)
          started.set(key, muster)
          return muster
        },
      })
      for (const muster of started.values()) await (await muster).stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  muster: [
    async ({ services }, use) => use(await services.start(publicOptions)),
    { scope: 'worker', timeout: 120_000 },
  ],
  redactedMuster: [
    async ({ services }, use) => use(await services.start({ reads: 'redacted' })),
    { scope: 'worker', timeout: 120_000 },
  ],
  context: async ({ context, today }, use) => {
    if (today !== null) await setToday(context, today)
    context.on('page', watchRequests)
    await use(context)
  },
})

export const publicOptions: MusterOptions = { data: {}, tokens: {}, settings: { MUSTER_CAREER_SITES: 'on' } }

export { expect } from '@playwright/test'
