/** One request per connection is in progress; pipelined requests wait behind it in their order. */
import type { ServerResponse } from 'node:http'
import type { Connection, PendingRequest } from './client.ts'
import { closeAfterQueue } from './connection-limits.ts'

export interface Pipelines {
  /** Calls `begin` with the request, now or when the requests before it have finished. */
  add(connection: Connection, pending: PendingRequest): void
  /** Ends the current request. False if this is not its response. */
  end(connection: Connection, response: ServerResponse): boolean
  /** Calls `begin` with the next request, if there is one. False if the connection is idle now. */
  beginNext(connection: Connection): boolean
  /** Forgets the requests of a closed connection. */
  clear(connection: Connection): void
}

/**
 * Node parses all requests in one read of a socket (up to 64 KiB, a thousand requests) and calls the listener for each
 * of them. At most this many wait behind the first, at 1.6 kB of heap each. If there are more, the connection is closed
 * after the responses to these.
 */
const maxPipelined = 64
/** Maximum number of waiting requests on all connections together: about 13 MB of heap. */
const maxQueuedRequests = 8_192

export const openPipelines = (begin: (connection: Connection, pending: PendingRequest) => void): Pipelines => {
  let queuedCount = 0
  const start = (connection: Connection, pending: PendingRequest): void => {
    connection.current = pending
    begin(connection, pending)
  }
  return {
    add(connection, pending) {
      connection.latest = pending
      const { current, queue, socket } = connection
      if (current === undefined) start(connection, pending)
      else if (queue.length >= maxPipelined || queuedCount >= maxQueuedRequests) closeAfterQueue(connection)
      else {
        queue.push(pending)
        queuedCount += 1
        socket.pause()
      }
    },
    end(connection, response) {
      if (connection.current?.response !== response) return false
      connection.current = undefined
      // If `current` and `latest` were not cleared, an idle connection would keep its last request and response in
      // memory.
      if (connection.latest?.request.complete) connection.latest = undefined
      return true
    },
    beginNext(connection) {
      const next = connection.queue.shift()
      if (next === undefined) return false
      queuedCount -= 1
      if (connection.queue.length === 0) connection.socket.resume()
      else connection.socket.pause()
      start(connection, next)
      return true
    },
    clear(connection) {
      connection.current = undefined
      queuedCount -= connection.queue.length
      connection.queue.length = 0
    },
  }
}

/**
 * The requests of a connection that have no response yet, in order. If all have one, but the response to the latest
 * was sent before its body had arrived: only the latest.
 */
export const pendingOf = ({ current, queue, latest }: Connection): readonly PendingRequest[] => {
  if (current !== undefined) return [current, ...queue]
  return latest?.request.complete === false ? [latest] : []
}
