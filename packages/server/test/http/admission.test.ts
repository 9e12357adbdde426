import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { serve, serviceOrigin, stopService, waitForStatus as untilStatus } from '../../../../tests/support/served.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { openClientAddresses } from '../../src/http/connection/client-address.ts'

const pageRequest = (offset: number): string =>
  `GET /api/v1/organizations?limit=200&offset=${offset} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a client that floods the service', () => {
  let database: TestDatabase
  let service: Command
  let origin: string
  let port: number
  let pid: number
  before(async () => {
    database = await createTestDatabase()
    // The large column is not searched, so that the insert is fast.
    await database.execute(
      `insert into departments (name) select n from generate_series(1, 40) n;
       insert into organizations (name, slug, settings_json)
       select n, n, repeat('x', 10000) from generate_series(1, 1000) n`,
    )
    service = serve({ DATABASE_URL: database.url })
    origin = await serviceOrigin(service)
    port = Number(new URL(origin).port)
    pid = Number((await service.waitForOutput(/"pid":(\d+)/))[1])
    await untilStatus(`${origin}/readyz`, 200)
  })
  after(async () => {
    await stopService(service)
    await database.drop()
  })

  const memoryMb = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

  const openSocket = async (fromAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: fromAddress })
    socket.on('error', () => {})
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    return socket
  }

  /** Opens a keep-alive connection and waits for the response to one request on it. */
  const openKeepAlive = async (fromAddress: string): Promise<Socket> => {
    const socket = await openSocket(fromAddress)
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    // The promise is rejected if the service closes the connection before it has read the request.
    await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {})
    return socket.resume()
  }

  const countClosed = async (sockets: readonly Socket[]): Promise<number> => {
    await nextTurn()
    return sockets.filter(({ destroyed }) => destroyed).length
  }

  /** The status of the response to one request on a new connection, or the message of the connection error. */
  const getStatus = (path: string, fromAddress = '127.0.0.3'): Promise<number | string> =>
    new Promise((resolve) => {
      get({ port, host: '127.0.0.1', path, localAddress: fromAddress, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      }).on('error', ({ message }) => resolve(message))
    })

  const readAll = async (socket: Socket, message: string): Promise<string> => {
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    socket.write(message)
    await once(socket, 'close')
    return received
  }

  it('gets pipelined responses in order', async () => {
    const socket = await openSocket('127.0.0.2')
    const paths = Array.from({ length: 40 }, (_, number) => `/api/v1/departments/${number % 5 === 0 ? 'x' : number}`)
    const requests = paths.map(
      (path, at) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${at === 39 ? 'Connection: close\r\n' : ''}\r\n`,
    )
    const received = await readAll(socket, requests.join(''))
    const ids = [...received.matchAll(/"code":"not_found"|"id":(\d+),/g)].map((match) => match[1] ?? 'x')
    assert.deepEqual(
      ids,
      paths.map((path) => path.split('/').at(-1)),
    )
  })

  it('has each pipelined body read as part of its own request', async () => {
    const socket = await openSocket('127.0.0.2')
    const postMessage = 'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'
    const lastRequest = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const received = await readAll(socket, `${postMessage.repeat(20)}${lastRequest}`)
    assert.equal(received.match(/HTTP\/1\.1 503/g)?.length, 20)
    assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, 1)
  })

  it('gets a limited number of responses if it pipelines endlessly, the last one with Connection: close', async () => {
    const socket = await openSocket('127.0.0.2')
    const received = await readAll(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000))
    const responses = received.split('HTTP/1.1 200').slice(1)
    assert.ok(responses.length >= 64 && responses.length < 1_000, `${responses.length} responses`)
    assert.deepEqual(
      responses.map((response) => /^connection: close/im.test(response)),
      responses.map((_, at) => at === responses.length - 1),
    )
  })

  it('does not fill the memory if it pipelines without reading, and other clients are served meanwhile', async () => {
    // The baseline is the memory with as many requests in progress as in the flood, but with responses that are read.
    const agent = new Agent({ keepAlive: true, maxSockets: 16, localAddress: '127.0.0.4' })
    const readPage = (offset: number) =>
      new Promise((resolve, reject) => {
        const path = `/api/v1/organizations?limit=200&offset=${offset}`
        get({ port, host: '127.0.0.1', path, agent }, (response) => response.resume().on('end', resolve)).on(
          'error',
          reject,
        )
      })
    await Promise.all(Array.from({ length: 60 }, (_, at) => readPage(740 + at)))
    agent.destroy()
    const baselineMb = memoryMb()
    const sockets = await Promise.all(Array.from({ length: 15 }, () => openSocket('127.0.0.2')))
    for (const [at, socket] of sockets.entries()) {
      socket.pause()
      socket.write(Array.from({ length: 50 }, (_, number) => pageRequest(at * 50 + number)).join(''))
    }
    // The flood is over once the memory stops growing: then the socket buffers hold all that the service has sent.
    let peakMb = baselineMb
    let lastPeakAt = performance.now()
    const hasStoppedGrowing = async (): Promise<boolean> => {
      assert.equal(await getStatus('/livez'), 200)
      const currentMb = memoryMb()
      if (currentMb > peakMb + 1) lastPeakAt = performance.now()
      peakMb = Math.max(peakMb, currentMb)
      return performance.now() - lastPeakAt > 2_000
    }
    await waitUntil('the memory stops growing', hasStoppedGrowing, 60_000)
    for (const socket of sockets) socket.destroy()
    assert.ok(peakMb < baselineMb * 2.5, `${Math.round(baselineMb)} MB before, ${Math.round(peakMb)} MB at the peak`)
  })

  it('cannot lock other clients out with idle connections', async () => {
    const addresses = Array.from({ length: 10 }, (_, at) => `127.0.1.${at + 1}`)
    const sockets: Socket[] = []
    for (const address of addresses)
      sockets.push(...(await Promise.all(Array.from({ length: 950 }, () => openKeepAlive(address)))))
    for (let round = 0; round < 20; round += 1) {
      assert.equal(await getStatus('/livez'), 200)
      assert.equal(await getStatus('/readyz'), 200)
    }
    await waitUntil('a thousand are closed', async () => (await countClosed(sockets)) >= 1_000)
    // The service has closed more idle connections than necessary, so at first it accepts new ones without closing any.
    const heavyClientSockets: Socket[] = []
    await waitUntil('connections of heavy clients are closed', async () => {
      for (const address of addresses) heavyClientSockets.push(await openKeepAlive(address))
      return (await countClosed(heavyClientSockets)) > 0
    })
    const lightClientSocket = await openKeepAlive('127.0.1.99')
    const closedLightSockets = await countClosed([lightClientSocket])
    for (const socket of [...sockets, ...heavyClientSockets, lightClientSocket]) socket.destroy()
    assert.equal(closedLightSockets, 0)
  })

  it('has its own idle connections closed if it opens more than a thousand', async () => {
    const sockets = await Promise.all(Array.from({ length: 1_200 }, () => openKeepAlive('127.0.0.2')))
    await waitUntil('176 are closed', async () => (await countClosed(sockets)) >= 176)
    const openCount = sockets.length - (await countClosed(sockets))
    for (const socket of sockets) socket.destroy()
    assert.ok(openCount > 900 && openCount <= 1_024, `${openCount} stayed open`)
  })
})

describe('the client address of a request', () => {
  const addresses = openClientAddresses(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
  const socketFrom = (remoteAddress: string) => ({ remoteAddress }) as Socket
  const clientBehindProxy = (remoteAddress: string, header?: string) =>
    addresses.ofForwarded({ socket: socketFrom(remoteAddress), headers: { 'x-forwarded-for': header } } as never)

  for (const [remote, expected] of [
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
    ['10.1.2.3', undefined],
    ['::ffff:10.1.2.3', undefined],
    ['192.0.2.7', undefined],
    ['fd00::1', undefined],
  ] as const)
    it(`is ${expected ?? 'unknown'} for a connection from ${remote}`, () =>
      assert.equal(addresses.ofConnection(socketFrom(remote)), expected))

  for (const [header, expected] of [
    ['198.51.100.1', '198.51.100.1'],
    ['203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['198.51.100.1, 192.0.2.7', '198.51.100.1'],
    ['198.51.100.1 ,10.9.9.9, 192.0.2.7', '198.51.100.1'],
    ['10.9.9.9', '10.9.9.9'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['unknown', 'unknown'],
    [undefined, '10.1.2.3'],
  ] as const)
    it(`is ${expected} if a trusted proxy forwards ${header}`, () =>
      assert.equal(clientBehindProxy('10.1.2.3', header), expected))
})
