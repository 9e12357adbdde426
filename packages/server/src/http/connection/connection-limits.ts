/**
 * Limits open connections and their unsent bytes. Idle connections are closed in favour of new ones, so that no client
 * can lock others out by holding connections.
 */
import type { Socket } from 'node:net'
import type { Connection } from './client.ts'

/**
 * Maximum number of connections of all clients together. The limit leaves file descriptors for database connections.
 */
const maxOpen = 8_192
/**
 * Above this number, Node closes new connections at once. The margin over `maxOpen` covers connections that arrive
 * while others close.
 */
export const maxConnections = maxOpen + 256
/** Maximum number of connections of one client address. Does not apply to trusted proxies. */
const maxOpenPerClient = 1_024
/** Maximum total of unsent bytes. Above this, connections of the client with the most unsent bytes are closed. */
const maxUnsentBytes = 32_000_000

export interface TrackedConnections {
  readonly connections: ReadonlySet<Connection>
  /** Connections without a request, in the order in which they became idle. */
  readonly idle: ReadonlySet<Connection>
  readonly clientCount: number
}

/**
 * Called for each new connection, after it was added to the sets of connections. At the limit, a client with more
 * connections than the average does not get another one. Closing old connections in favour of a client that reconnects
 * at once took twice the memory, because only a full garbage collection frees them.
 */
export const enforceConnectionLimits = (
  { connections, idle, clientCount }: TrackedConnections,
  arrived: Connection,
): void => {
  const { client } = arrived
  if (client !== undefined && client.connections > maxOpenPerClient) {
    const isClosed = closeFirst(idle, (other) => other.client === client && other !== arrived)
    if (!isClosed) arrived.socket.destroy()
  } else if (connections.size > maxOpen) {
    const isAboveAverage = client !== undefined && client.connections * clientCount > connections.size
    const isClosed = isAboveAverage ? arrived.socket.destroy() : closeFirst(idle, (other) => other !== arrived)
    // If no connection is idle, close one whose client does not read its response.
    if (!isClosed) closeFirst(connections, ({ socket }) => socket.writableLength > 0)
  }
}

/** Iterates in order of insertion and copies nothing: sorting all connections took 100 MB of garbage per second. */
const closeFirst = (connections: ReadonlySet<Connection>, mayClose: (connection: Connection) => boolean): boolean => {
  for (const connection of connections) {
    if (connection.socket.destroyed || !mayClose(connection)) continue
    connection.socket.destroy()
    return true
  }
  return false
}

export interface UnsentLimit {
  /** Adds a connection whose request starts. */
  add(connection: Connection): void
  remove(connection: Connection): void
}

/** The limit of unsent bytes is checked once per this many started requests. */
const startsPerCheck = 32

/** Limits the unsent bytes of the connections with a request in progress. */
export const openUnsentLimit = (): UnsentLimit => {
  const inProgress: Connection[] = []
  let startCount = 0
  return {
    add(connection) {
      connection.inProgressIndex = inProgress.push(connection) - 1
      startCount += 1
      if (startCount % startsPerCheck === 0) closeMostUnsent(inProgress)
    },
    remove(connection) {
      // Moves the last connection to this position, which takes constant time.
      const last = inProgress.pop() as Connection
      if (last !== connection) {
        inProgress[connection.inProgressIndex] = last
        last.inProgressIndex = connection.inProgressIndex
      }
      connection.inProgressIndex = -1
    },
  }
}

/**
 * Above the limit of unsent bytes, closes connections until half of the limit is left: first those of the client with
 * the most unsent bytes, beginning with its connection that has the most.
 */
const closeMostUnsent = (inProgress: readonly Connection[]): void => {
  let unsentBytes = 0
  for (const { socket } of inProgress) unsentBytes += socket.writableLength
  if (unsentBytes <= maxUnsentBytes) return
  const byClient = Map.groupBy(inProgress, ({ currentClient }) => currentClient)
  const clientSums = [...byClient.values()]
    .map((connections) => ({
      connections,
      bytes: connections.reduce((sum, { socket }) => sum + socket.writableLength, 0),
    }))
    .toSorted((a, b) => b.bytes - a.bytes)
  for (const { connections } of clientSums) {
    for (const { socket } of connections.toSorted((a, b) => b.socket.writableLength - a.socket.writableLength)) {
      if (unsentBytes <= maxUnsentBytes / 2) return
      unsentBytes -= socket.writableLength
      socket.destroy()
    }
  }
}

/** Node's HTTP parser calls `onIncoming` for each request it has parsed. */
interface WithParser {
  parser?: { onIncoming?: unknown } | null
}

/**
 * Called when a client pipelines more requests than may be queued. The queued requests get their responses, the last
 * one with `Connection: close`, and the client repeats the other requests (RFC 9112, section 9.3.2). Node goes on
 * parsing what it has read; replacing `onIncoming` keeps Node from creating request and response objects for the other
 * requests.
 */
export const closeAfterQueue = ({ socket, current, queue }: Connection): void => {
  const lastQueued = queue.at(-1) ?? current
  if (lastQueued?.response.headersSent === false) lastQueued.response.setHeader('connection', 'close')
  lastQueued?.response.once('finish', () => socket.destroySoon())
  socket.pause()
  const { parser } = socket as Socket & WithParser
  if (parser?.onIncoming !== undefined) parser.onIncoming = () => 0
}
