/**
 * Runs in the page before its own scripts, and notes what `console.ts` reads: the largest paint, the requests before
 * the first figure or row, and the duration of interactions.
 */
const probe = {
  /** The largest contentful paint so far, in ms since the start of the navigation. */
  largestPaintMs: undefined,
  /** Chromium reports no interactions below 16 ms. */
  interactionsMs: new Map(),
  nodes: () => document.querySelectorAll('*').length,
  /** The URLs of the API that were requested before the first figure or row was in the document. */
  firstRequests: [],
  /** Waits for the next press of Enter, and then until the row is in view. Resolves with the ms in between. */
  timeToRow: (row) =>
    new Promise((resolve) => {
      addEventListener(
        'keydown',
        () => {
          const startedAt = performance.now()
          const check = () => {
            const element = document.querySelector(`main [role=row][aria-rowindex="${row + 1}"] [role=rowheader]`)
            const top = element?.getBoundingClientRect().top
            if (top > 0 && top < innerHeight && element.textContent !== '') resolve(performance.now() - startedAt)
            else requestAnimationFrame(check)
          }
          check()
        },
        { once: true, capture: true },
      )
    }),
}
globalThis.consoleProbe = probe

new PerformanceObserver((list) => {
  probe.largestPaintMs = list.getEntries().at(-1).startTime
}).observe({ type: 'largest-contentful-paint', buffered: true })

new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId > 0)
      probe.interactionsMs.set(interactionId, Math.max(duration, probe.interactionsMs.get(interactionId) ?? 0))
}).observe({ type: 'event', durationThreshold: 16 })

const isPictureShown = () =>
  document.querySelector('[data-first-paint]') === null &&
  document.querySelector('main :is([data-figure], tbody tr, [role="row"], li a):not(nav *)') !== null

const sendRequest = globalThis.fetch
globalThis.fetch = (input, init) => {
  const { href, pathname } = new URL(input.url ?? input, location.href)
  if (/\/api(\/|$)/.test(pathname) && !isPictureShown()) probe.firstRequests.push(href)
  return sendRequest(input, init)
}
