/** A receiver of webhooks that verifies each message with the library of Standard Webhooks. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

interface Change {
  readonly resource: string
  readonly id: number
  readonly kind: string
  readonly at: string
}

export interface Delivery {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly type: string
  /** Such as "departments 7 created". */
  readonly changes: readonly string[]
  readonly next: string
}

export interface Receiver {
  readonly url: string
  readonly port: number
  /** Every request that was received, also those that got an error. */
  readonly deliveries: readonly Delivery[]
  /** Messages whose response was 2xx, without those of an id that was there before. */
  readonly accepted: readonly Delivery[]
  /** Requests whose signature is not valid. */
  readonly invalid: readonly string[]
  /** How to respond to the request with this number, counted from 0; 204 by default. */
  respond: (response: ServerResponse, index: number) => void | Promise<void>
  /** Closes the port. `open` listens on the same port again. */
  close(): Promise<void>
  open(): Promise<void>
}

export const startReceiver = async (secret: string): Promise<Receiver> => {
  const deliveries: Delivery[] = []
  const accepted: Delivery[] = []
  const invalid: string[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const delivery = deliveryOf(request.headers, body)
    if (!isSignedWith(secret, delivery)) invalid.push(`${request.method} ${body}`)
    deliveries.push(delivery)
    await receiver.respond(response, deliveries.length - 1)
    const isNew = !accepted.some(({ id }) => id === delivery.id)
    if (response.headersSent && response.statusCode < 300 && isNew) accepted.push(delivery)
  }
  const listen = async (port: number): Promise<Server> => {
    const started = createServer((request, response) => void receive(request, response)).listen(port, '127.0.0.1')
    await once(started, 'listening')
    return started
  }
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    deliveries,
    accepted,
    invalid,
    respond: accept,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    async open() {
      server = await listen(port)
    },
  }
  return receiver
}

export const accept = (response: ServerResponse): void => {
  response.writeHead(204).end()
}

export const respondWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end()
  }

const deliveryOf = (headers: IncomingHttpHeaders, body: string): Delivery => {
  const { type, data } = JSON.parse(body)
  return {
    id: String(headers['webhook-id']),
    headers,
    body,
    type,
    changes: ((data.changes ?? []) as Change[]).map(({ resource, id, kind }) => `${resource} ${id} ${kind}`),
    next: data.next,
  }
}

/** The timestamp is not compared with the time, so that tests can use a clock of their own. */
export const isSignedWith = (secret: string, { id, headers, body }: Delivery): boolean => {
  const timestamp = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const signature = new Webhook(secret).sign(id, timestamp, body)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}
