/**
 * The documentation page in a browser is complete, loads nothing from other origins, is small and can send requests.
 */
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import type { Muster } from './support/muster.ts'
import { startMuster, writeToken } from './support/muster.ts'
import type { Transfer } from './support/network-recorder.ts'
import { expectNoErrors, recordNetwork } from './support/network-recorder.ts'
import type { Operation } from './support/reference.ts'
import {
  openTestDialog,
  saveScreenshot,
  sendTestRequest,
  showOperation,
  typeToken,
  waitUntilStable,
} from './support/reference.ts'
import { startSite } from './support/site.ts'

const maxTransferBytes = 1_500_000
const listOperation: Operation = { tag: 'employees', method: 'GET', path: '/v1/employees' }
const createOperation: Operation = { tag: 'leave-requests', method: 'POST', path: '/v1/leave' }
const wide = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

let muster: Muster
test.beforeAll(async () => {
  muster = await startMuster()
})
test.afterAll(async () => {
  await muster?.stop()
})

const docsUrl = (): string => `${muster.origin}/api/docs`

const openDocs = async (page: Page): Promise<void> => {
  await page.goto(docsUrl(), { waitUntil: 'networkidle' })
  await waitUntilStable(page.locator('#reference h1').first())
}

const totalBytes = (transfers: readonly Transfer[]): number => transfers.reduce((total, { bytes }) => total + bytes, 0)

for (const [screen, options] of Object.entries<BrowserContextOptions>({ wide, phone })) {
  test.describe(`the documentation on a ${screen} screen`, () => {
    test.use(options)

    test('shows the OpenAPI document, sends a list request and shows the status 200, and sends nothing to other origins', async ({
      page,
    }) => {
      const network = await recordNetwork(page, muster.origin)
      await openDocs(page)
      await expect(page).toHaveTitle('Muster API')
      await expect(page.locator('#reference h1').first()).toHaveText('Muster')
      await saveScreenshot(page, `${screen}-overview`)
      await showOperation(page, docsUrl(), createOperation)
      await saveScreenshot(page, `${screen}-create`)
      await showOperation(page, docsUrl(), listOperation)
      await saveScreenshot(page, `${screen}-list`)
      await openTestDialog(page, listOperation)
      const response = await sendTestRequest(page, listOperation)
      assert.equal(response.status(), 200)
      assert.equal(response.request().headers().authorization, undefined)
      await saveScreenshot(page, `${screen}-list-200`)
      expectNoErrors(network)
    })

    test('can send a create request with a token, shows the status 201, and does not store the token', async ({
      page,
    }) => {
      const network = await recordNetwork(page, muster.origin)
      await showOperation(page, docsUrl(), createOperation)
      await openTestDialog(page, createOperation)
      await typeToken(page, writeToken)
      const response = await sendTestRequest(page, createOperation)
      assert.equal(response.status(), 201)
      await saveScreenshot(page, `${screen}-create-201`)
      const storedResponse = await fetch(`${muster.origin}${response.headers().location}`)
      assert.deepEqual(await storedResponse.json(), await response.json())
      assert.equal((await readBrowserStorage(page)).includes(writeToken), false)
      expectNoErrors(network)
    })
  })
}

test.describe('in the dark theme', () => {
  test.use({ ...wide, colorScheme: 'dark' })

  test('the documentation page has every operation of the OpenAPI document in its sidebar, and causes no errors', async ({
    page,
  }) => {
    const network = await recordNetwork(page, muster.origin)
    await openDocs(page)
    await saveScreenshot(page, 'dark-overview')
    await showOperation(page, docsUrl(), createOperation)
    await saveScreenshot(page, 'dark-create')
    await expectEveryOperation(page)
    expectNoErrors(network)
  })
})

const expectEveryOperation = async (page: Page): Promise<void> => {
  const response = await fetch(`${muster.origin}/api/openapi.json`)
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, { summary: string }>> }
  const summaries = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary))
  assert.ok(summaries.length >= 26)
  await page.evaluate(() => {
    const closedSectionSelector = 'aside button[aria-expanded=false]'
    for (const button of document.querySelectorAll<HTMLElement>(closedSectionSelector)) button.click()
  })
  // The sections open some time after the click.
  await expect
    .poll(async () => {
      const sidebarTexts = await page.locator('aside li a').allTextContents()
      return summaries.filter((summary) => !sidebarTexts.some((text) => text.includes(summary)))
    })
    .toEqual([])
}

test('the documentation page transfers at most 1.5 MB, and its script only on the first visit', async ({ page }) => {
  const network = await recordNetwork(page, muster.origin)
  await openDocs(page)
  const firstVisitTransfers = network.takeTransfers()
  await openDocs(page)
  const secondVisitTransfers = network.takeTransfers()
  const sizes = firstVisitTransfers.map(({ url, bytes }) => `${new URL(url).pathname} ${bytes} bytes`).join(', ')
  console.log(`first visit: ${sizes}; second visit: ${totalBytes(secondVisitTransfers)} bytes`)
  const isScript = ({ type }: Transfer): boolean => type === 'Script'
  assert.ok(totalBytes(firstVisitTransfers.filter(isScript)) > 500_000)
  assert.ok(totalBytes(firstVisitTransfers) <= maxTransferBytes)
  assert.equal(totalBytes(secondVisitTransfers.filter(isScript)), 0)
})

test('the Content Security Policy blocks every request from the documentation page to another origin', async ({
  page,
}) => {
  const otherSite = await startSite()
  try {
    await openDocs(page)
    const outcomes = await page.evaluate(attemptRequests, otherSite.host)
    assert.deepEqual([...new Set(Object.values(outcomes))], ['blocked'])
    assert.equal(otherSite.connectionCount, 0)
    await fetch(otherSite.origin)
    assert.equal(otherSite.connectionCount, 1)
  } finally {
    await otherSite.stop()
  }
})

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

test.describe('without JavaScript', () => {
  test.use({ ...phone, javaScriptEnabled: false })

  test('the documentation page shows a notice and a link to the OpenAPI document', async ({ page }) => {
    const network = await recordNetwork(page, muster.origin)
    await page.goto(docsUrl())
    await expect(page.locator('main noscript p')).toContainText('JavaScript')
    await expect(page.locator('main a')).toHaveAttribute('href', '/api/openapi.json')
    await saveScreenshot(page, 'phone-without-javascript')
    assert.deepEqual(network.otherOriginUrls, [])
  })
})
