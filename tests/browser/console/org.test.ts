/** The org chart: its keys, its URL, its figures, its managers, and the faults that it has to survive. */
import type { Page } from '@playwright/test'
import { openConsole } from '../support/console-page.ts'
import { figuresOnPage } from '../support/figures.ts'
import { followCounts } from '../support/followed-counts.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay, startMuster } from '../support/muster.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { waitForScreen } from './screens.ts'

const inChart = `status in ('active', 'on_leave', 'suspended')`

const openOrg = async (page: Page, muster: Muster, query = '', size = {}): Promise<void> => {
  await openConsole(page, muster, `org?as_of=${demoDay}${query}`, size)
  await waitForScreen(page)
}

const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** Somebody without reports, three levels below the top. */
const findLeaf = async (muster: Muster): Promise<{ id: number; chain: number[] }> => {
  const [leaf] = await muster.sql<{ id: number; chain: number[] }>(`
    with recursive chain as (
      select id, manager_id, array[id] as chain from employees where manager_id is null and ${inChart}
      union all
      select e.id, e.manager_id, chain.chain || e.id
      from employees e join chain on e.manager_id = chain.id where ${inChart.replace('status', 'e.status')}
    )
    select id, array_to_json(chain) as chain from chain
    where cardinality(chain) = 4 and not exists (select from employees r where r.manager_id = chain.id)
    order by id limit 1`)
  if (leaf === undefined) throw new Error('nobody is three levels below the top')
  return leaf
}

test('the figures of each card equal SQL', async ({ page, muster }) => {
  const { id } = await findLeaf(muster)
  await openOrg(page, muster, `&person=${id}`)
  const figures = (await figuresOnPage(page)).filter(({ name }) => /^org\.(direct|total)\./.test(name))
  expect(figures.length).toBeGreaterThan(10)
  for (const { name, text } of figures) {
    const [, kind, manager] = name.split('.')
    const [row] = await muster.sql<{ direct: number; total: number }>(
      `with recursive below as (
         select id from employees where manager_id = $1 and ${inChart}
         union
         select e.id from employees e join below on e.manager_id = below.id where ${inChart.replace('status', 'e.status')}
       )
       select (select count(*) from employees where manager_id = $1 and ${inChart}) as direct,
         (select count(*) from below) as total`,
      [Number(manager)],
    )
    expect(`${name} ${text}`).toBe(`${name} ${kind === 'direct' ? row?.direct : row?.total}`)
  }
})

test('opens with two levels; a click opens one level more, and closes what was open beside it', async ({
  page,
  muster,
}) => {
  await openOrg(page, muster)
  const rows = page.getByRole('row')
  await expect(page.locator('[role=row][aria-level="1"]')).toHaveCount(1)
  await expect(page.locator('[role=row][aria-level="2"]').first()).toBeVisible()
  await expect(page.locator('[role=row][aria-level="3"]')).toHaveCount(0)

  const managers = page.locator('[role=row][aria-level="2"][aria-expanded]')
  await managers.nth(0).getByRole('button').click()
  await expect(page.locator('[role=row][aria-level="3"]').first()).toBeVisible()
  const first = parameter(page, 'open')
  await managers.nth(1).getByRole('button').click()
  await expect(managers.nth(0)).toHaveAttribute('aria-expanded', 'false')
  await expect(managers.nth(1)).toHaveAttribute('aria-expanded', 'true')
  expect(parameter(page, 'open')).not.toBe(first)

  await waitForScreen(page)
  const shown = await rows.count()
  await page.reload()
  await waitForScreen(page)
  await expect(rows).toHaveCount(shown)
})

test('arrow keys move in the columns, and open and close', async ({ page, muster }) => {
  await openOrg(page, muster)
  const focusedLevel = () => page.evaluate(() => document.activeElement?.getAttribute('aria-level'))
  const focused = page.locator('[role=row]:focus')
  await page.locator('[role=row][aria-level="1"]').focus()
  await page.keyboard.press('ArrowRight')
  expect(await focusedLevel()).toBe('2')
  await page.keyboard.press('ArrowRight')
  await expect(focused).toHaveAttribute('aria-expanded', 'true')
  await expect(page.locator('[role=row][aria-level="3"]').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  expect(await focusedLevel()).toBe('2')
  await expect(focused).toHaveAttribute('aria-posinset', '2')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowRight')
  expect(await focusedLevel()).toBe('3')
  await page.keyboard.press('ArrowLeft')
  expect(await focusedLevel()).toBe('2')
  await page.keyboard.press('ArrowLeft')
  await expect(focused).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowLeft')
  expect(await focusedLevel()).toBe('1')
})

test('the search field shows a person with everybody above', async ({ page, muster }) => {
  const { id, chain } = await findLeaf(muster)
  const people = await muster.sql<{ id: number; first_name: string; last_name: string }>(
    'select id, first_name, last_name from employees where id = any ($1)',
    [chain],
  )
  const names = chain.map((member) => {
    const person = people.find((candidate) => candidate.id === member)
    return `${person?.first_name} ${person?.last_name}`
  })
  await openOrg(page, muster)
  await page.getByRole('combobox', { name: 'Find a person' }).pressSequentially(names.at(-1) as string)
  await page
    .getByRole('option', { name: names.at(-1) as string })
    .first()
    .click()
  await expect.poll(() => parameter(page, 'person')).toBe(String(id))
  await waitForScreen(page)
  await expect(page.getByRole('navigation', { name: 'From the top to this person' }).getByRole('listitem')).toHaveText(
    names,
  )
  const target = page.locator('[role=row][data-target]')
  await expect(target).toContainText(names.at(-1) as string)
  await expect(target).toBeInViewport({ ratio: 1 })
})

test('on phones the open people are a nested list, without their siblings', async ({ page, muster }) => {
  const { id, chain } = await findLeaf(muster)
  await openOrg(page, muster, `&person=${id}`, { width: 360, height: 740 })
  for (const level of [1, 2, 3])
    await expect(page.locator(`[role=row][aria-level="${level}"][aria-expanded="true"]`)).toHaveCount(1)
  await expect(page.locator('[role=row][data-target]')).toBeInViewport({ ratio: 1 })
  const more = page.getByRole('row', { name: /more under/ })
  await expect(more.last()).toBeVisible()
  const before = await page.locator('[role=row][aria-level="2"]').count()
  await more.last().click()
  await expect.poll(() => page.locator('[role=row][aria-level="2"]').count()).toBeGreaterThan(before)
  expect(parameter(page, 'more')).toBe(String(chain[0]))
})

test('a column of Managers leads to its managers, and the heads of the table sort it', async ({ page, muster }) => {
  await openConsole(page, muster, `org/managers?as_of=${demoDay}`)
  await waitForScreen(page)
  const rows = page.locator('tbody tr')
  const directs = () =>
    rows
      .locator('[data-figure^="managers.direct."]')
      .evaluateAll((figures) => figures.map((figure) => Number(figure.getAttribute('data-value'))))
  const largestFirst = await directs()
  expect(largestFirst).toEqual(largestFirst.toSorted((a, b) => b - a))
  const column = page.getByRole('link', { name: /^3 direct reports: / })
  const count = Number(/: (\d+) manager/.exec((await column.getAttribute('aria-label')) ?? '')?.[1])
  await column.click()
  await expect.poll(() => parameter(page, 'direct')).toBe('3')
  await expect(page.getByRole('status').filter({ hasText: `${count} manager` })).toBeVisible()
  expect(new Set(await directs())).toEqual(new Set([3]))
  await page.getByRole('button', { name: 'Remove the filter Direct reports: 3' }).click()
  await expect.poll(() => parameter(page, 'direct')).toBeNull()
  await page.getByRole('link', { name: 'In all', exact: true }).click()
  await expect.poll(() => parameter(page, 'sort')).toBe('total')
  await expect(page.getByRole('columnheader', { name: 'In all' })).toHaveAttribute('aria-sort', 'descending')
  const [top] = await muster.sql<{ id: number }>(`select id from employees where manager_id is null and ${inChart}`)
  await expect(rows.first().locator('[data-figure]').first()).toHaveAttribute(
    'data-figure',
    `managers.direct.${top?.id}`,
  )
})

test('a cycle is named, several people are at the top, and somebody who left is explained', async ({ page }) => {
  const muster = await startMuster({ tokens: {} })
  try {
    const [a, b, left] = await muster.sql<{ id: number }>(
      `(select id from employees where manager_id is not null and ${inChart} order by id desc limit 2)
       union all (select id from employees where status = 'terminated' order by id limit 1)`,
    )
    await muster.sql('update employees set manager_id = $2 where id = $1', [a?.id, b?.id])
    await muster.sql('update employees set manager_id = $2 where id = $1', [b?.id, a?.id])
    const network = await recordNetwork(page, muster.origin)
    await openOrg(page, muster)
    await expect(page.getByText('Managers form a cycle.')).toBeVisible()
    await expect(page.locator('[data-figure="org.in_cycles"]')).toHaveText('2')
    await expect(page.locator('[role=row][aria-level="1"]')).toHaveCount(2)
    await openOrg(page, muster, `&person=${left?.id}`)
    await expect(page.getByRole('heading', { name: 'This person is not in the chart' })).toBeVisible()
    await openOrg(page, muster, '&person=987654321')
    await expect(page.getByRole('heading', { name: 'There is no employee 987654321' })).toBeVisible()
    expect(network.violations).toEqual([])
  } finally {
    await muster.stop()
  }
})

test('people who are recorded as their own managers are none of their own reports', async ({ page }) => {
  const muster = await startMuster({ tokens: {} })
  try {
    const { id: leaf } = await findLeaf(muster)
    const [manager] = await muster.sql<{ id: number; direct: number }>(
      `select manager_id as id, count(*) as direct from employees where ${inChart} and manager_id <> id
         and manager_id in (select id from employees where manager_id is not null)
       group by 1 order by 2 desc, 1 limit 1`,
    )
    const id = manager?.id ?? 0
    await muster.sql('update employees set manager_id = id where id in ($1, $2)', [leaf, id])
    for (const [person, direct] of [
      [id, manager?.direct],
      [leaf, 0],
    ] as const) {
      await openOrg(page, muster, `&person=${person}`)
      await expect(page.getByText('is recorded as their own manager.')).toHaveCount(2)
      const figure = page.locator(`[data-figure="org.direct.${person}"]`)
      if (direct === 0) await expect(figure).toHaveCount(0)
      else await expect(figure).toHaveText(String(direct))
      const { differences } = await followCounts(await figuresOnPage(page), muster.origin)
      expect(differences).toEqual([])

      await openConsole(page, muster, `people/${person}`)
      await waitForScreen(page)
      await expect(page.locator('[data-figure="person.reports.direct"]')).toHaveText(String(direct))
      const reports = page.getByRole('region', { name: 'Reports' })
      await expect(reports.locator(`a[href$="/people/${person}"]`)).toHaveCount(0)

      await openConsole(page, muster, `people?open=${person}`)
      await waitForScreen(page)
      await expect(page.locator('[data-figure="people.drawer.direct"]')).toHaveText(String(direct))
    }
  } finally {
    await muster.stop()
  }
})

test('if a manager is recorded wrongly above the whole company, the chart still shows its two upper levels', async ({
  page,
}) => {
  const muster = await startMuster({ tokens: {} })
  try {
    const { id: leaf } = await findLeaf(muster)
    const [top] = await muster.sql<{ id: number; managers: number }>(
      `select manager_id as id, count(*) as managers from employees where ${inChart}
         and manager_id = (select id from employees where manager_id is null and ${inChart}) group by 1`,
    )
    await muster.sql('update employees set manager_id = null where id = $1', [leaf])
    await muster.sql('update employees set manager_id = $1 where id = $2', [leaf, top?.id])
    await openOrg(page, muster)
    await expect(page.locator('[role=row][aria-level="2"]')).toHaveCount(1)
    await expect(page.locator('[role=row][aria-level="3"]').first()).toBeVisible()
    const shown = await page.locator('[role=row][aria-level="3"]').count()
    expect(shown).toBe(Math.min(top?.managers ?? 0, 13))
  } finally {
    await muster.stop()
  }
})

test('more than a hundred reports are folded, and open as a list', async ({ page }) => {
  const muster = await startMuster({ tokens: {} })
  try {
    await muster.sql(`update employees set manager_id = 1 where id > 1 and ${inChart}`)
    await muster.sql(`update employees set first_name = repeat('A', 200), last_name = 'ליאור' where id = 2`)
    const network = await recordNetwork(page, muster.origin)
    await openOrg(page, muster)
    await page.getByRole('row', { name: /^and \d+ more$/ }).click()
    const list = page.getByRole('grid', { name: /^More under/ })
    await expect(list.getByRole('row').first()).toBeVisible()
    expect(await list.getByRole('row').count()).toBeLessThan(60)
    const { nodes, overflow } = await page.evaluate(() => ({
      nodes: document.querySelectorAll('*').length,
      overflow: document.documentElement.scrollWidth - innerWidth,
    }))
    expect(nodes).toBeLessThan(3_000)
    expect(overflow).toBeLessThanOrEqual(0)
    expectNoErrors(network)
  } finally {
    await muster.stop()
  }
})
