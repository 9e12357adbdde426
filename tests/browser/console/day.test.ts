/** The day of the screens, and that nothing of the present is shown as if it were of another day. */
import type { Page } from '@playwright/test'
import { setToday } from '../support/clock.ts'
import { openConsole, screens } from '../support/console-page.ts'
import { demoDay } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'

const yearAgo = '2025-10-30'
const dayButton = (page: Page) => page.getByRole('button', { name: /^As of/ })
const navigation = (page: Page) => page.getByRole('navigation', { name: 'Screens' })

test('the chosen day is kept while a screen of the present is open', async ({ page, muster }) => {
  await openConsole(page, muster, `leave?as_of=${yearAgo}`)
  await expect(dayButton(page)).toHaveText(/Thu 30 Oct 2025/)
  await navigation(page).getByRole('link', { name: 'Today' }).click()
  await expect(page.locator('h1')).toHaveText('Today')
  await expect(dayButton(page)).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`as_of=${yearAgo}`))
  await navigation(page).getByRole('link', { name: 'Headcount' }).click()
  await expect(page.locator('h1')).toHaveText('Headcount')
  await expect(dayButton(page)).toHaveText(/Thu 30 Oct 2025/)
})

test('on screens with a day, what is of the present says so', async ({ page, muster }) => {
  const marks = {
    leave: ['Waiting for approval now', 'Departments, their people and the status of requests are as they are now.'],
    attendance: ['each person’s department now'],
    'hiring/funnel': ['Active now', 'Stages and statuses are as they are now.'],
    'hiring/time-to-hire': ['the opening’s department now'],
    'hiring/sources': ['Active now', 'Stages and statuses are as they are now.'],
  }
  for (const [path, texts] of Object.entries(marks)) {
    await openConsole(page, muster, `${path}?as_of=2026-09-30`)
    for (const text of texts) await expect(page.getByRole('main').getByText(text).first(), path).toBeVisible()
  }
})

test('the agenda of phones names a day Today only if it is', async ({ page, muster }) => {
  const heading = page.locator('main ol > li').first().getByRole('heading')
  await openConsole(page, muster, `leave?as_of=${yearAgo}`, screens.phone)
  await expect(heading).toContainText(/^Thu 30 Oct/)
  await openConsole(page, muster, 'leave')
  await expect(heading).toContainText(/^Today, Fri 30 Oct/)
})

test('a screen of the present says that the data has ended, but offers no other day', async ({ page, muster }) => {
  await setToday(page.context(), '2026-11-15')
  await openConsole(page, muster, `today?as_of=${demoDay}`)
  await expect(page.getByText(/^Data reaches 30 Oct 2026\. Figures of 15 Nov 2026/)).toBeVisible()
  await expect(page.getByText('days have passed since attendance was last recorded')).toBeVisible()
  await expect(page.getByText('Nothing needs attention')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Show that day' })).toHaveCount(0)
})
