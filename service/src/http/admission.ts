/** Admission of requests, in front of the cache and the framework: limits what one connection and one client may have in progress. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { openClientAddresses } from './client-address.ts'
import { makeRoom, maxConnections } from './connection-limits.ts'

/** A client address: a peer or the address behind a trusted proxy. */
export interface Client {
  readonly address: string
  connections: number
  /** Work in progress, in units. */
  load: number
  /**
   * Requests that were not served from memory since the last sample, and the units each of them takes: few, because most
   * of their time they wait for the database, unless they take a large share of the event loop's time.
   */
  uncached: number
  uncachedWeight: number
  isStarting: boolean
  /** Connections whose request waits until the load falls, in order of arrival. */
  readonly waiting: Set<Connection>
}

export interface Connection {
  readonly socket: Socket
  /** Undefined for a trusted proxy, whose requests belong to many clients. */
  readonly client: Client | undefined
  /** The request in progress or next in line. */
  current: Pending | undefined
  /** Requests behind it, in order. */
  readonly queue: Pending[]
  /** The one that arrived last. */
  last: Pending | undefined
  /** Position in the list of those in progress, -1 while nothing is. */
  position: number
  /** The client of the request in progress, and its share of that client's load. */
  served: Client | undefined
  weight: number
  /** The client whose load the request waits for, and since when. */
  waitsFor: Client | undefined
  waitingSince: number
  /** Number of the last event (connected, started or finished a request). The lowest has been unchanged for longest. */
  changed: number
}

export interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface Admission {
  readonly connections: ReadonlySet<Connection>
  readonly clients: ReadonlyMap<string, Client>
  /** A listener that admits requests to `listener`. */
  admit(listener: RequestListener): RequestListener
  /** A listener for requests that need the framework and the database. */
  heavier(listener: RequestListener): RequestListener
  /** The requests of a connection that are not answered yet, in order; or one that was answered before its body arrived. */
  pendingOn(socket: Socket): readonly Pending[]
  /** Whether a request has waited too long to be worth more than a refusal. */
  isOverdue(request: IncomingMessage): boolean
  /** A response that only streams from here on no longer counts as work of its client. */
  release(request: IncomingMessage): void
  watch(server: Server): void
  /** Requests that arrive while `work` runs start afterwards. */
  holdDuring(work: () => Promise<void>): Promise<void>
}

/**
 * Node parses all requests in one read of a socket (up to 64 KiB, a thousand requests) and calls the listener for each at
 * once. Here a connection has one in progress and at most this many behind it, at 1.6 kB of heap each. If there are more,
 * the connection is closed after these.
 */
const maxPipelined = 64
/** The same for all connections together: about 13 MB. */
const maxQueued = 8_192
/** Bytes that peers have not received yet, in total. Above this, the connections with the most are closed. */
const maxUnsentBytes = 32_000_000
const startsPerCheck = 32
/** Units of work of one client in progress while others are active. A response from memory is one. */
const maxLoad = 8
/** Units of a request that waits for the database: 64 of one client may do so while others are active. */
const leastWeight = 1 / 8
/** Event loop time of a response from memory. */
const cachedMs = 0.03
/**
 * The cost of other requests (0.2 to 10 ms) is not known beforehand, and many of them in progress delay other clients. A
 * client whose requests take more than this share of the event loop's time has one of them in progress at a time.
 */
const maxShare = 1 / 3
const sampleMs = 50
/** How long a client counts as active after it was served beside another. */
const contentionMs = 1_000
/** Requests that wait longer are refused (503) unless they can be served from memory, as in front of the pools. */
const maxWaitMs = 500
const waitSweepMs = 100
/** Requests of one client that wait; more are refused at once. */
const maxWaiting = 256
/**
 * Requests started in one turn of the event loop; the others start in the next turns. Node accepts one connection in a
 * turn, so that long turns would keep new clients out: with 500 busy connections, 10 were accepted per second.
 */
const turnMs = 4
const maxBatch = 32

/** Health checks may exceed the limit of their client, by so much that a flood of them cannot use it. */
const probeAllowance = 2
const isProbe = (url: string | undefined): boolean => url === '/livez' || url === '/readyz'

export const openAdmission = (trustedProxies: readonly string[]): Admission => {
  const addresses = openClientAddresses(trustedProxies)
  const bySocket = new WeakMap<Socket, Connection>()
  const connections = new Set<Connection>()
  const clients = new Map<string, Client>()
  const inProgress: Connection[] = []
  let listen: RequestListener = () => {}
  let held: Connection[] | undefined
  let queued = 0
  let events = 0
  let starts = 0
  let last: Client | undefined
  let contendedUntil = 0
  let sampled = performance.eventLoopUtilization()
  let sampledAt = 0
  let sampledStarts = 0
  /** When the present turn has used its time; 0 before its first request. */
  let turnEnds = 0
  /** Started requests that run in the next turn. */
  const deferred: Connection[] = []
  let batch = maxBatch
  let batchStarted = 0
  const allWaiting = new Set<Connection>()
  const overdue = new WeakSet<IncomingMessage>()
  let waitSweep: NodeJS.Timeout | undefined

  const clientAt = (address: string): Client => {
    const known = clients.get(address)
    if (known !== undefined) return known
    const client: Client = {
      address,
      connections: 0,
      load: 0,
      uncached: 0,
      uncachedWeight: leastWeight,
      isStarting: false,
      waiting: new Set(),
    }
    clients.set(address, client)
    return client
  }
  /** A client whose requests are expensive is remembered until samples have lowered its weight. */
  const forgetIdle = (client: Client): void => {
    const isIdle = client.connections + client.load + client.waiting.size === 0
    if (isIdle && client.uncachedWeight === leastWeight) clients.delete(client.address)
  }

  const noteContention = (now: number): void => {
    contendedUntil = now + contentionMs
    if (now - sampledAt < sampleMs) return
    const total = performance.eventLoopUtilization()
    const { active } = performance.eventLoopUtilization(total, sampled)
    const uncached = clients.values().reduce((sum, client) => sum + client.uncached, 0)
    const uncachedMs = active - (starts - sampledStarts - uncached) * cachedMs
    for (const client of clients.values()) {
      const share = (uncachedMs * client.uncached) / uncached / (now - sampledAt)
      client.uncachedWeight = share > maxShare ? maxLoad : Math.max(client.uncachedWeight / 2, leastWeight)
      client.uncached = 0
      forgetIdle(client)
    }
    sampled = total
    sampledAt = now
    sampledStarts = starts
  }
  const begin = (connection: Connection, pending: Pending): void => {
    connection.current = pending
    if (held === undefined) choose(connection, pending)
    else held.push(connection)
  }
  const choose = (connection: Connection, pending: Pending): void => {
    const { request } = pending
    const client = connection.client ?? clientAt(addresses.ofForwarded(request))
    const probe = isProbe(request.url)
    if (!probe && client !== last) {
      if (last !== undefined) noteContention(performance.now())
      last = client
    }
    const limit = probe ? maxLoad + probeAllowance : maxLoad
    if (client.load >= limit && contendedUntil > 0 && performance.now() < contendedUntil) {
      if (client.waiting.size < maxWaiting) {
        wait(connection, client)
        return
      }
      overdue.add(request)
    }
    start(connection, client, pending)
  }
  const wait = (connection: Connection, client: Client): void => {
    connection.waitsFor = client
    connection.waitingSince = performance.now()
    client.waiting.add(connection)
    allWaiting.add(connection)
    waitSweep ??= setInterval(sweepWaiting, waitSweepMs).unref()
  }
  const stopWaiting = (connection: Connection): void => {
    const client = connection.waitsFor
    if (client === undefined) return
    connection.waitsFor = undefined
    client.waiting.delete(connection)
    allWaiting.delete(connection)
    if (allWaiting.size > 0) return
    clearInterval(waitSweep)
    waitSweep = undefined
  }
  const startWaiting = (client: Client, connection: Connection): void => {
    stopWaiting(connection)
    if (connection.current !== undefined) start(connection, client, connection.current)
  }
  /** The load may be held by responses that their peers do not read, so the wait for it has a bound. */
  const sweepWaiting = (): void => {
    const since = performance.now() - maxWaitMs
    for (const connection of allWaiting) {
      const { waitsFor, current } = connection
      if (connection.waitingSince > since) break
      if (current !== undefined) overdue.add(current.request)
      if (waitsFor !== undefined) startWaiting(waitsFor, connection)
    }
  }
  const start = (connection: Connection, client: Client, { request, response }: Pending): void => {
    connection.served = client
    connection.weight = 1
    connection.changed = ++events
    connection.position = inProgress.push(connection) - 1
    client.load += 1
    starts += 1
    if (starts % startsPerCheck === 0) closeSlowest(inProgress)
    response.on('close', () => finish(connection, response))
    if (isTurnOver() && !(client.load <= probeAllowance && isProbe(request.url))) deferred.push(connection)
    else listen(request, response)
  }
  const isTurnOver = (): boolean => {
    const now = performance.now()
    if (turnEnds > 0) return now > turnEnds
    turnEnds = now + turnMs
    setImmediate(beginTurn)
    return false
  }
  /**
   * Runs deferred requests in batches. Most of their work is done in microtasks after this function, so a batch is measured
   * by the time until the next turn: it is halved after a long turn and doubled after a short one.
   */
  const beginTurn = (): void => {
    turnEnds = 0
    if (deferred.length === 0) return
    const now = performance.now()
    batch = now - batchStarted > turnMs ? Math.max(batch / 2, 1) : Math.min(batch * 2, maxBatch)
    batchStarted = now
    for (const { current } of deferred.splice(0, batch))
      if (current !== undefined) listen(current.request, current.response)
    if (deferred.length === 0) return
    turnEnds = now
    setImmediate(beginTurn)
  }
  const finish = (connection: Connection, response: ServerResponse): void => {
    if (connection.current?.response !== response) return
    connection.current = undefined
    leave(connection)
    // After a response with `Connection: close` no further one could be sent.
    if (!connection.socket.writable) return
    const next = connection.queue.shift()
    if (next === undefined) return
    queued -= 1
    if (connection.queue.length === 0) connection.socket.resume()
    else connection.socket.pause()
    begin(connection, next)
  }
  const leave = (connection: Connection): void => {
    const { served, position } = connection
    connection.changed = ++events
    if (served === undefined) return
    const moved = inProgress.pop() as Connection
    if (moved !== connection) {
      inProgress[position] = moved
      moved.position = position
    }
    connection.position = -1
    connection.served = undefined
    setWeight(connection, served, 0)
    if (connection.client === undefined) forgetIdle(served)
  }
  const setWeight = (connection: Connection, client: Client, weight: number): void => {
    client.load += weight - connection.weight
    connection.weight = weight
    if (client.waiting.size > 0) startNext(client)
  }
  const startNext = (client: Client): void => {
    // A request that starts here may change the load itself.
    if (client.isStarting) return
    client.isStarting = true
    for (const next of client.waiting) {
      if (client.load >= maxLoad) break
      startWaiting(client, next)
    }
    client.isStarting = false
  }

  return {
    connections,
    clients,
    admit(listener) {
      listen = listener
      return (request, response) => {
        const connection = bySocket.get(request.socket)
        if (connection === undefined) {
          listener(request, response)
          return
        }
        const pending = { request, response }
        connection.last = pending
        if (connection.current === undefined) begin(connection, pending)
        else if (connection.queue.length >= maxPipelined || queued >= maxQueued) overflow(connection)
        else {
          connection.queue.push(pending)
          queued += 1
          request.socket.pause()
        }
      }
    },
    heavier: (listener) => (request, response) => {
      const connection = bySocket.get(request.socket)
      const client = connection?.served
      if (connection !== undefined && client !== undefined) {
        client.uncached += 1
        setWeight(connection, client, client.uncachedWeight)
      }
      listener(request, response)
    },
    pendingOn: (socket) => {
      const { current, queue = [], last: latest } = bySocket.get(socket) ?? {}
      if (current !== undefined) return [current, ...queue]
      return latest?.request.complete === false ? [latest] : []
    },
    isOverdue: (request) => overdue.has(request),
    release(request) {
      const connection = bySocket.get(request.socket)
      if (connection?.served !== undefined) setWeight(connection, connection.served, 0)
    },
    async holdDuring(work) {
      held = []
      await work()
      const arrived = held
      held = undefined
      for (const connection of arrived) if (connection.current !== undefined) choose(connection, connection.current)
    },
    watch(server) {
      server.maxConnections = maxConnections
      server.on('connection', (socket) => {
        const address = addresses.ofConnection(socket)
        const client = address === undefined ? undefined : clientAt(address)
        const connection: Connection = {
          socket,
          client,
          current: undefined,
          queue: [],
          last: undefined,
          position: -1,
          served: undefined,
          weight: 0,
          waitsFor: undefined,
          waitingSince: 0,
          changed: ++events,
        }
        bySocket.set(socket, connection)
        connections.add(connection)
        if (client !== undefined) client.connections += 1
        makeRoom(connections, connection)
        socket.once('close', () => {
          connections.delete(connection)
          connection.current = undefined
          queued -= connection.queue.length
          connection.queue.length = 0
          const { waitsFor } = connection
          stopWaiting(connection)
          leave(connection)
          if (client === undefined && waitsFor !== undefined) forgetIdle(waitsFor)
          if (client === undefined) return
          client.connections -= 1
          forgetIdle(client)
        })
      })
    },
  }
}

/** Node's HTTP parser calls `onIncoming` for each request it has parsed. */
interface Parsing {
  parser?: { onIncoming?: unknown } | null
}

/**
 * More requests were sent at once than are kept: the responses to those that wait are sent, the last one with
 * `Connection: close`, and the client repeats the rest (RFC 9112, section 9.3.2). Node goes on parsing what it has read;
 * replacing `onIncoming` keeps it from holding a request and a response for each.
 */
const overflow = ({ socket, current, queue }: Connection): void => {
  const lastKept = queue.at(-1) ?? current
  if (lastKept?.response.headersSent === false) lastKept.response.setHeader('connection', 'close')
  lastKept?.response.once('finish', () => socket.destroySoon())
  socket.pause()
  const { parser } = socket as Socket & Parsing
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 0
}

/** Closes connections with the most unsent bytes, of the client with the most first, until half of the limit is left. */
const closeSlowest = (inProgress: readonly Connection[]): void => {
  let unsent = 0
  for (const { socket } of inProgress) unsent += socket.writableLength
  if (unsent <= maxUnsentBytes) return
  const byClient = Map.groupBy(inProgress, ({ served }) => served)
  const sums = [...byClient.values()]
    .map((all) => ({ all, bytes: all.reduce((sum, { socket }) => sum + socket.writableLength, 0) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  for (const { all } of sums) {
    for (const { socket } of all.toSorted((a, b) => b.socket.writableLength - a.socket.writableLength)) {
      if (unsent <= maxUnsentBytes / 2) return
      unsent -= socket.writableLength
      socket.destroy()
    }
  }
}
