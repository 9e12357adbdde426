import type { Page, Response } from '@playwright/test'
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
  /**
   * Method, URL and error of each request without a response, and with the status of each response from 400 on. A
   * request that a busy service refused, and that the page has repeated since with success, has not failed.
   */
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
  const refusedRequests = new Set<string>()
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
    const request = `${response.request().method()} ${response.url()}`
    if (isRefusal(response)) refusedRequests.add(`${request} 503`)
    else if (response.status() >= 400) failedRequests.push(`${request} ${response.status()}`)
    else refusedRequests.delete(`${request} 503`)
  })
  page.on('console', (message) => {
    // The status of each response is recorded above.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status of 503')
    if (message.type() === 'error' && !isStatus) errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return {
    requests,
    otherOriginUrls,
    get failedRequests() {
      return [...failedRequests, ...refusedRequests]
    },
    errors,
    violations: await collectViolations(page),
    takeTransfers: await collectTransfers(page),
  }
}

/** The service is busy, or cannot reach its database, and names the time after which it may be asked again. */
const isRefusal = (response: Response): boolean =>
  response.status() === 503 && response.headers()['retry-after'] !== undefined

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
