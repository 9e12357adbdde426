/** Limits the requests that one client has in progress while other clients are active. */
import { performance } from 'node:perf_hooks'
import type { Client, Connection } from './client.ts'

export interface ClientLoad {
  /**
   * Calls `start` now, or when the client's load falls. With `isOverdue` if that takes too long, or at once if too many
   * requests of the client wait.
   */
  startOrWait(connection: Connection, client: Client, isHealthCheck: boolean): void
  /** Changes how many units of its client's load the request in progress takes. */
  setWeight(connection: Connection, weight: number): void
  /** Stops counting the request in progress. Returns its client. */
  release(connection: Connection): Client | undefined
  /** Removes the waiting request of a closed connection. Returns the client it waited for. */
  stopWaiting(connection: Connection): Client | undefined
}

/** Units of work that one client may have in progress while others are active. A cached response is one unit. */
const maxLoad = 8
/** Units of a request that waits for the database: one client may have 32 such requests while others are active. */
export const uncachedWeight = 1 / 4
/** Health checks may exceed `maxLoad` by this many units: enough for a load balancer, too few for a flood. */
export const healthCheckAllowance = 2
/** How long clients count as competing after two different clients sent requests in succession. */
const contentionMs = 1_000
/** Maximum number of waiting requests of one client; further ones get 503 at once. */
const maxWaitingPerClient = 256
/** Responses that a client does not read can occupy its whole load, so its other requests wait no longer than this. */
const maxWaitMs = 500
const sweepMs = 100

export const openClientLoad = (
  start: (connection: Connection, client: Client, isOverdue: boolean) => void,
): ClientLoad => {
  let lastClient: Client | undefined
  let contendedUntil = 0
  /** In order of arrival. */
  const waitingConnections = new Set<Connection>()
  let sweepTimer: NodeJS.Timeout | undefined

  const startWithLoad = (connection: Connection, client: Client, isOverdue: boolean): void => {
    connection.currentClient = client
    connection.weight = 1
    client.load += 1
    start(connection, client, isOverdue)
  }
  const wait = (connection: Connection, client: Client): void => {
    connection.waitsFor = client
    connection.waitingSince = performance.now()
    client.waiting.add(connection)
    waitingConnections.add(connection)
    sweepTimer ??= setInterval(sweep, sweepMs).unref()
  }
  const stopWaiting = (connection: Connection): Client | undefined => {
    const client = connection.waitsFor
    if (client === undefined) return undefined
    connection.waitsFor = undefined
    client.waiting.delete(connection)
    waitingConnections.delete(connection)
    if (waitingConnections.size === 0) {
      clearInterval(sweepTimer)
      sweepTimer = undefined
    }
    return client
  }
  const startWaiting = (connection: Connection, isOverdue: boolean): void => {
    const client = stopWaiting(connection)
    if (client !== undefined) startWithLoad(connection, client, isOverdue)
  }
  const sweep = (): void => {
    const overdueBefore = performance.now() - maxWaitMs
    for (const connection of waitingConnections) {
      if (connection.waitingSince > overdueBefore) break
      startWaiting(connection, true)
    }
  }
  const setWeight = (connection: Connection, weight: number): void => {
    const client = connection.currentClient
    if (client === undefined) return
    client.load += weight - connection.weight
    connection.weight = weight
    // A request that starts here may change the load, which calls this function again.
    if (client.waiting.size === 0 || client.isStarting) return
    client.isStarting = true
    for (const waiting of client.waiting) {
      if (client.load >= maxLoad) break
      startWaiting(waiting, false)
    }
    client.isStarting = false
  }

  return {
    startOrWait(connection, client, isHealthCheck) {
      if (!isHealthCheck && client !== lastClient) {
        if (lastClient !== undefined) contendedUntil = performance.now() + contentionMs
        lastClient = client
      }
      const limit = isHealthCheck ? maxLoad + healthCheckAllowance : maxLoad
      const mayStart = client.load < limit || contendedUntil === 0 || performance.now() >= contendedUntil
      if (mayStart) startWithLoad(connection, client, false)
      else if (client.waiting.size < maxWaitingPerClient) wait(connection, client)
      else startWithLoad(connection, client, true)
    },
    setWeight,
    release(connection) {
      const client = connection.currentClient
      setWeight(connection, 0)
      connection.currentClient = undefined
      return client
    },
    stopWaiting,
  }
}
