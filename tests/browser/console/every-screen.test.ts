/**
 * What holds on every screen: accessibility, no foreign requests, no errors, a bounded page, scripts in time, exact
 * links, no day if it shows the present, and nothing that is cut.
 */
import type { Page } from '@playwright/test'
import { isDated } from '../../../packages/console/src/frame/screens.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import type { Theme } from '../support/console-page.ts'
import { openConsole, screens } from '../support/console-page.ts'
import type { Figure } from '../support/figures.ts'
import { figuresOnPage } from '../support/figures.ts'
import { followCounts } from '../support/followed-counts.ts'
import type { Muster } from '../support/muster.ts'
import { demoDay } from '../support/muster.ts'
import type { NetworkRecorder } from '../support/network-recorder.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { goTo, screenPaths, waitForScreen } from './screens.ts'

const maxNodes = 3_000
/** A window of 1280 × 1024 pixels at 400 %. */
const zoomed = { width: 320, height: 256 }
/** A4 without the margins of Chromium, in CSS pixels. */
const paper = { upright: { width: 718, height: 1046 }, across: { width: 1046, height: 718 } }
const maxSheets = 5

/** The short form checks the light theme on wide screens and the dark theme on phones. */
const isLong = process.env.BROWSER_TESTS === 'long'
const yearAgo = '2025-10-30'

for (const [name, path] of Object.entries(screenPaths)) {
  const hasDay = isDated(`/${path.split('?')[0]}`)

  // Each screen is loaded once. It follows the size of the window and the theme.
  test(`${name}: accessible, no errors, no foreign requests, scripts in time, exact links; nothing is cut or covered`, async ({
    page,
    muster,
  }) => {
    const network = await recordNetwork(page, muster.origin)
    // Screens of the present must ignore the day that another screen has left in the URL.
    const response = await openConsole(page, muster, hasDay ? path : onDay(path, yearAgo), screens.wide)
    const firstRequests = [...network.requests]
    expectNamedFiles(name, await response.text(), firstRequests)
    await waitForScreen(page)
    await checkAccessibility(page)
    await setTheme(page, 'dark')
    if (isLong) await checkAccessibility(page, 'colors')
    await expectBounded(page)
    await expectNamedFigures(page)
    const figures = await figuresOnPage(page)
    await expectExactLinks(name, muster, figures)
    if (!hasDay) await expectPresent(page, path, figures, network)

    await page.setViewportSize(screens.phone)
    await waitForScreen(page)
    await checkAccessibility(page)
    if (isLong) {
      await setTheme(page, 'light')
      await checkAccessibility(page, 'colors')
      await setTheme(page, 'dark')
    }
    await expectNamedFigures(page)
    await expectBounded(page)
    expectNoErrors(network)
    await expectUncoveredAtZoom(page)
    await expectWholeOnPaper(page)
  })
}

const onDay = (path: string, day: string): string => path.replace(`as_of=${demoDay}`, `as_of=${day}`)

const setTheme = (page: Page, theme: Theme): Promise<void> =>
  page.evaluate((value) => {
    document.documentElement.dataset.theme = value
  }, theme)

/** Expects that the HTML names the scripts and style sheets of its screen, so that none of them waits for another. */
const expectNamedFiles = (name: string, html: string, requests: readonly string[]): void => {
  const files = requests.map((request) => request.split('/').at(-1) ?? '')
  expect(files.filter((file) => /Screen-[\w-]+\.(?:js|css)$/.test(file)).length, name).toBeGreaterThan(0)
  // All screens load the notice of changes later.
  const late = files.filter(
    (file) => /\.(?:js|css)$/.test(file) && !html.includes(file) && !file.startsWith('ChangesNotice-'),
  )
  // The navigation of Data loads the resources later.
  expect(late.length, `${name}: ${late.join()}`).toBeLessThanOrEqual(2)
}

/** Expects that the page has a limited number of elements and is not wider than its window. */
const expectBounded = async (page: Page): Promise<void> => {
  const { nodes, overflow } = await page.evaluate(() => ({
    nodes: document.querySelectorAll('*').length,
    overflow: document.documentElement.scrollWidth - innerWidth,
  }))
  expect(nodes).toBeLessThanOrEqual(maxNodes)
  expect(overflow).toBeLessThanOrEqual(0)
}

/** Expects that screen readers hear what each linked figure counts, and not only a number. */
const expectNamedFigures = async (page: Page): Promise<void> => {
  const unnamed = page.getByRole('link', { name: /^(?!.*\p{L}{3})/u }).and(page.locator('[data-figure]'))
  expect(await unnamed.evaluateAll((links) => links.map((link) => link.getAttribute('data-figure')))).toEqual([])
}

/** Expects that each figure equals the number of records in the list that it opens. */
const expectExactLinks = async (name: string, { origin }: Muster, figures: readonly Figure[]): Promise<void> => {
  const { count, differences } = await followCounts(figures, origin)
  console.log(`${name}: ${count} linked figures`)
  expect(differences).toEqual([])
}

/** Expects that a screen has no day, and shows and requests the same with the day of another screen as with today. */
const expectPresent = async (
  page: Page,
  path: string,
  figures: readonly Figure[],
  { requests }: NetworkRecorder,
): Promise<void> => {
  await expect(page.getByRole('button', { name: /^As of/ })).toHaveCount(0)
  await goTo(page, path)
  await expect(page).toHaveURL(new RegExp(`as_of=${demoDay}`))
  await waitForScreen(page)
  expect((await figuresOnPage(page)).map(withoutDay)).toEqual(figures.map(withoutDay))
  const days = requests.map((request) => /\/api\/.*[?&]as_of=([\d-]+)/.exec(request)?.[1] ?? demoDay)
  expect(days.filter((day) => day !== demoDay)).toEqual([])
}

/** All screens pass the day on in their links. */
const withoutDay = ({ href, ...figure }: Figure) => ({ ...figure, href: href?.replace(/[?&]as_of=[\d-]+/, '') })

const expectUncoveredAtZoom = async (page: Page): Promise<void> => {
  await page.setViewportSize(zoomed)
  await waitForScreen(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(await coveredControls(page)).toEqual([])
}

const expectWholeOnPaper = async (page: Page): Promise<void> => {
  await page.setViewportSize(screens.wide)
  await waitForScreen(page)
  const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0
  expect(sheets).toBeGreaterThan(0)
  expect(sheets).toBeLessThanOrEqual(maxSheets)
  await page.emulateMedia({ media: 'print' })
  const isAcross = await page
    .locator('main')
    .evaluate((main) => [...main.children].some((element) => getComputedStyle(element).page !== 'auto'))
  await page.setViewportSize(isAcross ? paper.across : paper.upright)
  expect(await cutOnPaper(page)).toEqual([])
}

/** Links, buttons and fields that are covered by something else when they have the focus. Looks at 25 of them. */
const coveredControls = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) => {
    const controls = [...main.querySelectorAll<HTMLElement>('a[href], button, input')].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        element.closest('[inert], .visually-hidden') === null &&
        element.getBoundingClientRect().width > 2,
    )
    const sample = controls.filter((_, index) => index % Math.ceil(controls.length / 25) === 0)
    return sample.flatMap((element) => {
      element.focus()
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      const covers = [...element.getClientRects()].every(({ left, top, width, height }) => {
        const found = document.elementFromPoint(left + width / 2, top + height / 2)
        return found === null || !(element.contains(found) || found.contains(element))
      })
      return covers ? [element.getAttribute('aria-label') ?? element.textContent] : []
    })
  })

/** What reaches beyond the paper, scrolls, or ends with an ellipsis, and dark paper. Marks of charts have no text of their own. */
const cutOnPaper = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (element: Element): boolean => {
      const { overflowX, overflowY } = getComputedStyle(element)
      return (
        element.clientWidth > 2 &&
        ((overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1) ||
          (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1))
      )
    }
    const cut = [...document.querySelectorAll('main *')]
      .filter((element) => element.checkVisibility() && element.closest('a[aria-label], .visually-hidden') === null)
      .filter(isCut)
      .map((element) => `${element.tagName} ${element.textContent.slice(0, 60)}`)
    const width = document.documentElement.scrollWidth
    // Chromium makes everything a little smaller if it does not fit.
    if (width > innerWidth * 1.1) cut.push(`${width} px on paper of ${innerWidth} px`)
    const ground = getComputedStyle(document.documentElement).backgroundColor
    if (ground !== 'rgb(255, 255, 255)') cut.push(`ground ${ground}`)
    return cut
  })
