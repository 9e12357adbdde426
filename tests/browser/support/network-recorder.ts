import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'

export interface Transfer {
  readonly url: string
  readonly type: string
  /** Bytes received over the network, headers included. 0 if the response came from the cache. */
  readonly bytes: number
}

export interface NetworkRecorder {
  /** Method and URL of every request. Chromium does not report a `fetch` that the policy blocks: see `violations`. */
  readonly requests: readonly string[]
  readonly otherOriginUrls: readonly string[]
  /** Method, URL and error of each request without a response, and with the status of each response from 400 on. */
  readonly failedRequests: readonly string[]
  /** Violations of the Content Security Policy. */
  readonly violations: readonly string[]
  /** Messages of console errors and of uncaught exceptions. */
  readonly errors: readonly string[]
  /** Returns the responses received since the previous call of this function. */
  takeTransfers(): readonly Transfer[]
}

/** Call this before the first navigation: earlier requests are not recorded. */
export const recordNetwork = async (page: Page, origin: string): Promise<NetworkRecorder> => {
  const requests: string[] = []
  const otherOriginUrls: string[] = []
  const failedRequests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    requests.push(`${request.method()} ${url.href}`)
    if (url.protocol !== 'data:' && url.protocol !== 'blob:' && url.origin !== origin) otherOriginUrls.push(url.href)
  })
  page.on('requestfailed', (request) => {
    const error = request.failure()?.errorText ?? 'failed'
    // A page aborts requests whose result it no longer needs, for example those of a search term that has changed.
    if (error !== 'net::ERR_ABORTED') failedRequests.push(`${request.method()} ${request.url()} ${error}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400)
      failedRequests.push(`${response.request().method()} ${response.url()} ${response.status()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return {
    requests,
    otherOriginUrls,
    failedRequests,
    errors,
    violations: await collectViolations(page),
    takeTransfers: await collectTransfers(page),
  }
}

/** Expects that the page sent requests only to its own origin, that all succeeded, and that it reported no errors. */
export const expectNoErrors = ({ otherOriginUrls, failedRequests, violations, errors }: NetworkRecorder): void =>
  expect({ otherOriginUrls, failedRequests, violations, errors }).toEqual({
    otherOriginUrls: [],
    failedRequests: [],
    violations: [],
    errors: [],
  })

const collectViolations = async (page: Page): Promise<string[]> => {
  const violations: string[] = []
  await page.exposeFunction('reportViolation', (violation: string) => violations.push(violation))
  await page.addInitScript(() => {
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
  const session = await page.context().newCDPSession(page)
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
