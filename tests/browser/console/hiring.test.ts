/** What the screens below Hiring do apart from their figures, which the truth tests compare with SQL. */
import type { Request } from '@playwright/test'
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

test('one opening, one candidate and one career site are marked in the navigation as parts of their lists', async ({
  page,
  muster,
}) => {
  const lists = {
    hiring: 'Openings',
    'hiring/openings/9': 'Openings',
    'hiring/candidates': 'Candidates',
    'hiring/candidates/9': 'Candidates',
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

test('a text in the URL that is no id shows no record', async ({ page, muster }) => {
  await openConsole(page, muster, `hiring/sources?as_of=${demoDay}`)
  for (const [path, name] of Object.entries({
    'people/7e0': 'person',
    'hiring/openings/9e0': 'opening',
    [`hiring/openings/${'9'.repeat(30)}`]: 'opening',
    'hiring/candidates/9.0': 'candidate',
    'hiring/career-sites/0x1': 'career site',
  })) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { name: `There is no such ${name}` }), path).toBeVisible()
  }
})

test('a department in the URL that is no id filters nothing', async ({ page, muster }) => {
  const parameters = { hiring: 'dept_id', 'hiring/funnel': 'job.dept_id', 'hiring/sources': 'job.dept_id' }
  await openConsole(page, muster, `hiring/career-sites?as_of=${demoDay}`)
  for (const [path, parameter] of Object.entries(parameters)) {
    for (const value of ['9e0', '9'.repeat(20)]) {
      const url = `${path}?as_of=${demoDay}&${parameter}=${value}`
      const requests: string[] = []
      const note = (request: Request) => requests.push(request.url())
      page.on('request', note)
      await goTo(page, url)
      await expect(page.getByRole('button', { name: 'All departments' }), url).toBeVisible()
      await waitForScreen(page)
      page.off('request', note)
      expect(
        requests.filter((request) => request.includes('dept_id=')),
        url,
      ).toEqual([])
    }
  }
})

test('while a screen loads, only its own entry is marked in the navigation', async ({ page, muster }) => {
  const loading = Promise.withResolvers<void>()
  await page.route(/\/assets\/FunnelScreen-.*\.js$/, async (route) => {
    await loading.promise
    await route.continue()
  })
  await openConsole(page, muster, `hiring/openings/9?as_of=${demoDay}`)
  await waitForScreen(page)
  const rail = page.getByRole('navigation', { name: 'Screens' })
  const marks = () =>
    rail
      .locator('[aria-current], [data-status]')
      .evaluateAll((links) => links.map((link) => [link.textContent, link.getAttribute('aria-current')]))
  expect(await marks()).toEqual([
    ['Hiring', 'true'],
    ['Openings', 'page'],
  ])
  await rail.getByRole('link', { name: 'Funnel' }).click()
  await expect(page).toHaveURL(/\/hiring\/funnel/)
  const funnel = [
    ['Hiring', 'true'],
    ['Funnel', 'page'],
  ]
  await expect.poll(marks).toEqual(funnel)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Hiring')
  loading.resolve()
  await expect(page.getByText('How many applications reach each stage, and how long do they stay?')).toBeVisible()
  expect(await marks()).toEqual(funnel)
})
