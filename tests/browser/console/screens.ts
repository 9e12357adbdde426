import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { demoDay } from '../support/muster.ts'
import { waitUntilSettled } from '../support/settled.ts'

const day = `as_of=${demoDay}`

/** Every screen of the console, by name, with the path that opens it for the day of the demo company. */
export const screenPaths = {
  today: `today?${day}`,
  people: `people?${day}`,
  'people as cards': `people?view=cards&${day}`,
  'people with an open record': `people?open=7&${day}`,
  person: `people/7?${day}`,
  org: `org?${day}`,
  'org as a picture': `org?view=picture&${day}`,
  openings: `hiring?${day}`,
  opening: `hiring/openings/9?${day}`,
  funnel: `hiring/funnel?${day}`,
  'time to hire': `hiring/time-to-hire?${day}`,
  sources: `hiring/sources?${day}`,
  'career sites': `hiring/career-sites?${day}`,
  'career site': `hiring/career-sites/1?${day}`,
  leave: `leave?${day}`,
  attendance: `attendance?${day}`,
  headcount: `headcount?${day}`,
  'headcount by department': `headcount?by=dept_id&${day}`,
  data: `data?${day}`,
  'data of employees': `data/employees?${day}`,
  'data of attendance': `data/attendance?${day}`,
  'data with an open record': `data/leave?status=approved&_open=3&${day}`,
  health: `health?${day}`,
} as const

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
