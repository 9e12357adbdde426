import { setTimeout as pause } from 'node:timers/promises'
import type { ClientResponse } from './client.ts'

/**
 * Closed-loop load: each client waits for a response before its next request. Returns the number of responses per
 * second.
 */
export const measureRate = async (
  clientCount: number,
  seconds: number,
  send: () => Promise<ClientResponse>,
  isCounted: (response: ClientResponse) => boolean = () => true,
): Promise<number> => {
  const deadline = performance.now() + seconds * 1_000
  let count = 0
  const sendUntilDeadline = async (): Promise<void> => {
    while (performance.now() < deadline) {
      const response = await send()
      if (isCounted(response)) count += 1
    }
  }
  await Promise.all(Array.from({ length: clientCount }, sendUntilDeadline))
  return count / seconds
}

/** Open-loop load: sends at a fixed rate without waiting for responses. A request without a response gets status 0. */
export const sendAtRate = async (
  perSecond: number,
  seconds: number,
  send: () => Promise<ClientResponse>,
): Promise<ClientResponse[]> => {
  const startedAt = performance.now()
  const pendingResponses: Promise<ClientResponse>[] = []
  while (performance.now() < startedAt + seconds * 1_000) {
    const dueCount = ((performance.now() - startedAt) / 1_000) * perSecond
    while (pendingResponses.length < dueCount)
      pendingResponses.push(send().catch(() => ({ status: 0, headers: {}, text: '', ms: 0 })))
    await pause(5)
  }
  return Promise.all(pendingResponses)
}

/**
 * The response time in ms that this share (0 to 1) of the responses did not exceed. A share of 1 gives the time of the
 * slowest response.
 */
export const percentile = (responses: readonly ClientResponse[], share: number): number => {
  const sortedTimes = responses.map(({ ms }) => ms).sort((a, b) => a - b)
  return sortedTimes[Math.min(sortedTimes.length - 1, Math.floor(sortedTimes.length * share))] ?? 0
}
