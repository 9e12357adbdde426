import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { InProcessServer } from '../../../../tests/support/in-process-server.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { defaultLimits } from '../../src/http/connection/shutdown-and-slow-clients.ts'

/** The limits of the service are at least ten times as long. The chaos case `slow-clients` waits for those. */
const limits = {
  request: { headersTimeout: 500, requestTimeout: 1_000, connectionsCheckingInterval: 100 },
  connection: {
    sweepMs: 100,
    minRate: { ms: 500, bytes: 160_000 },
    minExportRate: { ms: 3_000, bytes: 30_000 },
    idleGraceMs: 0,
  },
  shutdown: { noticeMs: 0 },
}

/** The state of a connection as the kernel numbers it; undefined if there is no such connection. */
const connectionState = async (localPort: number, remotePort: number): Promise<string | undefined> => {
  const hexadecimal = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')
  const connections = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  return connections.find(
    ([, local = '', remote = '']) =>
      local.endsWith(`:${hexadecimal(localPort)}`) && remote.endsWith(`:${hexadecimal(remotePort)}`),
  )?.[3]
}

describe('a slow client', { concurrency: true }, () => {
  let database: TestDatabase
  let service: InProcessServer
  before(async () => {
    database = await createTestDatabase()
    // More than the buffers of a connection hold, in a column that is not searched, so that the insert is fast.
    await database.execute(
      `insert into organizations (name, slug, settings_json)
       select n, n, repeat('x', 100000) from generate_series(1, 300) n`,
    )
    service = await startInProcess({ DATABASE_URL: database.url, MUSTER_API_TOKEN: token }, limits)
    await service.ready
    // This request opens a keep-alive connection, so that later reads do not queue behind the slow clients.
    assert.equal((await sendRequest(`${service.origin}/api/v1/leave`)).status, 200)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** Measures how long the slow clients are connected. With `sendsSlowly` they send a byte every 100 ms. */
  const connectedMs = async (
    firstBytes: string,
    { sendsSlowly = false, reads = true, clients = 20 } = {},
  ): Promise<number> => {
    const start = performance.now()
    const disconnections = Array.from({ length: clients }, async () => {
      const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(firstBytes)
      if (reads) socket.resume()
      const timer = sendsSlowly ? setInterval(() => socket.write('x'), 100) : undefined
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(timer)
    })
    await Promise.all(disconnections)
    return performance.now() - start
  }

  const slowClients: [description: string, minMs: number, measure: () => Promise<number>][] = [
    ['that sends nothing', limits.request.headersTimeout, () => connectedMs('')],
    [
      'that sends its headers slowly',
      limits.request.headersTimeout,
      () => connectedMs('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ', { sendsSlowly: true }),
    ],
    [
      'that sends its body slowly',
      limits.request.requestTimeout,
      () =>
        connectedMs(
          `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n`,
          { sendsSlowly: true },
        ),
    ],
  ]

  /** Measures a kind of slow client while another client reads. */
  const measureWhileReading = async (measure: () => Promise<number>): Promise<number> => {
    let isDone = false
    const disconnecting = measure().finally(() => {
      isDone = true
    })
    const readUntilDone = async (): Promise<boolean> => {
      const { status, text } = await sendRequest(`${service.origin}/api/v1/leave`)
      assert.equal(status, 200, text)
      return isDone
    }
    await waitUntil('the slow clients are disconnected', readUntilDone, 60_000)
    return disconnecting
  }

  for (const [description, minMs, measure] of slowClients) {
    it(`${description} is disconnected after its time limit, and other clients are served until then`, async () => {
      const ms = await measureWhileReading(measure)
      assert.ok(ms >= minMs * 0.9, `it took ${ms} ms`)
    })
  }

  it('that does not read is disconnected after its time limit, which is longer for an export and a large page', async () => {
    // A client that does not read notices that it was disconnected only when it sends, so it sends slowly.
    const options = { sendsSlowly: true, reads: false, clients: 1 }
    const [responsesMs = 0, exportMs = 0, pageMs = 0] = await Promise.all(
      [
        'GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100),
        'GET /api/v1/organizations?format=csv HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /api/v1/organizations?limit=200 HTTP/1.1\r\nHost: x\r\n\r\n',
      ].map((firstBytes) => measureWhileReading(() => connectedMs(firstBytes, options))),
    )
    const { minRate, minExportRate } = limits.connection
    assert.ok(responsesMs >= minRate.ms * 0.9, `it took ${responsesMs} ms`)
    assert.ok(exportMs >= minExportRate.ms * 0.9, `it took ${exportMs} ms`)
    assert.ok(pageMs >= minExportRate.ms * 0.9, `it took ${pageMs} ms`)
    assert.ok(responsesMs < exportMs * 0.75, `it took ${responsesMs} ms, and ${exportMs} ms for an export`)
  })

  it('that does not read is disconnected with a reset, so that the kernel keeps nothing for it', async () => {
    const serverPort = Number(new URL(service.origin).port)
    const socket = connect(serverPort, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    socket.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100))
    const { localPort = 0 } = socket
    const established = '01'
    await waitUntil(
      'the client is disconnected',
      async () => (await connectionState(serverPort, localPort)) !== established,
      60_000,
    )
    // After a normal close the connection would wait (FIN_WAIT1) until the client has received everything.
    assert.equal(await connectionState(serverPort, localPort), undefined)
    socket.destroy()
  })

  it('must receive 64 kbit/s within 20 seconds, or 1 kB/s of an export within 30 seconds', () => {
    assert.deepEqual(
      [defaultLimits.minRate, defaultLimits.minExportRate],
      [
        { ms: 20_000, bytes: 160_000 },
        { ms: 30_000, bytes: 30_000 },
      ],
    )
  })
})
