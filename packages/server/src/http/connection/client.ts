/** State that admission keeps for each client and connection. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A client is identified by the address of the peer, or by the address that a trusted proxy forwards. */
export interface Client {
  readonly address: string
  connections: number
  /** Units of work in progress; see `maxLoad`. */
  load: number
  /** Requests since the last sample that were not served from the cache. */
  uncachedRequests: number
  /** Measured event loop time of the uncached requests since the last sample. */
  measuredMs: number
  /** Event loop time of one uncached request if the client is paced, else 0. */
  costMs: number
  /** Event loop time that a paced client may use now, as computed at `refilledAt`. */
  budgetMs: number
  refilledAt: number
  /** Whether a request has had to wait for `budgetMs` since the last sample. */
  isDelayed: boolean
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
