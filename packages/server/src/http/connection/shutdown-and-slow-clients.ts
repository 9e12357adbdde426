/** Closes connections of slow clients, and all connections during a graceful shutdown. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as Listener } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Admission } from './admission.ts'

export interface Connections {
  /** Accepts the connections in the accept queue, then closes the listening socket. Open connections stay open. */
  stopListening(): Promise<void>
  /** True once every response must carry `Connection: close`. */
  readonly closing: boolean
  /**
   * Waits until all connections are closed. At the deadline, destroys the connections that are still open and returns
   * their number.
   */
  closeConnections(deadlineMs: number): Promise<number>
}

const sweepMs = 1_000
/**
 * A client must receive this many bytes of a response in this time, which is 64 kbit/s; slower clients are
 * disconnected.
 */
const minRate = { ms: 20_000, bytes: 160_000 }
/** The minimum rate of a client that receives an export: 1 kB/s. */
const minExportRate = { ms: 30_000, bytes: 30_000 }
/** During shutdown, how long idle connections stay open for requests that are already being sent. */
const idleGraceMs = 500
const idleSweepMs = 100

export const defaultLimits = { sweepMs, minRate, minExportRate, idleGraceMs }
export type ConnectionLimits = typeof defaultLimits

/** `changedLimits` replace the defaults, so that tests do not wait for them. */
export const trackConnections = (
  server: Server,
  admission: Pick<Admission, 'holdDuring'>,
  changedLimits: Partial<ConnectionLimits> = {},
): Connections => {
  const limits = { ...defaultLimits, ...changedLimits }
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  closeSlowClients(server, sockets, limits)
  const serverClosed = new Promise<true>((resolve) => server.once('close', () => resolve(true)))
  let isClosing = false
  return {
    get closing() {
      return isClosing
    },
    async stopListening() {
      await admission.holdDuring(() => emptyAcceptQueue(server))
      // `close` of the HTTP server would also close idle connections, on which a request may be arriving.
      Listener.prototype.close.call(server)
    },
    async closeConnections(deadlineMs) {
      const deadline = performance.now() + deadlineMs
      isClosing = true
      let isDone = await Promise.race([serverClosed, pause(limits.idleGraceMs, false, { ref: false })])
      while (!isDone && performance.now() < deadline) {
        server.closeIdleConnections()
        // `closeIdleConnections` skips connections on which nothing was received yet.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
        isDone = await Promise.race([serverClosed, pause(idleSweepMs, false, { ref: false })])
      }
      if (isDone) return 0
      const openCount = sockets.size
      for (const socket of sockets) socket.destroy()
      await serverClosed
      return openCount
    },
  }
}

/** The accept queue counts as empty after this time and this many event loop turns without a new connection. */
const quietMs = 25
const quietTurns = 20
const maxEmptyingMs = 400

/**
 * Closing a listening socket resets the connections in the kernel's accept queue, although their clients see them as
 * established. Node accepts one per turn of the event loop, so under load the queue is never empty. While requests are
 * on hold, turns are short and the queue drains. Turns are counted as well as time, because a process that gets no CPU
 * time accepts nothing. A connection that arrives in the last turn, some 50 µs, is still reset.
 */
const emptyAcceptQueue = async (server: Server): Promise<void> => {
  const startedAt = performance.now()
  let quietSince = startedAt
  let turns = 0
  const onConnection = () => {
    quietSince = performance.now()
    turns = 0
  }
  server.on('connection', onConnection)
  for (let now = startedAt; turns < quietTurns || now < quietSince + quietMs; now = performance.now()) {
    await nextTurn()
    turns += 1
    // If connections keep arriving without such a pause, two turns without a new connection must suffice.
    if (now > startedAt + maxEmptyingMs && turns > 1) break
    if (now > startedAt + 2 * maxEmptyingMs) break
  }
  server.off('connection', onConnection)
}

const slowReaders = new WeakSet<Socket>()

/**
 * Lowers the client's minimum rate to `minExportRate` until this response is sent: an export occupies nothing that
 * other requests wait for.
 */
export const allowSlowReader = (response: ServerResponse): void => {
  const { socket } = response
  if (socket === null) return
  slowReaders.add(socket)
  response.once('close', () => slowReaders.delete(socket))
}

/** Bytes that a client had received at a point in time. */
interface ReceiveProgress {
  readonly since: number
  readonly received: number
}

/** Node limits the time for sending a request, but not the time for receiving a response. */
const closeSlowClients = (server: Server, sockets: ReadonlySet<Socket>, limits: ConnectionLimits): void => {
  const progressBySocket = new WeakMap<Socket, ReceiveProgress>()
  const finishedSockets = new WeakSet<Socket>()
  const sweep = () => {
    for (const socket of sockets) {
      // The server closed its side of the connection at least one sweep ago, and the client has not closed its own
      // side.
      if (socket.writableFinished && finishedSockets.has(socket)) socket.destroy()
      else if (socket.writableFinished) finishedSockets.add(socket)
      if (socket.writableLength === 0) progressBySocket.delete(socket)
      // Reset, because the kernel would keep megabytes that it has not sent for minutes after a normal close.
      else if (isTooSlow(progressBySocket, socket, limits)) socket.resetAndDestroy()
    }
  }
  const timer = setInterval(sweep, limits.sweepMs).unref()
  server.once('close', () => clearInterval(timer))
}

const isTooSlow = (progress: WeakMap<Socket, ReceiveProgress>, socket: Socket, limits: ConnectionLimits): boolean => {
  const now = performance.now()
  const received = socket.bytesWritten - socket.writableLength
  const previous = progress.get(socket)
  const requiredRate = slowReaders.has(socket) ? limits.minExportRate : limits.minRate
  if (previous !== undefined && now - previous.since < requiredRate.ms) return false
  if (previous !== undefined && received - previous.received < requiredRate.bytes) return true
  progress.set(socket, { since: now, received })
  return false
}
