/** Two questions about candidates, answered from the first screen by mouse and by keyboard alone, in at most three actions. */
import type { Page } from '@playwright/test'
import { openConsole, screens } from '../support/console-page.ts'
import { demoDay } from '../support/muster.ts'
import { expect, publicOptions, test } from '../support/test.ts'
import { medianDays, stayCtes } from './expected/stays.ts'
import { goTo, waitForScreen } from './screens.ts'
import type { UserActions } from './user-actions.ts'
import { describeActions, recordActions } from './user-actions.ts'

const mostActions = 3
const devices = ['mouse', 'keyboard'] as const
type Device = (typeof devices)[number]

interface Task {
  readonly page: Page
  readonly device: Device
  readonly user: UserActions
}

/** Finds a record by the search of the console, and opens the result. */
const openByName = async ({ page, device, user }: Task, text: string, path: string): Promise<void> => {
  if (device === 'keyboard') await user.press('/')
  else await user.click(page.getByRole('button', { name: /^Search people/ }))
  await expect(page.getByRole('dialog').getByLabel('Search', { exact: true })).toBeFocused()
  await user.type(text)
  const found = page.getByRole('option').and(page.locator(`[data-key="${path}"]`))
  await expect(found).toBeVisible()
  if (device === 'keyboard') {
    await expect(found).toHaveAttribute('data-focused', 'true')
    await user.press('Enter')
  } else await user.click(found)
  await expect(page).toHaveURL(new RegExp(`/console${path}\\?`))
}

const runTask = async (page: Page, name: string, run: (task: Task) => Promise<void>): Promise<void> => {
  for (const device of devices)
    await test.step(device, async () => {
      await goTo(page, `today?as_of=${demoDay}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
      await waitForScreen(page)
      const user = recordActions(page)
      await run({ page, device, user })
      console.log(`${name}, ${device}: ${user.log.length} actions (${describeActions(user)})`)
      expect(user.log.length).toBeLessThanOrEqual(mostActions)
    })
}

for (const [size, window] of Object.entries(screens)) {
  test(`a candidate and her applications, ${size}, by mouse and by keyboard`, async ({ page, muster }) => {
    const name = `first_name || ' ' || last_name`
    const [candidate] = await muster.sql<{ id: number; name: string; openings: string[] }>(`
      select candidates.id, ${name} as name, array_agg(title order by (applications.status = 'active') desc,
        applied_on desc, applications.id desc) as openings
      from candidates join applications on candidate_id = candidates.id join job_openings on job_openings.id = job_id
      where (select count(*) from candidates same where ${name} = candidates.first_name || ' ' || candidates.last_name) = 1
        and not exists (select from employees same where same.last_name = candidates.last_name)
      group by candidates.id order by count(*) desc, candidates.id limit 1`)
    expect(candidate?.openings.length).toBeGreaterThan(1)
    await openConsole(page, muster, `today?as_of=${demoDay}`, window)
    await runTask(page, 'a candidate and her applications', async (task) => {
      await openByName(task, candidate?.name ?? '', `/hiring/candidates/${candidate?.id}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(candidate?.name ?? '')
      await expect(page.getByRole('article').locator('header a[href*="/hiring/openings/"]')).toHaveText(
        candidate?.openings ?? [],
      )
    })
  })

  test(`in which stage an opening is stuck, ${size}, by mouse and by keyboard`, async ({ page, services }) => {
    const muster = await services.start(publicOptions, [
      // Its applications wait three weeks longer for the interview to end.
      `create table stuck as select job_id from applications join job_openings on job_openings.id = job_id
         where stage = 'interview' and job_openings.status = 'open' group by 1 order by count(*) desc, 1 limit 1`,
      `update history set "on" = "on" - 21, since = since - 21 where resource = 'applications' and field = 'stage'
         and new in ('applied', 'shortlisted', 'assessment', 'phone_screen', 'interview') and record_id in (
           select record_id from history entered join applications on applications.id = record_id
           where entered.resource = 'applications' and new = 'interview' and job_id = (select job_id from stuck))`,
    ])
    const [opening] = await muster.sql<{ id: number; code: string }>(
      'select id, code from job_openings where id = (select job_id from stuck)',
    )
    const medians = await muster.sql<{ stage: string; own: string | null; company: string }>(
      `with ${stayCtes}
       select stays.stage, replace(${medianDays.replaceAll('filter (where ', 'filter (where job_id = $2 and ')}, ' d', '') as own,
         replace(${medianDays}, ' d', '') as company
       from stays join applications using (id) where began <= $1::date and stays.stage <> 'hired' group by stays.stage`,
      [demoDay, opening?.id],
    )
    const excess = ({ own, company }: { own: string | null; company: string }) => Number(own ?? 0) - Number(company)
    const [slowest] = medians.toSorted((a, b) => excess(b) - excess(a))
    expect(slowest?.stage).toBe('interview')
    await openConsole(page, muster, `today?as_of=${demoDay}`, window)
    await runTask(page, 'in which stage an opening is stuck', async (task) => {
      await openByName(task, opening?.code ?? '', `/hiring/openings/${opening?.id}`)
      await expect(page.getByText('Applications stay longest beyond the usual in')).toHaveText(
        `Applications stay longest beyond the usual in Interview: ${slowest?.own} days, in the whole company ${slowest?.company}.`,
      )
    })
  })
}
