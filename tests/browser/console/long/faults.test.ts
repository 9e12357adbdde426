/** What every screen shows while something is wrong, and that it recovers without being loaded again. */
import { resources } from '@muster/model'
import type { Page } from '@playwright/test'
import { openConsole, screens } from '../../support/console-page.ts'
import type { Muster, MusterOptions } from '../../support/muster.ts'
import { startMuster } from '../../support/muster.ts'
import { overload } from '../../support/overload.ts'
import { expect, test } from '../../support/test.ts'
import { goTo, screenPaths, waitForScreen } from '../screens.ts'

/** A service that the tests of a group share. The preparation changes its records. */
const useMuster = (options: MusterOptions, prepare?: (muster: Muster) => Promise<unknown>): (() => Muster) => {
  let muster: Muster
  test.beforeAll(async () => {
    const settings = { MUSTER_CAREER_SITES: 'on', ...options.settings }
    muster = await startMuster({ tokens: {}, ...options, settings })
    await prepare?.(muster)
  })
  test.afterAll(() => muster.stop())
  return () => muster
}

/** Uncaught exceptions of the page. Failed requests are expected here. */
const recordExceptions = (page: Page): string[] => {
  const exceptions: string[] = []
  page.on('pageerror', (error) => exceptions.push(String(error)))
  return exceptions
}

/**
 * Expects that the page has a heading and fits into both sizes. `wait` waits until it is drawn in a size. Afterwards the
 * page is wide, as at the beginning.
 */
const expectFit = async (page: Page, wait = waitForScreen): Promise<void> => {
  await expect(page.locator('h1')).toHaveCount(1)
  for (const size of [screens.phone, screens.wide]) {
    await page.setViewportSize(size)
    await wait(page)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `at ${size.width} px`)
      .toBeLessThanOrEqual(0)
  }
}

const alerts = (page: Page) => page.getByRole('main').getByRole('alert')

/** A screen that asks again and again never becomes idle. */
const waitForBusyAlert = (page: Page): Promise<void> =>
  expect(alerts(page).filter({ hasText: 'The service is busy' }).first()).toBeVisible()

/** Asks for everything again that has failed, until nothing has. */
const tryAgain = async (page: Page): Promise<void> => {
  await expect(async () => {
    // An attempt of its own may have removed the button.
    const buttons = await alerts(page).getByRole('button', { name: 'Try again' }).all()
    for (const button of buttons) await button.click({ timeout: 1_000 }).catch(() => undefined)
    await waitForScreen(page)
    await expect(alerts(page)).toHaveCount(0, { timeout: 2_000 })
  }).toPass()
}

/** The text of the screen below its heading, without the parts that change with time. */
const contentLength = (page: Page) => page.getByRole('main').evaluate((main) => (main as HTMLElement).innerText.length)

/** Waits until the page shows what it shows in a new tab. An attempt that has just begun is not marked as loading yet. */
const expectRecovery = async (page: Page): Promise<void> => {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await waitForScreen(other)
  await expect(alerts(other)).toHaveCount(0)
  const length = await contentLength(other)
  await other.close()
  await expect.poll(() => contentLength(page)).toBeGreaterThan(length * 0.8)
}

test.describe('database', () => {
  const muster = useMuster({})

  for (const [name, path] of Object.entries(screenPaths)) {
    test(`${name}: says that the database is not available, and shows its data when it is back`, async ({ page }) => {
      const exceptions = recordExceptions(page)
      await muster().stopDatabase()
      try {
        await openConsole(page, muster(), path)
        await expect(alerts(page).first()).toContainText('The database is not available')
        await expectFit(page)
      } finally {
        await muster().startDatabase()
      }
      await tryAgain(page)
      await expectRecovery(page)
      expect(exceptions).toEqual([])
    })
  }
})

test.describe('load', () => {
  // Cached responses need no connection, so even an overloaded service sends them. A small pool is soon full.
  const muster = useMuster({ settings: { MUSTER_CACHE_MB: '0', MUSTER_POOL_SIZE: '4' } })

  for (const [name, path] of Object.entries(screenPaths)) {
    test(`${name}: says that the service is busy, asks again by itself, and shows its data when it is not`, async ({
      page,
    }) => {
      const exceptions = recordExceptions(page)
      // Afterwards the browser has all scripts. A service that is busy enough refuses them too.
      await openConsole(page, muster(), path)
      await waitForScreen(page)
      // The browser has the responses too, and even an overloaded service knows that they are current: 304.
      for (const { table } of resources) await muster().sql(`update ${table} set id = id where id = 1`)
      const busyResponse = page.waitForResponse(
        // The body of a request that the page has aborted cannot be read.
        async (response) =>
          response.status() === 503 && (await response.text().catch(() => '')).includes('"overloaded"'),
      )
      const end = await overload(muster())
      try {
        await openConsole(page, muster(), path)
        expect((await busyResponse).headers()['retry-after']).toBe('1')
        await waitForBusyAlert(page)
        await expectFit(page, waitForBusyAlert)
      } finally {
        await end()
      }
      // Nobody presses a button: the screen asks again after the time that the service named.
      await expect(alerts(page)).toHaveCount(0)
      await waitForScreen(page)
      await expectRecovery(page)
      expect(exceptions).toEqual([])
    })
  }
})

test.describe('connection', () => {
  const muster = useMuster({})

  for (const [name, path] of Object.entries(screenPaths)) {
    test(`${name}: says that the reader is offline, and shows its data when they are back`, async ({ page }) => {
      const exceptions = recordExceptions(page)
      await openConsole(page, muster(), path)
      await waitForScreen(page)
      const before = await contentLength(page)
      await page.context().setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
      await expectFit(page)
      // On screens that have a day, another one needs other figures, which cannot be loaded now.
      await goTo(page, path.replace(/as_of=[\d-]+/, 'as_of=2026-10-29'))
      await expect(page.locator('h1')).toHaveCount(1)
      await waitForScreen(page)
      await page.context().setOffline(false)
      await expect(page.getByText('You are offline.')).toHaveCount(0)
      await tryAgain(page)
      await expect.poll(() => contentLength(page)).toBeGreaterThan(before * 0.7)
      expect(exceptions).toEqual([])
    })
  }

  test('a screen whose code cannot be loaded says so, and opens when the connection is back', async ({ page }) => {
    await openConsole(page, muster(), screenPaths.today)
    await waitForScreen(page)
    await page.context().setOffline(true)
    await goTo(page, screenPaths.org)
    await expect(alerts(page)).toBeVisible()
    await page.context().setOffline(false)
    await tryAgain(page)
    await expect(page.getByRole('heading', { level: 1, name: 'Org' })).toBeVisible()
    await expect(page.getByRole('row').first()).toBeVisible()
  })
})

const longName = 'Maximiliane '.repeat(1_667).slice(0, 20_000)

const data: Readonly<Record<string, { options: MusterOptions; prepare?: (muster: Muster) => Promise<unknown> }>> = {
  'an empty database': { options: { data: 'empty' } },
  'faulty records and a circle of managers': { options: { data: { withFaults: true } } },
  'names of 20,000 characters and from right to left': {
    options: {},
    prepare: async ({ sql }) => {
      await sql(`update employees set first_name = $1, designation = $1 where id % 3 = 1`, [longName])
      await sql(`update employees set first_name = 'ליאור', last_name = 'אבן־גבירול (מנהל)' where id % 3 = 2`)
      await sql(`update candidates set first_name = $1 where id % 2 = 0`, [longName])
      await sql(`update candidates set last_name = 'عبد الرحمن' where id % 2 = 1`)
      await sql(`update departments set name = left(repeat(name || ' ', 4000), 20000) where id % 2 = 0`)
      await sql(`update departments set name = 'قسم ' || id where id % 2 = 1`)
      await sql(`update job_openings set title = $1, location = $1 where id % 2 = 0`, [longName])
      await sql(`update job_openings set title = 'مهندس برمجيات' where id % 2 = 1`)
    },
  },
  'null in every field that may be null': {
    options: {},
    prepare: async ({ sql }) => {
      const columns = await sql<{ table: string; names: string[] }>(
        `select table_name as table, array_agg(column_name::text) as names from information_schema.columns
         where table_schema = 'public' and table_name not like 'muster%' and is_nullable = 'YES'
           and is_generated = 'NEVER' group by table_name`,
      )
      for (const { table, names } of columns)
        await sql(`update ${table} set ${names.map((column) => `${column} = null`).join(', ')}`)
    },
  },
}

for (const [name, { options, prepare }] of Object.entries(data)) {
  test.describe(name, () => {
    const muster = useMuster(options, prepare)
    for (const [screen, path] of Object.entries(screenPaths))
      test(`${screen} renders`, async ({ page }) => {
        const exceptions = recordExceptions(page)
        await openConsole(page, muster(), path)
        await waitForScreen(page)
        // Records that do not exist in an empty database are named as missing. Nothing else may fail.
        for (const alert of await alerts(page).all()) await expect(alert).toContainText('There is no such record')
        await expectFit(page)
        expect((await contentLength(page)) > 40).toBe(true)
        expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThanOrEqual(3_000)
        expect(exceptions).toEqual([])
      })
  })
}
