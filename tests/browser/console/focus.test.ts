/** Where the focus is after something that lies above the page has been closed, and while somebody types in a search field. */
import type { Locator, Page } from '@playwright/test'
import { openConsole, screens } from '../support/console-page.ts'
import { demoDay } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { waitForScreen } from './screens.ts'

const day = `as_of=${demoDay}`
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).first()
const overlays = '[role=dialog], [role=listbox]'

/** For each screen, the buttons that open a dialog, a popover or a menu. */
const openers: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  today: ['Keys', 'Appearance', 'Public reads', /^Search people, jobs/],
  headcount: [/^As of/, 'How is this counted?'],
  'data/employees?status=active': ['Columns', 'Copy as', 'Add filter', /^Change the filter status/],
}

for (const [path, names] of Object.entries(openers))
  test(`Escape closes what a button of ${path} has opened, and the button has the focus again`, async ({
    page,
    muster,
  }) => {
    await openConsole(page, muster, `${path}${path.includes('?') ? '&' : '?'}${day}`)
    await waitForScreen(page)
    for (const name of names) {
      const opener = button(page, name)
      await opener.focus()
      await page.keyboard.press('Enter')
      await expect(page.locator(overlays).first(), String(name)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.locator(overlays), String(name)).toHaveCount(0)
      await expect(opener, String(name)).toBeFocused()
    }
  })

test('the dialogs that keys open give the focus back to where it was', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`)
  await waitForScreen(page)
  const link = page.getByRole('main').locator('a[data-figure]').first()
  for (const key of ['?', '/']) {
    await link.focus()
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(link, key).toBeFocused()
  }
})

test('the dialog for a token gives the focus back to the button of the reading mode', async ({
  page,
  redactedMuster,
}) => {
  await openConsole(page, redactedMuster, `today?${day}`)
  await waitForScreen(page)
  await button(page, 'Names withheld').click()
  await button(page, 'Enter a token').click()
  await expect(page.getByLabel('Token', { exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button(page, 'Names withheld')).toBeFocused()
})

for (const path of ['people', 'data/employees', 'data/employees?sort=-id'])
  test(`the row of a record has the focus when its drawer is closed, ${path}`, async ({ page, muster }) => {
    await openConsole(page, muster, `${path}${path.includes('?') ? '&' : '?'}${day}`)
    for (const [name, size] of Object.entries(screens)) {
      await page.setViewportSize(size)
      await waitForScreen(page)
      const row = page
        .getByRole('row')
        .filter({ has: page.locator('bdi') })
        .nth(1)
      await row.click({ position: { x: 5, y: 5 } })
      const drawer = page.getByRole('complementary')
      await drawer.getByRole('button', { name: 'Close' }).click()
      await expect(drawer).toHaveCount(0)
      await expect(row, name).toBeFocused()
    }
  })

test('on phones, the button of the filters has the focus when their sheet is closed', async ({ page, muster }) => {
  await openConsole(page, muster, `people?${day}`, screens.phone)
  await waitForScreen(page)
  const opener = button(page, /^Filter/)
  await opener.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
})

for (const path of ['people', 'data/employees'])
  test(`the search field of ${path} keeps the focus and the text while its list changes`, async ({ page, muster }) => {
    await openConsole(page, muster, `${path}?${day}`)
    await waitForScreen(page)
    const field = page.getByRole('searchbox').first()
    await field.focus()
    await page.keyboard.type('engineer ')
    await expect(page).toHaveURL(/[?&]q=engineer(&|$)/)
    await waitForScreen(page)
    await expect(field).toHaveValue('engineer ')
    await page.keyboard.type('berlin')
    await expect(page).toHaveURL(/[?&]q=engineer(%20|\+)berlin(&|$)/)
    await waitForScreen(page)
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('engineer berlin')
    await button(page, /^Remove the filter search/i).click()
    await expect(field).toHaveValue('')
  })
