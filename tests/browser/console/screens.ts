import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { consolePaths } from '../../support/console-screens.ts'
import { demoDay } from '../support/muster.ts'
import { waitUntilSettled } from '../support/settled.ts'

const withDay = <N extends string>(paths: Readonly<Record<N, string>>): Readonly<Record<N, string>> =>
  Object.fromEntries(
    Object.entries<string>(paths).map(([name, path]) => [
      name,
      `${path}${path.includes('?') ? '&' : '?'}as_of=${demoDay}`,
    ]),
  ) as Record<N, string>

const examples = {
  '/people/$id': 'people/7',
  '/hiring/openings/$id': 'hiring/openings/9',
  '/hiring/candidates/$id': 'hiring/candidates/113',
  '/hiring/career-sites/$id': 'hiring/career-sites/1',
  '/data/$resource': 'data/employees',
}

const paths = {
  ...consolePaths(examples, {
    people: { 'people as cards': 'view=cards', 'people with an open record': 'open=7' },
    candidates: { 'candidates with filters': 'status=active&source=referral' },
    'over time': { 'headcount by department': 'by=dept_id' },
  }),
  'data of attendance': 'data/attendance',
  'data with an open record': 'data/leave?status=approved&_open=3',
}

/** Every screen of the console, by name, with the path that opens it for the day of the demo company. */
export const screenPaths = withDay(paths)

/**
 * Waits until all requests of the screen are answered and nothing is marked as loading. What a busy service has refused
 * is requested again by the screen, and waited for too.
 */
export const waitForScreen = async (page: Page): Promise<void> => {
  await expect(page.locator('[data-first-paint]')).toHaveCount(0)
  const main = page.getByRole('main')
  const unfinished = main
    .locator('[aria-busy="true"]')
    .or(main.getByRole('alert').filter({ hasText: 'The service is busy' }))
  await waitUntilSettled(page)
  while ((await unfinished.count()) > 0) {
    await expect(unfinished).toHaveCount(0)
    await waitUntilSettled(page)
  }
}

/** Changes the URL as a link of the console does, without loading the page. */
export const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((url) => {
    history.pushState({}, '', url)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, `/console/${path}`)
