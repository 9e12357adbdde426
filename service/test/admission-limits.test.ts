/** Limits of the admission of requests, on a plain HTTP server: what waits, for how long, and what is forgotten. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Admission } from '../src/http/admission.ts'
import { openAdmission } from '../src/http/admission.ts'

const flooder = '127.0.0.2'
const honest = '127.0.0.3'

describe('admission of requests', () => {
  let admission: Admission
  let server: Server
  let started: string[]
  let open: ServerResponse[]

  /** `/hold` is answered when the test says so; everything else at once. */
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    started.push(request.url ?? '')
    if (request.url === '/busy') for (const end = performance.now() + 1; performance.now() < end; );
    if (request.url?.endsWith('hold')) open.push(response)
    else if (request.url === '/last') response.writeHead(200, { connection: 'close' }).end('last')
    else response.writeHead(admission.isOverdue(request) ? 503 : 200).end('done')
  }

  beforeEach(async () => {
    admission = openAdmission([])
    started = []
    open = []
    const uncached = admission.heavier(handle)
    server = createServer(
      admission.admit((request, response) =>
        request.url?.startsWith('/uncached') ? uncached(request, response) : handle(request, response),
      ),
    )
    admission.watch(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  const opened = async (localAddress: string): Promise<Socket> => {
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
    for (const end = performance.now() + 10_000; !condition(); await pause(5))
      assert.ok(performance.now() < end, 'not within 10 s')
  }
  /** The flooder holds all it may have in progress, while another client is active. */
  const fill = async (): Promise<void> => {
    const holders = await Promise.all(Array.from({ length: 8 }, () => opened(flooder)))
    for (const socket of holders) send(socket, '/hold')
    await until(() => open.length === 8)
    const other = await opened(honest)
    send(other, '/x')
    assert.equal(await statusOf(other), 200)
  }

  it('refuses a request that has waited half a second for the load of its client', async () => {
    await fill()
    const socket = await opened(flooder)
    const since = performance.now()
    send(socket, '/late')
    assert.equal(await statusOf(socket), 503)
    const waitedMs = performance.now() - since
    assert.ok(waitedMs >= 490 && waitedMs < 5_000, `refused after ${waitedMs} ms`)
  })

  it('starts a waiting request when a response only streams, or when one ends', async () => {
    for (const free of [
      () => admission.release((open[0] as ServerResponse).req),
      () => (open[1] as ServerResponse).end('done'),
    ]) {
      open = []
      await fill()
      const socket = await opened(flooder)
      send(socket, '/waiting')
      await until(() => admission.clients.get(flooder)?.waiting.size === 1)
      free()
      assert.equal(await statusOf(socket), 200)
      for (const response of open) response.end()
      await until(() => admission.clients.get(flooder)?.load === 0)
    }
  })

  it('does not count requests that wait for the database', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(flooder)))
    for (const socket of sockets) send(socket, '/uncached/hold')
    const other = await opened(honest)
    send(other, '/x')
    assert.equal(await statusOf(other), 200)
    const socket = await opened(flooder)
    const since = performance.now()
    send(socket, '/x')
    assert.equal(await statusOf(socket), 200)
    assert.ok(performance.now() - since < 400, 'waited for the load of its client')
    assert.equal(open.length, 20)
  })

  it('forgets requests whose connection closes while they wait', async () => {
    await fill()
    const sockets = await Promise.all(Array.from({ length: 50 }, () => opened(flooder)))
    for (const socket of sockets) send(socket, '/waiting')
    await until(() => admission.clients.get(flooder)?.waiting.size === 50)
    for (const socket of sockets) socket.destroy()
    await until(() => admission.clients.get(flooder)?.waiting.size === 0)
    assert.ok(!started.includes('/waiting'))
  })

  it('refuses at once what exceeds the number of waiting requests', async () => {
    await fill()
    const sockets = await Promise.all(Array.from({ length: 300 }, () => opened(flooder)))
    const statuses = sockets.map(statusOf)
    for (const socket of sockets) send(socket, '/many')
    assert.deepEqual([...new Set(await Promise.all(statuses))], [503])
    assert.equal(started.filter((path) => path === '/many').length, 300)
  })

  it('lets health checks of a busy client through, but not a flood of them', async () => {
    await fill()
    const sockets = await Promise.all(Array.from({ length: 3 }, () => opened(flooder)))
    send(sockets[0] as Socket, '/livez')
    assert.equal(await statusOf(sockets[0] as Socket), 200)
    for (const socket of sockets.slice(1)) send(socket, '/hold')
    await until(() => admission.clients.get(flooder)?.waiting.size === 2)
  })

  it('does not start a request behind a response that closes the connection', async () => {
    const socket = await opened(flooder)
    const ended = once(socket.resume(), 'close')
    send(socket, '/last', '/never', '/never')
    await ended
    assert.deepEqual(started, ['/last'])
  })

  it('accepts a new client while another one keeps hundreds of connections busy', async () => {
    const flood = async (): Promise<Socket> => {
      const socket = await opened(flooder)
      send(
        socket.on('data', () => send(socket, '/busy')),
        '/busy',
      )
      return socket
    }
    const floods = Array.from({ length: 500 }, flood)
    await until(() => started.length > 1_000)
    const since = performance.now()
    const socket = await opened(honest)
    send(socket, '/x')
    assert.equal(await statusOf(socket), 200)
    const waitedMs = performance.now() - since
    for (const each of await Promise.all(floods)) each.destroy()
    assert.ok(waitedMs < 5_000, `a new client was served after ${waitedMs} ms`)
  })
})
