/** The same messages through nginx and haproxy, as we publish their configuration: the service answers nothing a front did not ask. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { converse } from '../service/test/support/conversation.ts'
import type { TestDatabase } from '../service/test/support/database.ts'
import { createTestDatabase } from '../service/test/support/database.ts'
import { messages } from '../service/test/support/messages.ts'
import type { RunningService } from '../service/test/support/service.ts'
import { startService, token } from '../service/test/support/service.ts'
import type { Front } from './front.ts'
import { startHaproxy, startNginx } from './front.ts'

const fronts = [
  { name: 'nginx', start: startNginx, column: 3 },
  { name: 'haproxy', start: startHaproxy, column: 4 },
] as const

for (const { name, start, column } of fronts) {
  describe(`framing through ${name}`, () => {
    let database: TestDatabase
    let service: RunningService
    let front: Front
    let met = 0
    before(async () => {
      database = await createTestDatabase()
      service = await startService(database.url)
      service.app.server.on('request', () => {
        met += 1
      })
      service.app.server.on('connect', () => {
        met += 1
      })
      service.app.server.on('clientError', (error: Error & { code?: string }) => {
        // A front that closes a connection it has no more use for asks for nothing.
        if (error.code !== 'ECONNRESET') met += 1
      })
      front = await start(service.port)
    })
    after(async () => {
      await front?.stop()
      await service.stop()
      await database.drop()
    })

    for (const message of messages) {
      it(`${message[0]}: ${message[column] || 'closed'}`, async () => {
        met = 0
        const answers = await converse(front.port, message[1])
        assert.equal(answers.map(({ status }) => status).join(' '), message[column])
        const ours = answers.filter(({ headers }) => headers.has('x-request-id'))
        assert.equal(ours.length, met, 'requests met by the service, and answers of its own that came through')
      })
    }

    it('two Authorization headers never become one', async () => {
      const line = `Authorization: Bearer ${token}\r\n`
      const body = '{"leave_type":"annual"}'
      const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const [answer] = await converse(front.port, `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\n${line}${line}${rest}`)
      assert.ok(answer?.status === 401 || answer?.status === 400, String(answer?.status))
    })
  })
}
