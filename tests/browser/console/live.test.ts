/** Screens announce changes of their records, and all tabs of a browser share one stream of the change feed. */
import type { BrowserContext, Page, Request } from '@playwright/test'
import { openConsole } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { fetchWhenFree, startMuster, writeToken } from '../support/muster.ts'
import { waitUntilSettled } from '../support/settled.ts'
import { expect, test } from '../support/test.ts'
import { waitForScreen } from './screens.ts'

/** Counts the streams that the tabs of a browser have open, and whose response has begun. */
const watchStreams = (context: BrowserContext): (() => number) => {
  const open = new Set<Request>()
  context.on('response', (response) => {
    if (response.request().headers().accept === 'text/event-stream') open.add(response.request())
  })
  context.on('requestfinished', (request) => open.delete(request))
  context.on('requestfailed', (request) => open.delete(request))
  return () => [...open].filter((request) => !request.frame().page().isClosed()).length
}

const notice = (page: Page) => page.getByText(/^\d[\d,]*( or more)? changes? since this was read/)
const press = (page: Page, button: string) => notice(page).locator('..').getByRole('button', { name: button }).click()

/** Waits until this number of tabs listens: one holds the lock, and its stream has begun, and the others wait for it. */
const waitUntilListening = async (page: Page, streams: () => number, tabs = 1): Promise<void> => {
  const locks = () =>
    page.evaluate(async () => {
      const { held = [], pending = [] } = await navigator.locks.query()
      return held.length + pending.length
    })
  await expect.poll(locks).toBe(tabs)
  await expect.poll(streams).toBe(1)
}

// The feed has the time of the database.
test.use({ today: null })

test.describe('changes of records', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let muster: Muster
  test.beforeAll(async () => {
    muster = await startMuster()
  })
  test.afterAll(() => muster.stop())

  const createLeave = async () => {
    const response = await fetchWhenFree(`${muster.origin}/api/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writeToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ leave_type: 'annual', status: 'pending' }),
    })
    expect(response.status).toBe(201)
  }
  const open = async (page: Page, path: string) => {
    await openConsole(page, muster, path)
    await waitForScreen(page)
    await waitUntilSettled(page)
  }

  test('are announced in every tab that shows them, over one stream for all tabs', async ({ context }) => {
    const streams = watchStreams(context)
    const pages: Page[] = []
    for (const path of ['today', 'leave', 'headcount', 'leave', 'hiring', 'attendance', 'health']) {
      const page = await context.newPage()
      await open(page, path)
      pages.push(page)
    }
    const [, leave, headcount, otherLeave] = pages as [Page, Page, Page, Page]
    await waitUntilListening(leave, streams, pages.length)
    const startedAt = performance.now()
    await createLeave()
    await expect(notice(leave)).toHaveText('1 change since this was read: 1 in leave.')
    console.log(`announced after ${Math.round(performance.now() - startedAt)} ms in the second of seven tabs`)
    await expect(notice(otherLeave)).toHaveText('1 change since this was read: 1 in leave.')
    await createLeave()
    await createLeave()
    await expect(notice(leave)).toHaveText('3 changes since this was read: 3 in leave.')
    await expect(notice(headcount)).toHaveCount(0)
    // Another tab reads the stream when the first one is closed.
    await (pages[0] as Page).close()
    await createLeave()
    await expect(notice(leave)).toHaveText('4 changes since this was read: 4 in leave.')
    expect(streams()).toBe(1)
    for (const page of pages.slice(1)) await page.close()
  })

  test('do not move the screen until the reader refreshes it, or go away when they are dismissed', async ({
    page,
    context,
  }) => {
    const streams = watchStreams(context)
    await open(page, 'data/leave?sort=-id')
    await waitUntilListening(page, streams)
    const newest = page.getByRole('main').getByRole('rowheader').first()
    const before = await newest.innerText()
    await createLeave()
    await expect(notice(page)).toBeVisible()
    expect(await newest.innerText()).toBe(before)
    await press(page, 'Refresh')
    await expect(notice(page)).toHaveCount(0)
    await expect(newest).not.toHaveText(before)
    await createLeave()
    await expect(notice(page)).toHaveText('1 change since this was read: 1 in leave.')
    await press(page, 'Dismiss')
    await expect(notice(page)).toHaveCount(0)
    await createLeave()
    await expect(notice(page)).toHaveText('1 change since this was read: 1 in leave.')
  })

  test('are read every ten seconds where the browser has no locks', async ({ page, context }) => {
    const streams = watchStreams(context)
    await page.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
    await page.clock.install()
    await open(page, 'leave')
    await expect(async () => {
      await createLeave()
      await page.clock.runFor(10_000)
      await expect(notice(page)).toBeVisible({ timeout: 3_000 })
    }).toPass()
    expect(streams()).toBe(0)
  })
})
