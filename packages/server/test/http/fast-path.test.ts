import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRawBytes, sendRequest } from '../../../../tests/support/http.ts'
import type { ParsedResponse } from '../../../../tests/support/raw-connection.ts'
import { sendMessage } from '../../../../tests/support/raw-connection.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { buildHead } from '../../src/http/cache/prebuilt-head.ts'

const getMessage = (path: string, headers = '', version = '1.1') =>
  `GET ${path} HTTP/${version}\r\nHost: x\r\n${headers}\r\n`

/** The header names and values of a response in order, without the values that differ in every response. */
const headersOf = (response: ParsedResponse | undefined): unknown[] =>
  [...(response?.headers ?? [])].map(([name, value]) =>
    ['x-request-id', 'date'].includes(name) ? name : [name, value],
  )

describe('a response from the fast path', () => {
  let database: TestDatabase
  let service: RunningService
  const pageOfOne = '/api/v1/departments?limit=1'
  const pageOfTwo = '/api/v1/departments?limit=2'
  before(async () => {
    database = await createTestDatabase()
    await database.execute(`insert into departments (name) values ('A'), ('B')`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })
  const fillCache = async (): Promise<void> => {
    for (const path of [pageOfOne, pageOfTwo, pageOfOne, pageOfTwo])
      await sendRequest(`http://127.0.0.1:${service.port}${path}`)
  }

  it('equals the response from the regular route', async () => {
    const [uncached] = await sendMessage(service.port, getMessage(pageOfOne))
    await fillCache()
    const [cached] = await sendMessage(service.port, getMessage(pageOfOne))
    assert.deepEqual(headersOf(cached).toSorted(), headersOf(uncached).toSorted())
    assert.equal(cached?.body, uncached?.body)
    assert.match(cached?.headers.get('date') ?? '', /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    assert.ok(Math.abs(Date.parse(cached?.headers.get('date') ?? '') - Date.now()) < 5_000)
    assert.notEqual(cached?.headers.get('x-request-id'), uncached?.headers.get('x-request-id'))
  })

  it('keeps its position among pipelined responses', async () => {
    await fillCache()
    const sizes = [pageOfOne, pageOfTwo, pageOfTwo, pageOfOne, pageOfOne, pageOfTwo].map((path) => ({
      path,
      size: path === pageOfOne ? 1 : 2,
    }))
    const responses = await sendMessage(service.port, sizes.map(({ path }) => getMessage(path)).join(''))
    assert.deepEqual(
      responses.slice(0, -1).map(({ body }) => JSON.parse(body).data.length),
      sizes.map(({ size }) => size),
    )
    assert.equal(responses.at(-1)?.body, '{"status":"ok"}')
  })

  it('closes the connection for Connection: close and HTTP/1.0', async () => {
    await fillCache()
    for (const message of [getMessage(pageOfOne, 'Connection: close\r\n'), getMessage(pageOfOne, '', '1.0')]) {
      const responses = await sendMessage(service.port, message)
      assert.deepEqual(
        responses.map(({ status, headers }) => [status, headers.get('connection')]),
        [[200, 'close']],
      )
    }
  })

  it('has no body for HEAD', async () => {
    await fillCache()
    const received = await sendRawBytes(
      service.port,
      `HEAD ${pageOfOne} HTTP/1.1\r\nHost: x\r\n\r\n${getMessage('/livez', 'Connection: close\r\n')}`,
    )
    const [head = '', nextResponse = ''] = received.split('\r\n\r\n')
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/)
    assert.match(head, /\r\nKeep-Alive: timeout=72/)
    assert.match(nextResponse, /^HTTP\/1\.1 200 OK\r\n/)
  })

  it('cannot have a header name or value that would inject another header', () => {
    assert.throws(() => buildHead(['link', 'a\r\nset-cookie: b']), { code: 'ERR_INVALID_CHAR' })
    assert.throws(() => buildHead(['a b', 'c']), { code: 'ERR_INVALID_HTTP_TOKEN' })
  })
})
