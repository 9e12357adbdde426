/** The explorer: any row of a list at once, filters from the declarations, the drawer, and errors in the URL. */

import { listedResources, resourceAt } from '@muster/model'
import type { Locator, Page } from '@playwright/test'
import { openConsole } from '../support/console-page.ts'
import { demoDay } from '../support/muster.ts'
import { recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { waitForScreen } from './screens.ts'

const day = `as_of=${demoDay}`

const total = (page: Page): Locator => page.locator('[data-figure="data.total"]')
const rowOf = (page: Page, id: number): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: String(id), exact: true }) })

const formatInteger = (value: number): string => value.toLocaleString('en')

test('the overview has all declared resources with exact totals', async ({ page, muster }) => {
  await openConsole(page, muster, `data?${day}`)
  for (const { path, table } of listedResources) {
    const [row] = await muster.sql<{ count: number }>(`select count(*) from ${table}`)
    await expect(page.locator(`[data-figure="data.total.${path}"]`)).toHaveText(formatInteger(row?.count as number))
  }
})

test('the first picture of a list takes at most six requests', async ({ page, muster }) => {
  const network = await recordNetwork(page, muster.origin)
  await openConsole(page, muster, `data/applications?${day}&status=active&_open=1`)
  await page.getByRole('rowheader').first().waitFor()
  const requests = network.requests.filter((request) => request.includes('/api'))
  expect(requests.length).toBeLessThanOrEqual(6)
})

test('any row is shown at once: by its number, by the keys of the scrollbar, and from a link', async ({
  page,
  muster,
}) => {
  const ids = await muster.sql<{ id: number }>('select id from attendance order by id')
  const idAt = (row: number): number => (ids[row - 1] as { id: number }).id
  await openConsole(page, muster, `data/attendance?${day}`)
  await expect(total(page)).toHaveText(formatInteger(ids.length))

  const middle = Math.floor(ids.length / 2)
  await page.getByLabel('Go to row').fill(formatInteger(middle))
  await page.keyboard.press('Enter')
  await expect(rowOf(page, idAt(middle))).toBeInViewport()
  await expect(page).toHaveURL(new RegExp(`_row=${middle}\\b`))
  await expect(rowOf(page, idAt(middle))).toHaveAttribute('aria-rowindex', String(middle + 1))

  await page.getByRole('scrollbar').focus()
  await page.keyboard.press('End')
  await expect(rowOf(page, idAt(ids.length))).toBeInViewport()
  await page.keyboard.press('Home')
  await expect(rowOf(page, idAt(1))).toBeInViewport()
  await page.keyboard.press('PageDown')
  await expect(page.getByRole('scrollbar')).not.toHaveAttribute('aria-valuenow', '1')

  await openConsole(page, muster, `data/attendance?${day}&_row=${middle}`)
  await expect(rowOf(page, idAt(middle))).toBeInViewport()
  await expect(page.getByRole('scrollbar')).toHaveAttribute('aria-valuenow', String(middle))
})

test('a filter is chosen with the counts of its values, and the link shows the same list', async ({ page, muster }) => {
  const [absent] = await muster.sql<{ count: number }>("select count(*) from attendance where status = 'absent'")
  await openConsole(page, muster, `data/attendance?${day}`)
  await page.getByRole('button', { name: 'Filter by status: any' }).click()
  const value = page.getByRole('checkbox', { name: /^absent/ })
  await expect(page.locator('label').filter({ has: value })).toContainText(formatInteger(absent?.count as number))
  // The box itself is hidden below its picture.
  await value.press('Space')
  await expect(total(page)).toHaveText(formatInteger(absent?.count as number))
  await expect(page).toHaveURL(/[?&]status=absent\b/)
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')

  await openConsole(page, muster, new URL(page.url()).href.split('/console/')[1] as string)
  await expect(total(page)).toHaveText(formatInteger(absent?.count as number))
  await page.getByRole('button', { name: 'Remove the filter status' }).click()
  await expect(page).not.toHaveURL(/status=/)
})

test('a sorted list has pages, in the order of the service', async ({ page, muster }) => {
  await openConsole(page, muster, `data/employees?${day}`)
  await page.getByRole('columnheader', { name: /^code/ }).click()
  await expect(page).toHaveURL(/sort=code/)
  await expect(page.getByRole('columnheader', { name: /^code/ })).toHaveAttribute('aria-sort', 'ascending')
  await page.getByRole('link', { name: 'Next', exact: true }).click()
  const [row] = await muster.sql<{ id: number }>('select id from employees order by lower(code), id offset 50 limit 1')
  await expect(page.getByRole('rowheader').first()).toHaveText(String(row?.id))
  await expect(page.getByRole('scrollbar')).toHaveCount(0)
})

test('the drawer has all fields, and counts the records that refer to the record', async ({ page, muster }) => {
  const [manager] = await muster.sql<{ id: number; reports: number }>(
    'select manager_id as id, count(*) as reports from employees where manager_id is not null group by 1 order by 2 desc, 1 limit 1',
  )
  const id = manager?.id as number
  await openConsole(page, muster, `data/employees?${day}&id=${id}`)
  await rowOf(page, id).getByRole('rowheader').click()
  const drawer = page.getByRole('complementary')
  for (const { name } of resourceAt('employees').allFields)
    await expect(drawer.getByText(name, { exact: true }).first()).toBeVisible()
  await expect(drawer.locator('[data-figure="data.related.employees.manager_id"]')).toHaveText(
    formatInteger(manager?.reports as number),
  )
  const [attendance] = await muster.sql<{ count: number }>('select count(*) from attendance where employee_id = $1', [
    id,
  ])
  await drawer.locator('[data-figure="data.related.attendance.employee_id"]').click()
  await expect(page.locator('h1')).toHaveText('Attendance')
  await expect(total(page)).toHaveText(formatInteger(attendance?.count as number))
})

test('j and k go through the records, and Escape closes the drawer', async ({ page, muster }) => {
  await openConsole(page, muster, `data/departments?${day}`)
  await page.getByRole('rowheader').first().waitFor()
  for (const [key, open] of [
    ['j', '1'],
    ['j', '2'],
    ['k', '1'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(page).toHaveURL(new RegExp(`_open=${open}\\b`))
    await expect(page.getByRole('button', { name: 'Next record' })).toBeEnabled()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('complementary')).toHaveCount(0)
})

test('parameters that the service does not accept are named with its message, and can be removed', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, `data/employees?${day}&stauts=active&dept_id=x&employed_on=${demoDay}`)
  const alert = page.getByRole('alert').filter({ hasText: 'not accepted' })
  await expect(alert).toContainText('This operation has no such parameter; did you mean status?')
  await expect(alert).toContainText('Input should be a valid integer')
  await page.getByRole('button', { name: 'Use status instead' }).click()
  await alert.getByRole('button', { name: 'Remove dept_id' }).click()
  await expect(page).toHaveURL(/[?&]status=active\b/)
  await expect(page).toHaveURL(new RegExp(`employed_on=${demoDay}`))
  await expect(total(page)).not.toHaveText('0')
})

test('an empty list says how many records there are without each filter', async ({ page, muster }) => {
  const [row] = await muster.sql<{ count: number }>("select count(*) from employees where lower(status) = 'active'")
  await openConsole(page, muster, `data/employees?${day}&status=active&branch=nowhere`)
  const button = page.getByRole('button', { name: /^Remove branch nowhere/ })
  await expect(button).toContainText(`${formatInteger(row?.count as number)} rows`)
  await button.click()
  await expect(total(page)).toHaveText(formatInteger(row?.count as number))
})

test('all columns of the widest resource stay within 3,000 elements', async ({ page, muster }) => {
  const fields = resourceAt('employees').allFields.map(({ name }) => name)
  await page.setViewportSize({ width: 1920, height: 1400 })
  await openConsole(page, muster, `data/employees?${day}&fields=${fields.join(',')}`)
  await expect(page.getByRole('columnheader')).toHaveCount(fields.length)
  await waitForScreen(page)
  expect(await page.locator('*').count()).toBeLessThanOrEqual(3_000)
})

test('a facet by year is named in words', async ({ page, muster }) => {
  await openConsole(page, muster, 'data/candidates?_facets=year(consent_at)')
  await expect(page.getByRole('heading', { name: 'consent_at by year' })).toBeVisible()
  await page.getByRole('button', { name: /^Facets/ }).click()
  await expect(page.getByRole('checkbox', { name: 'consent_at by year' })).toBeChecked()
  await expect(page.getByText('year(consent_at)')).toHaveCount(0)
})

test('where personal values are withheld, they have a lock, and no filter, order or facet', async ({
  page,
  redactedMuster: muster,
}) => {
  await openConsole(page, muster, `data/employees?${day}&_open=7`)
  const drawer = page.getByRole('complementary')
  await expect(drawer.getByText('withheld', { exact: true })).toHaveCount(
    resourceAt('employees').allFields.filter(({ personal }) => personal).length,
  )
  await expect(page.getByRole('columnheader', { name: /^last_name/ })).not.toHaveAttribute('aria-sort')
  await expect(page.getByRole('button', { name: /^Filter by last_name/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await expect(page.getByRole('option', { name: /^branch/ })).toBeVisible()
  await expect(page.getByRole('option', { name: /^(base_salary|email|employed_on)/ })).toHaveCount(0)
})
