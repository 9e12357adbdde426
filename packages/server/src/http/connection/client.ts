/** State that the limits of this folder keep for each client and connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A client is identified by the address of the peer, or by the address that a trusted proxy forwards. */
export interface Client {
  readonly address: string
  connections: number
  /** Units of work in progress; see `maxLoad`. */
  load: number
  /** True while waiting requests are being started, which must not happen recursively. */
  isStarting: boolean
  /** Connections whose request waits until the client's load falls, in order of arrival. */
  readonly waiting: Set<Connection>
}

export interface Connection {
  readonly socket: Socket
  /** Undefined for a trusted proxy, whose requests belong to many clients. */
  readonly client: Client | undefined
  /** The request in progress, or waiting to start. */
  current: PendingRequest | undefined
  /** Pipelined requests behind the current one, in order. */
  readonly queue: PendingRequest[]
  /** The request that arrived last. */
  latest: PendingRequest | undefined
  /** Index in the list of connections with a request in progress, else -1. */
  inProgressIndex: number
  /** The client of the request in progress. */
  currentClient: Client | undefined
  /** Units of that client's load that the request takes. */
  weight: number
  /** The client whose load must fall before the request starts. */
  waitsFor: Client | undefined
  /** When the request began to wait. */
  waitingSince: number
}

export interface PendingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export const newClient = (address: string): Client => ({
  address,
  connections: 0,
  load: 0,
  isStarting: false,
  waiting: new Set(),
})

export const newConnection = (socket: Socket, client: Client | undefined): Connection => ({
  socket,
  client,
  current: undefined,
  queue: [],
  latest: undefined,
  inProgressIndex: -1,
  currentClient: undefined,
  weight: 0,
  waitsFor: undefined,
  waitingSince: 0,
})
