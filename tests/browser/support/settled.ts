import type { Page, Request } from '@playwright/test'
import { expect } from '@playwright/test'

interface Traffic {
  readonly pending: Set<Request>
  /** How many requests have begun. */
  count: number
}

const trafficByPage = new WeakMap<Page, Traffic>()

/** Counts the requests of a page. Call this before the first navigation. */
export const watchRequests = (page: Page): void => {
  const traffic: Traffic = { pending: new Set(), count: 0 }
  trafficByPage.set(page, traffic)
  const end = (request: Request) => traffic.pending.delete(request)
  page.on('request', (request) => {
    // The requests of the previous document end without an event.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) traffic.pending.clear()
    if (isStream(request)) return
    traffic.count += 1
    traffic.pending.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

/** The stream of changes does not end while the page is open. */
const isStream = (request: Request): boolean => request.headers().accept === 'text/event-stream'

/**
 * Waits until all requests of the page have ended and it has sent no others as a consequence. Unlike the load state
 * `networkidle`, this also works after a navigation within the page, and it does not wait for half a second.
 */
export const waitUntilSettled = async (page: Page): Promise<void> => {
  const traffic = trafficByPage.get(page)
  if (traffic === undefined) throw new Error('The requests of this page are not watched')
  const check = async (): Promise<string> => {
    const { count, pending } = traffic
    if (pending.size > 0) return `waiting for ${[...pending].map((request) => request.url()).join(', ')}`
    // A navigation ends the evaluation.
    const isIdle = await page.evaluate(waitForIdle).catch(() => false)
    return isIdle && traffic.count === count ? 'settled' : 'more requests were sent'
  }
  await expect.poll(check, { intervals: [20] }).toBe('settled')
}

/**
 * Runs in the page. The console requests what its frame shows 50 ms after the requests of the screen have ended. Its
 * timer has been set before this one, and ends before it.
 */
const waitForIdle = async (): Promise<boolean> => {
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 }))
  await idle()
  await new Promise((resolve) => setTimeout(resolve, 60))
  await idle()
  return true
}
