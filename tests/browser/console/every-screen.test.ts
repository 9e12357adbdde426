/**
 * What holds on every screen: accessibility, no foreign requests, no errors, a bounded page, scripts in time, exact
 * links, and nothing that is cut.
 */
import type { Page } from '@playwright/test'
import { checkAccessibility } from '../support/accessibility.ts'
import type { Theme } from '../support/console-page.ts'
import { openConsole, screens } from '../support/console-page.ts'
import type { Figure } from '../support/figures.ts'
import { figuresOnPage } from '../support/figures.ts'
import { fetchWhenFree } from '../support/muster.ts'
import { expectNoErrors, recordNetwork } from '../support/network-recorder.ts'
import { expect, test } from '../support/test.ts'
import { screenPaths, waitForScreen } from './screens.ts'

const maxNodes = 3_000
/** A window of 1280 × 1024 pixels at 400 %. */
const zoomed = { width: 320, height: 256 }
/** A4 without the margins of Chromium, in CSS pixels. */
const paper = { upright: { width: 718, height: 1046 }, across: { width: 1046, height: 718 } }
const maxSheets = 5

/** The short form checks the light theme on wide screens and the dark theme on phones. */
const isLong = process.env.BROWSER_TESTS === 'long'

/** The picture of the company is loaded after the screen that contains it. */
const isLoadedLater = (name: string): boolean => name === 'org as a picture'

for (const [name, path] of Object.entries(screenPaths)) {
  test(`${name}, wide: accessible, no errors, no foreign requests, scripts in time, and exact links`, async ({
    page,
    muster,
  }) => {
    const network = await recordNetwork(page, muster.origin)
    const response = await openConsole(page, muster, path, screens.wide)
    const firstRequests = [...network.requests]
    if (!isLoadedLater(name)) expectNamedFiles(name, await response.text(), firstRequests)
    await waitForScreen(page)
    await checkAccessibility(page)
    if (isLong) {
      await page.emulateMedia({ colorScheme: 'dark' })
      await checkAccessibility(page, 'colors')
    }
    await expectBounded(page)
    const figures = countsOf(await figuresOnPage(page))
    const differences: string[] = []
    for (const { name: figureName, text, href } of figures) {
      const total = await totalOf(muster.origin, href)
      if (total !== integerOf(text)) differences.push(`${figureName}: ${text} on the page, ${total} at ${href}`)
    }
    console.log(`${name}: ${figures.length} linked figures`)
    expect(differences).toEqual([])
    expectNoErrors(network)
  })

  test(`${name}, phone: accessible, no errors; at 400 % zoom and on paper, nothing is cut or covered`, async ({
    page,
    muster,
  }) => {
    const network = await recordNetwork(page, muster.origin)
    await openConsole(page, muster, path, { theme: 'dark', ...screens.phone })
    await waitForScreen(page)
    await checkAccessibility(page)
    if (isLong) {
      await setTheme(page, 'light')
      await checkAccessibility(page, 'colors')
      await setTheme(page, 'dark')
    }
    await expectBounded(page)
    expectNoErrors(network)
    await page.setViewportSize(zoomed)
    await waitForScreen(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await coveredControls(page)).toEqual([])
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
  })
}

const setTheme = (page: Page, theme: Theme): Promise<void> =>
  page.evaluate((value) => {
    document.documentElement.dataset.theme = value
  }, theme)

/** Expects that the HTML names the scripts and style sheets of its screen, so that none of them waits for another. */
const expectNamedFiles = (name: string, html: string, requests: readonly string[]): void => {
  const files = requests.map((request) => request.split('/').at(-1) ?? '')
  expect(files.filter((file) => /Screen-[\w-]+\.(?:js|css)$/.test(file)).length, name).toBeGreaterThan(0)
  const late = files.filter((file) => /\.(?:js|css)$/.test(file) && !html.includes(file))
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

/** Figures that add up a field of the linked records, such as places to fill, or that describe them. */
const sums = /places|filled|median|p90|wait_days|days_|rate|turnover|share/

const countsOf = (figures: readonly Figure[]): (Figure & { href: string })[] =>
  figures.flatMap((figure) =>
    figure.href === undefined || integerOf(figure.text) === undefined || sums.test(figure.name)
      ? []
      : [{ ...figure, href: figure.href }],
  )

const integerOf = (text: string): number | undefined => {
  const digits = text.replace(/^[+\u2212]/, '').replaceAll(',', '')
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}

/** The number of records in the list that a link of the explorer opens. */
const totalOf = async (origin: string, href: string): Promise<number | undefined> => {
  const { pathname, searchParams } = new URL(href)
  const resource = /^\/console\/data\/([a-z-]+)$/.exec(pathname)?.[1]
  if (resource === undefined) return undefined
  const parameters = new URLSearchParams([...searchParams].filter(([key]) => key !== 'as_of' && !key.startsWith('_')))
  parameters.set('limit', '1')
  const response = await fetchWhenFree(`${origin}/api/v1/${resource}?${parameters}`, {
    headers: { prefer: 'handling=strict' },
  })
  return ((await response.json()) as { meta?: { total: number } }).meta?.total
}
