/** Exports have the columns of their screen. Personal fields that it does not show need a choice of their own. */
import { readFile } from 'node:fs/promises'
import { resourceAt } from '@muster/model'
import type { Locator, Page } from '@playwright/test'
import { checkAccessibility } from '../support/accessibility.ts'
import { openConsole, screens } from '../support/console-page.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

/** The header of the CSV file that a click on the link saves. */
const headerOf = async (page: Page, link: Locator): Promise<string[]> => {
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  const text = await readFile(await download.path(), 'utf8')
  return (
    text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)[0]
      ?.split(',') ?? []
  )
}

const exportLink = (page: Page) => page.getByRole('main').getByRole('link', { name: /^Export [\d,]+ rows?$/ })
const personalButton = (page: Page) => page.getByRole('button', { name: 'Export with personal fields' })

test('the export of People has the columns of its table, and no personal field that the table does not show', async ({
  page,
  muster,
}) => {
  /** The fields behind each column of the table. */
  const fields: Readonly<Record<string, readonly string[]>> = {
    Name: ['first_name', 'last_name'],
    Title: ['designation'],
    Department: ['dept_id'],
    Office: ['branch'],
    Manager: ['manager_id'],
    Joined: ['date_of_joining'],
    Status: ['status'],
  }
  await openConsole(page, muster, screenPaths.people, { width: 1600, height: 900 })
  await waitForScreen(page)
  const columns = await page.getByRole('columnheader').allInnerTexts()
  const header = await headerOf(page, exportLink(page))
  expect(header.toSorted()).toEqual(['id', ...columns.flatMap((column) => fields[column] ?? [column])].toSorted())
})

test('personal fields are exported only by a choice that names them, and never the password hash', async ({
  page,
  muster,
}) => {
  const personal = resourceAt('employees').allFields.filter((field) => field.personal)
  for (const size of Object.values(screens)) {
    await openConsole(page, muster, screenPaths.people, size)
    await personalButton(page).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('email, gender, base_salary, probation_end, termination_date')
    await checkAccessibility(page)
    const header = await headerOf(page, dialog.getByRole('link', { name: /^Export/ }))
    expect(header).toEqual(expect.arrayContaining(personal.map(({ name }) => name)))
    expect(header).not.toContain('password_hash')
  }
})

test('where personal values are withheld, their export is not offered', async ({ page, redactedMuster: muster }) => {
  await openConsole(page, muster, screenPaths.people)
  await waitForScreen(page)
  await expect(exportLink(page)).toBeVisible()
  await expect(personalButton(page)).toHaveCount(0)
})

test('the export of Data has the columns of its table, without the password hash', async ({ page, muster }) => {
  await page.setViewportSize({ width: 1600, height: 900 })
  for (const path of [
    'data/employees',
    'data/employees?fields=id,base_salary,password_hash',
    'data/leave?status=approved',
  ]) {
    await openConsole(page, muster, path)
    await waitForScreen(page)
    const columns = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
    const exported = columns.filter((column) => column !== 'password_hash')
    expect(await headerOf(page, exportLink(page)), path).toEqual(exported)
  }
})

test('the export says how many rows it has, also of one', async ({ page, muster }) => {
  for (const [ids, name] of [
    ['3', 'Export 1 row'],
    ['3,4', 'Export 2 rows'],
  ] as const) {
    await openConsole(page, muster, `data/leave?id=${ids}`)
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible()
  }
})

test('the exports of the other screens name their columns', async ({ page, muster }) => {
  for (const path of ['openings', 'time to hire', 'leave', 'attendance'] as const) {
    await openConsole(page, muster, screenPaths[path])
    const url = new URL((await exportLink(page).getAttribute('href')) ?? '')
    expect(url.searchParams.get('fields')?.split(','), path).toContain('id')
    expect(await headerOf(page, exportLink(page)), path).toEqual(url.searchParams.get('fields')?.split(','))
  }
})
