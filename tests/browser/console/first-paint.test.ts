/** What the page of a screen shows before its script runs, and which files it loads. */
import type { Page, Route } from '@playwright/test'
import { expectStarted, screens } from '../support/console-page.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const urlOf = ({ origin }: { readonly origin: string }, path: string): string => `${origin}/console/${path}`

/** Holds the main script back until the returned function is called. */
const holdMainScript = async (page: Page): Promise<() => Promise<void>> => {
  const held: Route[] = []
  let isHolding = true
  await page.route(/\/assets\/index-[\w-]+\.js$/, async (route) => {
    if (isHolding) held.push(route)
    else await route.continue()
  })
  return async () => {
    isHolding = false
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
      ['people', 'People', 'Who is it, and where do they sit?'],
      ['funnel', 'Hiring', 'How far do applications get?'],
      ['health', 'Health', 'Can the numbers be trusted?'],
    ] as const) {
      const release = await holdMainScript(page)
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

test('what is pressed before the script runs has no effect, instead of an effect that is lost', async ({
  page,
  muster,
}) => {
  const release = await holdMainScript(page)
  await page.goto(urlOf(muster, screenPaths.people), { waitUntil: 'commit' })
  const firstPaint = page.locator('[data-first-paint]')
  await expect(firstPaint.locator('h1')).toBeVisible()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('[data-first-paint]') === null)).toBe(true)
  await release()
  await expectStarted(page)
})

test('a page names the scripts and style sheets of its screen, so that none of them waits for another', async ({
  page,
  muster,
}) => {
  const { requests } = await recordNetwork(page, muster.origin)
  for (const [name, path] of Object.entries(screenPaths)) {
    const html = await (await page.request.get(urlOf(muster, path))).text()
    const earlier = requests.length
    await page.goto(urlOf(muster, path))
    await expectStarted(page)
    const chunks = requests
      .slice(earlier)
      .map((request) => request.split('/').at(-1) ?? '')
      .filter((file) => /Screen-[\w-]+\.(?:js|css)$/.test(file))
    expect(chunks.length, name).toBeGreaterThan(0)
    expect(
      chunks.filter((file) => !html.includes(file)),
      name,
    ).toEqual([])
  }
})

test('a path without a screen has a page that says so', async ({ page, muster }) => {
  await page.goto(urlOf(muster, 'nowhere/at/all'))
  await expect(page.getByRole('heading', { name: 'There is no such screen' })).toBeVisible()
})
