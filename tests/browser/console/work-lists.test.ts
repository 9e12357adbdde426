/** What the lists below Today do apart from their figures, which the truth tests compare with SQL. */
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { openConsole, screens } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay } from '../support/muster.ts'
import { expect, publicOptions, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

/** Requests in all groups, more than a page of them in one, and an approver who is away. */
const statements = [
  `update leave_requests set status = 'pending', from_date = date '${demoDay}' - 9 + (id % 13)::int,
    to_date = date '${demoDay}' - 9 + (id % 13)::int + (id % 4)::int, applied_on = date '${demoDay}' - 40 - (id % 30)::int
    where id <= 140`,
  // From a Friday to the second Friday after it, of which today is the first.
  `update leave_requests set from_date = date '${demoDay}' - 7, to_date = date '${demoDay}' + 7, days = 11,
    applied_on = date '2020-01-01' where id = 1`,
  `insert into leave_requests (employee_id, leave_type, from_date, to_date, days, status, applied_on)
    select manager_id, 'annual', date '${demoDay}' - 1, date '${demoDay}' + 4, 4, 'approved', date '${demoDay}' - 30
    from employees join leave_requests on employee_id = employees.id
    where leave_requests.status = 'pending' and leave_requests.from_date <= '${demoDay}' and manager_id is not null
    order by leave_requests.applied_on limit 1`,
]
const overdue = `lower(status) = 'pending' and from_date <= '${demoDay}'`

const listOf = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const rowsOf = (page: Page): Locator =>
  page
    .getByRole('main')
    .locator('tbody tr')
    .filter({ has: page.locator('th[scope=row]') })
const pick = (page: Page, group: string, name: string | RegExp): Locator =>
  page
    .getByRole('search', { name: 'Filters' })
    .getByRole('group', { name: group })
    .getByRole('button', { name })
    .first()

let muster: Muster
let redacted: Muster
test.beforeAll(async ({ services }) => {
  muster = await services.start(publicOptions, statements)
  redacted = await services.start({ reads: 'redacted' }, statements)
})

test('the figures of Today and Openings open work lists', async ({ page }) => {
  await openConsole(page, muster, screenPaths.today)
  await waitForScreen(page)
  for (const [figure, path] of Object.entries({
    leave_overdue: 'approvals',
    leave_soon: 'leave-soon',
    applications_waiting: 'waiting',
    openings_past_target: 'past-target',
    'openings_past_target.hiring': 'past-target',
    joining: 'dates?kind=joining&from=2026-10-31&to=2026-11-29',
    leaving: `dates?kind=leaving&from=${demoDay}&to=2026-11-29`,
  })) {
    const href = await page.locator(`[data-figure="today.${figure}"]`).getAttribute('href')
    expect(href?.replace(/[?&]as_of=[\d-]+/, ''), figure).toBe(`/console/today/${path}`)
  }
  await openConsole(page, muster, 'hiring?dept_id=2')
  await waitForScreen(page)
  await expect(page.locator('[data-figure="hiring.past_target"]')).toHaveAttribute(
    'href',
    '/console/today/past-target?dept_id=2',
  )
  await expect(page.locator('[data-figure="hiring.waiting"]')).toHaveAttribute(
    'href',
    '/console/today/waiting?job.dept_id=2&job.status=open',
  )
})

test('the way back leads to the screen from which the list was opened, as the browser does, from every page of it', async ({
  page,
}) => {
  await openConsole(page, muster, 'hiring?dept_id=2')
  await waitForScreen(page)
  await page.locator('[data-figure="hiring.past_target"]').click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Openings past target')
  const back = page.getByRole('main').getByRole('link', { name: 'Openings', exact: true })
  await expect(back).toHaveAttribute('href', /\/console\/hiring\?dept_id=2$/)
  await pick(page, 'Department', /^All/).click()
  await expect(page).toHaveURL(/\/today\/past-target$/)
  await waitForScreen(page)
  await back.click()
  await expect(page).toHaveURL(/\/console\/hiring\?dept_id=2$/)

  await openConsole(page, muster, 'today')
  await page.locator('[data-figure="today.leave_overdue"]').click()
  await expect(heading).toHaveText('Leave that began undecided')
  await page.keyboard.press('b')
  await expect(heading).toHaveText('Today')

  await openConsole(page, muster, 'today/approvals')
  await page.getByRole('main').getByRole('link', { name: 'Today', exact: true }).click()
  await expect(heading).toHaveText('Today')
})

test('j and k go from row to row, and Enter opens the record', async ({ page }) => {
  await openConsole(page, muster, 'today/approvals')
  await waitForScreen(page)
  const link = (index: number) => rowsOf(page).nth(index).getByRole('rowheader').getByRole('link')
  await page.keyboard.press('j')
  await expect(link(0)).toBeFocused()
  await page.keyboard.press('j')
  await expect(link(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(link(0)).toBeFocused()
  const name = await link(0).textContent()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name ?? '')
})

test('a filter by department and approver leaves exactly its number of rows, and is in the URL', async ({ page }) => {
  const [department] = await muster.sql<{ id: number; name: string; count: number }>(
    `select d.id, d.name, count(*) as count from leave_requests l join employees e on e.id = employee_id
     join departments d on d.id = dept_id where ${overdue.replace('status', 'l.status')}
     group by d.id order by count(*) desc, d.id limit 1`,
  )
  await openConsole(page, muster, 'today/approvals')
  await waitForScreen(page)
  await pick(page, 'Department', new RegExp(`^${department?.name} ${department?.count}$`)).click()
  await expect(page).toHaveURL(new RegExp(`employee\\.dept_id=${department?.id}`))
  await waitForScreen(page)
  await expect(page.getByRole('link', { name: `Export ${department?.count} rows` })).toBeVisible()
  await expect(page.locator('[data-figure="approvals.employee.manager_id.all"]')).toHaveText(String(department?.count))
  const departments = rowsOf(page).locator('td').first()
  await expect(departments).toHaveText(department?.name ?? '')

  // Options that are not in view are found by their name.
  await pick(page, 'Department', /^All/).click()
  await waitForScreen(page)
  await page.getByRole('button', { name: /^Approver: \d+ more$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Approver' })
  const last = dialog.getByRole('button').last()
  const name = (await last.locator('bdi').textContent()) ?? ''
  await dialog.getByRole('searchbox').fill(name)
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await dialog.getByRole('listitem').getByRole('button').click()
  await expect(pick(page, 'Approver', new RegExp(`^${name}`))).toHaveAttribute('aria-pressed', 'true')
  await waitForScreen(page)
  await expect(rowsOf(page).first()).toContainText(name)
})

test('a group shows its first ten rows; opened, it has pages in the order of the longest wait', async ({ page }) => {
  const over = await muster.sql<{ name: string }>(
    `select e.first_name || ' ' || e.last_name as name from leave_requests l join employees e on e.id = employee_id
     where ${overdue.replace('status', 'l.status')} and to_date < '${demoDay}' order by l.applied_on, l.id`,
  )
  expect(over.length).toBeGreaterThan(25)
  await openConsole(page, muster, 'today/approvals')
  await waitForScreen(page)
  const list = listOf(page, 'Leave that began undecided')
  await expect(list.locator('tbody').first().locator('th[scope=row]')).toHaveCount(10)
  await list.getByRole('link', { name: `${over.length - 10} more in The leave is over` }).click()
  await expect(page).toHaveURL(/group=over/)
  await waitForScreen(page)
  const names = rowsOf(page).getByRole('rowheader')
  await expect(names).toHaveText(over.slice(0, 25).map(({ name }) => name))
  await expect(list.getByRole('navigation', { name: 'Pages' })).toContainText(`1 – 25 of ${over.length}`)
  await list.getByRole('link', { name: 'Next' }).click()
  await waitForScreen(page)
  await expect(names).toHaveText(over.slice(25, 50).map(({ name }) => name))
  await list.getByRole('button', { name: 'Remove the filter Only: The leave is over' }).click()
  await expect(list.getByText(/^\d+ of \d+ shown, by urgency/)).toBeVisible()
})

test('an approver who is away is marked', async ({ page }) => {
  await openConsole(page, muster, 'today/approvals')
  await waitForScreen(page)
  await expect(rowsOf(page).filter({ hasText: 'out until 3 Nov' }).first()).toBeVisible()
  await expect(page.locator('[data-figure="approvals.approvers_away"]')).toBeVisible()
})

test('days taken are the working days until today', async ({ page }) => {
  const [request] = await muster.sql<{ employee_id: number }>(`select employee_id from leave_requests where id = 1`)
  await openConsole(page, muster, 'today/approvals?group=away')
  await waitForScreen(page)
  const first = rowsOf(page).first()
  await expect(first.locator(`a[href*="/people/${request?.employee_id}"]`)).toBeVisible()
  await expect(first).toContainText('6 of 11')
})

test('filters that leave nothing say what there is without each of them', async ({ page }) => {
  const [pair] = await muster.sql<{ dept_id: number; manager_id: number; without: number }>(
    `select d.id as dept_id, m.manager_id, m.count as without from departments d,
       (select manager_id, count(*), array_agg(dept_id) as departments from leave_requests l
        join employees e on e.id = employee_id where ${overdue.replace('status', 'l.status')} and manager_id is not null
        group by 1) m
     where not d.id = any (m.departments) order by m.count desc, 1, 2 limit 1`,
  )
  await openConsole(
    page,
    muster,
    `today/approvals?employee.dept_id=${pair?.dept_id}&employee.manager_id=${pair?.manager_id}`,
  )
  await expect(page.getByRole('heading', { name: 'No leave request matches these 2 filters' })).toBeVisible()
  await page
    .getByRole('button', { name: new RegExp(`^Remove Department: .* ${pair?.without} leave requests?$`) })
    .click()
  await waitForScreen(page)
  await expect(page.locator('[data-figure="approvals.employee.dept_id.all"]')).toHaveText(String(pair?.without))
})

test('a list without records says that nothing is to be done, and what comes next', async ({ page, services }) => {
  const calm = await services.start(publicOptions, [
    `update leave_requests set status = 'approved' where ${overdue}`,
    `update applications set stage_entered_on = date '${demoDay}' where status = 'active'`,
    `update job_openings set target_date = null`,
  ])
  for (const [path, text] of Object.entries({
    approvals: /^Good: No leave has begun without a decision\. \d+ requests? begins? within 7 days/,
    waiting: /^Good: No active application has been in its stage for more than 14 days\.$/,
    'past-target': /^Good: No opening is past its target date\.$/,
    'dates?from=1999-01-01&to=1999-01-02': /^Good: Nobody joins, leaves or has a date in this period\.$/,
  })) {
    await openConsole(page, calm, `today/${path}`)
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: text }), path).toBeVisible()
    await expect(page.getByRole('main').locator('tbody')).toHaveCount(0)
  }
})

test('where personal values are withheld, people have numbers, and personal dates leave the list with a note', async ({
  page,
}) => {
  await openConsole(page, redacted, 'today/approvals')
  await waitForScreen(page)
  await expect(rowsOf(page).first().getByRole('rowheader')).toHaveText(/^Employee \d+, name withheld$/)
  await expect(rowsOf(page).first()).toContainText('withheld')
  await expect(pick(page, 'Approver', /^Employee \d+ \d+$/)).toBeVisible()

  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 422) refused.push(response.url())
  })
  await openConsole(page, redacted, 'today/dates?kind=leaving')
  await waitForScreen(page)
  await expect(pick(page, 'Kind', /^Joining/)).toBeVisible()
  await expect(pick(page, 'Kind', /^Anniversary/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Leaving|Probation)/ })).toHaveCount(0)
  await expect(page.getByRole('main')).not.toContainText(/Last day|Probation ends/)
  await expect(
    page.getByText(/without the right to read them, this list has joining and anniversaries only/),
  ).toBeVisible()
  expect(refused).toEqual([])
})

test('the period of Coming dates is in the URL, and a day of the picture opens its dates', async ({ page }) => {
  await openConsole(page, muster, 'today/dates')
  await waitForScreen(page)
  await page.getByRole('radio', { name: 'Next month' }).click()
  await expect(page).toHaveURL(/from=2026-11-01&to=2026-11-30/)
  await pick(page, 'Kind', /^Anniversary/).click()
  await expect(page).toHaveURL(/kind=anniversary/)
  await waitForScreen(page)
  const [november] = await muster.sql<{ count: number }>(
    `select count(*) as count from employees where date_part('month', date_of_joining) = 11
     and date_of_joining < date '2026-01-01' and lower(status) is distinct from 'terminated'`,
  )
  await expect(page.getByRole('link', { name: `Export ${november?.count} rows` })).toBeVisible()
  const day = page.locator('a[data-mark]').first()
  const label = (await day.getAttribute('aria-label')) ?? ''
  await day.focus()
  await page.keyboard.press('Enter')
  await waitForScreen(page)
  await expect(rowsOf(page)).toHaveCount(Number(/\d+$/.exec(label)?.[0]))
  for (const text of await rowsOf(page).locator('td').first().allTextContents()) expect(label).toContain(text)
})

test('exports have the columns of their list', async ({ page }) => {
  const headers = {
    approvals: 'id,employee_id,leave_type,from_date,to_date,days,applied_on',
    waiting: 'id,candidate_id,job_id,stage,status,applied_on,stage_entered_on',
    'past-target': 'id,code,title,dept_id,hiring_manager_id,headcount,filled,location,target_date',
    'dates?kind=probation':
      'id,first_name,last_name,dept_id,designation,manager_id,branch,date_of_joining,probation_end',
  }
  for (const [path, header] of Object.entries(headers)) {
    await openConsole(page, muster, `today/${path}`)
    await waitForScreen(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Export [\d,]+ rows?$/ }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8'))
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
    expect(lines[0], path).toBe(header)
  }
  // All kinds of dates together are no list of the API: each is exported by itself.
  await openConsole(page, muster, 'today/dates')
  await waitForScreen(page)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: /^Export [\d,]+ rows?$/ })).not.toHaveCount(0)
})

test('on phones, a row has three lines, and the other filters are in a sheet', async ({ page }) => {
  await openConsole(page, muster, 'today/approvals', screens.phone)
  await waitForScreen(page)
  const row = rowsOf(page).first()
  await expect(row.getByRole('cell').filter({ visible: true })).toHaveCount(2)
  await expect(row).toContainText(/waits for /)
  expect((await row.boundingBox())?.height).toBeLessThan(90)
  const filters = page.getByRole('search', { name: 'Filters' })
  await expect(filters.getByRole('group', { name: 'Department' })).toBeVisible()
  await expect(filters.getByRole('group', { name: 'Approver' })).toBeHidden()
  await filters.getByRole('button', { name: 'Filter' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filter' })
  await sheet.getByRole('region', { name: 'Approver' }).getByRole('button').nth(1).click()
  await sheet.getByRole('button', { name: 'Show the list' }).click()
  await expect(page).toHaveURL(/employee\.manager_id=\d+/)
  await expect(filters.getByRole('button', { name: 'Filter 1' })).toBeVisible()
})

test('no list is wider than its window', async ({ page }) => {
  for (const path of ['approvals', 'leave-soon', 'waiting', 'past-target', 'dates']) {
    await openConsole(page, muster, `today/${path}`, screens.wide)
    await waitForScreen(page)
    for (const width of [320, 360, 390, 699, 700, 768, 960, 1024, 1199, 1200, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      await waitForScreen(page)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
  }
})
