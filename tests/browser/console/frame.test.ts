/** What surrounds every screen: navigation, search, the day, key commands, and notices. */
import type { Page } from '@playwright/test'
import { screens as allScreens } from '../../../packages/console/src/frame/screens.ts'
import { checkAccessibility } from '../support/accessibility.ts'
import { expectStarted, openConsole, screens } from '../support/console-page.ts'
import { demoDay } from '../support/muster.ts'
import { expect, test } from '../support/test.ts'
import { goTo, waitForScreen } from './screens.ts'

const day = `as_of=${demoDay}`
const main = (page: Page) => page.getByRole('main')
const dialog = (page: Page) => page.getByRole('dialog')

const openSearch = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('/')
  await expect(dialog(page).getByLabel('Search', { exact: true })).toBeFocused()
  await page.keyboard.type(text)
}

test('search shows the results of the service in its order, the best group first, and links to their lists', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, `today?${day}`)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await openSearch(page, 'engineer')
  const response = await page.request.get(`${muster.origin}/api/v1/search?q=engineer&limit=15`)
  const { data } = (await response.json()) as { data: { resource: string; id: number }[] }
  const groups = Map.groupBy(data, ({ resource }) => resource)
  const paths: Record<string, (id: number) => string> = {
    employees: (id) => `people/${id}?`,
    jobs: (id) => `hiring/openings/${id}?`,
    candidates: (id) => `data/candidates?id=${id}&_open=${id}&`,
  }
  const expected = [...groups].flatMap(([resource, found]) =>
    found.map(({ id }) => `/console/${paths[resource]?.(id)}${day}`),
  )
  expect(expected.length).toBe(15)
  const options = dialog(page).getByRole('option')
  for (const [index, href] of expected.entries()) await expect(options.nth(index)).toHaveAttribute('href', href)
  for (const resource of ['employees', 'jobs', 'candidates'])
    await expect(
      dialog(page).locator(`[role=option][href="/console/data/${resource}?q=engineer&${day}"]`),
    ).toBeVisible()
  expect(sent.filter((url) => /[?&]q=engineer/.test(url)).length).toBe(1)
})

test('the first result of a search opens with Enter, and its matching text is emphasized', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`)
  await openSearch(page, 'engineer')
  const first = dialog(page).getByRole('option').first()
  await expect(first.locator('mark').first()).toHaveText(/engineer/i)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/console/hiring/openings/\\d+\\?${day}$`))
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
})

test('the heading of a person has the focus, also if the record arrives after the screen', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`)
  const response = Promise.withResolvers<void>()
  await page.route(/\/api\/v1\/employees\/\d+/, async (route) => {
    await response.promise
    await route.continue()
  })
  const [person] = await muster.sql<{ name: string }>(
    "select first_name || ' ' || last_name as name from employees where id = 1",
  )
  await openSearch(page, person?.name ?? '')
  await expect(
    dialog(page)
      .getByRole('option', { name: person?.name ?? '' })
      .first(),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/console/people/\\d+\\?${day}$`))
  await expect(page.locator('main:focus, main :focus')).toHaveCount(1)
  response.resolve()
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/^(Loading|Person)/)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('what is typed before the search has been loaded is searched', async ({ page, muster }) => {
  let load: (() => void) | undefined
  const loading = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route(/\/assets\/SearchDialog-.*\.js$/, async (route) => {
    await loading
    await route.continue()
  })
  await openConsole(page, muster, `today?${day}`)
  await page.keyboard.press('/')
  await page.keyboard.type('leavx')
  await page.keyboard.press('Backspace')
  load?.()
  await expect(dialog(page).getByLabel('Search', { exact: true })).toHaveValue('leav')
  await expect(dialog(page).getByRole('option').first()).toHaveText(/^Leave/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/leave/)
})

test('search needs two characters, and aborts the request of an earlier text', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`)
  const sent: string[] = []
  const aborted: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  page.on('requestfailed', (request) => aborted.push(request.url()))
  // The first search is never answered, so it runs until the next one replaces it.
  await page.route(/\/api\/v1\/search\?q=en&/, () => undefined)
  await openSearch(page, 'e')
  await expect(dialog(page).getByText('Type at least 2 characters')).toBeVisible()
  await page.keyboard.type('n')
  await expect.poll(() => sent.filter((url) => url.includes('q=en&')).length).toBe(1)
  await page.keyboard.type('gineer')
  await expect(dialog(page).getByRole('option').first()).toHaveAttribute('data-focused', 'true')
  await expect.poll(() => aborted.filter((url) => url.includes('q=en&')).length).toBe(1)
  expect(sent.filter((url) => /[?&]q=e&/.test(url))).toEqual([])
})

test('search finds screens and resources by their names', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('funnel')
  await expect(dialog(page).getByRole('option').first()).toHaveText(/^Funnel/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/hiring\/funnel/)
  await expect(dialog(page)).toHaveCount(0)
  await openSearch(page, 'job distrib')
  await expect(
    dialog(page)
      .getByRole('option', { name: /^Job distributions/ })
      .first(),
  ).toHaveAttribute('href', `/console/data/job-distributions?${day}`)
})

test('search finds parts of the open screen, presses them with Enter, and leaves the focus on them', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, `people?${day}`)
  const box = main(page).getByRole('checkbox', { name: /^Engineering/ })
  await expect(box).not.toBeChecked()
  await openSearch(page, 'engineering')
  const target = dialog(page)
    .getByRole('group', { name: 'On this screen' })
    .getByRole('option', { name: /^Engineering/ })
  await expect(target).toBeVisible()
  // The results of the service come below.
  for (let step = 0; step < 10 && (await target.getAttribute('data-focused')) === null; step += 1)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL(/[?&]dept_id=\d+/)
  await expect(box).toBeChecked()

  await openSearch(page, 'copy link')
  await dialog(page).getByRole('option', { name: 'Copy link' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(main(page).getByRole('button', { name: /Cop(y link|ied)/ })).toBeFocused()
})

test('g and a letter open a screen, but not while somebody types or after the keys were turned off', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, `people?${day}`)
  // The second key must follow within 1.5 s. On a busy machine, one attempt may not be enough.
  await expect(async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await expect(page).toHaveURL(/\/console\/hiring/, { timeout: 2_000 })
  }).toPass()
  await expect(page.locator('h1')).toBeFocused()
  await openSearch(page, 'gt')
  await expect(page).toHaveURL(/\/console\/hiring/)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('?')
  await dialog(page).getByText('Use single-key shortcuts').click()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.press('Control+k')
  await expect(dialog(page).getByLabel('Search', { exact: true })).toHaveValue('')
})

test('the day is chosen in a calendar with the keyboard, stays for other screens, and can be removed', async ({
  page,
  muster,
}) => {
  await openConsole(page, muster, `attendance?${day}`)
  const button = page.getByRole('button', { name: /^As of/ })
  await button.press('Enter')
  await expect(dialog(page).getByRole('grid')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  const weekBefore = new Date(Date.parse(demoDay) - 7 * 86_400_000).toISOString().slice(0, 10)
  await expect(page).toHaveURL(new RegExp(`as_of=${weekBefore}$`))
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Leave' }).click()
  await expect(page).toHaveURL(new RegExp(`/console/leave\\?.*as_of=${weekBefore}`))
  await button.click()
  await dialog(page)
    .getByRole('button', { name: /^Today \d/ })
    .click()
  await expect(page).not.toHaveURL(/as_of/)
})

test('a notice says that the data ends before the day, offers its last day, and moves nothing', async ({
  page,
  muster,
}) => {
  let answer: (() => void) | undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(/\/api\/v1\/attendance\?sort=-att_date/, async (route) => {
    await answered
    await route.continue()
  })
  const asked = page.waitForRequest(/\/api\/v1\/attendance\?sort=-att_date/)
  const later = new Date(Date.parse(demoDay) + 8 * 86_400_000).toISOString().slice(0, 10)
  await openConsole(page, muster, `headcount?as_of=${later}`)
  // The frame asks for the last day of the data once the screen is complete.
  await asked
  await page.evaluate(() => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift' })
    Object.assign(globalThis, { shifts })
  })
  answer?.()
  await expect(page.getByText(/^Data reaches .*Figures of/)).toBeVisible()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  expect(await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts)).toEqual([])
  await page.getByRole('button', { name: 'Show that day' }).click()
  // The day is today, so that the URL need not name it.
  await expect(page).not.toHaveURL(/as_of/)
  await expect(page.getByRole('button', { name: 'Show that day' })).toHaveCount(0)
})

test('a notice says that the browser is offline, and goes when it is back', async ({ page, muster }) => {
  await openConsole(page, muster, `health?${day}`)
  await page.context().setOffline(true)
  await expect(page.getByText('You are offline.')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('You are offline.')).toHaveCount(0)
})

test('the skip link moves the focus to the content and does not change the URL', async ({ page, muster }) => {
  await openConsole(page, muster, `health?${day}`)
  await page.keyboard.press('Tab')
  await expect(page.getByText('Skip to content')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(main(page)).toBeFocused()
  expect(new URL(page.url()).hash).toBe('')
})

test('a screen that was opened by a link has the focus, and its title is announced', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Headcount' }).click()
  await expect(page.locator('h1')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: 'Headcount · Muster' })).toHaveCount(1)
})

for (const [name, file] of Object.entries({
  'the first script': /\/assets\/index-.*\.js$/,
  'the main script': /\/assets\/main-.*\.js$/,
  'a style sheet of the screen': /\/assets\/TodayScreen-.*\.css$/,
})) {
  test(`if ${name} cannot be loaded, the page says so and loads itself again`, async ({ page, muster }) => {
    let isDown = true
    await page.route(file, (route) => (isDown ? route.abort() : route.continue()))
    const alert = page.getByRole('alert').filter({ hasText: 'The console could not be loaded' })
    const shown = alert.waitFor()
    await page.goto(`${muster.origin}/console/today?${day}`)
    await shown
    isDown = false
    await expect(alert).toHaveCount(0)
    await expectStarted(page)
    await expect(page.locator('h1')).toHaveText('Today')
    await expect(page).toHaveURL(new RegExp(`/console/today\\?${day}$`))
  })
}

test('the console starts without the script that sets the theme', async ({ page, muster }) => {
  await page.route(/\/assets\/page-start-.*\.js$/, (route) => route.abort())
  await openConsole(page, muster, `today?${day}`)
  await expect(page.locator('h1')).toHaveText('Today')
})

test('theme and density are kept, and set before the main script runs', async ({ page, muster }) => {
  await openConsole(page, muster, `health?${day}`)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await dialog(page).getByRole('radio', { name: 'Dark' }).click()
  await dialog(page).getByRole('radio', { name: 'Compact' }).click()
  await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
})

test('each screen has a heading of its own, which is also the title of its tab', async ({ page, muster }) => {
  await openConsole(page, muster, `data?${day}`)
  const headings = new Map<string, string>()
  for (const { path } of allScreens) {
    if (path.includes('$')) continue
    await goTo(page, `${path.slice(1)}?${day}`)
    await waitForScreen(page)
    const heading = await page.getByRole('heading', { level: 1 }).innerText()
    await expect(page).toHaveTitle(`${heading} · Muster`)
    expect(headings.get(heading), `the heading of ${path}`).toBeUndefined()
    headings.set(heading, path)
  }
  for (const [heading, path] of [
    ['Openings', '/hiring'],
    ['Movements', '/headcount/movements'],
  ] as const)
    expect(headings.get(heading)).toBe(path)
})

test('phones reach every screen: by tabs, by More, and by tabs on top', async ({ page, muster }) => {
  await openConsole(page, muster, `today?${day}`, screens.phone)
  await page.getByRole('button', { name: 'More' }).click()
  await dialog(page).getByRole('link', { name: 'Attendance' }).click()
  await expect(page).toHaveURL(/\/console\/attendance/)
  await expect(dialog(page)).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: 'Hiring' }).click()
  await page.getByRole('navigation', { name: 'Hiring' }).getByRole('link', { name: 'Sources' }).click()
  await expect(page).toHaveURL(/\/console\/hiring\/sources/)
})

test('phones show what exports and copies a screen as icons beside its title, with their names', async ({
  page,
  muster,
}) => {
  const buttons = {
    today: ['Copy link'],
    people: [/^Export [\d,]+ rows$/, 'Copy link'],
    leave: [/^Export [\d,]+ rows?$/],
  }
  for (const [path, names] of Object.entries(buttons)) {
    await openConsole(page, muster, `${path}?${day}`, screens.phone)
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    for (const name of names) {
      const button = page.locator('header').getByRole(name === 'Copy link' ? 'button' : 'link', { name })
      await expect(button).toBeVisible()
      const box = await button.boundingBox()
      expect(box, path).toMatchObject({ width: 44, height: 44 })
      expect(Math.abs((box?.y ?? 0) + 22 - ((title?.y ?? 0) + (title?.height ?? 0) / 2)), path).toBeLessThan(6)
      expect((box?.x ?? 0) + 44, path).toBeLessThanOrEqual(screens.phone.width)
    }
  }
})

test('dialogs of the frame, wide and on a phone: no accessibility violations in either theme', async ({
  page,
  muster,
}) => {
  const checkBothThemes = async (): Promise<void> => {
    await page.emulateMedia({ colorScheme: 'light' })
    await checkAccessibility(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkAccessibility(page, 'colors')
  }
  await openConsole(page, muster, `health?${day}`)
  for (const size of Object.values(screens)) {
    await page.setViewportSize(size)
    await openSearch(page, 'engineer')
    await expect(dialog(page).getByRole('option', { name: /^Candidates/ })).toBeVisible()
    await checkBothThemes()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await page.keyboard.press('?')
    await expect(dialog(page).getByText('Use single-key shortcuts')).toBeVisible()
    await checkBothThemes()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
  }
})
