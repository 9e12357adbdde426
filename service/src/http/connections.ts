/** In charge of a server's connections: cuts those whose peer is too slow, and lets all of them go at the end without failing a request. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Server as Listener } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Admission } from './admission.ts'

export interface Connections {
  /** Accepts the connections that are waiting, then closes the listening socket. Open connections are not affected. */
  stopListening(): Promise<void>
  /** True once every answer is to end its connection. */
  readonly leaving: boolean
  /** Resolves when no connection is left, with the number of those that had to be cut. */
  letGo(deadlineMs: number): Promise<number>
}

const sweepMs = 1_000
/** What a reader must take of an answer in such a time: 64 kbit/s, and of one that may take as long as it needs 1 kB/s. */
const hurry = { ms: 20_000, bytes: 160_000 }
const patience = { ms: 30_000, bytes: 30_000 }
/** How long a connection may rest before it is taken for abandoned, once no more requests are wanted. */
const restMs = 500
const restSweepMs = 100

export const keepConnections = (server: Server, admission: Pick<Admission, 'holdDuring'>): Connections => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  cutSlowPeers(server, sockets)
  const closed = new Promise<true>((resolve) => server.once('close', () => resolve(true)))
  let leaving = false
  return {
    get leaving() {
      return leaving
    },
    async stopListening() {
      await admission.holdDuring(() => emptyAcceptQueue(server))
      // Not the close of an HTTP server: that cuts the connections at rest, where a request may be on its way.
      Listener.prototype.close.call(server)
    },
    async letGo(deadlineMs) {
      const deadline = performance.now() + deadlineMs
      leaving = true
      let done = await Promise.race([closed, pause(restMs, false, { ref: false })])
      while (!done && performance.now() < deadline) {
        server.closeIdleConnections()
        // Node does not count as idle who has never sent anything.
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
        done = await Promise.race([closed, pause(restSweepMs, false, { ref: false })])
      }
      if (done) return 0
      const cut = sockets.size
      for (const socket of sockets) socket.destroy()
      await closed
      return cut
    },
  }
}

/** The accept queue counts as empty after this time, and as many turns, without a new connection. */
const quietMs = 25
const quietTurns = 20
const longestEmptyingMs = 400

/**
 * Closing a listening socket resets the connections in the kernel's accept queue, which are established for their clients.
 * Node accepts one per turn of the event loop, so under load the queue is never empty. While requests are held back, turns
 * are short and the queue drains. Turns are counted as well as time, because a process that gets no CPU time accepts
 * nothing meanwhile. A connection that arrives in the last turn, some 50 µs, is still reset.
 */
const emptyAcceptQueue = async (server: Server): Promise<void> => {
  const started = performance.now()
  let quietSince = started
  let turns = 0
  const onConnection = () => {
    quietSince = performance.now()
    turns = 0
  }
  server.on('connection', onConnection)
  for (let now = started; turns < quietTurns || now < quietSince + quietMs; now = performance.now()) {
    await nextTurn()
    turns += 1
    // Clients that do not wait for each other leave no such pause: a few turns without a new connection have to do.
    if (now > started + longestEmptyingMs && turns > 1) break
    if (now > started + 2 * longestEmptyingMs) break
  }
  server.off('connection', onConnection)
}

const patient = new WeakSet<Socket>()

/** Until this answer is sent its reader may be slow: it holds nothing that others wait for. */
export const letReadSlowly = (response: ServerResponse): void => {
  const { socket } = response
  if (socket === null) return
  patient.add(socket)
  response.once('close', () => patient.delete(socket))
}

interface Debt {
  readonly since: number
  readonly taken: number
}

/** Slow senders are cut by the server's own time limits; it has none for those who do not take what they asked for. */
const cutSlowPeers = (server: Server, sockets: ReadonlySet<Socket>): void => {
  const debts = new WeakMap<Socket, Debt>()
  const ended = new WeakSet<Socket>()
  const sweep = () => {
    for (const socket of sockets) {
      // We have said the last word, and the peer does not hang up.
      if (socket.writableFinished && ended.has(socket)) socket.destroy()
      else if (socket.writableFinished) ended.add(socket)
      if (socket.writableLength === 0) debts.delete(socket)
      else if (owesTooLong(debts, socket)) socket.destroy()
    }
  }
  const timer = setInterval(sweep, sweepMs).unref()
  server.once('close', () => clearInterval(timer))
}

const owesTooLong = (debts: WeakMap<Socket, Debt>, socket: Socket): boolean => {
  const now = performance.now()
  const taken = socket.bytesWritten - socket.writableLength
  const debt = debts.get(socket)
  const least = patient.has(socket) ? patience : hurry
  if (debt !== undefined && now - debt.since < least.ms) return false
  if (debt !== undefined && taken - debt.taken < least.bytes) return true
  debts.set(socket, { since: now, taken })
  return false
}
