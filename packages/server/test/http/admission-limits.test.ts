import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Admission } from '../../src/http/connection/admission.ts'
import { openAdmission } from '../../src/http/connection/admission.ts'

const floodingAddress = '127.0.0.2'
const otherAddress = '127.0.0.3'

describe('admission of requests', () => {
  let admission: Admission
  let server: Server
  let startedPaths: string[]
  let openResponses: ServerResponse[]

  /** Leaves requests for `/hold` without a response until the test ends them, and responds to all others at once. */
  const handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
    startedPaths.push(request.url ?? '')
    if (request.url === '/busy') for (const endTime = performance.now() + 1; performance.now() < endTime; );
    if (request.url?.endsWith('hold')) openResponses.push(response)
    else if (request.url === '/last') response.writeHead(200, { connection: 'close' }).end('last')
    else response.writeHead(admission.isOverdue(request) ? 503 : 200).end('done')
  }

  beforeEach(async () => {
    admission = openAdmission([])
    startedPaths = []
    openResponses = []
    const handleUncached = admission.uncached(handleRequest)
    server = createServer(
      admission.admit((request, response) =>
        request.url?.startsWith('/uncached') ? handleUncached(request, response) : handleRequest(request, response),
      ),
    )
    admission.trackConnections(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const openSocket = async (localAddress: string): Promise<Socket> => {
    const { port } = server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const send = (socket: Socket, ...paths: readonly string[]): void => {
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  }
  const statusOf = async (socket: Socket): Promise<number> => {
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    return Number(/^HTTP\/1\.1 (\d+)/.exec(String(bytes))?.[1])
  }
  const until = async (condition: () => boolean): Promise<void> => {
    for (const endTime = performance.now() + 10_000; !condition(); await pause(5))
      assert.ok(performance.now() < endTime, 'not within 10 s')
  }
  /** Brings the flooding client to its limit of requests in progress while another client is active. */
  const reachLimit = async (): Promise<void> => {
    const holdingSockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(floodingAddress)))
    for (const socket of holdingSockets) send(socket, '/hold')
    await until(() => openResponses.length === 8)
    const otherSocket = await openSocket(otherAddress)
    send(otherSocket, '/x')
    assert.equal(await statusOf(otherSocket), 200)
  }

  it('rejects a request of a client with too many requests in progress after half a second', async () => {
    await reachLimit()
    const socket = await openSocket(floodingAddress)
    const sentAt = performance.now()
    send(socket, '/late')
    assert.equal(await statusOf(socket), 503)
    const waitedMs = performance.now() - sentAt
    assert.ok(waitedMs >= 490 && waitedMs < 5_000, `rejected after ${waitedMs} ms`)
  })

  it('starts a waiting request when the response to another request begins to stream or ends', async () => {
    for (const freeCapacity of [
      () => admission.release((openResponses[0] as ServerResponse).req),
      () => (openResponses[1] as ServerResponse).end('done'),
    ]) {
      openResponses = []
      await reachLimit()
      const socket = await openSocket(floodingAddress)
      send(socket, '/waiting')
      await until(() => admission.clients.get(floodingAddress)?.waiting.size === 1)
      freeCapacity()
      assert.equal(await statusOf(socket), 200)
      for (const response of openResponses) response.end()
      await until(() => admission.clients.get(floodingAddress)?.load === 0)
    }
  })

  it('counts a request that waits for the database as less load than others', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openSocket(floodingAddress)))
    for (const socket of sockets) send(socket, '/uncached/hold')
    const otherSocket = await openSocket(otherAddress)
    send(otherSocket, '/x')
    assert.equal(await statusOf(otherSocket), 200)
    const socket = await openSocket(floodingAddress)
    const sentAt = performance.now()
    send(socket, '/x')
    assert.equal(await statusOf(socket), 200)
    assert.ok(performance.now() - sentAt < 400, 'waited for the load of its client')
    assert.equal(openResponses.length, 20)
  })

  it('drops requests whose connection closes while they wait', async () => {
    await reachLimit()
    const sockets = await Promise.all(Array.from({ length: 50 }, () => openSocket(floodingAddress)))
    for (const socket of sockets) send(socket, '/waiting')
    await until(() => admission.clients.get(floodingAddress)?.waiting.size === 50)
    for (const socket of sockets) socket.destroy()
    await until(() => admission.clients.get(floodingAddress)?.waiting.size === 0)
    assert.ok(!startedPaths.includes('/waiting'))
  })

  it('rejects requests beyond the maximum number of waiting requests immediately', async () => {
    await reachLimit()
    const sockets = await Promise.all(Array.from({ length: 300 }, () => openSocket(floodingAddress)))
    const statuses = sockets.map(statusOf)
    for (const socket of sockets) send(socket, '/many')
    assert.deepEqual([...new Set(await Promise.all(statuses))], [503])
    assert.equal(startedPaths.filter((path) => path === '/many').length, 300)
  })

  it('lets health checks of a busy client pass, and makes its other requests wait', async () => {
    await reachLimit()
    const sockets = await Promise.all(Array.from({ length: 3 }, () => openSocket(floodingAddress)))
    send(sockets[0] as Socket, '/livez')
    assert.equal(await statusOf(sockets[0] as Socket), 200)
    for (const socket of sockets.slice(1)) send(socket, '/hold')
    await until(() => admission.clients.get(floodingAddress)?.waiting.size === 2)
  })

  it('does not start pipelined requests after a response with Connection: close', async () => {
    const socket = await openSocket(floodingAddress)
    const closed = once(socket.resume(), 'close')
    send(socket, '/last', '/never', '/never')
    await closed
    assert.deepEqual(startedPaths, ['/last'])
  })

  it('serves a new client while another one keeps hundreds of connections busy', async () => {
    const openFloodingSocket = async (): Promise<Socket> => {
      const socket = await openSocket(floodingAddress)
      send(
        socket.on('data', () => send(socket, '/busy')),
        '/busy',
      )
      return socket
    }
    const floodingSockets = Array.from({ length: 500 }, openFloodingSocket)
    await until(() => startedPaths.length > 1_000)
    const sentAt = performance.now()
    const socket = await openSocket(otherAddress)
    send(socket, '/x')
    assert.equal(await statusOf(socket), 200)
    const waitedMs = performance.now() - sentAt
    for (const floodSocket of await Promise.all(floodingSockets)) floodSocket.destroy()
    assert.ok(waitedMs < 5_000, `a new client was served after ${waitedMs} ms`)
  })
})
