/**
 * Limits the CPU time of clients with expensive requests while other clients are active. Most requests finish in the
 * turn of the event loop in which they arrive, so a limit on the number of requests in progress would not limit their
 * rate.
 */
import { performance } from 'node:perf_hooks'
import type { Client, Connection } from './client.ts'

export interface Pacer {
  /** Calls `run` as soon as the client's budget allows, or `run(true)` after a wait of `maxWaitMs`. */
  run(connection: Connection, client: Client, run: (isOverdue: boolean) => void): void
  /** Removes the waiting request of a closed connection. */
  remove(connection: Connection): void
  /** Computes the cost of each client's requests from a sample of event loop times. */
  sample(clients: readonly Client[], sample: Sample): void
}

/** A client whose requests take more than this share of the event loop's time is paced. */
const maxTimeShare = 1 / 3
/** The share that a paced client gets, in addition to half of the event loop's idle time. */
const pacedShare = 1 / 4
const maxBudgetMs = 10
/** Requests that wait longer get 503, as in the admission queues of the connection pools. */
export const maxWaitMs = 500

export interface Sample {
  readonly elapsedMs: number
  readonly activeMs: number
  /** The part of `activeMs` that was spent on requests not served from the cache. */
  readonly uncachedMs: number
}

interface WaitingRequest {
  readonly client: Client
  readonly since: number
  readonly run: (isOverdue: boolean) => void
}

export const openPacer = (isContended: (now: number) => boolean): Pacer => {
  /** Waiting requests in order of arrival. */
  const waitingRequests = new Map<Connection, WaitingRequest>()
  let isScheduled = false
  let currentShare = pacedShare

  const runTimed = (client: Client, run: (isOverdue: boolean) => void, isOverdue: boolean): void => {
    const startedAt = performance.now()
    client.uncachedRequests += 1
    // Runs after the microtasks of this event loop turn, in which most of the work of a request is done.
    queueMicrotask(() =>
      process.nextTick(() => {
        client.measuredMs += performance.now() - startedAt
      }),
    )
    run(isOverdue)
  }
  const hasBudget = (client: Client, now: number): boolean => {
    if (client.costMs === 0 || !isContended(now)) return true
    client.budgetMs = Math.min(client.budgetMs + (now - client.refilledAt) * currentShare, maxBudgetMs)
    client.refilledAt = now
    if (client.budgetMs <= 0) return false
    client.budgetMs -= client.costMs
    return true
  }
  const schedule = (): void => {
    if (isScheduled || waitingRequests.size === 0) return
    isScheduled = true
    setTimeout(runWaiting, 1)
  }
  const runWaiting = (): void => {
    const now = performance.now()
    const clientsWithoutBudget = new Set<Client>()
    for (const [connection, { client, since, run }] of waitingRequests) {
      const isOverdue = now - since > maxWaitMs
      if (!isOverdue && (clientsWithoutBudget.has(client) || !hasBudget(client, now))) {
        clientsWithoutBudget.add(client)
        continue
      }
      waitingRequests.delete(connection)
      runTimed(client, run, isOverdue)
    }
    isScheduled = false
    schedule()
  }

  return {
    run(connection, client, run) {
      if (hasBudget(client, performance.now())) {
        runTimed(client, run, false)
        return
      }
      client.isDelayed = true
      waitingRequests.set(connection, { client, since: performance.now(), run })
      schedule()
    },
    remove: (connection) => waitingRequests.delete(connection),
    sample(clients, { elapsedMs, activeMs, uncachedMs }) {
      currentShare = pacedShare + Math.max(1 - activeMs / elapsedMs, 0) / 2
      const activeClients = clients.filter(({ uncachedRequests: uncached, isDelayed }) => uncached > 0 || isDelayed)
      const uncachedCount = activeClients.reduce((sum, { uncachedRequests: uncached }) => sum + uncached, 0)
      // Time that was not measured per client, such as reading a body or a query result, is divided among the clients
      // by number of requests.
      const unmeasuredMs = Math.max(
        uncachedMs - activeClients.reduce((sum, { measuredMs: syncMs }) => sum + syncMs, 0),
        0,
      )
      for (const client of clients) {
        const usedMs =
          client.measuredMs + (uncachedCount === 0 ? 0 : (unmeasuredMs * client.uncachedRequests) / uncachedCount)
        const isExpensive = client.isDelayed || usedMs > elapsedMs * maxTimeShare
        if (!isExpensive) client.costMs = 0
        else if (client.uncachedRequests > 0) client.costMs = usedMs / client.uncachedRequests
        client.isDelayed = false
        client.uncachedRequests = 0
        client.measuredMs = 0
      }
    },
  }
}
