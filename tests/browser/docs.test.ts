/**
 * The documentation page in a browser is complete, loads nothing from other origins, is small and can send requests.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Page, Viewport } from 'puppeteer-core'
import { waitUntil } from '../support/wait.ts'
import type { TestBrowser } from './support/browser.ts'
import { openBrowser } from './support/browser.ts'
import type { NetworkRecorder, Transfer } from './support/network-recorder.ts'
import { recordNetwork } from './support/network-recorder.ts'
import type { Operation } from './support/reference.ts'
import {
  openTestDialog,
  saveScreenshot,
  sendTestRequest,
  showOperation,
  typeToken,
  waitUntilStable,
} from './support/reference.ts'
import type { RunningService } from './support/served.ts'
import { serve } from './support/served.ts'

const maxTransferBytes = 1_500_000
const listOperation: Operation = { tag: 'employees', method: 'GET', path: '/v1/employees' }
const createOperation: Operation = { tag: 'leave-requests', method: 'POST', path: '/v1/leave' }
const viewports: Record<string, Viewport> = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
}

let service: RunningService
let chromium: TestBrowser
before(async () => {
  if (process.env.SCREENSHOTS !== undefined) await mkdir(process.env.SCREENSHOTS, { recursive: true })
  service = await serve()
  chromium = await openBrowser()
})
after(async () => {
  await chromium?.close()
  await service?.stop()
})

const docsUrl = (): string => `${service.origin}/api/docs`

/** Opens a page in its own browser context, which starts with an empty cache. */
const withPage = async (
  screenName: string,
  usePage: (page: Page, network: NetworkRecorder) => Promise<void>,
): Promise<void> => {
  const context = await chromium.browser.createBrowserContext()
  try {
    const page = await chromium.newPage(context)
    await page.setViewport(viewports[screenName] ?? null)
    await usePage(page, await recordNetwork(page, service.origin))
  } finally {
    await context.close()
  }
}

const openDocs = async (page: Page): Promise<void> => {
  await page.goto(docsUrl(), { waitUntil: 'networkidle0' })
  await waitUntilStable(page, '#reference h1')
}

const assertNoErrors = ({ otherOriginUrls, violations, errors }: NetworkRecorder): void =>
  assert.deepEqual({ otherOriginUrls, violations, errors }, { otherOriginUrls: [], violations: [], errors: [] })

const totalBytes = (transfers: readonly Transfer[]): number => transfers.reduce((total, { bytes }) => total + bytes, 0)

for (const screen of Object.keys(viewports)) {
  describe(`the documentation on a ${screen} screen`, () => {
    test('shows the OpenAPI document and sends requests only to the service', async () => {
      await withPage(screen, async (page, network) => {
        await openDocs(page)
        assert.equal(await page.title(), 'Muster API')
        assert.equal(await page.$eval('#reference h1', (heading) => heading.textContent?.trim()), 'Muster')
        await saveScreenshot(page, `${screen}-overview`)
        await showOperation(page, docsUrl(), listOperation)
        await saveScreenshot(page, `${screen}-list`)
        await showOperation(page, docsUrl(), createOperation)
        await saveScreenshot(page, `${screen}-create`)
        assertNoErrors(network)
      })
    })

    test('can send a list request and shows the status 200', async () => {
      await withPage(screen, async (page, network) => {
        await showOperation(page, docsUrl(), listOperation)
        await openTestDialog(page, listOperation)
        const response = await sendTestRequest(page, listOperation)
        assert.equal(response.status(), 200)
        assert.equal(response.request().headers().authorization, undefined)
        await saveScreenshot(page, `${screen}-list-200`)
        assertNoErrors(network)
      })
    })

    test('can send a create request with a token, shows the status 201, and does not store the token', async () => {
      await withPage(screen, async (page, network) => {
        await showOperation(page, docsUrl(), createOperation)
        await openTestDialog(page, createOperation)
        await typeToken(page, service.token)
        const response = await sendTestRequest(page, createOperation)
        assert.equal(response.status(), 201)
        await saveScreenshot(page, `${screen}-create-201`)
        const storedResponse = await fetch(`${service.origin}${response.headers().location}`)
        assert.deepEqual(await storedResponse.json(), await response.json())
        assert.equal((await readBrowserStorage(page)).includes(service.token), false)
        assertNoErrors(network)
      })
    })
  })
}

test('the documentation page causes no errors in the dark theme', async () => {
  await withPage('wide', async (page, network) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }])
    await openDocs(page)
    await saveScreenshot(page, 'dark-overview')
    await showOperation(page, docsUrl(), createOperation)
    await saveScreenshot(page, 'dark-create')
    assertNoErrors(network)
  })
})

test('every operation of the served OpenAPI document is in the sidebar', async () => {
  await withPage('wide', async (page) => {
    await openDocs(page)
    const response = await fetch(`${service.origin}/api/openapi.json`)
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, { summary: string }>> }
    const summaries = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary))
    assert.ok(summaries.length >= 26)
    await page.evaluate(() => {
      const closedSectionSelector = 'aside button[aria-expanded=false]'
      for (const button of document.querySelectorAll<HTMLElement>(closedSectionSelector)) button.click()
    })
    const findMissing = (expectedTexts: readonly string[]): string[] => {
      const sidebarTexts = [...document.querySelectorAll('aside li a')].map((link) => link.textContent ?? '')
      return expectedTexts.filter((expected) => !sidebarTexts.some((text) => text.includes(expected)))
    }
    // The sections open some time after the click.
    let missing = await page.evaluate(findMissing, summaries)
    const hasAll = async (): Promise<boolean> => {
      missing = await page.evaluate(findMissing, summaries)
      return missing.length === 0
    }
    await waitUntil('the sidebar is complete', hasAll).catch(() => assert.deepEqual(missing, []))
  })
})

test('the documentation page transfers at most 1.5 MB, and its script only on the first visit', async (context) => {
  await withPage('wide', async (page, network) => {
    await openDocs(page)
    const firstVisitTransfers = network.takeTransfers()
    await openDocs(page)
    const secondVisitTransfers = network.takeTransfers()
    context.diagnostic(
      `first visit ${totalBytes(firstVisitTransfers)} bytes, second visit ${totalBytes(secondVisitTransfers)} bytes`,
    )
    for (const { url, bytes } of firstVisitTransfers) context.diagnostic(`${new URL(url).pathname}: ${bytes} bytes`)
    const isScript = ({ type }: Transfer): boolean => type === 'Script'
    assert.ok(totalBytes(firstVisitTransfers.filter(isScript)) > 500_000)
    assert.ok(totalBytes(firstVisitTransfers) <= maxTransferBytes)
    assert.equal(totalBytes(secondVisitTransfers.filter(isScript)), 0)
  })
})

test('the Content Security Policy blocks every request from the documentation page to another origin', async () => {
  const otherOrigin = await startOtherOrigin()
  try {
    await withPage('wide', async (page) => {
      await openDocs(page)
      const outcomes = await page.evaluate(attemptRequests, otherOrigin.host)
      assert.deepEqual([...new Set(Object.values(outcomes))], ['blocked'])
    })
    assert.equal(otherOrigin.connections, 0)
    await fetch(`http://${otherOrigin.host}/`)
    assert.equal(otherOrigin.connections, 1)
  } finally {
    await otherOrigin.stop()
  }
})

/** Starts a server on another origin that counts its connections. */
const startOtherOrigin = async () => {
  let connectionCount = 0
  const server = createServer((_, response) => response.setHeader('access-control-allow-origin', '*').end())
  server.on('upgrade', (_, socket) => socket.destroy())
  server.on('connection', () => {
    connectionCount += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connectionCount
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** Returns everything that the browser has stored for the origin of the page, as one string. */
const readBrowserStorage = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const storedData: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie]
    const result = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name))
      for (const store of database.objectStoreNames)
        storedData.push(await result(database.transaction(store).objectStore(store).getAll()))
      database.close()
    }
    return JSON.stringify(storedData)
  })

/**
 * Runs in the page and sends one request to the host with each browser API that can send one. Returns "loaded" or
 * "blocked" for each API.
 */
const attemptRequests = async (host: string): Promise<Record<string, string>> => {
  const loadWithElement = (name: string, attribute: string): Promise<string> => {
    const element = Object.assign(document.createElement(name), { rel: 'stylesheet' })
    const result = new Promise<string>((resolve) => {
      element.addEventListener('load', () => resolve('loaded'))
      element.addEventListener('error', () => resolve('blocked'))
    })
    element.setAttribute(attribute, `http://${host}/${name}`)
    document.body.append(element)
    return result
  }
  const openSocket = (): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`ws://${host}/socket`)
      socket.addEventListener('open', () => resolve('loaded'))
      socket.addEventListener('error', () => resolve('blocked'))
    })
  return {
    fetch: await fetch(`http://${host}/fetch`).then(
      () => 'loaded',
      () => 'blocked',
    ),
    image: await loadWithElement('img', 'src'),
    script: await loadWithElement('script', 'src'),
    style: await loadWithElement('link', 'href'),
    socket: await openSocket(),
  }
}

test('a browser without JavaScript shows a notice and a link to the OpenAPI document', async () => {
  await withPage('phone', async (page, network) => {
    await page.setJavaScriptEnabled(false)
    await page.goto(docsUrl())
    const text = await page.$eval('main', (main) => main.textContent)
    assert.match(text, /JavaScript/)
    assert.equal(await page.$eval('main a', (link) => link.getAttribute('href')), '/api/openapi.json')
    await saveScreenshot(page, 'phone-without-javascript')
    assert.deepEqual(network.otherOriginUrls, [])
  })
})
