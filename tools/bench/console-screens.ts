/** The screens of the console that the benchmark opens, and what it does on each of them. */
import type { Page } from '@playwright/test'
import { consolePaths } from '../../tests/support/console-screens.ts'

export interface MeasuredScreen {
  /** Path relative to `/console/`. */
  readonly path: string
  /** A few interactions that only this screen has. */
  readonly interact?: ((page: Page) => Promise<void>) | undefined
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
const paths = consolePaths(
  {
    '/people/$id': 'people/7',
    '/hiring/openings/$id': 'hiring/openings/1',
    '/hiring/candidates/$id': 'hiring/candidates/1',
    '/hiring/career-sites/$id': 'hiring/career-sites/1',
    '/data/$resource': 'data/attendance',
  },
  { 'over time': { 'headcount by department': 'by=dept_id' } },
)

const interactions: Readonly<Partial<Record<keyof typeof paths, MeasuredScreen['interact']>>> = {
  today: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowLeft'),
  people: async (page) => {
    const list = page.waitForResponse(/\/v1\/employees\?.*dept_id/)
    await page.getByRole('main').locator('label').first().click()
    // A person waits for the new list before pressing the next key.
    await list
    await pressKeys(page, 'j', 'j', 'k', 'Escape')
  },
  person: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowUp'),
  org: (page) => moveIn(page, 'main [role=row]', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowLeft'),
  attendance: (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowUp', 'Enter'),
  'over time': (page) => moveIn(page, chartMark, 'ArrowLeft', 'ArrowLeft'),
  'data of a resource': async (page) => {
    await page.getByRole('scrollbar').focus()
    await pressKeys(page, 'PageDown', 'PageDown', 'End', 'Home')
    await pressKeys(page, 'j', 'j', 'Escape')
  },
}

export const measuredScreens: Readonly<Record<string, MeasuredScreen>> = Object.fromEntries(
  Object.entries(paths).map(([name, path]) => [name, { path, interact: interactions[name as keyof typeof paths] }]),
)

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
