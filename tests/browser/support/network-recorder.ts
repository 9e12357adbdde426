import type { Page } from 'puppeteer-core'

export interface Transfer {
  readonly url: string
  readonly type: string
  /** Bytes received over the network, headers included. 0 if the response came from the cache. */
  readonly bytes: number
}

export interface NetworkRecorder {
  /** URLs of all requests to other origins, including requests that the browser blocked. */
  readonly otherOriginUrls: readonly string[]
  /** Violations of the Content Security Policy. */
  readonly violations: readonly string[]
  /** Messages of console errors and of uncaught exceptions. */
  readonly errors: readonly string[]
  /** Returns the responses received since the previous call of this function. */
  takeTransfers(): readonly Transfer[]
}

/** Call this before the first navigation: earlier requests are not recorded. */
export const recordNetwork = async (page: Page, origin: string): Promise<NetworkRecorder> => {
  const otherOriginUrls: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== origin) otherOriginUrls.push(url.href)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return {
    otherOriginUrls,
    errors,
    violations: await collectViolations(page),
    takeTransfers: await collectTransfers(page),
  }
}

const collectViolations = async (page: Page): Promise<string[]> => {
  const violations: string[] = []
  await page.exposeFunction('reportViolation', (violation: string) => violations.push(violation))
  await page.evaluateOnNewDocument(() => {
    const { reportViolation } = globalThis as unknown as { reportViolation(violation: string): void }
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      reportViolation(`${effectiveDirective} ${blockedURI}`),
    )
  })
  return violations
}

const collectTransfers = async (page: Page): Promise<() => Transfer[]> => {
  let transfers: Transfer[] = []
  const responses = new Map<string, { url: string; type: string }>()
  const session = await page.createCDPSession()
  session.on('Network.responseReceived', ({ requestId, response, type }) =>
    responses.set(requestId, { url: response.url, type }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const response = responses.get(requestId)
    if (response !== undefined) transfers.push({ ...response, bytes: encodedDataLength })
  })
  await session.send('Network.enable')
  return () => {
    const result = transfers
    transfers = []
    return result
  }
}
