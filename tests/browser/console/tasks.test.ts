/** Everyday questions, answered from the first screen by mouse and by keyboard alone, in few actions. */
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { openConsole, screens } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay, startMuster } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { goTo, waitForScreen } from './screens.ts'
import type { UserActions } from './user-actions.ts'
import { describeActions, recordActions } from './user-actions.ts'

type Device = 'mouse' | 'keyboard'
type Size = keyof typeof screens

const mostActions = 5
/** Tasks with another limit. By keyboard, the search finds each link and button of a work list in three actions. */
const limits: Readonly<Record<string, Readonly<Record<Device, number>>>> = {
  'who of Engineering is out next week': { mouse: 3, keyboard: 3 },
  'the applications of the last quarter for Sales by source': { mouse: 3, keyboard: 3 },
  'everybody below a named manager': { mouse: 4, keyboard: 6 },
  'which approvals are overdue': { mouse: 1, keyboard: 3 },
  'whose probation ends this month': { mouse: 3, keyboard: 9 },
  'who has an anniversary next month': { mouse: 3, keyboard: 9 },
  'which openings are stuck, and in which stage': { mouse: 1, keyboard: 3 },
  'who waits longest': { mouse: 1, keyboard: 3 },
}
/** Tasks that are done at a desk. */
const wideTasks: ReadonlySet<string> = new Set([
  'who of Engineering is out next week',
  'the applications of the last quarter for Sales by source',
])

let muster: Muster
test.beforeAll(async () => {
  muster = await startMuster({ tokens: {} })
  // The small demo company has no active contractors.
  await muster.sql(`update employees set employment_type = 'contract' where id % 5 = 0`)
})
test.afterAll(() => muster.stop())

interface Task {
  readonly page: Page
  readonly device: Device
  readonly size: Size
  readonly user: UserActions
}

/** Opens a screen by the navigation, or by the two letters of its key command. */
const openScreen = async ({ page, device, size, user }: Task, name: string, keys: string): Promise<void> => {
  if (device === 'keyboard') return user.type(keys)
  const navigation = page.getByRole('navigation', { name: 'Screens' }).filter({ visible: true })
  const link = navigation.getByRole('link', { name, exact: true })
  if (size === 'phone' && !(await link.isVisible())) {
    await user.click(navigation.getByRole('button', { name: 'More' }))
    await user.click(page.getByRole('dialog').getByRole('link', { name, exact: true }))
  } else await user.click(link)
}

/** Clicks on a link or button, or presses it by means of the search dialog, which finds it by words of its name. */
const activate = async ({ page, device, user }: Task, target: Locator, words: string): Promise<void> => {
  if (device === 'mouse') return user.click(target)
  await expect(target).toBeVisible()
  await user.press('/')
  await expect(page.getByRole('dialog').getByLabel('Search', { exact: true })).toBeFocused()
  await user.type(words)
  await expect(page.getByRole('option').first()).toHaveAttribute('data-focused', 'true')
  await user.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Search' })).toHaveCount(0)
}

/** Types into the search dialog, and opens a result. */
const search = async ({ page, device, user }: Task, text: string, result: string): Promise<void> => {
  if (device === 'keyboard') await user.press('/')
  else await user.click(page.getByRole('button', { name: /^Search people/ }))
  await expect(page.getByRole('dialog').getByLabel('Search', { exact: true })).toBeFocused()
  await user.type(text)
  const found = page.getByRole('option', { name: result }).first()
  await expect(found).toBeVisible()
  if (device === 'mouse') return user.click(found)
  await expect(found).toHaveAttribute('data-focused', 'true')
  await user.press('Enter')
}

const total = (page: Page) => page.locator('[data-figure="data.total"]')

const nameSql = `first_name || ' ' || last_name`

const tasks: Readonly<Record<string, (task: Task) => Promise<void>>> = {
  'the manager of a named person and everybody above': async (task) => {
    const { page } = task
    const [person] = await muster.sql<{ id: number; name: string; above: string[] }>(`
      with recursive chain as (
        select id, ${nameSql} as name, array[]::text[] as above from employees where manager_id is null and status = 'active'
        union all
        select e.id, ${nameSql.replaceAll(/(\w+_name)/g, 'e.$1')}, chain.above || chain.name
        from employees e join chain on e.manager_id = chain.id where e.status = 'active'
      )
      select id, name, above from chain where (select count(*) from chain same where same.name = chain.name) = 1
      order by cardinality(above) desc, id limit 1`)
    expect(person?.above.length).toBeGreaterThan(1)
    await search(task, person?.name ?? '', person?.name ?? '')
    await expect(page).toHaveURL(new RegExp(`/people/${person?.id}\\?`))
    const above = page.getByRole('navigation', { name: 'Managers above' }).getByRole('listitem')
    await expect(above.locator('bdi')).toHaveText(person?.above ?? [])
  },

  'who of Engineering is away next Monday': async (task) => {
    const { page, size } = task
    const monday = mondayAfter(leaveDay)
    const away = await muster.sql<{ id: number }>(
      `select l.id from leave_requests l join employees e on e.id = l.employee_id
       join departments d on d.id = e.dept_id
       where d.name = 'Engineering' and l.status = 'approved' and $1 between from_date and to_date order by l.id`,
      [monday],
    )
    expect(away.length).toBeGreaterThan(0)
    await openScreen(task, 'Leave', 'gl')
    const [department] = await muster.sql<{ id: number }>(`select id from departments where name = 'Engineering'`)
    const day = page.locator(`a[data-mark][data-figure="leave.out.dept_id.${department?.id}.${monday}"]`)
    // Only wide screens have other departments beside it. Both open the largest one, which is Engineering.
    const words = `${size === 'wide' ? 'Engineering ' : ''}Mon ${Number(monday.slice(8))} Oct`
    await activate(task, day, words)
    await expect(total(page)).toHaveText(String(away.length))
    expect(await idsOfList(page)).toEqual(away.map(({ id }) => id))
  },

  'the opening with the longest wait, its stage and how many': async (task) => {
    const [opening] = await muster.sql<{ id: number; title: string; stage: string; days: number; waiting: number }>(`
      with waiting as (
        select j.id, j.title, a.stage, date '${demoDay}' - a.stage_entered_on as days
        from applications a join job_openings j on j.id = a.job_id
        where j.status = 'open' and a.status not in ('hired', 'rejected', 'withdrawn')
          and a.stage not in ('hired', 'rejected', 'withdrawn') and a.stage_entered_on <= '${demoDay}'
      )
      select w.id, w.title, w.stage, w.days, (select count(*) from applications a where a.job_id = w.id
        and a.stage = w.stage and a.status not in ('rejected', 'withdrawn')) as waiting
      from waiting w order by w.days desc, w.id limit 1`)
    await openScreen(task, 'Hiring', 'gh')
    const first = task.page.locator('tbody tr').first()
    await expect(first.getByRole('link', { name: opening?.title ?? '', exact: true })).toBeVisible()
    await expect(first.locator(`[data-figure="hiring.openings.${opening?.id}.waiting"]`)).toHaveText(
      String(opening?.waiting),
    )
    await expect(first).toContainText(
      new RegExp(`${opening?.waiting}\\s+in ${opening?.stage.replaceAll('_', ' ')}`, 'i'),
    )
    await expect(first).toContainText(`${opening?.days} d`)
  },

  'joiners, leavers and turnover in twelve months': async (task) => {
    const [year] = await muster.sql<{ joined: number; left: number; turnover: number }>(`
      with last as (select (date_trunc('month', date '${demoDay}' + 1) - interval '1 day')::date as day),
      ends as (
        select (date_trunc('month', day) - n * interval '1 month' + interval '1 month' - interval '1 day')::date as day
        from last, generate_series(0, 12) n
      ),
      bounds as (select min(day) as first, max(day) as last from ends),
      employed as (
        select ends.day, count(e.id) as people from ends left join employees e on e.date_of_joining <= ends.day
          and (e.termination_date is null or e.termination_date > ends.day)
        group by ends.day
      ),
      "left" as (
        select count(*) as count from employees, bounds where termination_date > bounds.first
          and termination_date <= bounds.last and date_of_joining is not null
      )
      select (select count(*) from employees, bounds where date_of_joining > bounds.first
          and date_of_joining <= bounds.last) as joined,
        (select count from "left") as left, (select count from "left") / (select avg(people) from employed) as turnover`)
    await openScreen(task, 'Headcount', 'gc')
    const figure = (name: string) => task.page.locator(`[data-figure="headcount.${name}"]`)
    await expect(figure('joined_12m')).toHaveText(String(year?.joined))
    await expect(figure('left_12m')).toHaveText(String(year?.left))
    expect(Number(await figure('turnover').getAttribute('data-value'))).toBeCloseTo(year?.turnover ?? 0, 3)
    await expect(figure('turnover')).toBeVisible()
  },

  'a CSV of the active contractors in one office': async (task) => {
    const { page, size, device, user } = task
    const [office] = await muster.sql<{ branch: string; ids: string[] }>(
      `select branch, array_agg(id order by id) as ids from employees
       where status = 'active' and employment_type = 'contract' and branch is not null
       group by branch order by count(*) desc, branch limit 1`,
    )
    await openScreen(task, 'People', 'gp')
    if (size === 'wide' && device === 'mouse') {
      const filters = page.getByRole('search', { name: 'Filters' })
      for (const [group, value] of [
        ['Status', 'Active'],
        ['Employment', 'Contract'],
        ['Office', office?.branch ?? ''],
      ] as const)
        await user.click(
          filters.getByRole('group', { name: group }).locator('label').filter({ hasText: value }).first(),
        )
    } else {
      // Three words are fewer actions than three boxes.
      const field = page.getByRole('searchbox').first()
      await expect(field).toBeVisible()
      if (device === 'mouse') await user.click(field)
      else await user.press('f')
      await expect(field).toBeFocused()
      await user.type(`active contract ${office?.branch}`)
      await expect(page.locator('[data-figure="people.total"]')).toHaveText(String(office?.ids.length))
    }
    const download = page.waitForEvent('download')
    const exportLink = page.getByRole('link', { name: /^Export/ })
    if (device === 'mouse') await user.click(exportLink)
    else {
      await user.tabTo(exportLink)
      await user.press('Enter')
    }
    expect(await idsOfCsv(await download)).toEqual(office?.ids.map(Number))
  },

  'who of Engineering is out next week': async (task) => {
    const { page } = task
    const monday = mondayAfter(demoDay)
    const away = await muster.sql<{ id: number }>(
      `select l.id from leave_requests l join employees e on e.id = l.employee_id
       join departments d on d.id = e.dept_id
       where d.name = 'Engineering' and l.status = 'approved' and from_date <= $1::date + 6 and to_date >= $1 order by l.id`,
      [monday],
    )
    expect(away.length).toBeGreaterThan(0)
    await search(task, 'leave engineering next month', 'Leave: Engineering, Next month')
    const bars = page
      .locator('tbody[data-open]')
      .filter({ hasText: 'Engineering' })
      .locator('a[href*="data/leave?id="]')
    const shown = await bars.evaluateAll((links) => links.map((link) => Number(/id=(\d+)/.exec(link.outerHTML)?.[1])))
    expect(shown).toEqual(expect.arrayContaining(away.map(({ id }) => id)))
  },

  'everybody below a named manager': async (task) => {
    const { page } = task
    const [manager] = await muster.sql<{ id: number; name: string; below: string[] }>(managerSql)
    await search(task, manager?.name ?? '', manager?.name ?? '')
    await activate(task, page.getByRole('link', { name: /reports in all$/ }), 'reports in all')
    await expect(total(page)).toHaveText(String(manager?.below.length))
    expect(await idsOfList(page)).toEqual(manager?.below.map(Number))
  },

  'the contractors in Berlin as a file': async (task) => {
    const { page, device, user } = task
    const contractors = await muster.sql<{ id: number }>(
      `select id from employees where status <> 'terminated' and employment_type = 'contract' and branch = 'Berlin' order by id`,
    )
    expect(contractors.length).toBeGreaterThan(0)
    await openScreen(task, 'People', 'gp')
    const field = page.getByRole('searchbox').first()
    await expect(field).toBeVisible()
    if (device === 'mouse') await user.click(field)
    else await user.press('f')
    await expect(field).toBeFocused()
    await user.type('contract Berlin')
    await expect(page.locator('[data-figure="people.total"]')).toHaveText(String(contractors.length))
    const download = page.waitForEvent('download')
    const exportLink = page.getByRole('link', { name: /^Export/ })
    if (device === 'mouse') await user.click(exportLink)
    else {
      await user.tabTo(exportLink)
      await user.press('Enter')
    }
    expect(await idsOfCsv(await download)).toEqual(contractors.map(({ id }) => id))
  },

  'the applications of the last quarter for Sales by source': async (task) => {
    const { page } = task
    const sources = await muster.sql<{ source: string; count: number }>(
      `select c.source, count(*) from applications a join candidates c on c.id = a.candidate_id
       join job_openings j on j.id = a.job_id join departments d on d.id = j.dept_id
       where d.name = 'Sales' and a.applied_on between '2026-07-01' and '2026-09-30' group by 1`,
    )
    expect(sources.length).toBeGreaterThan(0)
    await search(task, 'sources sales last quarter', 'Sources: Sales, Last quarter')
    for (const { source, count } of sources)
      await expect(page.locator(`[data-figure="sources.${source}.applications"]`)).toHaveText(String(count))
  },

  'the worst attendance day of the last quarter, its list, and the link on a phone': async (task) => {
    const { page } = task
    const [worst] = await muster.sql<{ day: string; recorded: number; rate: number }>(`
      select att_date as day, count(*) as recorded,
        count(*) filter (where status = 'absent')::float / count(*) filter (where status <> 'on_leave') as rate
      from attendance
      where att_date <= '${demoDay}' and att_date >= date_trunc('week', date '${demoDay}') - interval '12 weeks'
      group by att_date having count(*) filter (where status <> 'on_leave') >= 20 order by rate desc, day desc limit 1`)
    await openScreen(task, 'Attendance', 'ga')
    await expect(page.getByText('the highest of the period')).toBeVisible()
    const rate = page.locator(`[data-figure="attendance.${worst?.day}.absence_rate"]`).first()
    expect(Number(await rate.getAttribute('data-value'))).toBeCloseTo(worst?.rate ?? 0, 3)
    await activate(task, page.getByRole('link', { name: /^Open [\d,]+ records/ }), 'open records')
    await expect(total(page)).toHaveText(String(worst?.recorded))
    const phone = await page.context().newPage()
    await phone.setViewportSize(screens.phone)
    await phone.goto(page.url())
    await waitForScreen(phone)
    await expect(total(phone)).toHaveText(String(worst?.recorded))
    expect(await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  },
}

/** Only people who are below others who have reports, so that there are indirect ones. */
const managerSql = `
  with recursive below as (
    select id as upper_id, id, 0 as level from employees where status in ('active', 'on_leave', 'suspended')
    union all
    select below.upper_id, e.id, level + 1 from below join employees e on e.manager_id = below.id
    where e.status in ('active', 'on_leave', 'suspended')
  )
  select m.id, ${nameSql.replaceAll(/(\w+_name)/g, 'm.$1')} as name, array_agg(below.id order by below.id) as below
  from below join employees m on m.id = upper_id
  where level > 0 and m.manager_id is not null
    and (select count(*) from employees same where same.first_name = m.first_name and same.last_name = m.last_name) = 1
  group by m.id having max(level) > 1 order by count(*) desc, m.id limit 1`

const firstRow = (page: Page): Locator =>
  page
    .getByRole('main')
    .locator('tbody tr')
    .filter({ has: page.locator('th[scope=row]') })
    .first()

/** Opens the list behind a figure of Today. `words` are some of its name. */
const openList = async (task: Task, figure: string, words: string): Promise<void> => {
  await activate(task, task.page.locator(`[data-figure="today.${figure}"]`), words)
  await expect(task.page.getByRole('main').getByRole('link', { name: 'Today', exact: true })).toBeVisible()
}

const chooseDates = async (task: Task, kind: string, period: string): Promise<void> => {
  const { page } = task
  await openList(task, 'joining', 'coming dates')
  await activate(task, page.getByRole('group', { name: 'Kind' }).getByRole('button', { name: kind }), `kind ${kind}`)
  await activate(task, page.getByRole('radio', { name: period }), period)
  await expect(page).toHaveURL(/from=[\d-]+&to=[\d-]+/)
}

const listTasks: Readonly<Record<string, (task: Task) => Promise<void>>> = {
  'which approvals are overdue': async (task) => {
    const [request] = await muster.sql<{ name: string; manager: string; total: number }>(`
      select ${nameSql.replaceAll(/(\w+_name)/g, 'e.$1')} as name, ${nameSql.replaceAll(/(\w+_name)/g, 'm.$1')} as manager,
        count(*) over () as total
      from leave_requests l join employees e on e.id = employee_id join employees m on m.id = e.manager_id
      where l.status = 'pending' and from_date <= '${demoDay}'
      order by to_date >= '${demoDay}', from_date = '${demoDay}', l.applied_on, l.id limit 1`)
    await openList(task, 'leave_overdue', 'wait for approval although')
    await expect(task.page.locator('[data-figure="approvals.lede"]')).toHaveText(String(request?.total))
    await expect(firstRow(task.page)).toContainText(request?.name ?? '')
    await expect(firstRow(task.page)).toContainText(request?.manager ?? '')
  },

  'whose probation ends this month': async (task) => {
    const ends = await muster.sql<{ name: string }>(`
      select ${nameSql} as name from employees where date_trunc('month', probation_end) = date_trunc('month', date '${demoDay}')
      order by probation_end, id`)
    expect(ends.length).toBeGreaterThan(0)
    await chooseDates(task, 'Probation ends', 'This month')
    await expect(task.page.locator('[data-figure="dates.kind.probation"]')).toHaveText(String(ends.length))
    await expect(firstRow(task.page)).toContainText(ends[0]?.name ?? '')
  },

  'who has an anniversary next month': async (task) => {
    const [people] = await muster.sql<{ total: number }>(`
      select count(*) as total from employees where status <> 'terminated' and date_of_joining < '${demoDay}'
        and date_part('month', date_of_joining) = date_part('month', date '${demoDay}' + interval '1 month')`)
    expect(people?.total).toBeGreaterThan(0)
    await chooseDates(task, 'Anniversary', 'Next month')
    await expect(task.page.locator('[data-figure="dates.kind.anniversary"]')).toHaveText(String(people?.total))
    await expect(firstRow(task.page)).toContainText(/\d+ years?/)
  },

  'which openings are stuck, and in which stage': async (task) => {
    const [opening] = await muster.sql<{ id: number; title: string; days: number; total: number }>(`
      select id, title, date '${demoDay}' - target_date as days, count(*) over () as total from job_openings
      where status = 'open' and target_date < '${demoDay}' and filled < headcount order by target_date, id limit 1`)
    await openList(task, 'openings_past_target', 'past their target')
    await expect(firstRow(task.page)).toContainText(opening?.title ?? '')
    await expect(task.page.locator(`[data-figure="past_target.${opening?.id}.days_past"]`)).toHaveText(
      String(opening?.days),
    )
    await expect(task.page.locator('[data-figure="past_target.lede"]')).toHaveText(String(opening?.total))
    if (task.size === 'wide')
      await expect(firstRow(task.page)).toContainText(
        /(Applied|Assessment|Interview|Offer|Phone screen|Shortlisted) \d+ d/,
      )
  },

  'who waits longest': async (task) => {
    const [longest] = await muster.sql<{ name: string; days: number }>(`
      select ${nameSql} as name, date '${demoDay}' - stage_entered_on as days
      from applications join candidates on candidates.id = candidate_id
      where applications.status = 'active' and date '${demoDay}' - stage_entered_on > 14
      order by stage_entered_on, applications.id limit 1`)
    await openList(task, 'applications_waiting', 'in their stage for more')
    const row = task.page
      .locator('tbody tr')
      .filter({ hasText: longest?.name ?? '' })
      .first()
    await expect(row).toContainText(`${longest?.days} d`)
  },
}

/** A Friday before a Monday on which several people of Engineering are away. */
const leaveDay = '2026-10-02'

const mondayAfter = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  do date.setUTCDate(date.getUTCDate() + 1)
  while (date.getUTCDay() !== 1)
  return date.toISOString().slice(0, 10)
}

/** The ids of all records in the list of the explorer that the page shows, as the service sends them. */
const idsOfList = async (page: Page): Promise<number[]> => {
  const href = await total(page).evaluate((element) => (element.closest('a') ?? element.querySelector('a'))?.href ?? '')
  const { pathname, searchParams } = new URL(href === '' ? page.url() : href)
  const parameters = new URLSearchParams(
    [...searchParams].filter(([name]) => name !== 'as_of' && !name.startsWith('_')),
  )
  const response = await page.request.get(`${muster.origin}/api/v1/${pathname.split('/').at(-1)}?${parameters}`)
  const { data } = (await response.json()) as { data: { id: number }[] }
  return data.map(({ id }) => id).toSorted((a, b) => a - b)
}

const idsOfCsv = async (download: Download): Promise<number[]> => {
  const text = await readFile(await download.path(), 'utf8')
  const lines = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/)
  expect(lines[0]).toMatch(/^id,/)
  return lines
    .slice(1)
    .map((line) => Number(line.split(',')[0]))
    .toSorted((a, b) => a - b)
}

for (const [name, run] of Object.entries({ ...tasks, ...listTasks })) {
  for (const size of Object.keys(screens) as Size[]) {
    if (size === 'phone' && wideTasks.has(name)) continue
    test(`${name}, ${size}, by mouse and by keyboard`, async ({ page }) => {
      const start = `today?as_of=${name.includes('next Monday') ? leaveDay : demoDay}`
      await openConsole(page, muster, start, screens[size])
      await waitForScreen(page)
      for (const device of ['mouse', 'keyboard'] as const)
        await test.step(device, async () => {
          const user = recordActions(page)
          await run({ page, device, size, user })
          console.log(`${name}, ${size}, ${device}: ${user.log.length} actions (${describeActions(user)})`)
          expect(user.log.length).toBeLessThanOrEqual(limits[name]?.[device] ?? mostActions)
          await goTo(page, start)
          await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
          await waitForScreen(page)
        })
    })
  }
}
