import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export interface RelayOptions {
  /** Port on 127.0.0.1 to forward to. */
  to: number
  /**
   * Called before each chunk of a response is forwarded. If it returns true, the relay resets the client's connection.
   */
  shouldCut?(response: Buffer, lastRequest: Buffer): boolean
}

export interface Relay {
  readonly port: number
  /** Closes all connections and forwards new connections to another port. */
  redirect(port: number): void
  /** Closes all connections. From then on, new connections are closed immediately. */
  disconnect(): void
  /** Forwards new connections again after `disconnect`. */
  reconnect(): void
  close(): Promise<void>
}

export const openRelay = async ({ to: targetPort, shouldCut = () => false }: RelayOptions): Promise<Relay> => {
  let currentTarget = targetPort
  let isConnected = true
  const sockets = new Set<Socket>()
  const closeConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((client) => {
    if (!isConnected) {
      client.destroy()
      return
    }
    const upstream = connect(currentTarget, '127.0.0.1')
    for (const [socket, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        peer.destroy()
      })
    }
    let lastRequest: Buffer = Buffer.alloc(0)
    client.on('data', (chunk: Buffer) => {
      lastRequest = chunk
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      if (shouldCut(chunk, lastRequest)) client.resetAndDestroy()
      else client.write(chunk)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    redirect(port) {
      currentTarget = port
      closeConnections()
    },
    disconnect() {
      isConnected = false
      closeConnections()
    },
    reconnect() {
      isConnected = true
    },
    async close() {
      closeConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
