import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRawBytes, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'

const creatablePaths = resources.filter(({ creatable }) => creatable).map(({ path }) => path)

describe('write access control', () => {
  let database: TestDatabase
  let service: RunningService
  let serviceWithoutToken: RunningService
  let rotatingService: RunningService
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    serviceWithoutToken = await startService(database.url, { tokens: [] })
    rotatingService = await startService(database.url, { tokens: ['new-token', token] })
  })
  after(async () => {
    for (const runningService of [service, serviceWithoutToken, rotatingService]) await runningService.stop()
    await database.drop()
  })

  for (const path of creatablePaths) {
    it(`responds 503 for ${path} if no token is configured, whatever is sent`, async () => {
      for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
        const response = await sendRequest(`${serviceWithoutToken.baseUrl}/v1/${path}`, {
          method: 'POST',
          headers,
          body: 'x'.repeat(2_000_000),
        })
        assert.equal(response.status, 503)
        assert.equal(response.json.error.code, 'writes_disabled')
        assert.equal(response.headers.get('retry-after'), null)
      }
    })

    it(`responds 401 for ${path} without the token, whatever the body`, async () => {
      const response = await sendRequest(`${service.baseUrl}/v1/${path}`, {
        method: 'POST',
        body: 'x'.repeat(2_000_000),
      })
      assert.equal(response.status, 401)
      assert.equal(response.json.error.code, 'unauthorized')
      assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    })

    it(`responds 413 for ${path} before it checks the content type`, async () => {
      const response = await post(`${service.baseUrl}/v1/${path}`, 'x'.repeat(1_048_577), {
        'content-type': 'text/plain',
      })
      assert.equal(response.status, 413)
      assert.equal(response.json.error.code, 'payload_too_large')
    })
  }

  it('accepts a body of exactly 1 MiB', async () => {
    const response = await post(`${service.baseUrl}/v1/leave`, ' '.repeat(1_048_576))
    assert.equal(response.json.error.details.errors[0].type, 'json_invalid')
  })

  it('responds 413 to a chunked body that is too large', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const requestHead = `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const response = await sendRawBytes(service.port, requestHead + chunk.repeat(17))
    assert.match(response, /^HTTP\/1\.1 413 /)
  })

  it('rejects a request before its body arrives', async () => {
    const socket = connect(service.port, '127.0.0.1')
    socket.write(
      'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    )
    const [firstChunk] = (await once(socket, 'data')) as [Buffer]
    assert.match(firstChunk.toString(), /^HTTP\/1\.1 401 /)
    socket.destroy()
  })

  for (const authorization of [
    ...['', 'Bearer', 'Bearer ', `Basic ${token}`, token, `Bearer: ${token}`, `Bearer"${token}"`, `Bearer "${token}"`],
    ...[`Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Bearer ${token.toUpperCase()}`, `Bearer\t${token}`],
    ...[
      `Bearer ${token} ${token}`,
      `Bearer ${token},Bearer ${token}`,
      `Bearer ${'x'.repeat(8_000)}`,
      `Token ${token}`,
      `bearer${token}`,
    ],
  ]) {
    it(`rejects the Authorization header ${JSON.stringify(authorization.slice(0, 70))}`, async () => {
      const response = await post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual' }, { authorization })
      assert.equal(response.status, 401)
    })
  }

  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, ` Bearer ${token} `]) {
    it(`accepts the Authorization header ${JSON.stringify(authorization)}`, async () => {
      const response = await post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual' }, { authorization })
      assert.equal(response.status, 201)
    })
  }

  it('rejects two Authorization headers, even if both are valid', async () => {
    const authorizationLine = `Authorization: Bearer ${token}\r\n`
    const body = '{"leave_type":"annual"}'
    const contentHeadersAndBody = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
    const requestHead = 'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\n'
    assert.match(
      await sendRawBytes(service.port, requestHead + authorizationLine + authorizationLine + contentHeadersAndBody),
      /^HTTP\/1\.1 401 /,
    )
    assert.match(
      await sendRawBytes(service.port, requestHead + authorizationLine + contentHeadersAndBody),
      /^HTTP\/1\.1 201 /,
    )
  })

  it('ignores a token in the query, the body or a cookie', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/leave?token=${token}&access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `token=${token}` },
      body: JSON.stringify({ leave_type: 'annual', access_token: token }),
    })
    assert.equal(response.status, 401)
  })

  it('accepts the previous token as well as the new one', async () => {
    for (const acceptedToken of ['new-token', token]) {
      const response = await post(
        `${rotatingService.baseUrl}/v1/leave`,
        { leave_type: 'annual' },
        { authorization: `Bearer ${acceptedToken}` },
      )
      assert.equal(response.status, 201)
    }
  })

  it('makes the health check report whether writes are enabled', async () => {
    assert.equal((await sendRequest(`${service.baseUrl}/v1/health`)).json.writes_enabled, true)
    assert.equal((await sendRequest(`${serviceWithoutToken.baseUrl}/v1/health`)).json.writes_enabled, false)
  })

  it('does not apply to reads, even with a wrong token', async () => {
    const response = await sendRequest(`${service.baseUrl}/v1/leave`, { headers: { authorization: 'Bearer wrong' } })
    assert.equal(response.status, 200)
  })

  it('sends the same 401 body for every reason, except for the request id', async () => {
    const bodies = await Promise.all(
      [{}, { authorization: 'Basic x' }, { authorization: 'Bearer wrong' }].map(async (headers) => {
        const response = await sendRequest(`${service.baseUrl}/v1/leave`, { method: 'POST', headers })
        return response.text.replace(/"request_id":"[^"]+"/, '')
      }),
    )
    assert.equal(new Set(bodies).size, 1)
  })
})
