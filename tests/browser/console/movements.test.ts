/** Movements, the days in each stage, and the org chart and headcount of a day. */
import { checkAccessibility } from '../support/accessibility.ts'
import { openConsole, screens } from '../support/console-page.ts'
import { figuresOnPage } from '../support/figures.ts'
import { followCounts } from '../support/followed-counts.ts'
import { demoDay } from '../support/muster.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, publicOptions, test } from '../support/test.ts'
import { pastOfCompany } from './past-of-company.ts'
import { waitForScreen } from './screens.ts'

const pastDay = '2025-06-30'

for (const path of [
  `headcount/movements?as_of=${demoDay}`,
  `headcount?as_of=${pastDay}`,
  `hiring/funnel?as_of=${demoDay}`,
  `org?as_of=${pastDay}`,
])
  test(`${path}: links open exactly the counted records, and both sizes are accessible`, async ({ page, services }) => {
    const muster = await services.start(publicOptions, pastOfCompany)
    const network = await recordNetwork(page, muster.origin)
    await openConsole(page, muster, path, screens.wide)
    await waitForScreen(page)
    await checkAccessibility(page)
    const charts = await followCounts(await figuresOnPage(page), muster.origin)
    expect(charts.differences).toEqual([])
    const buttons = page.getByRole('button', { name: /^Show as a table/ })
    for (let left = await buttons.count(); left > 0; left -= 1) {
      await buttons.first().click()
      await expect(buttons).toHaveCount(left - 1)
    }
    await checkAccessibility(page)
    const tables = await followCounts(await figuresOnPage(page), muster.origin)
    expect(tables.differences).toEqual([])
    console.log(`${path}: ${charts.count} and ${tables.count} linked figures`)
    await openConsole(page, muster, path, { theme: 'dark', ...screens.phone })
    await waitForScreen(page)
    await checkAccessibility(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expectNoErrors(network)
  })

test('the arrow keys move straight through the matrix, and Enter opens the changes of a cell', async ({
  page,
  services,
}) => {
  const muster = await services.start(publicOptions, pastOfCompany)
  await openConsole(page, muster, `headcount/movements?as_of=${demoDay}`, screens.wide)
  await waitForScreen(page)
  const matrix = page.getByRole('table').filter({ hasText: 'In less out' })
  await expect(matrix.locator('[tabindex="0"]')).toHaveCount(1)
  await matrix.locator('[tabindex="0"]').focus()
  const place = () =>
    page.evaluate(() => {
      const cell = document.activeElement?.closest('td')
      return [(cell?.parentElement as HTMLTableRowElement | null)?.rowIndex, cell?.cellIndex]
    })
  expect(await place()).toEqual([1, 1])
  await page.keyboard.press('ArrowRight')
  expect(await place()).toEqual([1, 2])
  await page.keyboard.press('ArrowDown')
  expect(await place()).toEqual([2, 2])
  const total = matrix.locator('[data-figure="movements.from_to.total.total"]')
  const count = await total.textContent()
  await total.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-figure="data.total"]')).toHaveText(String(count))
})

test('on a phone, the matrix scrolls in itself', async ({ page, services }) => {
  const muster = await services.start(publicOptions, pastOfCompany)
  await openConsole(page, muster, `headcount/movements?as_of=${demoDay}`, screens.phone)
  await waitForScreen(page)
  const scroller = page.getByRole('table').filter({ hasText: 'In less out' }).locator('..')
  const { room, content } = await scroller.evaluate((element) => ({
    room: element.clientWidth,
    content: element.scrollWidth,
  }))
  expect(content).toBeGreaterThan(room)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('a group of the headcount opens its months, whose figures open their records', async ({ page, services }) => {
  const muster = await services.start(publicOptions, pastOfCompany)
  await openConsole(page, muster, `headcount?as_of=${demoDay}`, screens.wide)
  await waitForScreen(page)
  await page.getByRole('button', { name: 'Show as a table: By department' }).click()
  await page
    .getByRole('region', { name: /^By department/ })
    .getByRole('row')
    .nth(1)
    .getByRole('button')
    .click()
  await expect(page.getByRole('dialog').getByRole('row')).toHaveCount(14)
  const { count, differences } = await followCounts(await figuresOnPage(page), muster.origin)
  expect(differences).toEqual([])
  expect(count).toBeGreaterThan(60)
})

test('with redacted reads, the chart of a past day is not asked for, and the screen says why', async ({
  page,
  redactedMuster: muster,
}) => {
  const network = await recordNetwork(page, muster.origin)
  await openConsole(page, muster, `org?as_of=${pastDay}`)
  await waitForScreen(page)
  await expect(page.getByRole('heading', { name: 'The chart of 30 Jun 2025 is withheld' })).toBeVisible()
  expect(network.requests.filter((request) => request.includes('/reports/org-chart'))).toEqual([])
  expectNoErrors(network)
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Show the chart of today' }).click()
  await expect(page.getByRole('treegrid', { name: 'Org chart' })).toBeVisible()
})
