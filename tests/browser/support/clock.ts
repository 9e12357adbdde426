import type { BrowserContext, Disposable } from '@playwright/test'

const scripts = new WeakMap<BrowserContext, Disposable>()

/**
 * Sets the day that is today for the pages that are opened from now on. Their clocks run on, unlike those of
 * `page.clock`, whose timers and frames are not those of the browser.
 *
 * It is early in the morning: west of UTC, a page that asks for the local day gets the day before.
 */
export const setToday = async (context: BrowserContext, day: string): Promise<void> => {
  await scripts.get(context)?.dispose()
  scripts.set(context, await context.addInitScript(shiftClock, Date.parse(`${day}T06:00:00Z`) - Date.now()))
}

/** Runs in the page, before its scripts. */
const shiftClock = (offsetMs: number): void => {
  const now = Date.now
  Date.now = () => now() + offsetMs
  globalThis.Date = new Proxy(Date, {
    construct: (target, values, newTarget) =>
      Reflect.construct(target, values.length === 0 ? [target.now()] : values, newTarget),
  })
}
