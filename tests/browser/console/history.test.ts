/** What records were before, on Person and on Opening. */
import { checkAccessibility } from '../support/accessibility.ts'
import { openConsole, screens, themes } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { expect, publicOptions, test } from '../support/test.ts'
import { knownFrom, noPast, pastOfRecords } from './past-of-records.ts'
import { waitForScreen } from './screens.ts'

interface Person {
  readonly designation: string
  readonly department: string
  readonly earlier_department: string
  readonly manager: string
  readonly earlier_manager: string
}

test('the timeline of a person has the changes, newest first, and says from which day on they are known', async ({
  page,
  services,
}) => {
  const muster = await services.start(publicOptions, pastOfRecords)
  const [person] = await muster.sql<Person>(`
    select employees.designation, departments.name as department, manager.first_name || ' ' || manager.last_name as manager,
      (select name from departments where id <> employees.dept_id order by id limit 1) as earlier_department,
      (select first_name || ' ' || last_name from employees other where other.id not in (7, manager.id) order by id limit 1)
        as earlier_manager
    from employees join departments on departments.id = dept_id join employees manager on manager.id = employees.manager_id
    where employees.id = 7`)
  if (person === undefined) throw new Error('Employee 7 has no department or no manager')
  await openConsole(page, muster, 'people/7')
  await waitForScreen(page)
  const timeline = page.getByRole('region', { name: /^Timeline/ })
  const entries = timeline.getByRole('listitem')
  await expect(entries.filter({ hasText: /^15 Jan 2026/ })).toHaveText(
    `15 Jan 2026 for 9 monthsMoved department, new manager${person.earlier_department} , then  ${person.department} ${person.earlier_manager} , then  ${person.manager} `,
  )
  await expect(entries.filter({ hasText: /^10 Feb 2025/ })).toContainText(
    `11 monthsNew titleSpecialist , then  ${person.designation}`,
  )
  await expect(entries.filter({ hasText: /^3 Mar 2024/ })).toContainText(
    `Changes are known from this day on. On that day:Trainee · ${person.earlier_department}`,
  )
  const days = (await entries.allTextContents()).map((text) => Date.parse(/^\d+ \w+ \d+/.exec(text)?.[0] ?? ''))
  expect(days).toEqual(days.toSorted((a, b) => b - a))
  await timeline.getByRole('link', { name: person.earlier_manager }).first().click()
  await expect(page.locator('h1')).toHaveText(person.earlier_manager)
})

test('the lanes of a person have the values of each field over time, except on phones', async ({ page, services }) => {
  const muster = await services.start(publicOptions, pastOfRecords)
  await openConsole(page, muster, 'people/7', screens.wide)
  await waitForScreen(page)
  const lanes = page.getByRole('region', { name: /^Employment/ })
  const [joined] = await muster.sql<{ is_before: boolean }>(
    `select date_of_joining < '${knownFrom}' as is_before from employees where id = 7`,
  )
  await expect(lanes.getByText('not recorded until 3 Mar 2024')).toHaveCount(joined?.is_before === true ? 4 : 0)
  await expect(lanes.getByText('Known since 3 Mar 2024.')).toBeVisible()
  await lanes.getByRole('button', { name: /^Show as a table/ }).click()
  const rows = lanes.getByRole('row')
  await expect(rows.filter({ hasText: 'Specialist' })).toHaveText(/^TitleSpecialist1 Jun 202410 Feb 2025$/)
  await expect(rows.filter({ hasText: 'Trainee' })).toHaveText(/^TitleTrainee.*1 Jun 2024$/)
  await expect(rows.filter({ hasText: /^Department/ })).toHaveCount(2)
  await openConsole(page, muster, 'people/7', screens.phone)
  await waitForScreen(page)
  await expect(page.getByRole('region', { name: /^Timeline/ })).toBeVisible()
  await expect(lanes).toHaveCount(0)
})

/** The path of the opening with the most interviews. */
const largestOpening = async ({ sql }: Muster): Promise<string> => {
  const [row] = await sql<{ job_id: number }>(
    `select job_id from applications where lower(status) = 'active' and lower(stage) = 'interview' group by 1
      order by count(*) desc, 1 limit 1`,
  )
  return `hiring/openings/${row?.job_id}`
}

test('the days of an application open those in its earlier stages', async ({ page, services }) => {
  const muster = await services.start(publicOptions, pastOfRecords)
  const path = await largestOpening(muster)
  await openConsole(page, muster, path)
  await waitForScreen(page)
  const here = page.getByRole('region', { name: 'Interview' }).getByRole('button', { name: /d here$/ })
  const days = Number.parseInt((await here.first().textContent()) ?? '', 10)
  await here.first().click()
  const dialog = page.getByRole('dialog', { name: 'Days in each stage' })
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await expect(dialog.getByRole('listitem').nth(0)).toHaveText(/^Applied.*3 days$/)
  await expect(dialog.getByRole('listitem').nth(1)).toHaveText(/^Shortlisted.*5 days$/)
  await expect(dialog.getByRole('listitem').nth(2)).toHaveText(new RegExp(`${days} days? so far$`))
  for (const theme of themes) {
    await openConsole(page, muster, path, { ...screens.phone, theme })
    await waitForScreen(page)
    await here.first().click()
    await expect(dialog.getByRole('listitem')).toHaveCount(3)
    await checkAccessibility(page, 'colors')
  }
})

test('an open record in Data has its changes', async ({ page, services }) => {
  const muster = await services.start(publicOptions, pastOfRecords)
  const [row] = await muster.sql<{ id: number; entered: string; before: string }>(`
    select id, stage_entered_on::text as entered, (stage_entered_on - 5)::text as before from applications
    where lower(status) = 'active' and lower(stage) = 'interview' order by id limit 1`)
  await openConsole(page, muster, `data/applications?_open=${row?.id}`)
  await waitForScreen(page)
  const drawer = page.getByRole('complementary')
  await expect(drawer.getByRole('listitem').filter({ hasText: 'stage' })).toHaveText([
    `${row?.entered} stage shortlisted → interview`,
    `${row?.before} stage applied → shortlisted`,
  ])
  await expect(drawer.getByText(`Complete since ${knownFrom}.`)).toBeVisible()
  await openConsole(page, muster, 'data/departments?_open=1')
  await waitForScreen(page)
  await expect(drawer.getByRole('heading', { name: /^Same|^Refer/ }).first()).toBeVisible()
  await expect(drawer.getByRole('heading', { name: 'Changes' })).toHaveCount(0)
})

test('without a recorded past, stages before the present one are not shown as known', async ({ page, services }) => {
  const muster = await services.start(publicOptions, noPast)
  await openConsole(page, muster, await largestOpening(muster))
  await waitForScreen(page)
  await page
    .getByRole('region', { name: 'Interview' })
    .getByRole('button', { name: /d here$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Days in each stage' })
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByText('Earlier stages are not recorded.')).toBeVisible()
})
