/** Limits the requests in progress per connection and per client, before they reach the response cache and Fastify. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Client, Connection, PendingRequest } from './client.ts'
import { healthCheckAllowance, openClientLoad, uncachedWeight } from './client-load.ts'
import { openUnsentLimit } from './connection-limits.ts'
import { openConnectionRegistry } from './connection-registry.ts'
import { openPipelines, pendingOf } from './pipelines.ts'
import { openTurns } from './turns.ts'

export interface Admission {
  readonly clients: ReadonlyMap<string, Client>
  /** Wraps a listener, which then gets requests only when they are admitted. */
  admit(listener: RequestListener): RequestListener
  /** Wraps the listener for requests that are not served from the cache, but by Fastify and the database. */
  uncached(listener: RequestListener): RequestListener
  /** Must be called after a response from the cache was passed to the socket: the request then counts as finished. */
  afterCached: RequestListener
  /** The requests of a connection that have no response yet; see `pendingOf`. */
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

const isHealthCheck = ({ url }: IncomingMessage): boolean => url === '/livez' || url === '/readyz'

export const openAdmission = (trustedProxies: readonly string[]): Admission => {
  const connections = openConnectionRegistry(trustedProxies)
  const overdueRequests = new WeakSet<IncomingMessage>()
  let handleRequest: RequestListener = () => {}
  /** Connections whose request starts when `holdDuring` ends; undefined unless `holdDuring` is running. */
  let heldConnections: Connection[] | undefined

  const unsent = openUnsentLimit()
  const runInTurn = openTurns(({ current }) => {
    if (current !== undefined) handleRequest(current.request, current.response)
  })
  const load = openClientLoad((connection, client, isOverdue) => {
    const request = connection.current?.request
    if (request === undefined) return
    if (isOverdue) overdueRequests.add(request)
    unsent.add(connection)
    runInTurn(connection, () => client.load <= healthCheckAllowance && isHealthCheck(request))
  })
  const start = (connection: Connection, { request }: PendingRequest): void =>
    load.startOrWait(connection, connections.clientOf(connection, request), isHealthCheck(request))
  const pipelines = openPipelines((connection, pending) => {
    connections.setIdle(connection, false)
    if (heldConnections === undefined) start(connection, pending)
    else heldConnections.push(connection)
  })

  const release = (connection: Connection): void => {
    if (connection.currentClient === undefined) return
    unsent.remove(connection)
    const client = load.release(connection)
    if (connection.client === undefined && client !== undefined) connections.forgetIdle(client)
  }
  const finish = (connection: Connection, response: ServerResponse): void => {
    if (!pipelines.end(connection, response)) return
    release(connection)
    // After a response with `Connection: close`, no further response can be sent.
    if (connection.socket.writable && !pipelines.beginNext(connection)) connections.setIdle(connection, true)
  }
  const finishOnClose = (connection: Connection, response: ServerResponse): ServerResponse =>
    response.on('close', () => finish(connection, response))
  const onConnectionClosed = (connection: Connection): void => {
    pipelines.clear(connection)
    const awaited = load.stopWaiting(connection)
    release(connection)
    if (awaited !== undefined) connections.forgetIdle(awaited)
  }

  return {
    clients: connections.clients,
    admit(listener) {
      handleRequest = listener
      return (request, response) => {
        const connection = connections.at(request.socket)
        if (connection === undefined) listener(request, response)
        else pipelines.add(connection, { request, response })
      }
    },
    uncached: (listener) => (request, response) => {
      const connection = connections.at(request.socket)
      if (connection?.currentClient !== undefined) {
        finishOnClose(connection, response)
        load.setWeight(connection, uncachedWeight)
      }
      listener(request, response)
    },
    afterCached(request, response) {
      const connection = connections.at(request.socket)
      if (connection === undefined) return
      // Usually the kernel has taken the whole response: a listener for its end would cost a fifth of the CPU time.
      const isSent = response.writableEnded && request.socket.writableLength === 0 && connection.queue.length === 0
      if (isSent) finish(connection, response)
      else finishOnClose(connection, response)
    },
    pendingOn(socket) {
      const connection = connections.at(socket)
      return connection === undefined ? [] : pendingOf(connection)
    },
    clientOf(request) {
      const connection = connections.at(request.socket)
      return connection === undefined ? connections.addressOf(request) : connection.currentClient?.address
    },
    isOverdue: (request) => overdueRequests.has(request),
    release(request) {
      const connection = connections.at(request.socket)
      if (connection !== undefined) load.setWeight(connection, 0)
    },
    async holdDuring(work) {
      heldConnections = []
      await work()
      const arrivedConnections = heldConnections
      heldConnections = undefined
      for (const connection of arrivedConnections)
        if (connection.current !== undefined) start(connection, connection.current)
    },
    trackConnections: (server) => connections.track(server, onConnectionClosed),
  }
}
