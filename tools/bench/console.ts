/**
 * Measures the console of a running service in Chromium, and compares the results with its budgets.
 *
 *   MUSTER_URL=http://127.0.0.1:8080 node tools/bench/console.ts [--today 2026-11-13] [--runs 5] [--only people]
 *
 * The budgets are those for the demo company `large`. --today: the day that is today for the pages, usually the last day
 * of the company. Exits with 1 if a budget is missed.
 */
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, CDPSession, Page, Request } from '@playwright/test'
import { chromium } from '@playwright/test'
import { setToday } from '../../tests/browser/support/clock.ts'
import { interactEverywhere, measuredScreens } from './console-screens.ts'

/** The most that each figure may be. Times are medians, except the 95th percentile of interactions. */
const budgets = {
  /** Largest contentful paint with an empty cache and with a slowed CPU. */
  'first visit, ms': 1_500,
  'second visit, ms': 600,
  /** Requests of the API until the first figure or row is shown, and their size. */
  'first requests': 6,
  'first kB': 120,
  /** Only for Today, the first screen of most visits. */
  'script kB': 200,
  'DOM nodes': 3_000,
  /** Without slowing down the CPU. */
  'interactions p95, ms': 200,
  'row 9,900,000, ms': 300,
  'heap, MB': 120,
} as const
type BudgetName = keyof typeof budgets

/**
 * The speed of the phone that is imitated, as `machineSpeed` measures it. On a fast desktop, which has about 1,750, the
 * CPU is slowed down 4 times.
 */
const phoneSpeed = 440
const wantedRow = 9_900_000
const viewport = { width: 1280, height: 800 }
const probePath = fileURLToPath(new URL('console-probe.js', import.meta.url))

const { values } = parseArgs({
  options: { today: { type: 'string' }, runs: { type: 'string', default: '5' }, only: { type: 'string' } },
})
const {
  MUSTER_URL: serviceUrl = 'http://127.0.0.1:8080',
  CHROMIUM: executablePath = '/usr/bin/chromium-headless-shell',
} = process.env
const runs = Number(values.runs)

const screenUrl = (path: string): string => new URL(`console/${path}`, `${serviceUrl}/`).href

/** How often per second 100,000 numbers can be copied from one array to another, divided by 10. */
const machineSpeed = (): number => {
  const from = Array.from({ length: 100_000 }, (_, index) => index)
  const to = [...from]
  const startedAt = performance.now()
  let rounds = 0
  for (; performance.now() - startedAt < 1_000; rounds += 1)
    for (let index = 0; index < from.length; index += 1) to[index] = from[index] as number
  return rounds / 10
}
const cpuSlowDown = Math.max(1, machineSpeed() / phoneSpeed)

const percentile = (figures: readonly number[], share: number): number =>
  figures.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(figures.length * share) - 1)] ?? Number.NaN
const median = (figures: readonly number[]): number => percentile(figures, 0.5)

/** The requests of each page that have no response yet, and when there was none the last time. */
const traffic = new WeakMap<Page, { pending: number; quietSince: number }>()

const watchTraffic = (page: Page): void => {
  const state = { pending: 0, quietSince: performance.now() }
  traffic.set(page, state)
  // The stream of changes does not end while the page is open.
  const isStream = (request: Request): boolean => request.headers().accept === 'text/event-stream'
  const end = (request: Request): void => {
    if (isStream(request)) return
    state.pending -= 1
    state.quietSince = performance.now()
  }
  page.on('request', (request) => {
    if (!isStream(request)) state.pending += 1
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
}

/** How long a page must be without requests to count as loaded. */
const quietMs = 700

/**
 * Waits until all requests of the screen are answered and nothing is marked as loading. The state `networkidle` of
 * Playwright is not enough: it may be reached while the scripts run, before they send the first request.
 */
const waitForScreen = async (page: Page): Promise<void> => {
  await page.locator('h1:not([data-first-paint] *)').waitFor()
  const isQuiet = (): boolean => {
    const { pending, quietSince } = traffic.get(page) ?? { pending: 0, quietSince: 0 }
    return pending <= 0 && performance.now() - quietSince > quietMs
  }
  const startedAt = performance.now()
  while (!isQuiet() || performance.now() - startedAt < quietMs) {
    if (performance.now() - startedAt > 120_000) throw new Error(`${page.url()} is still loading`)
    await setTimeout(50)
  }
  await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' })
  const alert = page.getByRole('main').getByRole('alert').first()
  if ((await alert.count()) > 0) throw new Error(`${page.url()} shows an error: ${await alert.innerText()}`)
}

const openPage = async (
  context: BrowserContext,
  slowDown = cpuSlowDown,
): Promise<{ page: Page; session: CDPSession }> => {
  const page = await context.newPage()
  watchTraffic(page)
  await page.addInitScript({ path: probePath })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
  return { page, session }
}

const withContext = async <T>(browser: Browser, use: (context: BrowserContext) => Promise<T>): Promise<T> => {
  const context = await browser.newContext({ viewport, locale: 'en-GB' })
  if (values.today !== undefined) await setToday(context, values.today)
  // A busy machine gives useless figures, but the command should still come to its end.
  context.setDefaultTimeout(120_000)
  try {
    return await use(context)
  } finally {
    await context.close()
  }
}

/** Received bytes by URL, headers included. */
const recordBytes = async (session: CDPSession): Promise<ReadonlyMap<string, { type: string; bytes: number }>> => {
  const responses = new Map<string, { url: string; type: string }>()
  const received = new Map<string, { type: string; bytes: number }>()
  session.on('Network.responseReceived', ({ requestId, response, type }) =>
    responses.set(requestId, { url: response.url, type }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const response = responses.get(requestId)
    if (response !== undefined) received.set(response.url, { type: response.type, bytes: encodedDataLength })
  })
  await session.send('Network.enable')
  return received
}

/** After the garbage was collected. */
const usedHeap = async (session: CDPSession): Promise<number> => {
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

interface Visits {
  readonly firstMs: number
  readonly secondMs: number
  /** With a full cache and without slowing down the CPU, for comparison: it has no budget. */
  readonly fullSpeedMs: number
  readonly requests: number
  readonly bytes: number
  readonly scriptBytes: number
  readonly allBytes: number
  readonly nodes: number
  readonly heapBytes: number
}

/** Opens a screen with an empty cache of the browser, with a full one, and with a full one at full speed. */
const visitScreen = (browser: Browser, path: string): Promise<Visits> =>
  withContext(browser, async (context) => {
    const { page, session } = await openPage(context)
    const received = await recordBytes(session)
    await page.goto(screenUrl(path))
    await waitForScreen(page)
    const firstMs = await page.evaluate<number>('consoleProbe.largestPaintMs')
    const urls = await page.evaluate<string[]>('consoleProbe.firstRequests')
    const nodes = await page.evaluate<number>('consoleProbe.nodes()')
    const bytes = urls.reduce((sum, url) => sum + (received.get(url)?.bytes ?? 0), 0)
    const sizeOf = (files: Iterable<{ readonly bytes: number }>): number =>
      [...files].reduce((sum, file) => sum + file.bytes, 0)
    const scriptBytes = sizeOf(received.values().filter(({ type }) => type === 'Script'))
    const allBytes = sizeOf(received.values())
    const heapBytes = await usedHeap(session)
    await page.close()
    const visitAgain = async (slowDown: number): Promise<number> => {
      const again = await openPage(context, slowDown)
      await again.page.goto(screenUrl(path))
      await waitForScreen(again.page)
      const paintMs = await again.page.evaluate<number>('consoleProbe.largestPaintMs')
      await again.page.close()
      return paintMs
    }
    const secondMs = await visitAgain(cpuSlowDown)
    const fullSpeedMs = await visitAgain(1)
    return { firstMs, secondMs, fullSpeedMs, requests: urls.length, bytes, scriptBytes, allBytes, nodes, heapBytes }
  })

const measureInteractions = (browser: Browser, name: string, slowDown: number): Promise<number[]> =>
  withContext(browser, async (context) => {
    const { page } = await openPage(context, slowDown)
    const screen = measuredScreens[name]
    await page.goto(screenUrl(screen?.path ?? name))
    await waitForScreen(page)
    await interactEverywhere(page)
    await screen?.interact?.(page)
    await waitForScreen(page)
    return page.evaluate<number[]>('[...consoleProbe.interactionsMs.values()]')
  })

/** The time from Enter until the row is in view, each time on a new page that shows row 1. */
const measureRow = (browser: Browser): Promise<number> =>
  withContext(browser, async (context) => {
    const { page } = await openPage(context, 1)
    await page.goto(screenUrl('data/attendance'))
    await waitForScreen(page)
    const text = await page.locator('[data-figure="data.total"]').innerText()
    const row = Math.min(wantedRow, Number(text.replaceAll(',', '')))
    await page.getByLabel('Go to row').fill(String(row))
    // The first call returns once the page listens; the second one waits for the row.
    await page.evaluate(`void (globalThis.timeToRow = consoleProbe.timeToRow(${row}))`)
    await page.keyboard.press('Enter')
    return page.evaluate<number>('globalThis.timeToRow')
  })

/** The heap after all screens were open in one tab, one after the other. */
const measureHeap = (browser: Browser): Promise<number> =>
  withContext(browser, async (context) => {
    const { page, session } = await openPage(context, 1)
    const [first, ...others] = Object.values(measuredScreens).map(({ path }) => screenUrl(path))
    await page.goto(first as string)
    await waitForScreen(page)
    for (const url of others) {
      // The router follows the URL, as after a click on a link. A reload would empty the heap.
      await page.evaluate(
        `history.pushState({}, '', ${JSON.stringify(url)}); dispatchEvent(new PopStateEvent('popstate'))`,
      )
      await waitForScreen(page)
    }
    return usedHeap(session)
  })

const missed: string[] = []
const format = (figure: number): string => (figure >= 100 ? figure.toFixed(0) : figure.toFixed(1).replace(/\.0$/, ''))

const check = (name: BudgetName, where: string, figure: number): string => {
  const text = format(figure)
  // A figure that could not be measured is missed too.
  if (figure <= budgets[name]) return text
  missed.push(`${where}: ${name} ${text} of ${budgets[name]}`)
  return `**${text}**`
}

const measureScreens = async (browser: Browser): Promise<void> => {
  const columns = [
    'first visit, ms',
    'second visit, ms',
    'second visit at full speed, ms',
    'first requests',
    'first kB',
    'script kB',
    'all kB',
    'DOM nodes',
    'heap, MB',
    'interactions p95, ms',
    'interactions slowed p95, ms',
  ]
  console.log(`| Screen | ${columns.join(' | ')} |\n|---|${columns.map(() => '---').join('|')}|`)
  for (const name of Object.keys(measuredScreens)) {
    if (values.only !== undefined && values.only !== name) continue
    try {
      console.log(`| ${name} | ${(await measureScreen(browser, name)).join(' | ')} |`)
    } catch (error) {
      missed.push(`${name}: ${(error as Error).message.split('\n')[0]}`)
    }
  }
}

const measureScreen = async (browser: Browser, name: string): Promise<string[]> => {
  const visits: Visits[] = []
  for (let run = 0; run < runs; run += 1) visits.push(await visitScreen(browser, measuredScreens[name]?.path ?? name))
  const of = (figure: keyof Visits): number => median(visits.map((visit) => visit[figure]))
  const interactions = await measureInteractions(browser, name, 1)
  const slowedInteractions = await measureInteractions(browser, name, cpuSlowDown)
  return [
    check('first visit, ms', name, of('firstMs')),
    check('second visit, ms', name, of('secondMs')),
    format(of('fullSpeedMs')),
    check('first requests', name, of('requests')),
    check('first kB', name, of('bytes') / 1_000),
    name === 'today' ? check('script kB', name, of('scriptBytes') / 1_000) : format(of('scriptBytes') / 1_000),
    format(of('allBytes') / 1_000),
    check('DOM nodes', name, of('nodes')),
    check('heap, MB', name, of('heapBytes') / 1_000_000),
    `${check('interactions p95, ms', name, percentile(interactions, 0.95))} of ${interactions.length}`,
    `${format(percentile(slowedInteractions, 0.95))} of ${slowedInteractions.length}`,
  ]
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  console.log(`Chromium ${browser.version()}, CPU slowed down ${cpuSlowDown.toFixed(1)} times, median of ${runs}`)
  await measureScreens(browser)
  if (values.only === undefined) {
    const rows: number[] = []
    for (let run = 0; run < runs; run += 1) rows.push(await measureRow(browser))
    console.log(
      `row ${wantedRow.toLocaleString('en')} of attendance: ${check('row 9,900,000, ms', 'data', median(rows))} ms`,
    )
    console.log(
      `heap after all screens: ${check('heap, MB', 'all screens', (await measureHeap(browser)) / 1_000_000)} MB`,
    )
  }
} finally {
  await browser.close()
}
for (const line of missed) console.log(`over budget: ${line}`)
process.exitCode = missed.length === 0 ? 0 : 1
