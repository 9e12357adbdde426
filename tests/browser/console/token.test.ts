/** The token in the console: where it is needed, checked, kept and forgotten. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openConsole, screens } from '../support/console-page.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay, readToken, startMuster } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'

const path = `people?as_of=${demoDay}`
const minute = 60_000

const enterToken = async (page: Page, token: string, { keep = false } = {}): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Read with a token' })
  await dialog.getByLabel('Token', { exact: true }).fill(token)
  if (keep) await dialog.getByText('Keep it until this tab is closed').click()
  await dialog.getByRole('button', { name: 'Read with token' }).click()
}

const isTokenStored = (page: Page): Promise<boolean> =>
  page.evaluate((token) => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]).includes(token), readToken)

/** A withheld name has no element `bdi`. */
const firstName = (page: Page) => page.getByRole('main').getByRole('rowheader').locator('bdi').first()

test.describe('where nothing is readable without a token', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let muster: Muster
  test.beforeAll(async () => {
    muster = await startMuster({ reads: 'token', tokens: { read: readToken } })
  })
  test.afterAll(() => muster.stop())

  test('the screens ask for it, and say that a wrong one is wrong', async ({ page }) => {
    await openConsole(page, muster, path)
    await expect(page.locator('h1')).toHaveText('A token is needed')
    await page.getByRole('main').getByRole('button', { name: 'Enter a token' }).click()
    await enterToken(page, 'a-token-that-nobody-has-ever-issued')
    await expect(page.getByText('The service does not accept this token.')).toBeVisible()
    await enterToken(page, readToken)
    await expect(page.locator('h1')).toHaveText('People')
    await expect(firstName(page)).toBeVisible()
  })

  test('it is in no URL, log or storage, and gone after a reload', async ({ page }) => {
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await openConsole(page, muster, path)
    await page.getByRole('main').getByRole('button', { name: 'Enter a token' }).click()
    await enterToken(page, readToken)
    await expect(firstName(page)).toBeVisible()
    expect(await isTokenStored(page)).toBe(false)
    expect([page.url(), ...urls].filter((url) => url.includes(readToken))).toEqual([])
    expect(await muster.readLog()).not.toContain(readToken)
    await page.reload()
    await expect(page.locator('h1')).toHaveText('A token is needed')
  })

  test('it is kept in the tab if wanted, until nobody has been active for 30 minutes', async ({ page }) => {
    await page.clock.install()
    await openConsole(page, muster, path)
    await page.getByRole('main').getByRole('button', { name: 'Enter a token' }).click()
    await enterToken(page, readToken, { keep: true })
    await expect(firstName(page)).toBeVisible()
    await page.reload()
    await expect(firstName(page)).toBeVisible()
    await page.clock.fastForward(29 * minute)
    await page.keyboard.press('Shift')
    await page.clock.fastForward(29 * minute)
    await expect(page.getByRole('button', { name: 'With token' })).toBeVisible()
    await page.clock.fastForward(2 * minute)
    await expect(page.locator('h1')).toHaveText('A token is needed')
    await expect(page.getByText('Signed out after 30 minutes of inactivity')).toBeVisible()
    expect(await isTokenStored(page)).toBe(false)
  })
})

test.describe('where personal values are withheld', () => {
  // One worker, because the tests share a service.
  test.describe.configure({ mode: 'default' })
  let muster: Muster
  test.beforeAll(async () => {
    muster = await startMuster({ reads: 'redacted', tokens: { read: readToken } })
  })
  test.afterAll(() => muster.stop())

  const showMode = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  test('a wrong token is refused, and the right one shows names', async ({ page }) => {
    await openConsole(page, muster, path)
    await showMode(page, 'Names withheld')
    await page.getByRole('dialog').getByRole('button', { name: 'Enter a token' }).click()
    await enterToken(page, 'a-token-that-nobody-has-ever-issued')
    await expect(page.getByText('The service does not accept this token.')).toBeVisible()
    await enterToken(page, readToken)
    await expect(firstName(page)).toBeVisible()
    await showMode(page, 'With token')
    await page.getByRole('dialog').getByRole('button', { name: 'Forget the token' }).click()
    await expect(page.getByRole('main').getByText('name withheld').first()).toBeAttached()
  })

  test('names leave the screen with the token, even if the service does not respond', async ({ page }) => {
    await page.clock.install()
    await openConsole(page, muster, path)
    await showMode(page, 'Names withheld')
    await page.getByRole('dialog').getByRole('button', { name: 'Enter a token' }).click()
    await enterToken(page, readToken)
    const name = await firstName(page).innerText()
    await page.route(/\/api\/v1\//, (route) => route.abort())
    await page.clock.fastForward(31 * minute)
    await expect(page.getByRole('button', { name: 'Names withheld' })).toBeVisible()
    expect(await page.locator('body').innerText()).not.toContain(name)
  })

  test('an export is read with the token, and one that fails says why', async ({ page }) => {
    await openConsole(page, muster, `people?status=active&as_of=${demoDay}`)
    await showMode(page, 'Names withheld')
    await page.getByRole('dialog').getByRole('button', { name: 'Enter a token' }).click()
    await enterToken(page, readToken)
    const name = await firstName(page).innerText()
    const exportButton = page.getByRole('main').getByRole('button', { name: /^Export [\d,]+ rows$/ })
    await expect(page.getByRole('button', { name: 'Export with personal fields' })).toBeVisible()
    const [download] = await Promise.all([page.waitForEvent('download'), exportButton.click()])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    const [active] = await muster.sql<{ count: number }>("select count(*) from employees where status = 'active'")
    expect(download.suggestedFilename()).toBe('people.csv')
    expect(lines.length - 1).toBe(active?.count)
    expect(lines.some((line) => name.split(' ').every((part) => line.includes(part)))).toBe(true)

    let downloads = 0
    page.on('download', () => {
      downloads += 1
    })
    await muster.stopDatabase()
    try {
      await exportButton.click()
      const failure = page.getByRole('main').getByText('Not exported: 503 database_unavailable.')
      await expect(failure).toBeVisible()
      await page.setViewportSize(screens.phone)
      const title = page.getByRole('heading', { level: 1 })
      const [titleBox, failureBox] = [await title.boundingBox(), await failure.boundingBox()]
      expect(await title.evaluate((heading) => heading.scrollWidth - heading.clientWidth)).toBeLessThanOrEqual(0)
      expect((titleBox?.x ?? 0) + (titleBox?.width ?? 0)).toBeLessThanOrEqual(failureBox?.x ?? 0)
    } finally {
      await muster.startDatabase()
    }
    expect(downloads).toBe(0)
    await page.context().setOffline(true)
    await exportButton.click()
    await expect(page.getByRole('main').getByText('Not exported: the connection was lost.')).toBeVisible()
    await page.context().setOffline(false)
    await expect(async () => {
      await Promise.all([page.waitForEvent('download', { timeout: 5_000 }), exportButton.click()])
    }).toPass()
    await expect(page.getByRole('main').getByText('Not exported')).toHaveCount(0)
  })

  test('the search says that names cannot be searched, and offers to enter a token', async ({ page }) => {
    await openConsole(page, muster, path)
    const [person] = await muster.sql<{ last_name: string }>(
      "select last_name from employees where last_name ~ '^[A-Z][a-z]{7,}$' order by id limit 1",
    )
    await page.keyboard.press('/')
    await page
      .getByRole('dialog')
      .getByLabel('Search', { exact: true })
      .fill(person?.last_name ?? '')
    await expect(page.getByText('Names are withheld and cannot be searched.')).toBeVisible()
    await expect(page.getByText('No person, job opening or candidate contains')).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Enter a token' }).click()
    await expect(page.getByRole('dialog', { name: 'Read with a token' })).toBeVisible()
  })
})
