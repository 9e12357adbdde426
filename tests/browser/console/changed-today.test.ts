/** The panel "Changed today" of Today: its figures equal SQL over the change feed, and its links open exactly these records. */
import type { Page } from '@playwright/test'
import { checkAccessibility } from '../support/accessibility.ts'
import { openConsole, screens } from '../support/console-page.ts'
import { figuresOnPage } from '../support/figures.ts'
import type { Muster } from '../support/muster.ts'
import { startMuster, writeToken } from '../support/muster.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import type { ExpectedFigure } from './expected/texts.ts'
import { changedTodaySql } from './expected/today.ts'
import { waitForScreen } from './screens.ts'

const changedFigures = async (page: Page) =>
  (await figuresOnPage(page)).filter(({ name }) => name.startsWith('today.changed.'))

/** Opens the screen again until the feed shows everything: a transaction of another database that ends meanwhile may hold it back for one read. */
const expectPanelEqualsSql = async (page: Page, muster: Muster): Promise<void> => {
  const expected = await muster.sql<ExpectedFigure>(changedTodaySql, [new Date().toISOString().slice(0, 10)])
  expect(expected.length).toBeGreaterThan(0)
  await expect(async () => {
    await openConsole(page, muster, 'today')
    await waitForScreen(page)
    await expect(panel(page).getByRole('table')).toBeVisible()
    const figures = Object.fromEntries((await changedFigures(page)).map(({ name, text }) => [name, text]))
    expect(figures).toEqual(Object.fromEntries(expected.map(({ name, text }) => [name, text])))
  }).toPass({ timeout: 60_000 })
}

const panel = (page: Page) => page.getByRole('region', { name: 'Changed today' })

// The feed has the time of the database.
test.use({ today: null })

test.describe('changed today', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let muster: Muster
  test.beforeAll(async () => {
    muster = await startMuster()
  })
  test.afterAll(() => muster.stop())

  test('says so if nothing changed, or if there is too much to count', async ({ page }) => {
    await openConsole(page, muster, 'today')
    await expect(panel(page)).toContainText('No record was created, updated or deleted today.')
    await muster.sql("insert into muster_changes (table_name, kind, ids) values ('employees', 'updated', '{[1,5002)}')")
    await openConsole(page, muster, 'today')
    await expect(panel(page)).toContainText('More than 5,000 changes today')
    expect(await changedFigures(page)).toEqual([])
    await muster.sql("update muster_changes set at = at - interval '1 day'")
    await openConsole(page, muster, 'today')
    await expect(panel(page)).toContainText('No record was created, updated or deleted today.')
  })

  test('counts each record once, by its last change, and links to exactly these records', async ({ page }) => {
    const network = await recordNetwork(page, muster.origin)
    const [employee] = await muster.sql<{ id: number }>('select min(id) as id from employees')
    const response = await fetch(`${muster.origin}/api/v1/leave`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writeToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        employee_id: employee?.id,
        leave_type: 'annual',
        from_date: '2026-12-01',
        to_date: '2026-12-02',
      }),
    })
    expect(response.status).toBe(201)
    const { id } = (await response.json()) as { id: number }
    // Created, then updated: created.
    await muster.sql("update leave_requests set reason = 'changed' where id = $1", [id])
    // Updated twice: once.
    for (const designation of ['Clerk', 'Engineer'])
      await muster.sql(
        'update employees set designation = $1 where id in (select id from employees order by id limit 7)',
        [designation],
      )
    // Updated, then deleted: deleted.
    await muster.sql(
      "update attendance set status = 'half_day' where id in (select id from attendance order by id limit 3)",
    )
    await muster.sql('delete from attendance where id in (select id from attendance order by id limit 2)')
    // More than a list by id can have.
    await muster.sql(
      "update candidates set current_title = 'changed' where id in (select id from candidates order by id limit 201)",
    )
    // Created, then deleted, and one that stays.
    await muster.sql("insert into departments (name) values ('stays'), ('goes')")
    await muster.sql("delete from departments where name = 'goes'")
    await expectPanelEqualsSql(page, muster)

    const figures = await changedFigures(page)
    const linked = figures.filter(({ href }) => href !== undefined)
    expect(figures.filter(({ href }) => href === undefined).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['today.changed.attendance.deleted', 'today.changed.candidates.updated']),
    )
    expect(linked.map(({ name }) => name).toSorted()).toEqual([
      'today.changed.attendance.updated',
      'today.changed.departments.created',
      'today.changed.employees.updated',
      'today.changed.leave.created',
    ])
    await expect(panel(page).locator('tbody th').first()).toHaveText('Departments')
    for (const size of Object.values(screens)) {
      await page.setViewportSize(size)
      await waitForScreen(page)
      await page.emulateMedia({ colorScheme: 'light' })
      await checkAccessibility(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await checkAccessibility(page, 'colors')
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      const box = await panel(page).boundingBox()
      const tableBox = await panel(page).getByRole('table').boundingBox()
      expect(tableBox?.width).toBeLessThanOrEqual(box?.width ?? 0)
    }
    await panel(page).locator('[data-figure="today.changed.employees.updated"]').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Employees')
    const ids = await muster.sql<{ id: number }>('select id from employees order by id limit 7')
    expect(
      new URL(page.url()).searchParams
        .get('id')
        ?.split(',')
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(ids.map((row) => row.id))
    expectNoErrors(network)
  })
})
