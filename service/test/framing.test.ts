/** Messages byte for byte: every one is read in one way or refused, and nothing is answered that was not asked. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { converse } from './support/conversation.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { exchange } from './support/http.ts'
import { messages } from './support/messages.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

describe('framing', () => {
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

  for (const [about, bytes, direct] of messages) {
    it(`${about}: ${direct}`, async () => {
      const answers = await converse(service.port, bytes)
      assert.equal(answers.map(({ status }) => status).join(' '), direct)
      for (const { status, headers, body } of answers.filter((answer) => answer.status >= 200)) {
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

  it('are 95', () => assert.equal(messages.length, 95))

  it('an answer in memory is given to no message that the service would refuse', async () => {
    const list = 'GET /api/v1/departments HTTP/1.1\r\n'
    const statuses = async (headers: string) =>
      (await converse(service.port, `${list}${headers}\r\n`)).map(({ status }) => status).join(' ')
    assert.equal(await statuses('Host: x\r\n'), '200 200')
    assert.equal(await statuses('Host: x\r\n'), '200 200')
    assert.equal(await statuses('Host: x\r\nHost: x\r\n'), '400')
    assert.equal(await statuses(''), '400')
    assert.equal(await statuses('Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'), '200')
  })

  it('an error never takes the place of an answer that is still under way', async () => {
    const slow = `GET /api/v1/employees?q=anybody HTTP/1.1\r\nHost: x\r\n\r\n`
    const answer = await exchange(service.port, `${slow}nonsense\r\n\r\n`)
    assert.deepEqual(answer.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200'])
  })

  it('an error of a message that is not complete waits for the responses to those before it', async () => {
    const page = 'GET /api/v1/employees?q=nobody HTTP/1.1\r\nHost: x\r\n\r\n'
    const broken = 'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
    for (const before of [1, 3]) {
      const answer = await exchange(service.port, page.repeat(before) + broken)
      assert.deepEqual(
        answer.match(/HTTP\/1\.1 \d+/g),
        Array.from({ length: before }, () => 'HTTP/1.1 200'),
      )
    }
  })

  it('a refusal is not followed by another for the body that came with it', async () => {
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

  it('a body that waits to be asked for is asked for with the token alone', async () => {
    const ask = async (authorization: string): Promise<string> => {
      const socket = connect(service.port, '127.0.0.1')
      socket.write(
        `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\n${authorization}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
      )
      const [first] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
      socket.destroy()
      return first.slice(0, 12)
    }
    assert.equal(await ask(''), 'HTTP/1.1 401')
    assert.equal(await ask(`Authorization: Bearer ${token}\r\n`), 'HTTP/1.1 100')
  })

  it('a tunnel that is asked for and broken off ends nothing but itself', async () => {
    const socket = connect(service.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.resetAndDestroy()
    await once(socket, 'close')
    assert.match(await exchange(service.port, 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'), / 200 /)
  })

  const slow: [about: string, bytes: string, mostSeconds: number][] = [
    ['a connection that says nothing', '', 7],
    ['header fields that do not end', 'GET /livez HTTP/1.1\r\nHost: x\r\n', 7],
    [
      'a body that does not come',
      `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
      12,
    ],
  ]
  it('what does not arrive in time is answered 408 and closed', async () => {
    const waits = slow.map(async ([about, bytes, mostSeconds]) => {
      const started = performance.now()
      const answer = await exchange(service.port, bytes)
      const seconds = (performance.now() - started) / 1_000
      assert.match(answer, /^HTTP\/1\.1 408 .*"code":"request_timeout"/s, about)
      assert.ok(seconds < mostSeconds, `${about}: ${seconds} s`)
    })
    await Promise.all(waits)
  })
})
