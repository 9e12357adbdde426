/** The leave calendar: its figures, its groups, its pages, and the agenda on phones. */
import type { Page } from '@playwright/test'
import { setToday } from '../support/clock.ts'
import { openConsole } from '../support/console-page.ts'
import { figuresOnPage } from '../support/figures.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay, startMuster } from '../support/muster.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { waitForScreen } from './screens.ts'

const openLeave = async (page: Page, muster: Muster, query = '', size = {}): Promise<void> => {
  await openConsole(page, muster, `leave?as_of=${demoDay}${query}`, size)
  await waitForScreen(page)
}

const month = demoDay.slice(0, 7)
const [year, monthNumber] = month.split('-').map(Number) as [number, number]
const daysInMonth = new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()
const monthEnd = `(date '${month}-01' + interval '1 month' - interval '1 day')::date`
const inMonth = `from_date <= ${monthEnd} and to_date >= '${month}-01' and status in ('approved', 'pending')`

test('every figure of a day equals SQL', async ({ page, muster }) => {
  await openLeave(page, muster, '&all=1')
  const rows = await muster.sql<{ day: string; dept_id: number | null; out: number; pending: number }>(`
    select day::date as day, dept_id, count(*) filter (where l.status = 'approved') as out,
      count(*) filter (where l.status = 'pending') as pending
    from generate_series(date '${month}-01', ${monthEnd}, interval '1 day') day
    join leave_requests l on day between from_date and to_date
    left join employees e on e.id = l.employee_id
    group by grouping sets ((day), (day, dept_id))`)
  const departments = await muster.sql<{ id: number; people: number }>(
    `select dept_id as id, count(*) as people from employees where status in ('active', 'on_leave', 'suspended')
       and dept_id is not null group by 1`,
  )
  // Departments of fewer than 20 people have no zeros.
  const shownDays = departments.map(({ id, people }) =>
    people >= 20 ? daysInMonth : rows.filter(({ dept_id, out }) => dept_id === id && out > 0).length,
  )
  const shown = shownDays.reduce((sum, days) => sum + days, 2 * daysInMonth)
  expect(shown).toBeLessThan((departments.length + 2) * daysInMonth)
  const readFigures = async () => (await figuresOnPage(page)).filter(({ name }) => /^leave\.(out|pending)\./.test(name))
  await expect.poll(async () => (await readFigures()).length).toBe(shown)
  const figures = await readFigures()
  for (const { name, text } of figures) {
    const parts = name.split('.')
    const [kind, day, department] = [parts[1], parts.at(-1), parts[2] === 'dept_id' ? Number(parts[3]) : null]
    const row = rows.find((candidate) => candidate.day === day && candidate.dept_id === department)
    expect(`${name} ${text}`).toBe(`${name} ${(kind === 'out' ? row?.out : row?.pending) ?? 0}`)
  }
})

const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

test('an open department has a row for each person with leave in the month, and a bar for each request', async ({
  page,
  muster,
}) => {
  const [busiest] = await muster.sql<{ dept_id: number; people: number; requests: number; pending: number }>(`
    select dept_id, count(distinct e.id) as people, count(*) as requests,
      count(*) filter (where l.status = 'pending') as pending
    from leave_requests l join employees e on e.id = l.employee_id
    where ${inMonth.replaceAll('status', 'l.status')} group by dept_id order by count(*) desc, dept_id limit 1`)
  await openLeave(page, muster, `&all=1&dept_id=${busiest?.dept_id}`)
  await expect(page.locator('[data-figure="leave.requests"]')).toHaveText(String(busiest?.requests))
  const open = page.locator('tbody[data-open]')
  await expect(open.locator('a[aria-label*="approved"], a[aria-label*="waiting for approval"]')).toHaveCount(
    busiest?.requests ?? 0,
  )
  await expect(open.locator('a[data-pending]')).toHaveCount(busiest?.pending ?? 0)
  // The first row is that of the department, the last one has the number of requests.
  await expect(open.locator('tr')).toHaveCount((busiest?.people ?? 0) + 2)
})

test('the export has the requests of the open department, or of all if none is open', async ({ page, muster }) => {
  const [department] = await muster.sql<{ id: number; requests: number }>(`
    select dept_id as id, count(*) as requests from leave_requests l join employees e on e.id = l.employee_id
    where ${inMonth.replaceAll('status', 'l.status')} group by 1 order by 2, 1 limit 1`)
  const [all] = await muster.sql<{ requests: number }>(`
    select count(*) as requests from leave_requests l where ${inMonth.replaceAll('status', 'l.status')}`)
  for (const [open, requests] of [
    [department?.id, department?.requests],
    ['none', all?.requests],
  ] as const) {
    await openLeave(page, muster, `&dept_id=${open}`)
    const link = page.getByRole('main').getByRole('link', { name: /^Export/ })
    await expect(link).toHaveText(`Export ${requests} ${requests === 1 ? 'row' : 'rows'}`)
    const csv = await (await page.request.get((await link.getAttribute('href')) ?? '')).text()
    expect(csv.trim().split('\n').length - 1, String(open)).toBe(requests)
  }
})

test('a click opens another department, and the URL keeps it', async ({ page, muster }) => {
  await openLeave(page, muster)
  const toggle = page.locator('tbody th [aria-expanded="false"]').nth(1)
  const name = (await toggle.textContent()) as string
  await toggle.click()
  await expect(page.locator('tbody[data-open] th').first()).toContainText(name)
  expect(parameter(page, 'dept_id')).not.toBeNull()
  await page.reload()
  await expect(page.locator('tbody[data-open] th').first()).toContainText(name)
  await page.getByRole('link', { name: /^Next month/ }).click()
  await expect.poll(() => parameter(page, 'month')).not.toBeNull()
  await expect(page.locator('tbody[data-open] th').first()).toContainText(name)
})

test('the days of a row are one stop of the Tab key, and arrow keys move between them', async ({ page, muster }) => {
  await openLeave(page, muster)
  const days = page.locator('thead [data-figure^="leave.out."]')
  await days.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(days.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(days.last()).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator('thead [data-figure^="leave.pending."]').first()).toBeFocused()
})

test('teams are those of managers, also of one who is found by name', async ({ page, muster }) => {
  const [team] = await muster.sql<{ id: number; first_name: string; last_name: string; people: number }>(`
    select m.id, m.first_name, m.last_name, count(*) as people
    from employees m join employees r on r.manager_id = m.id and r.status in ('active', 'on_leave', 'suspended')
    where m.status = 'active' group by m.id order by m.id desc limit 1`)
  await openLeave(page, muster, '&by=manager')
  await page
    .getByRole('combobox', { name: 'Find a manager' })
    .pressSequentially(`${team?.first_name} ${team?.last_name}`)
  await page
    .getByRole('option', { name: `${team?.first_name} ${team?.last_name}` })
    .first()
    .click()
  await expect.poll(() => parameter(page, 'manager_id')).toBe(String(team?.id))
  await expect(page.locator('tbody[data-open] th').first()).toContainText(`${team?.first_name} ${team?.last_name}`)
  await expect(page.locator(`[data-figure="leave.people.manager_id.${team?.id}"]`)).toHaveText(String(team?.people))
})

test('a department with hundreds of requests has pages', async ({ page }) => {
  const muster = await startMuster({ tokens: {} })
  try {
    await muster.sql(`update employees set dept_id = 1`)
    await muster.sql(`
      insert into leave_requests (employee_id, leave_type, from_date, to_date, days, status)
      select id, 'annual', '${month}-02', '${month}-06', 5, 'approved' from employees`)
    const network = await recordNetwork(page, muster.origin)
    await openLeave(page, muster)
    const [all] = await muster.sql<{ total: number }>(`select count(*) as total from leave_requests where ${inMonth}`)
    await expect(page.locator('[data-figure="leave.requests"]')).toHaveText(String(all?.total))
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3_000)
    await page.getByRole('link', { name: /^\d+ more$/ }).click()
    await expect(page.getByText(/^31 to 60 of/)).toBeVisible()
    expect(parameter(page, 'offset')).toBe('30')
    expectNoErrors(network)
  } finally {
    await muster.stop()
  }
})

test('where leave types are withheld, no screen shows one', async ({ page, redactedMuster: muster }) => {
  const [busiest] = await muster.sql<{ dept_id: number; id: number }>(`
    select dept_id, min(e.id) as id from leave_requests l join employees e on e.id = l.employee_id
    where ${inMonth.replaceAll('status', 'l.status')} group by dept_id order by count(*) desc, dept_id limit 1`)
  await openLeave(page, muster, `&dept_id=${busiest?.dept_id}`)
  const bars = page.locator('tbody[data-open] a[aria-label*="approved"], tbody[data-open] a[aria-label*="waiting"]')
  await expect(bars.first()).toHaveAttribute('aria-label', /^Withheld/)
  const types = /annual|sick|parental|unpaid|bereavement|study/i
  await expect(page.locator('main')).not.toContainText(types)
  await openConsole(page, muster, `people?as_of=${demoDay}&open=${busiest?.id}`)
  const person = page.getByRole('complementary', { name: 'Person' })
  await expect(person).toContainText('Withheld')
  await expect(person).not.toContainText(types)
  await openConsole(page, muster, `today?as_of=${demoDay}`)
  await waitForScreen(page)
  await expect(page.locator('li', { has: page.locator('[data-figure="today.out.null"]') })).toContainText('withheld')
  await openConsole(page, muster, `data/leave?as_of=${demoDay}&_open=1`)
  await expect(page.getByRole('complementary').getByText('withheld', { exact: true })).toHaveCount(2)
})

test('on phones an agenda names who is out today and who begins on later days', async ({ page, muster }) => {
  const today = `${month}-12`
  const [busiest] = await muster.sql<{ dept_id: number }>(`
    select dept_id from leave_requests l join employees e on e.id = l.employee_id
    where from_date > '${today}' and ${inMonth.replaceAll('status', 'l.status')}
    group by dept_id order by count(*) desc, dept_id limit 1`)
  await setToday(page.context(), today)
  await openConsole(page, muster, `leave?dept_id=${busiest?.dept_id}`, { width: 360, height: 740 })
  await waitForScreen(page)
  const expected = await muster.sql<{ day: string; named: number }>(
    `select greatest(from_date, '${today}') as day, count(*) as named
     from leave_requests l join employees e on e.id = l.employee_id
     where dept_id = $1 and ${inMonth.replaceAll('status', 'l.status')}
       and to_date >= '${today}' group by 1 order by 1`,
    [busiest?.dept_id],
  )
  const days = page.locator('main ol > li')
  const first = expected.find(({ day }) => day === today)
  expect(expected.length).toBeGreaterThan(1)
  const later = expected.filter(({ day }) => day !== today)
  await expect(days).toHaveCount(later.length + 1)
  await expect(days.first().getByRole('heading')).toContainText('Today')
  await expect(days.first().locator('ul > li')).toHaveCount(first?.named ?? 0)
  for (const [index, { named }] of later.entries())
    await expect(days.nth(index + 1).locator('ul > li')).toHaveCount(named)
})

test('an empty database has an explanation instead of a calendar', async ({ page }) => {
  const muster = await startMuster({ tokens: {}, data: 'empty' })
  try {
    const network = await recordNetwork(page, muster.origin)
    await openLeave(page, muster)
    await expect(page.getByRole('heading', { name: 'No departments with people' })).toBeVisible()
    await openConsole(page, muster, 'org')
    await expect(page.getByRole('heading', { name: 'No people in the chart' })).toBeVisible()
    expectNoErrors(network)
  } finally {
    await muster.stop()
  }
})
