/** Bounds on open connections. Idle ones give way to new ones, so that nobody can lock others out by holding connections. */
import type { Connection } from './admission.ts'

/** Of all clients. Few enough to keep descriptors for the database. */
const maxOpen = 8_192
/** Above it new connections are closed unread. Between the two there is room for those that arrive while others close. */
export const maxConnections = maxOpen + 256
/** Of one client address. A trusted proxy has no such bound. */
const maxOpenPerClient = 1_024
/** Finding the longest idle reads all connections, so that some are closed at a time. */
const batch = 16

/** Called with each new connection, which is one of `connections` already. */
export const makeRoom = (connections: ReadonlySet<Connection>, arrived: Connection): void => {
  const { client } = arrived
  if (client !== undefined && client.connections > maxOpenPerClient) {
    const closed = closeLongestIdle(
      connections,
      (other) => other.client === client && other !== arrived && isIdle(other),
    )
    if (closed === 0) arrived.socket.destroy()
  } else if (connections.size > maxOpen) {
    const closed = closeLongestIdle(connections, (other) => other !== arrived && isIdle(other))
    // All are in use: those whose peers do not read give way next.
    if (closed === 0) closeLongestIdle(connections, ({ socket }) => socket.writableLength > 0)
  }
}

/** A connection that has never sent anything is idle too, and one that is slow to send its first lines. */
const isIdle = ({ current, socket }: Connection): boolean => current === undefined && !socket.destroyed

const closeLongestIdle = (
  connections: ReadonlySet<Connection>,
  mayClose: (connection: Connection) => boolean,
): number => {
  const longest = [...connections]
    .filter(mayClose)
    .toSorted((a, b) => a.changed - b.changed)
    .slice(0, batch)
  for (const { socket } of longest) socket.destroy()
  return longest.length
}
