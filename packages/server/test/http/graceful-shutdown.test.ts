import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { serve, serviceOrigin, waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'

interface Results {
  succeededCount: number
  /** One entry for each request that did not get a complete response with status 200. */
  readonly failures: string[]
}

const getStatus = (agent: Agent, url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    }).on('error', reject)
  })

/** Sends requests over one keep-alive connection until the port is closed. */
const sendUntilClosed = async (origin: string, clientNumber: number, results: Results): Promise<void> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let round = 0; ; round += 1) {
    const path =
      round % 5 === 0
        ? `candidates?q=e${clientNumber}x${round}`
        : `attendance?limit=50&offset=${clientNumber * 100 + round}`
    try {
      const status = await getStatus(agent, `${origin}/api/v1/${path}`)
      if (status === 200) results.succeededCount += 1
      else results.failures.push(String(status))
    } catch (error) {
      const { code } = error as { code?: string }
      // A refused connection is not a failed request: nothing was sent, and a proxy would use another instance.
      if (code === 'ECONNREFUSED') break
      results.failures.push(`${code}`)
    }
  }
  agent.destroy()
}

/** Sends requests, each over a new connection, until the port is closed. */
const connectUntilClosed = async (origin: string, results: Results): Promise<void> => {
  for (;;) {
    try {
      const status = await getStatus(new Agent(), `${origin}/api/v1/attendance?limit=5`)
      if (status === 200) results.succeededCount += 1
      else results.failures.push(String(status))
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'ECONNREFUSED') return
      results.failures.push(`${code}`)
    }
  }
}

const shutDownUnderLoad = async (service: Command, origin: string): Promise<Results> => {
  const results: Results = { succeededCount: 0, failures: [] }
  const clients = Array.from({ length: 20 }, (_, clientNumber) => sendUntilClosed(origin, clientNumber, results))
  while (results.succeededCount < 200 && results.failures.length === 0) await waitForStatus(`${origin}/livez`, 200)
  const signalledAt = performance.now()
  service.signal('SIGTERM')
  assert.equal(await service.exitPromise, 0)
  assert.ok(performance.now() - signalledAt < 2_000, `the shutdown took ${performance.now() - signalledAt} ms`)
  await Promise.all(clients)
  return results
}

const openSocket = async (origin: string): Promise<Socket> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

describe('graceful shutdown', () => {
  let database: TestDatabase
  before(async () => {
    database = await createSeededDatabase()
  })
  after(() => database.drop())

  const startServing = async (args: readonly string[] = []): Promise<{ service: Command; origin: string }> => {
    const service = serve({ ...database.env, MUSTER_API_TOKEN: token }, { args })
    const origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    return { service, origin }
  }

  for (let round = 1; round <= 3; round += 1) {
    it(`causes no failed request on twenty keep-alive connections, and takes less than two seconds (${round} of 3)`, async () => {
      const { service, origin } = await startServing()
      assert.deepEqual((await shutDownUnderLoad(service, origin)).failures, [])
    })
  }

  for (let round = 1; round <= 2; round += 1) {
    it(`causes no failed request with several workers either (${round} of 2)`, async () => {
      const { service, origin } = await startServing(['--workers', '2'])
      await service.waitForOutput(/(its schema is up to date.*){2}/s)
      assert.deepEqual((await shutDownUnderLoad(service, origin)).failures, [])
    })
  }

  for (const args of [[], ['--workers', '2']]) {
    it(`resets at most one connection in the accept queue${args.length === 0 ? '' : ', with several workers'}`, async () => {
      const { service, origin } = await startServing(args)
      const results: Results = { succeededCount: 0, failures: [] }
      const clients = Array.from({ length: 20 }, () => connectUntilClosed(origin, results))
      while (results.succeededCount < 200) await waitForStatus(`${origin}/livez`, 200)
      service.signal('SIGTERM')
      assert.equal(await service.exitPromise, 0)
      await Promise.all(clients)
      // One connection may arrive after the service has accepted its last connection and before the socket is closed.
      assert.ok(results.failures.length <= 1, `${results.failures.length} failed: ${results.failures.join(', ')}`)
    })
  }

  it('logs its start and its end', async () => {
    for (const [signal, args] of [
      ['SIGTERM', []],
      ['SIGINT', ['--workers', '2']],
    ] as const) {
      const { service } = await startServing(args)
      service.signal(signal)
      assert.equal(await service.exitPromise, 0)
      const logLines = service.output.match(/Graceful shutdown [^"]*/g)
      assert.deepEqual(logLines, [`Graceful shutdown started by ${signal}.`, 'Graceful shutdown finished.'])
    }
  })

  it('first makes /readyz respond 503, while other requests are still served', async () => {
    const { service, origin } = await startServing()
    service.signal('SIGTERM')
    await waitForStatus(`${origin}/readyz`, 503)
    const response = await sendRequest(`${origin}/api/v1/departments`)
    assert.deepEqual([response.status, response.headers.get('connection')], [200, 'keep-alive'])
    assert.equal(await service.exitPromise, 0)
  })

  it('does not wait for idle connections, or for connections that have sent nothing', async () => {
    const { service, origin } = await startServing()
    const sockets = await Promise.all(Array.from({ length: 10 }, () => openSocket(origin)))
    for (const socket of sockets.slice(5)) {
      socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
    }
    const signalledAt = performance.now()
    service.signal('SIGTERM')
    assert.equal(await service.exitPromise, 0)
    assert.ok(performance.now() - signalledAt < 2_000, `the shutdown took ${performance.now() - signalledAt} ms`)
  })

  it('closes connections with unfinished requests after nine and a half seconds, and logs it', async () => {
    const { service, origin } = await startServing()
    const socket = await openSocket(origin)
    const requestHead = `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`
    // The signal is sent before the request, so that the request timeout does not expire before the shutdown timeout.
    service.signal('SIGTERM')
    await waitForStatus(`${origin}/readyz`, 503)
    socket.write(`${requestHead}Content-Length: 100\r\n\r\n{`)
    const signalledAt = performance.now()
    assert.equal(await service.exitPromise, 0)
    const shutdownMs = performance.now() - signalledAt
    assert.ok(shutdownMs > 8_000 && shutdownMs < 11_000, `the shutdown took ${shutdownMs} ms`)
    assert.match(service.output, /1 connections were cut/)
  })

  for (const args of [[], ['--workers', '2']]) {
    it(`ends at once after a second signal${args.length === 0 ? '' : ', with several workers'}`, async () => {
      const { service, origin } = await startServing(args)
      const lockHolder = new pg.Client({ connectionString: database.url })
      await lockHolder.connect()
      await lockHolder.query('begin; lock table departments in access exclusive mode')
      const blockedRequest = sendRequest(`${origin}/api/v1/departments?limit=7`).catch(() => undefined)
      while ((await lockHolder.query('select from pg_locks where not granted')).rowCount === 0);
      const signalledAt = performance.now()
      service.signal('SIGTERM')
      // The service ignores signals within half a second of the first one, so the signal is sent repeatedly.
      const repeatedSignal = setInterval(() => service.signal('SIGTERM'), 50)
      assert.equal(await service.exitPromise, 130)
      clearInterval(repeatedSignal)
      assert.ok(performance.now() - signalledAt < 3_000, `the shutdown took ${performance.now() - signalledAt} ms`)
      await blockedRequest
      await lockHolder.end()
    })
  }
})
