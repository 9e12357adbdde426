import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { waitForScreen } from './screens.ts'

/**
 * What a user does on a page, with the number of actions: a click, a key with its modifiers, and a text that is typed
 * are one action each. So are the two letters that open a screen.
 */
export interface UserActions {
  /** What was done, in order. */
  readonly log: readonly string[]
  click(target: Locator): Promise<void>
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Presses Tab until the target has the focus. Each press is an action. */
  tabTo(target: Locator): Promise<void>
}

/** No target is so far away that more presses would help. */
const mostPresses = 150

export const recordActions = (page: Page): UserActions => {
  const log: string[] = []
  const press = async (key: string): Promise<void> => {
    log.push(key)
    await page.keyboard.press(key)
  }
  const tabTo = async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible()
    const hasFocus = () => target.evaluate((element) => element === document.activeElement)
    for (let presses = 0; !(await hasFocus()); presses += 1) {
      if (presses === mostPresses) throw new Error(`Tab does not reach ${target}`)
      await press('Tab')
    }
  }
  return {
    log,
    press: async (key) => {
      await press(key)
      await waitForScreen(page)
    },
    type: async (text) => {
      log.push(`“${text}”`)
      await page.keyboard.type(text)
      await waitForScreen(page)
    },
    click: async (target) => {
      log.push('click')
      await target.click()
      await waitForScreen(page)
    },
    tabTo,
  }
}

/** The actions with repeated ones in short, as in `“gl”, 9 × Tab, Enter`. */
export const describeActions = ({ log }: UserActions): string => {
  const runs: { action: string; times: number }[] = []
  for (const action of log) {
    const last = runs.at(-1)
    if (last?.action === action) last.times += 1
    else runs.push({ action, times: 1 })
  }
  return runs.map(({ action, times }) => (times === 1 ? action : `${times} × ${action}`)).join(', ')
}
