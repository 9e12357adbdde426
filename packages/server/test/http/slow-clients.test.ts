import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { Command } from '../../../../tests/support/process.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../../../../tests/support/served.ts'
import { token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

describe('a slow client', { concurrency: true }, () => {
  let database: TestDatabase
  let service: Command
  let origin: string
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into departments (name) select repeat('x', 2000) || n from generate_series(1, 20000) n`,
    )
    service = serve({ DATABASE_URL: database.url, MUSTER_API_TOKEN: token })
    origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    // This request opens a keep-alive connection, so that later reads do not queue behind the slow clients.
    assert.equal((await sendRequest(`${origin}/api/v1/leave`)).status, 200)
  })
  after(async () => {
    await stopService(service)
    await database.drop()
  })

  /** Measures the time until all slow clients are disconnected. With `sendsSlowly` they send one byte per second. */
  const msUntilDisconnected = async (
    firstBytes: string,
    { sendsSlowly = false, reads = true, clients = 20 } = {},
  ): Promise<number> => {
    const start = performance.now()
    const disconnections = Array.from({ length: clients }, async () => {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(firstBytes)
      if (reads) socket.resume()
      const timer = sendsSlowly ? setInterval(() => socket.write('x'), 1_000) : undefined
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(timer)
      return performance.now() - start
    })
    return Math.max(...(await Promise.all(disconnections)))
  }

  const slowClients: [description: string, maxSeconds: number, measure: () => Promise<number>][] = [
    ['that sends nothing', 10, () => msUntilDisconnected('')],
    [
      'that sends its headers slowly',
      10,
      () => msUntilDisconnected('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ', { sendsSlowly: true }),
    ],
    [
      'that sends its body slowly',
      16,
      () =>
        msUntilDisconnected(
          `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n`,
          { sendsSlowly: true },
        ),
    ],
    [
      // A client that does not read notices that it was disconnected only when it sends, so it sends slowly.
      'that does not read its responses',
      32,
      () =>
        msUntilDisconnected('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100), {
          sendsSlowly: true,
          reads: false,
        }),
    ],
  ]
  it('that does not read an export is disconnected after half a minute', async () => {
    const firstBytes = 'GET /api/v1/departments?format=csv HTTP/1.1\r\nHost: x\r\n\r\n'
    const ms = await msUntilDisconnected(firstBytes, { sendsSlowly: true, reads: false, clients: 1 })
    assert.ok(ms > 29_000 && ms < 42_000, `it took ${ms} ms`)
  })

  for (const [description, seconds, measure] of slowClients) {
    it(`${description} is disconnected within ${seconds} seconds`, async () => {
      let isDone = false
      const disconnecting = measure().finally(() => {
        isDone = true
      })
      const readUntilDone = async (): Promise<boolean> => {
        const { status, text } = await sendRequest(`${origin}/api/v1/leave`)
        assert.equal(status, 200, text)
        return isDone
      }
      await waitUntil('the slow clients are disconnected', readUntilDone, 60_000)
      assert.ok((await disconnecting) < seconds * 1_000, `it took ${await disconnecting} ms`)
    })
  }
})
