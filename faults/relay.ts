/** In charge of a TCP connection that can be tampered with: forwards bytes, and cuts where it is told to. */
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export interface RelayOptions {
  /** Port on the loopback to forward to. */
  to: number
  /** Called with every piece of an answer before it is passed on, and what was asked last; true cuts the connection instead. */
  cuts?(answer: Buffer, asked: Buffer): boolean
}

export interface Relay {
  readonly port: number
  /** Leads new connections elsewhere, and ends those there are. */
  lead(port: number): void
  /** Ends every connection and refuses new ones. */
  cut(): void
  close(): Promise<void>
}

export const openRelay = async ({ to, cuts = () => false }: RelayOptions): Promise<Relay> => {
  let target: number | undefined = to
  const sockets = new Set<Socket>()
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((near) => {
    if (target === undefined) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    let asked: Buffer = Buffer.alloc(0)
    near.on('data', (piece: Buffer) => {
      asked = piece
      far.write(piece)
    })
    far.on('data', (piece: Buffer) => {
      if (cuts(piece, asked)) near.resetAndDestroy()
      else near.write(piece)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      target = port
      end()
    },
    cut() {
      target = undefined
      end()
    },
    async close() {
      end()
      server.close()
      await once(server, 'close')
    },
  }
}
