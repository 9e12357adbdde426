/** Who may create, and in which order a create is refused. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, exchange, post } from './support/http.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'

const creatable = resources.filter(({ creatable }) => creatable).map(({ path }) => path)

describe('write access', () => {
  let database: TestDatabase
  let open: RunningService
  let closed: RunningService
  let rotating: RunningService
  before(async () => {
    database = await createTestDatabase()
    open = await startService(database.url)
    closed = await startService(database.url, { tokens: [] })
    rotating = await startService(database.url, { tokens: ['new-token', token] })
  })
  after(async () => {
    for (const service of [open, closed, rotating]) await service.stop()
    await database.drop()
  })

  for (const path of creatable) {
    it(`without a configured token answers 503 for ${path}, whatever is sent`, async () => {
      for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
        const answer = await ask(`${closed.base}/v1/${path}`, { method: 'POST', headers, body: 'x'.repeat(2_000_000) })
        assert.equal(answer.status, 503)
        assert.equal(answer.json.error.code, 'writes_disabled')
        assert.equal(answer.headers.get('retry-after'), null)
      }
    })

    it(`without the token answers 401 for ${path}, however wrong the body`, async () => {
      const answer = await ask(`${open.base}/v1/${path}`, { method: 'POST', body: 'x'.repeat(2_000_000) })
      assert.equal(answer.status, 401)
      assert.equal(answer.json.error.code, 'unauthorized')
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    })

    it(`with the token answers 413 for ${path} before it looks at what the body is`, async () => {
      const answer = await post(`${open.base}/v1/${path}`, 'x'.repeat(1_048_577), { 'content-type': 'text/plain' })
      assert.equal(answer.status, 413)
      assert.equal(answer.json.error.code, 'payload_too_large')
    })
  }

  it('takes a body of exactly one mebibyte as not too large', async () => {
    const answer = await post(`${open.base}/v1/leave`, ' '.repeat(1_048_576))
    assert.equal(answer.json.error.details.errors[0].type, 'json_invalid')
  })

  it('answers 413 for a body that says no length and turns out too large', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const head = `POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const answer = await exchange(open.port, head + chunk.repeat(17))
    assert.match(answer, /^HTTP\/1\.1 413 /)
  })

  it('is decided before the body is sent', async () => {
    const socket = connect(open.port, '127.0.0.1')
    socket.write(
      'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
    )
    const [first] = (await once(socket, 'data')) as [Buffer]
    assert.match(first.toString(), /^HTTP\/1\.1 401 /)
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
    it(`refuses ${JSON.stringify(authorization.slice(0, 70))}`, async () => {
      const answer = await post(`${open.base}/v1/leave`, { leave_type: 'annual' }, { authorization })
      assert.equal(answer.status, 401)
    })
  }

  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, ` Bearer ${token} `]) {
    it(`accepts ${JSON.stringify(authorization)}`, async () => {
      const answer = await post(`${open.base}/v1/leave`, { leave_type: 'annual' }, { authorization })
      assert.equal(answer.status, 201)
    })
  }

  it('refuses two Authorization headers, even where both are right', async () => {
    const line = `Authorization: Bearer ${token}\r\n`
    const body = '{"leave_type":"annual"}'
    const rest = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
    const head = 'POST /api/v1/leave HTTP/1.1\r\nHost: x\r\n'
    assert.match(await exchange(open.port, head + line + line + rest), /^HTTP\/1\.1 401 /)
    assert.match(await exchange(open.port, head + line + rest), /^HTTP\/1\.1 201 /)
  })

  it('never looks for the token in the query, the body or a cookie', async () => {
    const answer = await ask(`${open.base}/v1/leave?token=${token}&access_token=${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `token=${token}` },
      body: JSON.stringify({ leave_type: 'annual', access_token: token }),
    })
    assert.equal(answer.status, 401)
  })

  it('accepts the previous token beside the new one', async () => {
    for (const each of ['new-token', token]) {
      const answer = await post(
        `${rotating.base}/v1/leave`,
        { leave_type: 'annual' },
        { authorization: `Bearer ${each}` },
      )
      assert.equal(answer.status, 201)
    }
  })

  it('is told by health from the configuration alone', async () => {
    assert.equal((await ask(`${open.base}/v1/health`)).json.writes_enabled, true)
    assert.equal((await ask(`${closed.base}/v1/health`)).json.writes_enabled, false)
  })

  it('is not asked of reads, and a wrong token does not stop one', async () => {
    const answer = await ask(`${open.base}/v1/leave`, { headers: { authorization: 'Bearer wrong' } })
    assert.equal(answer.status, 200)
  })

  it('refuses in the same bytes, but for the id of the request', async () => {
    const bodies = await Promise.all(
      [{}, { authorization: 'Basic x' }, { authorization: 'Bearer wrong' }].map(async (headers) => {
        const answer = await ask(`${open.base}/v1/leave`, { method: 'POST', headers })
        return answer.text.replace(/"request_id":"[^"]+"/, '')
      }),
    )
    assert.equal(new Set(bodies).size, 1)
  })
})
