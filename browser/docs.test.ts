/** In charge of the documentation page as a browser sees it: complete, self-sufficient, light, and able to try requests. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Page, Viewport } from 'puppeteer-core'
import type { TestBrowser } from './support/browser.ts'
import { openBrowser } from './support/browser.ts'
import type { Operation } from './support/reference.ts'
import { keepScreenshot, openTryIt, send, showOperation, typeToken, untilStill } from './support/reference.ts'
import type { Served } from './support/served.ts'
import { serve } from './support/served.ts'
import type { Transfer, Witness } from './support/witness.ts'
import { witness } from './support/witness.ts'

const maxTransferBytes = 1_500_000
const list: Operation = { tag: 'employees', method: 'GET', path: '/v1/employees' }
const create: Operation = { tag: 'leave-requests', method: 'POST', path: '/v1/leave' }
const screens: Record<string, Viewport> = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}

let served: Served
let chromium: TestBrowser
before(async () => {
  if (process.env.SCREENSHOTS !== undefined) await mkdir(process.env.SCREENSHOTS, { recursive: true })
  served = await serve()
  chromium = await openBrowser()
})
after(async () => {
  await chromium?.close()
  await served?.stop()
})

const docsUrl = (): string => `${served.origin}/api/docs`

/** Every visit has its own context, and with it an empty cache. */
const visit = async (screen: string, look: (page: Page, seen: Witness) => Promise<void>): Promise<void> => {
  const context = await chromium.browser.createBrowserContext()
  try {
    const page = await context.newPage()
    await page.setViewport(screens[screen] ?? null)
    await look(page, await witness(page, served.origin))
  } finally {
    await context.close()
  }
}

const load = async (page: Page): Promise<void> => {
  await page.goto(docsUrl(), { waitUntil: 'networkidle0' })
  await untilStill(page, '#reference h1')
}

const assertQuiet = ({ foreign, refusals, errors }: Witness): void =>
  assert.deepEqual({ foreign, refusals, errors }, { foreign: [], refusals: [], errors: [] })

const sum = (transfers: readonly Transfer[]): number => transfers.reduce((total, { bytes }) => total + bytes, 0)

for (const screen of Object.keys(screens)) {
  describe(`the documentation on a ${screen} screen`, () => {
    test('it shows the description and asks nobody but the service for anything', async () => {
      await visit(screen, async (page, seen) => {
        await load(page)
        assert.equal(await page.title(), 'Muster API')
        assert.equal(await page.$eval('#reference h1', (heading) => heading.textContent?.trim()), 'Muster')
        await keepScreenshot(page, `${screen}-overview`)
        await showOperation(page, docsUrl(), list)
        await keepScreenshot(page, `${screen}-list`)
        await showOperation(page, docsUrl(), create)
        await keepScreenshot(page, `${screen}-create`)
        assertQuiet(seen)
      })
    })

    test('a list can be tried and answers 200', async () => {
      await visit(screen, async (page, seen) => {
        await showOperation(page, docsUrl(), list)
        await openTryIt(page, list)
        const response = await send(page, list)
        assert.equal(response.status(), 200)
        assert.equal(response.request().headers().authorization, undefined)
        await keepScreenshot(page, `${screen}-list-200`)
        assertQuiet(seen)
      })
    })

    test('a create can be tried with the token and answers 201', async () => {
      await visit(screen, async (page, seen) => {
        await showOperation(page, docsUrl(), create)
        await openTryIt(page, create)
        await typeToken(page, served.token)
        const response = await send(page, create)
        assert.equal(response.status(), 201)
        await keepScreenshot(page, `${screen}-create-201`)
        const stored = await fetch(`${served.origin}${response.headers().location}`)
        assert.deepEqual(await stored.json(), await response.json())
        assert.equal((await keptByBrowser(page)).includes(served.token), false)
        assertQuiet(seen)
      })
    })
  })
}

test('the dark theme shows as quietly as the light one', async () => {
  await visit('wide', async (page, seen) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    await load(page)
    await keepScreenshot(page, 'dark-overview')
    await showOperation(page, docsUrl(), create)
    await keepScreenshot(page, 'dark-create')
    assertQuiet(seen)
  })
})

test('every operation of the served description stands in the sidebar', async () => {
  await visit('wide', async (page) => {
    await load(page)
    const response = await fetch(`${served.origin}/api/openapi.json`)
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, { summary: string }>> }
    const summaries = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary))
    const shown = await page.evaluate(async () => {
      const closed = 'aside button[aria-expanded=false]'
      for (const button of document.querySelectorAll<HTMLElement>(closed)) button.click()
      await new Promise(requestAnimationFrame)
      return [...document.querySelectorAll('aside li a')].map((link) => link.textContent ?? '')
    })
    assert.ok(summaries.length >= 26)
    assert.deepEqual(
      summaries.filter((summary) => !shown.some((text) => text.includes(summary))),
      [],
    )
  })
})

test('the first visit transfers at most 1.5 MB, the second not a byte of the script', async (context) => {
  await visit('wide', async (page, seen) => {
    await load(page)
    const first = seen.takeTransfers()
    await load(page)
    const second = seen.takeTransfers()
    context.diagnostic(`first visit ${sum(first)} bytes, second visit ${sum(second)} bytes`)
    for (const { url, bytes } of first) context.diagnostic(`${new URL(url).pathname}: ${bytes} bytes`)
    const script = ({ type }: Transfer): boolean => type === 'Script'
    assert.ok(sum(first.filter(script)) > 500_000)
    assert.ok(sum(first) <= maxTransferBytes)
    assert.equal(sum(second.filter(script)), 0)
  })
})

test('the page cannot send anything to another origin, even if something in it wants to', async () => {
  const other = await startOther()
  try {
    await visit('wide', async (page) => {
      await load(page)
      const outcomes = await page.evaluate(attemptAll, other.host)
      assert.deepEqual([...new Set(Object.values(outcomes))], ['refused'])
    })
    assert.equal(other.connections, 0)
    await fetch(`http://${other.host}/`)
    assert.equal(other.connections, 1)
  } finally {
    await other.stop()
  }
})

/** A server at another origin that counts who knocks. */
const startOther = async () => {
  let connections = 0
  const server = createServer((_, response) => response.setHeader('access-control-allow-origin', '*').end())
  server.on('upgrade', (_, socket) => socket.destroy())
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** All that outlives the page: what is kept under this origin, as one text. */
const keptByBrowser = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie]
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await settled(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        kept.push(await settled(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    return JSON.stringify(kept)
  })

/** Runs in the page: every way of asking for something that a script in it could try. */
const attemptAll = async (host: string): Promise<Record<string, string>> => {
  const loads = (name: string, attribute: string): Promise<string> => {
    const element = Object.assign(document.createElement(name), { rel: 'stylesheet' })
    const settled = new Promise<string>((resolve) => {
      element.addEventListener('load', () => resolve('loaded'))
      element.addEventListener('error', () => resolve('refused'))
    })
    element.setAttribute(attribute, `http://${host}/${name}`)
    document.body.append(element)
    return settled
  }
  const socketOpens = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://${host}/socket`)
      socket.addEventListener('open', () => resolve('loaded'))
      socket.addEventListener('error', () => resolve('refused'))
    })
  return {
    fetch: await fetch(`http://${host}/fetch`).then(
      () => 'loaded',
      () => 'refused',
    ),
    image: await loads('img', 'src'),
    script: await loads('script', 'src'),
    style: await loads('link', 'href'),
    socket: await socketOpens(),
  }
}

test('without JavaScript the page says so and links to the description', async () => {
  await visit('phone', async (page, seen) => {
    await page.setJavaScriptEnabled(false)
    await page.goto(docsUrl())
    const text = await page.$eval('main', (main) => main.textContent)
    assert.match(text, /JavaScript/)
    assert.equal(await page.$eval('main a', (link) => link.getAttribute('href')), '/api/openapi.json')
    await keepScreenshot(page, 'phone-without-javascript')
    assert.deepEqual(seen.foreign, [])
  })
})
