/** What Candidates, Candidate and Opening do apart from their figures, which the truth tests compare with SQL. */
import type { Page } from '@playwright/test'
import { openConsole, screens } from '../support/console-page.ts'
import { readToken, startMuster } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { goTo, screenPaths, waitForScreen } from './screens.ts'

const rows = (page: Page) => page.getByRole('grid', { name: 'Candidates' }).locator('[role=row][data-key]')
const backLink = (page: Page) => page.locator('main header > a').first()

test('the rows of Candidates have the newest application that goes on, or the newest of all', async ({
  page,
  muster,
}) => {
  const expected = await muster.sql<{ id: number; text: string }>(`
    select page.id, coalesce((
      select title || ' · ' || upper(left(state, 1)) || substr(replace(state, '_', ' '), 2) from (
        select title, case when applications.status = 'active' then stage else applications.status end as state
        from applications join job_openings on job_openings.id = job_id where candidate_id = page.id
        order by (applications.status = 'active') desc, applied_on desc, applications.id desc limit 1
      ) latest), 'no application') as text
    from (select * from candidates where source = 'event' order by created desc, id desc limit 25) page
    order by created desc, id desc`)
  await openConsole(page, muster, 'hiring/candidates?source=event', screens.wide)
  await waitForScreen(page)
  await expect(rows(page)).toHaveCount(expected.length)
  expect(await rows(page).evaluateAll((found) => found.map((row) => Number(row.getAttribute('data-key'))))).toEqual(
    expected.map(({ id }) => id),
  )
  await expect(rows(page).locator(':scope > :nth-child(2)')).toHaveText(expected.map(({ text }) => text))
})

test('a row opens the candidate by mouse and by keyboard, and the way back leads to the same list', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, 'hiring/candidates?status=active&offset=25', screens.wide)
  await waitForScreen(page)
  const list = page.url()
  const openFirst = {
    mouse: () => rows(page).first().click(),
    keyboard: async () => {
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
    },
  }
  const id = await rows(page).first().getAttribute('data-key')
  for (const [device, open] of Object.entries(openFirst)) {
    await open()
    await expect(page, device).toHaveURL(new RegExp(`/hiring/candidates/${id}$`))
    await waitForScreen(page)
    await expect(backLink(page)).toHaveText('Candidates')
    await backLink(page).click()
    await expect(page).toHaveURL(list)
    await waitForScreen(page)
  }
})

test('the way back is named after the screen that it leads to, or after the list if there was none', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, 'hiring?past_target=true', screens.wide)
  await waitForScreen(page)
  const openings = page.url()
  const opening = page.locator('tbody tr a[href*="/hiring/openings/"]').first()
  const title = (await opening.textContent()) ?? ''
  await opening.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await expect(backLink(page)).toHaveText('Openings')
  await page.locator('main a[href*="/hiring/candidates/"]').first().click()
  await expect(page).toHaveURL(/\/hiring\/candidates\/\d+$/)
  await expect(backLink(page)).toHaveText(title)
  await page.reload()
  await expect(backLink(page)).toHaveText('Candidates')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
  await page.goBack()
  await expect(page).toHaveURL(openings)
})

test('after signing out, the way back names nobody', async ({ page }) => {
  const muster = await startMuster({ reads: 'redacted', tokens: { read: readToken } })
  try {
    const [person] = await muster.sql<{ id: number; candidate_id: number; name: string }>(
      `select id, candidate_id, first_name || ' ' || last_name as name from employees
       where candidate_id is not null order by id limit 1`,
    )
    await openConsole(page, muster, `people/${person?.id}`, screens.wide)
    await page.getByRole('button', { name: 'Names withheld', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enter a token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Token', { exact: true }).fill(readToken)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(person?.name ?? '')
    await page.getByRole('link', { name: 'Became a candidate' }).click()
    await expect(page).toHaveURL(new RegExp(`/hiring/candidates/${person?.candidate_id}$`))
    await expect(backLink(page)).toHaveText(person?.name ?? '')
    await page.getByRole('button', { name: 'With token', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Forget the token' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`Candidate ${person?.candidate_id}`)
    await expect(backLink(page)).toHaveText('Person')
  } finally {
    await muster.stop()
  }
})

test('a part of an opening or a candidate that cannot be read leaves the others as they are', async ({
  page,
  muster,
}) => {
  // Each request, with a section that does not depend on it.
  const parts = {
    [screenPaths.opening]: {
      'job-distributions': 'Hired',
      'reports/time-in-stage': 'Stages',
      'counts/applications': 'Posted on',
      applications: 'Posted on',
      employees: 'Posted on',
    },
    [screenPaths.candidate]: {
      'reports/time-in-stage': 'Applications',
      'applications/\\d+/history': 'In this stage of the opening',
      applications: 'Source and consent',
      employees: 'In this stage of the opening',
      departments: 'In this stage of the opening',
    },
  }
  for (const [path, requests] of Object.entries(parts))
    for (const [request, section] of Object.entries(requests)) {
      await page.route(new RegExp(`/api/v1/${request}(?:\\?|$)`), (route) =>
        route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'broken', details: [] } } }),
      )
      await openConsole(page, muster, path)
      await waitForScreen(page)
      await expect(page.getByRole('heading', { level: 1 }), request).not.toHaveText(/^(Opening|Candidate) \d/)
      await expect(
        page.getByRole('main').getByRole('heading', { level: 2, name: section }),
        `${path} without ${request}`,
      ).toBeVisible()
      await page.unrouteAll()
    }
})

test('no screen of a candidate scrolls sideways from 320 to 1920 pixels', async ({ page, muster }) => {
  const [opening] = await muster.sql<{ id: number }>(
    `select job_id as id from applications where status = 'active' group by 1 order by count(*) desc, 1 limit 1`,
  )
  await openConsole(page, muster, screenPaths.candidate)
  for (const path of [screenPaths.candidate, screenPaths.candidates, `hiring/openings/${opening?.id}`]) {
    await goTo(page, path)
    await waitForScreen(page)
    for (const width of [320, 360, 700, 768, 960, 1024, 1200, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      await waitForScreen(page)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `${path} at ${width}`,
      ).toBeLessThanOrEqual(0)
    }
  }
})
