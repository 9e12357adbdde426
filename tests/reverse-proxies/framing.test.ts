/**
 * Sends raw messages through nginx and haproxy with the configuration in deploy/. The service must see exactly one
 * request per response that it sent, or the message could be used for request smuggling.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { messages } from '../support/messages.ts'
import { sendMessage } from '../support/raw-connection.ts'
import type { ReverseProxy } from '../support/reverse-proxy.ts'
import { startHaproxy, startNginx } from '../support/reverse-proxy.ts'
import type { RunningService } from '../support/service.ts'
import { startService, token } from '../support/service.ts'

const proxies = [
  { name: 'nginx', start: startNginx, column: 3 },
  { name: 'haproxy', start: startHaproxy, column: 4 },
] as const

for (const { name, start: startProxy, column } of proxies) {
  describe(`a raw message through ${name}`, () => {
    let database: TestDatabase
    let service: RunningService
    let proxy: ReverseProxy
    let receivedCount = 0
    before(async () => {
      database = await createTestDatabase()
      service = await startService(database.url)
      service.app.server.on('request', () => {
        receivedCount += 1
      })
      service.app.server.on('connect', () => {
        receivedCount += 1
      })
      service.app.server.on('clientError', (error: Error & { code?: string }) => {
        // A proxy that closes an unused connection causes ECONNRESET, which does not count as a request.
        if (error.code !== 'ECONNRESET') receivedCount += 1
      })
      proxy = await startProxy(service.port)
    })
    after(async () => {
      await proxy?.stop()
      await service.stop()
      await database.drop()
    })

    for (const message of messages) {
      it(`gets the expected statuses (${message[column] || 'connection closed'}): ${message[0]}`, async () => {
        const send = () => {
          receivedCount = 0
          return sendMessage(proxy.port, message[1])
        }
        let responses = await send()
        // On a busy machine, a request may wait too long for a database connection.
        for (let repeats = 0; repeats < 5 && responses.some(({ status }) => status === 503); repeats += 1)
          responses = await send()
        assert.equal(responses.map(({ status }) => status).join(' '), message[column])
        const serviceResponses = responses.filter(({ headers }) => headers.has('x-request-id'))
        assert.equal(
          serviceResponses.length,
          receivedCount,
          'the proxy must forward one response for each request that the service received',
        )
      })
    }

    it('is rejected if it has two Authorization headers, which are not merged into one', async () => {
      const authorizationLine = `Authorization: Bearer ${token}\r\n`
      const body = '{"leave_type":"annual"}'
      const headersAndBody = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const [response] = await sendMessage(
        proxy.port,
        `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\n${authorizationLine}${authorizationLine}${headersAndBody}`,
      )
      assert.ok(response?.status === 401 || response?.status === 400, String(response?.status))
    })
  })
}
