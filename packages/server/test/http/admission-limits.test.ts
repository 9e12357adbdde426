import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { waitUntil } from '../../../../tests/support/wait.ts'
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
    else if (request.url === '/uncached/last') response.writeHead(200, { connection: 'close' }).end('last')
    else response.writeHead(admission.isOverdue(request) ? 503 : 200).end('done')
  }

  beforeEach(async () => {
    admission = openAdmission([])
    startedPaths = []
    openResponses = []
    const handleUncached = admission.uncached(handleRequest)
    server = createServer(
      admission.admit((request, response) => {
        if (request.url?.startsWith('/uncached')) handleUncached(request, response)
        else {
          handleRequest(request, response)
          admission.afterCached(request, response)
        }
      }),
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
  const openFloodingSockets = (count: number): Promise<Socket[]> =>
    Promise.all(Array.from({ length: count }, () => openSocket(floodingAddress)))
  const countWaiting = (): number | undefined => admission.clients.get(floodingAddress)?.waiting.size
  /** For one second, the other client counts as active. */
  const sendFromOther = async (): Promise<void> => {
    const socket = await openSocket(otherAddress)
    send(socket, '/x')
    assert.equal(await statusOf(socket), 200)
  }
  /** Brings the flooding client to its limit of requests in progress while another client is active. */
  const reachLimit = async (): Promise<void> => {
    for (const socket of await openFloodingSockets(8)) send(socket, '/hold')
    await waitUntil('eight requests are in progress', async () => openResponses.length === 8)
    await sendFromOther()
  }

  it('limits no client while no other is active', async () => {
    for (const socket of await openFloodingSockets(20)) send(socket, '/hold')
    await waitUntil('all requests are in progress', async () => openResponses.length === 20)
  })

  it('rejects a request of a client with too many requests in progress after half a second', async () => {
    const socket = await openSocket(floodingAddress)
    await reachLimit()
    const sentAt = performance.now()
    send(socket, '/late')
    assert.equal(await statusOf(socket), 503)
    const waitedMs = performance.now() - sentAt
    assert.ok(waitedMs >= 490 && waitedMs < 5_000, `rejected after ${waitedMs} ms`)
  })

  it('starts a waiting request when the response to another request begins to stream or ends', async () => {
    const statusOfWaiting = async (freeCapacity: () => void): Promise<number | undefined> => {
      openResponses = []
      const socket = await openSocket(floodingAddress)
      await reachLimit()
      let status: number | undefined
      const received = statusOf(socket).then((receivedStatus) => {
        status = receivedStatus
      })
      send(socket, '/waiting')
      await waitUntil('the request waits', async () => countWaiting() === 1 || status !== undefined)
      freeCapacity()
      await received
      for (const response of openResponses) response.end()
      await waitUntil('all have ended', async () => admission.clients.get(floodingAddress)?.load === 0)
      return status
    }
    for (const freeCapacity of [
      () => admission.release((openResponses[0] as ServerResponse).req),
      () => (openResponses[1] as ServerResponse).end('done'),
    ]) {
      let status = await statusOfWaiting(freeCapacity)
      // If this process gets no CPU time for half a second, the request is rejected: then it is tried again.
      for (let repeats = 0; repeats < 2 && status === 503; repeats += 1) status = await statusOfWaiting(freeCapacity)
      assert.equal(status, 200)
    }
  })

  it('counts a request that waits for the database as less load than others', async () => {
    const [socket, ...sockets] = (await openFloodingSockets(21)) as [Socket, ...Socket[]]
    for (const holdingSocket of sockets) send(holdingSocket, '/uncached/hold')
    await waitUntil('all are in progress', async () => openResponses.length === 20)
    await sendFromOther()
    send(socket, '/x')
    // A request that has to wait for the load of its client would be rejected, because no other request ends.
    assert.equal(await statusOf(socket), 200)
  })

  it('drops requests whose connection closes while they wait', async () => {
    await reachLimit()
    const hasStarted = () => startedPaths.includes('/waiting')
    const closeWhileWaiting = async (): Promise<void> => {
      startedPaths = []
      const sockets = await openFloodingSockets(50)
      await sendFromOther()
      for (const socket of sockets) send(socket, '/waiting')
      await waitUntil('all requests wait', async () => countWaiting() === 50 || hasStarted())
      for (const socket of sockets) socket.destroy()
      await waitUntil('no request waits', async () => countWaiting() === 0)
    }
    await closeWhileWaiting()
    // If this process gets no CPU time for half a second, requests are rejected: then it is tried again.
    for (let repeats = 0; repeats < 2 && hasStarted(); repeats += 1) await closeWhileWaiting()
    assert.ok(!hasStarted())
  })

  it('rejects requests beyond the maximum number of waiting requests immediately', async () => {
    const sockets = await openFloodingSockets(300)
    await reachLimit()
    const statuses = sockets.map(statusOf)
    for (const socket of sockets) send(socket, '/many')
    assert.deepEqual([...new Set(await Promise.all(statuses))], [503])
    assert.equal(startedPaths.filter((path) => path === '/many').length, 300)
  })

  it('lets health checks of a busy client pass, and makes its other requests wait', async () => {
    const sockets = await openFloodingSockets(3)
    await reachLimit()
    send(sockets[0] as Socket, '/livez')
    assert.equal(await statusOf(sockets[0] as Socket), 200)
    for (const socket of sockets.slice(1)) send(socket, '/hold')
    await waitUntil('its other requests wait', async () => countWaiting() === 2)
    // Otherwise they would start when the server of this test closes the connections, during the next test.
    for (const socket of sockets) socket.destroy()
    await waitUntil('no request waits', async () => countWaiting() === 0)
  })

  it('does not start pipelined requests after a response with Connection: close', async () => {
    const socket = await openSocket(floodingAddress)
    const closed = once(socket.resume(), 'close')
    send(socket, '/uncached/last', '/never', '/never')
    await closed
    assert.deepEqual(startedPaths, ['/uncached/last'])
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
    await waitUntil('the flood has begun', async () => startedPaths.length > 1_000, 60_000)
    const startedBefore = startedPaths.length
    const socket = await openSocket(otherAddress)
    send(socket, '/x')
    assert.equal(await statusOf(socket), 200)
    // Counted in requests, because the duration depends on what else the machine does.
    const startedMeanwhile = startedPaths.indexOf('/x') - startedBefore
    for (const floodSocket of await Promise.all(floodingSockets)) floodSocket.destroy()
    assert.ok(startedMeanwhile < 2_000, `a new client was served after ${startedMeanwhile} requests of the other`)
  })
})
