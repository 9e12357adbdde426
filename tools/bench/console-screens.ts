/** The screens of the console that the benchmark opens, and what it does on each of them. */
import type { Page } from '@playwright/test'

export interface MeasuredScreen {
  /** Path relative to `/console/`. */
  readonly path: string
  /** A few interactions that only this screen has. */
  readonly interact?: (page: Page) => Promise<void>
}

const pressKeys = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Moves the focus to the first mark of a chart or row of a tree, and presses keys there. */
const moveIn = async (page: Page, selector: string, ...keys: readonly string[]): Promise<void> => {
  await page.locator(selector).first().focus()
  await pressKeys(page, ...keys)
}

const chartMark = 'main [data-mark][tabindex="0"]'

/** The ids exist in every demo company: an employee, who is a manager, and an opening. */
export const measuredScreens: Readonly<Record<string, MeasuredScreen>> = {
  today: { path: 'today', interact: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowLeft') },
  people: {
    path: 'people',
    interact: async (page) => {
      const list = page.waitForResponse(/\/v1\/employees\?.*dept_id/)
      await page.getByRole('main').locator('label').first().click()
      // A person waits for the new list before pressing the next key.
      await list
      await pressKeys(page, 'j', 'j', 'k', 'Escape')
    },
  },
  person: { path: 'people/7', interact: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowUp') },
  org: {
    path: 'org',
    interact: (page) => moveIn(page, 'main [role=row]', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowLeft'),
  },
  'org as a picture': { path: 'org?view=picture' },
  openings: { path: 'hiring' },
  opening: { path: 'hiring/openings/1' },
  funnel: { path: 'hiring/funnel' },
  'time to hire': { path: 'hiring/time-to-hire' },
  sources: { path: 'hiring/sources' },
  'career sites': { path: 'hiring/career-sites' },
  'career site': { path: 'hiring/career-sites/1' },
  leave: { path: 'leave' },
  attendance: { path: 'attendance', interact: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowUp', 'Enter') },
  headcount: { path: 'headcount', interact: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowLeft') },
  'headcount by department': { path: 'headcount?by=dept_id' },
  data: { path: 'data' },
  'data of attendance': {
    path: 'data/attendance',
    interact: async (page) => {
      await page.getByRole('scrollbar').focus()
      await pressKeys(page, 'PageDown', 'PageDown', 'End', 'Home')
      await pressKeys(page, 'j', 'j', 'Escape')
    },
  },
  health: { path: 'health' },
}

/** A screen ignores keys while a dialog is open, and on a slow CPU a dialog closes later than the key is pressed. */
const closeDialog = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await pressKeys(page, 'Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** What can be done on every screen: move the focus, open the definition, the keys and the search, and change the theme. */
export const interactEverywhere = async (page: Page): Promise<void> => {
  await pressKeys(page, 'Tab', 'Tab', 'Tab')
  const definition = page.getByRole('button', { name: 'How is this counted?' }).first()
  if ((await definition.count()) > 0) {
    await definition.click()
    await closeDialog(page)
  }
  await pressKeys(page, '?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await closeDialog(page)
  await pressKeys(page, '/')
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await page.keyboard.type('berlin', { delay: 80 })
  await pressKeys(page, 'ArrowDown', 'ArrowDown', 'Escape')
}
