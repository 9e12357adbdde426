/** What the page of a screen shows before its script runs. */
import type { Page, Route } from '@playwright/test'
import { expectStarted, screens } from '../support/console-page.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const urlOf = ({ origin }: { readonly origin: string }, path: string): string => `${origin}/console/${path}`

/** Holds the scripts of the console back until the returned function is called. */
const holdScripts = async (page: Page): Promise<() => Promise<void>> => {
  const held: Route[] = []
  let isHolding = true
  await page.route(/\/assets\/main-[\w-]+\.js$/, async (route) => {
    if (isHolding) held.push(route)
    else await route.continue()
  })
  return async () => {
    isHolding = false
    expect(held.length).toBeGreaterThan(0)
    await Promise.all(held.map((route) => route.continue()))
  }
}

/** The places of the parts that must not move when the script takes over. */
const placesOf = (page: Page): Promise<readonly (readonly number[])[]> =>
  page.evaluate(() =>
    ['header', 'nav[aria-label="Screens"]', 'main', 'h1'].map((selector) => {
      const element = [...document.querySelectorAll(selector)].find((found) => found.checkVisibility())
      const { x, y } = element?.getBoundingClientRect() ?? { x: -1, y: -1 }
      return [Math.round(x), Math.round(y)]
    }),
  )

for (const [size, viewport] of Object.entries(screens)) {
  test(`${size}: the frame, the title and the question are there before the script, and stay in place`, async ({
    page,
    muster,
  }) => {
    await page.setViewportSize(viewport)
    const network = await recordNetwork(page, muster.origin)
    for (const [name, title, question] of [
      ['today', 'Today', 'What needs attention?'],
      ['people', 'People', 'Find a person'],
      ['funnel', 'Funnel', 'How many applications reach each stage, and how long do they stay?'],
      ['health', 'Health', 'Can the numbers be trusted?'],
    ] as const) {
      const release = await holdScripts(page)
      await page.goto(urlOf(muster, screenPaths[name]), { waitUntil: 'commit' })
      await expect(page.locator('[data-first-paint] h1')).toHaveText(title)
      await expect(page.locator('[data-first-paint]').getByText(question)).toBeVisible()
      await expect(
        page.locator('[data-first-paint] :is([aria-current="page"], [data-current]):visible').last(),
      ).toBeVisible()
      await page.evaluate(() => document.fonts.ready)
      const before = await placesOf(page)
      await release()
      await expectStarted(page)
      await waitForScreen(page)
      expect(await placesOf(page), name).toEqual(before)
      await page.unrouteAll()
    }
    expectNoErrors(network)
  })
}

test('the first paint cannot be focused or clicked', async ({ page, muster }) => {
  const release = await holdScripts(page)
  await page.goto(urlOf(muster, screenPaths.people), { waitUntil: 'commit' })
  const firstPaint = page.locator('[data-first-paint]')
  await expect(firstPaint.locator('h1')).toBeVisible()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-first-paint]') === null)).toBe(true)
  const url = page.url()
  await firstPaint.getByText('Headcount').first().click({ force: true })
  expect(page.url()).toBe(url)
  await release()
  await expectStarted(page)
})

test('a path without a screen has a page that says so', async ({ page, muster }) => {
  await page.goto(urlOf(muster, 'nowhere/at/all'))
  await expect(page.getByRole('heading', { level: 1, name: 'There is no such screen' })).toBeVisible()
})
