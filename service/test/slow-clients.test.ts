/** Slow clients: who does not send, or does not read, is cut off, and nobody else waits for him. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask } from './support/http.ts'
import type { Command } from './support/process.ts'
import { end, listening, serve, until } from './support/served.ts'
import { token } from './support/service.ts'

describe('a slow client', { concurrency: true }, () => {
  let database: TestDatabase
  let service: Command
  let host: string
  before(async () => {
    database = await createTestDatabase()
    await database.execute(
      `insert into departments (name) select repeat('x', 2000) || n from generate_series(1, 20000) n`,
    )
    service = serve({ DATABASE_URL: database.url, MUSTER_API_TOKEN: token })
    host = await listening(service)
    await until(`${host}/readyz`, 200)
    // Kept from here on, so that the reads below need no new connection while the service takes in the crowd.
    assert.equal((await ask(`${host}/api/v1/leave`)).status, 200)
  })
  after(async () => {
    await end(service)
    await database.drop()
  })

  /** How long twenty such clients, or as many as are said, are let be, in milliseconds; they send a byte a second where they drip. */
  const cutAfter = async (opening: string, { drips = false, reads = true, clients = 20 } = {}): Promise<number> => {
    const start = performance.now()
    const cut = Array.from({ length: clients }, async () => {
      const socket = connect(Number(new URL(host).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(opening)
      if (reads) socket.resume()
      const drip = drips ? setInterval(() => socket.write('x'), 1_000) : undefined
      await new Promise((resolve) => socket.once('close', resolve))
      clearInterval(drip)
      return performance.now() - start
    })
    return Math.max(...(await Promise.all(cut)))
  }

  const kinds: [what: string, secondsAtMost: number, cut: () => Promise<number>][] = [
    ['that says nothing', 8, () => cutAfter('')],
    ['that sends its headers slowly', 8, () => cutAfter('GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ', { drips: true })],
    [
      'that sends its body slowly',
      13,
      () =>
        cutAfter(
          `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n`,
          { drips: true },
        ),
    ],
    [
      // Which learns that it was cut when it sends.
      'that does not read its answers',
      25,
      () => cutAfter('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100), { drips: true, reads: false }),
    ],
  ]
  it('that does not read a file has half a minute, and is then cut', async () => {
    const opening = 'GET /api/v1/departments?format=csv HTTP/1.1\r\nHost: x\r\n\r\n'
    const ms = await cutAfter(opening, { drips: true, reads: false, clients: 1 })
    assert.ok(ms > 29_000 && ms < 36_000, `it took ${ms} ms`)
  })

  for (const [what, seconds, cut] of kinds) {
    it(`${what} is cut within ${seconds} seconds`, async () => {
      let isCut = false
      const cutting = cut().finally(() => {
        isCut = true
      })
      while (!isCut) {
        const { status, text } = await ask(`${host}/api/v1/leave`)
        assert.equal(status, 200, text)
      }
      assert.ok((await cutting) < seconds * 1_000, `it took ${await cutting} ms`)
    })
  }
})
