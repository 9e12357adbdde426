/** One client cannot take the memory, the connections or the processing time of the others. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openClientAddresses } from '../src/http/client-address.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import type { Command } from './support/process.ts'
import { end, listening, serve, until as untilStatus } from './support/served.ts'
import { until } from './support/until.ts'

const page = (offset: number): string =>
  `GET /api/v1/departments?limit=200&offset=${offset} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a client that takes too much', () => {
  let database: TestDatabase
  let service: Command
  let host: string
  let port: number
  let pid: number
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into departments (name) select repeat('x', 10000) || n from generate_series(1, 1000) n`,
    )
    service = serve({ DATABASE_URL: database.url })
    host = await listening(service)
    port = Number(new URL(host).port)
    pid = Number((await service.says(/"pid":(\d+)/))[1])
    await untilStatus(`${host}/readyz`, 200)
  })
  after(async () => {
    await end(service)
    await database.drop()
  })

  const memoryMb = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

  const opened = async (from: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from })
    socket.on('error', () => {})
    await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    return socket
  }

  /** A connection that was served once and is kept, as clients keep them. */
  const kept = async (from: string): Promise<Socket> => {
    const socket = await opened(from)
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    return socket.resume()
  }

  const closedOf = async (sockets: readonly Socket[]): Promise<number> => {
    await nextTurn()
    return sockets.filter(({ destroyed }) => destroyed).length
  }

  /** The status of a health check, or the name of the error. */
  const probe = (path: string, from = '127.0.0.3'): Promise<number | string> =>
    new Promise((resolve) => {
      get({ port, host: '127.0.0.1', path, localAddress: from, agent: false }, (response) => {
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
    const socket = await opened('127.0.0.2')
    const paths = Array.from({ length: 40 }, (_, number) => `/api/v1/departments/${number % 5 === 0 ? 'x' : number}`)
    const requests = paths.map(
      (path, at) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${at === 39 ? 'Connection: close\r\n' : ''}\r\n`,
    )
    const received = await readAll(socket, requests.join(''))
    const seen = [...received.matchAll(/"code":"not_found"|"id":(\d+),/g)].map((match) => match[1] ?? 'x')
    assert.deepEqual(
      seen,
      paths.map((path) => path.split('/').at(-1)),
    )
  })

  it('gets pipelined bodies read in order, each by its own request', async () => {
    const socket = await opened('127.0.0.2')
    const post = 'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'
    const farewell = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const received = await readAll(socket, `${post.repeat(20)}${farewell}`)
    assert.equal(received.match(/HTTP\/1\.1 503/g)?.length, 20)
    assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, 1)
  })

  it('gets a bounded number of responses if it pipelines without end, the last with Connection: close', async () => {
    const socket = await opened('127.0.0.2')
    const received = await readAll(socket, 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_000))
    const answered = received.split('HTTP/1.1 200').slice(1)
    assert.ok(answered.length >= 64 && answered.length < 1_000, `${answered.length} responses`)
    assert.deepEqual(
      answered.map((response) => /^connection: close/im.test(response)),
      answered.map((_, at) => at === answered.length - 1),
    )
  })

  it('does not fill the memory by pipelining without reading, and others are served meanwhile', async () => {
    // As many requests as the flood has in progress, but read: the memory these need is not due to the flood.
    const agent = new Agent({ keepAlive: true, maxSockets: 16, localAddress: '127.0.0.4' })
    const read = (offset: number) =>
      new Promise((resolve, reject) => {
        const path = `/api/v1/departments?limit=200&offset=${offset}`
        get({ port, host: '127.0.0.1', path, agent }, (response) => response.resume().on('end', resolve)).on(
          'error',
          reject,
        )
      })
    await Promise.all(Array.from({ length: 60 }, (_, at) => read(740 + at)))
    agent.destroy()
    const usual = memoryMb()
    const sockets = await Promise.all(Array.from({ length: 15 }, () => opened('127.0.0.2')))
    for (const [at, socket] of sockets.entries()) {
      socket.pause()
      socket.write(Array.from({ length: 50 }, (_, number) => page(at * 50 + number)).join(''))
    }
    // The flood is over once the service has nothing more to send: what it sent is in the kernel's buffers.
    let peak = usual
    let lastPeakAt = performance.now()
    await until(async () => {
      assert.equal(await probe('/livez'), 200)
      const now = memoryMb()
      if (now > peak + 1) lastPeakAt = performance.now()
      peak = Math.max(peak, now)
      return performance.now() - lastPeakAt > 2_000
    }, 30_000)
    for (const socket of sockets) socket.destroy()
    assert.ok(peak < usual * 1.75, `${Math.round(usual)} MB before, ${Math.round(peak)} MB at the peak`)
  })

  it('cannot lock others out with idle connections', async () => {
    const addresses = Array.from({ length: 10 }, (_, at) => `127.0.1.${at + 1}`)
    const sockets: Socket[] = []
    for (const address of addresses)
      sockets.push(...(await Promise.all(Array.from({ length: 950 }, () => kept(address)))))
    for (let round = 0; round < 20; round += 1) {
      assert.equal(await probe('/livez'), 200)
      assert.equal(await probe('/readyz'), 200)
    }
    await until(async () => (await closedOf(sockets)) >= 1_000)
    const [oldest, newest] = [await closedOf(sockets.slice(0, 900)), await closedOf(sockets.slice(-900))]
    for (const socket of sockets) socket.destroy()
    assert.ok(oldest > 800 && newest < 100, `closed ${oldest} of the 900 oldest and ${newest} of the 900 newest`)
  })

  it('has its own idle connections closed if it opens more than a thousand', async () => {
    const sockets = await Promise.all(Array.from({ length: 1_200 }, () => kept('127.0.0.2')))
    await until(async () => (await closedOf(sockets)) >= 176)
    const open = sockets.length - (await closedOf(sockets))
    for (const socket of sockets) socket.destroy()
    assert.ok(open > 900 && open <= 1_024, `${open} stayed open`)
  })
})

describe('the client that a request belongs to', () => {
  const addresses = openClientAddresses(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])
  const socketFrom = (remoteAddress: string) => ({ remoteAddress }) as Socket
  const forwarded = (remoteAddress: string, header?: string) =>
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
    it(`is ${expected ?? 'not known by the connection'} for a connection from ${remote}`, () =>
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
    it(`is ${expected} where a trusted proxy forwards ${header}`, () =>
      assert.equal(forwarded('10.1.2.3', header), expected))
})
