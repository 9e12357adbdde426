/** Limits the requests in progress per connection and per client, before they reach the response cache and Fastify. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Client, Connection, PendingRequest } from './client.ts'
import { openClientAddresses } from './client-address.ts'
import {
  closeAfterQueue,
  closeSlowestConnections,
  enforceConnectionLimits,
  maxConnections,
} from './connection-limits.ts'
import { maxWaitMs, openPacer } from './pacing.ts'

export interface Admission {
  readonly connections: ReadonlySet<Connection>
  readonly clients: ReadonlyMap<string, Client>
  /** Wraps a listener, which then gets requests only when they are admitted. */
  admit(listener: RequestListener): RequestListener
  /** Wraps the listener for requests that are not served from the cache, but by Fastify and the database. */
  uncached(listener: RequestListener): RequestListener
  /** Must be called after a response from the cache was passed to the socket: the request then counts as finished. */
  afterCached: RequestListener
  /**
   * The requests of a connection that have no response yet, in order. If all have one, but the response to the latest
   * was sent before its body had arrived: only the latest.
   */
  pendingOn(socket: Socket): readonly PendingRequest[]
  /**
   * The client address of a request in progress. Each client address gets a limited share of the database connections.
   * An injected request has no connection; its client address is the one with which it was injected.
   */
  clientOf(request: IncomingMessage): string | undefined
  /** Whether a request must get 503, because it waited too long or too many requests of its client were waiting. */
  isOverdue(request: IncomingMessage): boolean
  /** Stops counting the request toward its client's load, because from now on its response is only streamed. */
  release(request: IncomingMessage): void
  trackConnections(server: Server): void
  /** Runs `work`. Requests that arrive meanwhile start after it. */
  holdDuring(work: () => Promise<void>): Promise<void>
}

/**
 * Node parses all requests in one read of a socket (up to 64 KiB, a thousand requests) and calls the listener for each
 * of them. Admission starts one per connection and queues at most this many behind it, at 1.6 kB of heap each. If there
 * are more, the connection is closed after the responses to these.
 */
const maxPipelined = 64
/** Maximum number of queued requests on all connections together: about 13 MB of heap. */
const maxQueuedRequests = 8_192
/** The limit of unsent bytes is checked once per this many started requests. */
const startsPerCheck = 32
/** Units of work that one client may have in progress while others are active. A cached response is one unit. */
const maxLoad = 8
/** Units of a request that waits for the database: one client may have 32 such requests while others are active. */
const uncachedWeight = 1 / 4
/** Typical event loop time of sending a cached response. */
const cachedResponseMs = 0.03
const sampleMs = 50
/** How long clients count as competing after two different clients sent requests in succession. */
const contentionMs = 1_000
const waitSweepMs = 100
/** Maximum number of waiting requests of one client; further ones get 503 at once. */
const maxWaitingPerClient = 256

/**
 * Time that requests may use in one turn of the event loop; the others run in later turns. Node accepts one connection
 * per turn, so long turns would lock new clients out: with 500 busy connections, 10 were accepted per second.
 */
const maxTurnMs = 4
const maxBatch = 32

/** Health checks may exceed `maxLoad` by this many units: enough for a load balancer, too few for a flood. */
const healthCheckAllowance = 2
const isHealthCheck = (url: string | undefined): boolean => url === '/livez' || url === '/readyz'

export const openAdmission = (trustedProxies: readonly string[]): Admission => {
  const addresses = openClientAddresses(trustedProxies)
  const connectionBySocket = new WeakMap<Socket, Connection>()
  const connections = new Set<Connection>()
  /** Connections without a request, in the order in which they became idle. */
  const idleConnections = new Set<Connection>()
  const clients = new Map<string, Client>()
  const inProgress: Connection[] = []
  let handleRequest: RequestListener = () => {}
  /** Connections whose request starts when `holdDuring` ends; undefined unless `holdDuring` is running. */
  let heldConnections: Connection[] | undefined
  let queuedCount = 0
  let startCount = 0
  let lastClient: Client | undefined
  let contendedUntil = 0
  let lastUtilization = performance.eventLoopUtilization()
  let lastSampleAt = 0
  let startsAtLastSample = 0
  const waitingConnections = new Set<Connection>()
  const overdueRequests = new WeakSet<IncomingMessage>()
  let waitSweep: NodeJS.Timeout | undefined
  /** When the time for requests in the current turn of the event loop is used up; 0 before its first request. */
  let turnEndsAt = 0
  /** Connections whose request has started, but runs in a later turn. */
  const deferredConnections: Connection[] = []
  let batchSize = maxBatch
  let batchStartedAt = 0

  const clientAt = (address: string): Client => {
    const existing = clients.get(address)
    if (existing !== undefined) return existing
    const client: Client = {
      address,
      connections: 0,
      load: 0,
      uncachedRequests: 0,
      measuredMs: 0,
      costMs: 0,
      budgetMs: 0,
      refilledAt: 0,
      isDelayed: false,
      isStarting: false,
      waiting: new Set(),
    }
    clients.set(address, client)
    return client
  }
  /**
   * Deletes the state of an idle client. A client whose requests are expensive is kept until a sample finds them cheap.
   */
  const forgetIdle = (client: Client): void => {
    const isIdle = client.connections + client.load + client.waiting.size === 0
    if (isIdle && client.costMs === 0) clients.delete(client.address)
  }
  const isContended = (now: number): boolean => now < contendedUntil
  const pacer = openPacer(isContended)

  const recordContention = (now: number): void => {
    contendedUntil = now + contentionMs
    if (now - lastSampleAt < sampleMs) return
    const total = performance.eventLoopUtilization()
    const { active } = performance.eventLoopUtilization(total, lastUtilization)
    const uncached = clients.values().reduce((sum, client) => sum + client.uncachedRequests, 0)
    const uncachedMs = active - (startCount - startsAtLastSample - uncached) * cachedResponseMs
    pacer.sample([...clients.values()], { elapsedMs: now - lastSampleAt, activeMs: active, uncachedMs })
    for (const client of clients.values()) forgetIdle(client)
    lastUtilization = total
    lastSampleAt = now
    startsAtLastSample = startCount
  }
  const beginRequest = (connection: Connection, pending: PendingRequest): void => {
    connection.current = pending
    idleConnections.delete(connection)
    if (heldConnections === undefined) startOrWait(connection, pending)
    else heldConnections.push(connection)
  }
  const startOrWait = (connection: Connection, pending: PendingRequest): void => {
    const { request } = pending
    const client = connection.client ?? clientAt(addresses.ofForwarded(request))
    const healthCheck = isHealthCheck(request.url)
    if (!healthCheck && client !== lastClient) {
      if (lastClient !== undefined) recordContention(performance.now())
      lastClient = client
    }
    const loadLimit = healthCheck ? maxLoad + healthCheckAllowance : maxLoad
    if (client.load >= loadLimit && contendedUntil > 0 && isContended(performance.now())) {
      if (client.waiting.size < maxWaitingPerClient) {
        waitForLoad(connection, client)
        return
      }
      overdueRequests.add(request)
    }
    startRequest(connection, client, pending)
  }
  const waitForLoad = (connection: Connection, client: Client): void => {
    connection.waitsFor = client
    connection.waitingSince = performance.now()
    client.waiting.add(connection)
    waitingConnections.add(connection)
    waitSweep ??= setInterval(sweepWaiting, waitSweepMs).unref()
  }
  const stopWaiting = (connection: Connection): void => {
    const client = connection.waitsFor
    if (client === undefined) return
    connection.waitsFor = undefined
    client.waiting.delete(connection)
    waitingConnections.delete(connection)
    if (waitingConnections.size > 0) return
    clearInterval(waitSweep)
    waitSweep = undefined
  }
  const startWaitingRequest = (client: Client, connection: Connection): void => {
    stopWaiting(connection)
    if (connection.current !== undefined) startRequest(connection, client, connection.current)
  }
  /** Responses that a client does not read can occupy its whole load, so waiting is limited to `maxWaitMs`. */
  const sweepWaiting = (): void => {
    const overdueBefore = performance.now() - maxWaitMs
    for (const connection of waitingConnections) {
      const { waitsFor, current } = connection
      if (connection.waitingSince > overdueBefore) break
      if (current !== undefined) overdueRequests.add(current.request)
      if (waitsFor !== undefined) startWaitingRequest(waitsFor, connection)
    }
  }
  const startRequest = (connection: Connection, client: Client, { request, response }: PendingRequest): void => {
    connection.currentClient = client
    connection.weight = 1
    connection.inProgressIndex = inProgress.push(connection) - 1
    client.load += 1
    startCount += 1
    if (startCount % startsPerCheck === 0) closeSlowestConnections(inProgress)
    if (isTurnOver() && !(client.load <= healthCheckAllowance && isHealthCheck(request.url)))
      deferredConnections.push(connection)
    else handleRequest(request, response)
  }
  /** Whether the current turn has used up its time for requests. The first call in a turn starts the clock. */
  const isTurnOver = (): boolean => {
    const now = performance.now()
    if (turnEndsAt > 0) return now > turnEndsAt
    turnEndsAt = now + maxTurnMs
    setImmediate(beginTurn)
    return false
  }
  /**
   * Runs deferred requests in batches. Most of their work is done in microtasks after this function, so a batch is
   * measured by the time until the next turn: it is halved after a long turn and doubled after a short one.
   */
  const beginTurn = (): void => {
    turnEndsAt = 0
    if (deferredConnections.length === 0) return
    const now = performance.now()
    batchSize = now - batchStartedAt > maxTurnMs ? Math.max(batchSize / 2, 1) : Math.min(batchSize * 2, maxBatch)
    batchStartedAt = now
    for (const { current } of deferredConnections.splice(0, batchSize))
      if (current !== undefined) handleRequest(current.request, current.response)
    if (deferredConnections.length === 0) return
    turnEndsAt = now
    setImmediate(beginTurn)
  }
  const finishOnClose = (connection: Connection, response: ServerResponse): ServerResponse =>
    response.on('close', () => finishRequest(connection, response))
  const finishRequest = (connection: Connection, response: ServerResponse): void => {
    if (connection.current?.response !== response) return
    connection.current = undefined
    // If `current` and `latest` were not cleared, an idle connection would keep its last request and response in
    // memory.
    if (connection.latest?.request.complete) connection.latest = undefined
    release(connection)
    // After a response with `Connection: close`, no further response can be sent.
    if (!connection.socket.writable) return
    const nextRequest = connection.queue.shift()
    if (nextRequest === undefined) {
      idleConnections.add(connection)
      return
    }
    queuedCount -= 1
    if (connection.queue.length === 0) connection.socket.resume()
    else connection.socket.pause()
    beginRequest(connection, nextRequest)
  }
  const release = (connection: Connection): void => {
    const { currentClient, inProgressIndex } = connection
    if (currentClient === undefined) return
    // Moves the last connection to this position, which takes constant time.
    const lastInProgress = inProgress.pop() as Connection
    if (lastInProgress !== connection) {
      inProgress[inProgressIndex] = lastInProgress
      lastInProgress.inProgressIndex = inProgressIndex
    }
    connection.inProgressIndex = -1
    connection.currentClient = undefined
    setWeight(connection, currentClient, 0)
    if (connection.client === undefined) forgetIdle(currentClient)
  }
  const setWeight = (connection: Connection, client: Client, weight: number): void => {
    client.load += weight - connection.weight
    connection.weight = weight
    if (client.waiting.size > 0) startNext(client)
  }
  const startNext = (client: Client): void => {
    // A request that starts here may change the load, which calls this function again.
    if (client.isStarting) return
    client.isStarting = true
    for (const connection of client.waiting) {
      if (client.load >= maxLoad) break
      startWaitingRequest(client, connection)
    }
    client.isStarting = false
  }

  return {
    connections,
    clients,
    admit(listener) {
      handleRequest = listener
      return (request, response) => {
        const connection = connectionBySocket.get(request.socket)
        if (connection === undefined) {
          listener(request, response)
          return
        }
        const pending = { request, response }
        connection.latest = pending
        if (connection.current === undefined) beginRequest(connection, pending)
        else if (connection.queue.length >= maxPipelined || queuedCount >= maxQueuedRequests)
          closeAfterQueue(connection)
        else {
          connection.queue.push(pending)
          queuedCount += 1
          request.socket.pause()
        }
      }
    },
    uncached: (listener) => (request, response) => {
      const connection = connectionBySocket.get(request.socket)
      const client = connection?.currentClient
      if (connection === undefined || client === undefined) {
        listener(request, response)
        return
      }
      finishOnClose(connection, response)
      setWeight(connection, client, uncachedWeight)
      if (!isContended(performance.now())) {
        client.uncachedRequests += 1
        listener(request, response)
        return
      }
      pacer.run(connection, client, (isOverdue) => {
        if (isOverdue) overdueRequests.add(request)
        listener(request, response)
      })
    },
    afterCached(request, response) {
      const connection = connectionBySocket.get(request.socket)
      if (connection === undefined) return
      // Usually the kernel has taken the whole response: a listener for its end would cost a fifth of the CPU time.
      const isSent = response.writableEnded && request.socket.writableLength === 0 && connection.queue.length === 0
      if (isSent) finishRequest(connection, response)
      else finishOnClose(connection, response)
    },
    pendingOn: (socket) => {
      const { current, queue = [], latest } = connectionBySocket.get(socket) ?? {}
      if (current !== undefined) return [current, ...queue]
      return latest?.request.complete === false ? [latest] : []
    },
    clientOf(request) {
      const connection = connectionBySocket.get(request.socket)
      return connection === undefined ? addresses.ofForwarded(request) : connection.currentClient?.address
    },
    isOverdue: (request) => overdueRequests.has(request),
    release(request) {
      const connection = connectionBySocket.get(request.socket)
      if (connection?.currentClient !== undefined) setWeight(connection, connection.currentClient, 0)
    },
    async holdDuring(work) {
      heldConnections = []
      await work()
      const arrivedConnections = heldConnections
      heldConnections = undefined
      for (const connection of arrivedConnections)
        if (connection.current !== undefined) startOrWait(connection, connection.current)
    },
    trackConnections(server) {
      server.maxConnections = maxConnections
      server.on('connection', (socket) => {
        const address = addresses.ofConnection(socket)
        const client = address === undefined ? undefined : clientAt(address)
        const connection: Connection = {
          socket,
          client,
          current: undefined,
          queue: [],
          latest: undefined,
          inProgressIndex: -1,
          currentClient: undefined,
          weight: 0,
          waitsFor: undefined,
          waitingSince: 0,
        }
        connectionBySocket.set(socket, connection)
        connections.add(connection)
        idleConnections.add(connection)
        if (client !== undefined) client.connections += 1
        enforceConnectionLimits({ connections, idle: idleConnections, clientCount: clients.size }, connection)
        socket.once('close', () => {
          connections.delete(connection)
          idleConnections.delete(connection)
          connection.current = undefined
          queuedCount -= connection.queue.length
          connection.queue.length = 0
          const { waitsFor } = connection
          stopWaiting(connection)
          pacer.remove(connection)
          release(connection)
          if (client === undefined && waitsFor !== undefined) forgetIdle(waitsFor)
          if (client === undefined) return
          client.connections -= 1
          forgetIdle(client)
        })
      })
    },
  }
}
