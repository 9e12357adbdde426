/** Tests that each raw message is parsed unambiguously or rejected, and that no response lacks a request. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawBytes } from '../../../../tests/support/http.ts'
import { messages } from '../../../../tests/support/messages.ts'
import { sendMessage } from '../../../../tests/support/raw-connection.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

describe('the HTTP server', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  for (const [about, bytes, statuses] of messages) {
    it(`responds ${statuses} to this message: ${about}`, async () => {
      const responses = await sendMessage(service.port, bytes)
      assert.equal(responses.map(({ status }) => status).join(' '), statuses)
      for (const { status, headers, body } of responses.filter((response) => response.status >= 200)) {
        assert.equal(headers.get('content-type'), 'application/json')
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
        assert.equal(headers.get('referrer-policy'), 'no-referrer')
        assert.equal(headers.get('x-robots-tag'), 'noindex')
        assert.equal(headers.get('cache-control'), 'no-store')
        for (const name of ['server', 'x-powered-by']) assert.equal(headers.has(name), false)
        if (status < 400) continue
        assert.equal(JSON.parse(body).error.details.request_id, headers.get('x-request-id'))
      }
    })
  }

  it('is tested with 95 messages', () => assert.equal(messages.length, 95))

  it('sends no cached response to a message that it would reject', async () => {
    const requestLine = 'GET /api/v1/departments HTTP/1.1\r\n'
    const statusesFor = async (headers: string) =>
      (await sendMessage(service.port, `${requestLine}${headers}\r\n`)).map(({ status }) => status).join(' ')
    assert.equal(await statusesFor('Host: x\r\n'), '200 200')
    assert.equal(await statusesFor('Host: x\r\n'), '200 200')
    assert.equal(await statusesFor('Host: x\r\nHost: x\r\n'), '400')
    assert.equal(await statusesFor(''), '400')
    assert.equal(await statusesFor('Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'), '200')
  })

  it('sends a pending response, and no error about the bytes that follow its request', async () => {
    const slowRequest = `GET /api/v1/employees?q=anybody HTTP/1.1\r\nHost: x\r\n\r\n`
    const response = await sendRawBytes(service.port, `${slowRequest}nonsense\r\n\r\n`)
    assert.deepEqual(response.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200'])
  })

  it('sends pending responses, and no error about a broken message that follows their requests', async () => {
    const pageRequest = 'GET /api/v1/employees?q=nobody HTTP/1.1\r\nHost: x\r\n\r\n'
    const brokenMessage = 'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
    for (const pendingCount of [1, 3]) {
      const response = await sendRawBytes(service.port, pageRequest.repeat(pendingCount) + brokenMessage)
      assert.deepEqual(
        response.match(/HTTP\/1\.1 \d+/g),
        Array.from({ length: pendingCount }, () => 'HTTP/1.1 200'),
      )
    }
  })

  it('sends no second error for the body of a rejected request', async () => {
    const socket = connect(service.port, '127.0.0.1')
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk
    })
    socket.write('POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    await once(socket, 'data')
    socket.write('zz\r\n\r\n')
    await once(socket, 'close')
    assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 401'])
  })

  it('sends 100 Continue only if the token is valid', async () => {
    const firstLineOf = async (authorization: string): Promise<string> => {
      const socket = connect(service.port, '127.0.0.1')
      socket.write(
        `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\n${authorization}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
      )
      const [firstChunk] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
      socket.destroy()
      return firstChunk.slice(0, 12)
    }
    assert.equal(await firstLineOf(''), 'HTTP/1.1 401')
    assert.equal(await firstLineOf(`Authorization: Bearer ${token}\r\n`), 'HTTP/1.1 100')
  })

  it('survives a CONNECT request whose connection is reset', async () => {
    const socket = connect(service.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.resetAndDestroy()
    await once(socket, 'close')
    assert.match(
      await sendRawBytes(service.port, 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      / 200 /,
    )
  })

  const slowMessages: [about: string, bytes: string][] = [
    ['a connection without data', ''],
    ['headers without an end', 'GET /livez HTTP/1.1\r\nHost: x\r\n'],
    [
      'an incomplete body',
      `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
    ],
  ]
  it('responds 408 and closes the connection if a request does not arrive in time', async () => {
    const timeLimits = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 }
    const impatientService = await startService(database.url, { timeLimits })
    await Promise.all(
      slowMessages.map(async ([about, bytes]) => {
        const response = await sendRawBytes(impatientService.port, bytes)
        assert.match(response, /^HTTP\/1\.1 408 .*"code":"request_timeout"/s, about)
      }),
    )
    await impatientService.stop()
  })

  it('gives a request 5 seconds for its head, and 10 seconds in all', () => {
    const { headersTimeout, requestTimeout } = service.app.server
    assert.deepEqual([headersTimeout, requestTimeout], [5_000, 10_000])
  })
})
