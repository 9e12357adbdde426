/** What a screen requests before it shows its first figure or row. */
import { fileURLToPath } from 'node:url'
import { openConsole } from '../../support/console-page.ts'
import { recordNetwork } from '../../support/network-recorder.ts'
import { expect, test } from '../../support/test.ts'
import { screenPaths, waitForScreen } from '../screens.ts'

const maxFirstRequests = 6
const maxFirstBytes = 120_000

/** Runs in the page and notes which requests the first figure or row waited for. */
const probePath = fileURLToPath(new URL('../../../../tools/bench/console-probe.js', import.meta.url))

/** An open record is a second picture, with requests of its own. */
const { 'data with an open record': _, ...firstPictures } = screenPaths

for (const [name, path] of Object.entries(firstPictures)) {
  test(`${name}: few requests before the first picture`, async ({ page, muster }) => {
    await page.addInitScript({ path: probePath })
    const network = await recordNetwork(page, muster.origin)
    await openConsole(page, muster, path)
    await waitForScreen(page)
    const urls = await page.evaluate<string[]>('consoleProbe.firstRequests')
    const bytes = network
      .takeTransfers()
      .filter(({ url }) => urls.includes(url))
      .reduce((sum, transfer) => sum + transfer.bytes, 0)
    console.log(`${name}: ${urls.length} requests, ${bytes} bytes`)
    expect(urls.length).toBeLessThanOrEqual(maxFirstRequests)
    expect(bytes).toBeLessThanOrEqual(maxFirstBytes)
  })
}
