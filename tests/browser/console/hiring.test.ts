/** What the screens below Hiring do apart from their figures, which the truth tests compare with SQL. */
import { openConsole, screens } from '../support/console-page.ts'
import { demoDay } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { goTo, waitForScreen } from './screens.ts'

test('on phones, the axis of the days by month stays in view and covers no mark that has the focus', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, `hiring/time-to-hire?as_of=${demoDay}`, screens.phone)
  await waitForScreen(page)
  const chart = page.getByRole('group', { name: /^Days to hire, by month of hire/ })
  const axis = chart.locator('xpath=preceding-sibling::*[1]')
  const marks = chart.locator('[data-mark]')
  const count = await marks.count()
  expect(count).toBeGreaterThan(9)
  await marks.last().focus()
  for (let index = count - 1; index >= 0; index -= 1) {
    const mark = marks.nth(index)
    await expect(mark).toBeFocused()
    const [axisBox, markBox] = [await axis.boundingBox(), await mark.boundingBox()]
    expect(axisBox?.x ?? -1).toBeGreaterThanOrEqual(0)
    expect(markBox?.x ?? 0).toBeGreaterThanOrEqual((axisBox?.x ?? 0) + (axisBox?.width ?? 0) - 1)
    await page.keyboard.press('ArrowLeft')
  }
})

test('one opening and one career site are marked in the navigation as parts of their lists', async ({
  page,
  muster,
}) => {
  const lists = {
    hiring: 'Openings',
    'hiring/openings/9': 'Openings',
    'hiring/funnel': 'Funnel',
    'hiring/career-sites': 'Career sites',
    'hiring/career-sites/1': 'Career sites',
  }
  await openConsole(page, muster, `hiring/sources?as_of=${demoDay}`)
  for (const [path, list] of Object.entries(lists)) {
    await goTo(page, `${path}?as_of=${demoDay}`)
    await expect(page.locator('nav li li [aria-current="page"]'), path).toHaveText(list)
  }
})
