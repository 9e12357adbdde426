import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { demoDay } from '../support/muster.ts'

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

/** Waits until all requests of the screen are answered and nothing is marked as loading. */
export const waitForScreen = async (page: Page): Promise<void> => {
  await expect(page.locator('[data-first-paint]')).toHaveCount(0)
  await page.waitForLoadState('networkidle')
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0)
}
