/** In charge of what a page does behind the screen: whom it asks, how many bytes that costs, what the browser refuses or reports. */
import type { Page } from 'puppeteer-core'

export interface Transfer {
  readonly url: string
  readonly type: string
  /** Bytes that crossed the wire, headers and all; 0 for what came out of the cache. */
  readonly bytes: number
}

export interface Witness {
  /** Addresses of requests that left for, or tried to reach, another origin. */
  readonly foreign: readonly string[]
  /** Refusals by the page's security policy. */
  readonly refusals: readonly string[]
  /** Errors on the console and errors nobody caught. */
  readonly errors: readonly string[]
  /** What was transferred since the last call. */
  takeTransfers(): readonly Transfer[]
}

/** Has to be called before the page goes anywhere. */
export const witness = async (page: Page, origin: string): Promise<Witness> => {
  const foreign: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== origin) foreign.push(url.href)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return { foreign, errors, refusals: await collectRefusals(page), takeTransfers: await collectTransfers(page) }
}

const collectRefusals = async (page: Page): Promise<string[]> => {
  const refusals: string[] = []
  await page.exposeFunction('reportRefusal', (refusal: string) => refusals.push(refusal))
  await page.evaluateOnNewDocument(() => {
    const { reportRefusal } = globalThis as unknown as { reportRefusal(refusal: string): void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      reportRefusal(`${effectiveDirective} ${blockedURI}`),
    )
  })
  return refusals
}

const collectTransfers = async (page: Page): Promise<() => Transfer[]> => {
  let transfers: Transfer[] = []
  const begun = new Map<string, { url: string; type: string }>()
  const session = await page.createCDPSession()
  session.on('Network.responseReceived', ({ requestId, response, type }) =>
    begun.set(requestId, { url: response.url, type }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const response = begun.get(requestId)
    if (response !== undefined) transfers.push({ ...response, bytes: encodedDataLength })
  })
  await session.send('Network.enable')
  return () => {
    const taken = transfers
    transfers = []
    return taken
  }
}
