/** The open connections and the clients that they belong to. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Client, Connection } from './client.ts'
import { newClient, newConnection } from './client.ts'
import { openClientAddresses } from './client-address.ts'
import { enforceConnectionLimits, maxConnections } from './connection-limits.ts'

export interface ConnectionRegistry {
  readonly clients: ReadonlyMap<string, Client>
  /** Undefined for an injected request, which has no connection. */
  at(socket: Socket): Connection | undefined
  /** The client of a request that arrives on this connection. */
  clientOf(connection: Connection, request: IncomingMessage): Client
  addressOf(request: IncomingMessage): string
  /** Idle connections are closed in favour of new ones. */
  setIdle(connection: Connection, isIdle: boolean): void
  /** Removes a client that has neither connections nor requests. */
  forgetIdle(client: Client): void
  /** Adds the connections of the server. `onClose` is called for each connection that closes. */
  track(server: Server, onClose: (connection: Connection) => void): void
}

export const openConnectionRegistry = (trustedProxies: readonly string[]): ConnectionRegistry => {
  const addresses = openClientAddresses(trustedProxies)
  const connectionBySocket = new WeakMap<Socket, Connection>()
  const connections = new Set<Connection>()
  /** In the order in which they became idle. */
  const idle = new Set<Connection>()
  const clients = new Map<string, Client>()

  const clientAt = (address: string): Client => {
    const existing = clients.get(address)
    if (existing !== undefined) return existing
    const client = newClient(address)
    clients.set(address, client)
    return client
  }
  const forgetIdle = (client: Client): void => {
    if (client.connections + client.load + client.waiting.size === 0) clients.delete(client.address)
  }
  const add = (socket: Socket): Connection => {
    const address = addresses.ofConnection(socket)
    const client = address === undefined ? undefined : clientAt(address)
    const connection = newConnection(socket, client)
    connectionBySocket.set(socket, connection)
    connections.add(connection)
    idle.add(connection)
    if (client !== undefined) client.connections += 1
    enforceConnectionLimits({ connections, idle, clientCount: clients.size }, connection)
    return connection
  }
  const remove = (connection: Connection): void => {
    connections.delete(connection)
    idle.delete(connection)
    const { client } = connection
    if (client === undefined) return
    client.connections -= 1
    forgetIdle(client)
  }

  return {
    clients,
    at: (socket) => connectionBySocket.get(socket),
    clientOf: (connection, request) => connection.client ?? clientAt(addresses.ofForwarded(request)),
    addressOf: (request) => addresses.ofForwarded(request),
    setIdle(connection, isIdle) {
      if (isIdle) idle.add(connection)
      else idle.delete(connection)
    },
    forgetIdle,
    track(server, onClose) {
      server.maxConnections = maxConnections
      server.on('connection', (socket) => {
        const connection = add(socket)
        socket.once('close', () => {
          onClose(connection)
          remove(connection)
        })
      })
    },
  }
}
