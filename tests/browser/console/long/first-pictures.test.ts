/** What a screen requests before it shows its first figure or row. On a busy machine, later requests come before it. */
import { openConsole } from '../../support/console-page.ts'
import { recordNetwork } from '../../support/network-recorder.ts'
import { expect, test } from '../../support/test.ts'
import { screenPaths, waitForScreen } from '../screens.ts'

const maxFirstRequests = 6
const maxFirstBytes = 120_000

/** Notes the time at which the first figure or row of a screen is in the page. */
const noteFirstPicture = (): void => {
  const observer = new MutationObserver(() => {
    if (document.querySelector('main [data-figure], main tbody tr, main [role="row"], main li a') === null) return
    performance.mark('first-picture')
    observer.disconnect()
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** An open record is a second picture, with requests of its own. */
const { 'data with an open record': _, ...firstPictures } = screenPaths

for (const [name, path] of Object.entries(firstPictures)) {
  test(`${name}: few requests before the first picture`, async ({ page, muster }) => {
    await page.addInitScript(noteFirstPicture)
    const network = await recordNetwork(page, muster.origin)
    await openConsole(page, muster, path)
    await waitForScreen(page)
    const urls = await page.evaluate(() => {
      const pictureAt = performance.getEntriesByName('first-picture')[0]?.startTime ?? Number.POSITIVE_INFINITY
      return performance
        .getEntriesByType('resource')
        .filter(({ name: url, startTime }) => new URL(url).pathname.startsWith('/api') && startTime < pictureAt)
        .map(({ name: url }) => url)
    })
    const bytes = network
      .takeTransfers()
      .filter(({ url }) => urls.includes(url))
      .reduce((sum, transfer) => sum + transfer.bytes, 0)
    console.log(`${name}: ${urls.length} requests, ${bytes} bytes`)
    expect(urls.length).toBeLessThanOrEqual(maxFirstRequests)
    expect(bytes).toBeLessThanOrEqual(maxFirstBytes)
  })
}
