/** Limits open connections. Idle ones are closed for new ones, so that no client can lock others out by holding connections. */
import type { Connection } from './admission.ts'

/** Of all clients together. Leaves file descriptors for the database. */
const maxOpen = 8_192
/** Above this, new connections are closed unread. The difference leaves room for those that arrive while others close. */
export const maxConnections = maxOpen + 256
/** Of one client address. Does not apply to trusted proxies. */
const maxOpenPerClient = 1_024
/** Finding those idle for longest scans all connections, so several are closed at a time. */
const batch = 16

/** Called for each new connection; `connections` already contains it. */
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
    // All are in use: close those whose peers do not read.
    if (closed === 0) closeLongestIdle(connections, ({ socket }) => socket.writableLength > 0)
  }
}

/** Also a connection that has not sent anything yet, or not yet a complete request header. */
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
