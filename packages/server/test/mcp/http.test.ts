import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, withClient } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import { callMessage, connectHttp, messageIn, postMessage } from '../../../../tests/support/mcp.ts'
import { sendMessage } from '../../../../tests/support/raw-connection.ts'
import { serve, serviceOrigin, stopService, waitForStatus } from '../../../../tests/support/served.ts'
import type { RunningService, ServiceSettings } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const countEmployees = callMessage('count', { resource: 'employees' })

let database: TestDatabase
before(async () => {
  database = await createSeededDatabase()
})
after(() => database.drop())

const withService = async (
  settings: ServiceSettings,
  work: (origin: string, service: RunningService) => Promise<void>,
) => {
  const service = await startService(database.url, { mcp: { writes: false }, ...settings })
  try {
    await work(`http://127.0.0.1:${service.port}`, service)
  } finally {
    await service.stop()
  }
}

describe('/mcp', () => {
  let service: RunningService
  let origin: string
  before(async () => {
    service = await startService(database.url, { mcp: { writes: false } })
    origin = `http://127.0.0.1:${service.port}`
  })
  after(() => service.stop())

  it('does not exist unless it is on', async () => {
    const off = await startService(database.url)
    assert.equal((await postMessage(`http://127.0.0.1:${off.port}`, listTools)).status, 404)
    await off.stop()
  })

  it('is in the index of the host only if it is on', async () => {
    assert.equal((await sendRequest(origin)).json.links.mcp, '/mcp')
    const off = await startService(database.url)
    assert.equal((await sendRequest(`http://127.0.0.1:${off.port}`)).json.links.mcp, undefined)
    await off.stop()
  })

  it('rejects a message that is too large for its agent to have meant it, before the SDK sees it', async () => {
    const call = (args: object, more: object = {}) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'count', arguments: { resource: 'employees', ...args }, ...more },
    })
    const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 1]))
    const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })
    const statusOf = async (message: object) => (await postMessage(origin, message)).status
    for (const message of [call(names(2_001)), call({ filters: names(2_001) }), call({}, { _meta: names(2_001) })])
      assert.equal(await statusOf(message), 400)
    assert.equal(await statusOf(call({}, names(2_001))), 400)
    assert.equal(await statusOf(call({ filters: nested(30) })), 400)
    assert.equal(await statusOf({ ...call({}), padding: 'x'.repeat(66_000) }), 413)
    assert.equal(await statusOf(call({}, { _meta: names(100) })), 200)
  })

  it('needs a token in token mode, before the message is read', async () => {
    await withService({ reads: 'token', limits: { authFailures: 3 } }, async (tokenOrigin) => {
      const send = (authorization: string) => postMessage(tokenOrigin, listTools, { authorization })
      assert.equal((await send(`Bearer ${token}`)).status, 200)
      const refused = await send('Bearer wrong')
      assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'])
      assert.deepEqual(
        [(await send('')).status, (await send('Bearer x')).status, (await send('')).status],
        [401, 401, 429],
      )
    })
  })

  it('offers no create unless writes are on, even with the write token', async () => {
    const response = await postMessage(origin, listTools, { authorization: `Bearer ${token}` })
    assert.equal(messageIn(response).result.tools.length, 7)
  })

  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT', 'PATCH'])
    it(`responds 405 to ${method}`, async () => {
      const { status, headers } = await sendRequest(`${origin}/mcp`, { method })
      assert.equal(status, 405)
      assert.equal(headers.get('allow'), 'POST, OPTIONS')
    })

  for (const requestOrigin of ['https://attacker.example', 'http://127.0.0.1:8080', 'null', 'http://localhost', ''])
    it(`refuses a web page of the origin "${requestOrigin}"`, async () => {
      const response = await postMessage(origin, countEmployees, { origin: requestOrigin })
      assert.equal(response.status, 403)
      assert.doesNotMatch(response.text, /rows/)
      assert.equal(response.headers.get('access-control-allow-origin'), null)
    })

  it('refuses a web page whose host name was rebound to the service', async () => {
    // A raw message, because fetch replaces the Host header.
    const body = JSON.stringify(countEmployees)
    const head = [
      'POST /mcp HTTP/1.1',
      'Host: attacker.example',
      'Origin: http://attacker.example',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    const [response] = await sendMessage(Number(new URL(origin).port), `${head.join('\r\n')}\r\n\r\n${body}`)
    assert.equal(response?.status, 403)
  })

  it('does not allow web pages in a preflight', async () => {
    const response = await sendRequest(`${origin}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://attacker.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(response.headers.get('access-control-allow-origin'), null)
  })

  it('refuses batches', async () => {
    for (const text of ['[]', ` \n[${JSON.stringify(countEmployees)}]`, `\uFEFF[${JSON.stringify(countEmployees)}]`]) {
      const response = await postMessage(origin, text)
      assert.equal(response.status, 400)
      assert.match(response.json.error.message, /Batches/)
    }
  })

  it('refuses a body of more than 64 kB, and says what to do', async () => {
    assert.equal((await postMessage(origin, ' '.repeat(1_048_577))).status, 413)
    const agent = await connectHttp(origin)
    await assert.rejects(
      agent.call('list', { resource: 'leave', q: 'x'.repeat(65_536) }),
      /The message is larger than 64 kB: name fewer values\. Only messages with the write token may have up to 1 MiB, if creates are on\./,
    )
    await agent.close()
    assert.equal((await postMessage(origin, JSON.stringify(countEmployees).padEnd(65_537))).status, 413)
    assert.equal((await postMessage(origin, JSON.stringify(countEmployees).padEnd(65_536))).status, 200)
  })

  it('refuses a message with more than 500 values, and shows a field once that is named repeatedly', async () => {
    const agent = await connectHttp(origin)
    const list = (count: number) =>
      agent.call('list', { resource: 'candidates', limit: 2, fields: Array(count).fill('headline') })
    await assert.rejects(list(501), /The message has more than 500 values or 20 levels: name fewer values\./)
    assert.deepEqual(await list(480), await list(1))
    await agent.close()
  })

  it('accepts a create of up to 1 MiB with the write token, as the API does', async () => {
    const readToken = 'a-read-token-of-more-than-32-characters'
    const settings = { mcp: { writes: true }, readTokens: [readToken] }
    await withService(settings, async (writableOrigin) => {
      const settingsJson = JSON.stringify({ text: '"'.repeat(120_000) })
      const create = callMessage('create', {
        resource: 'organizations',
        record: { name: 'Large', slug: 'large', settings_json: settingsJson },
      })
      const send = (authorization: string, message: object = create) =>
        postMessage(writableOrigin, message, { authorization })
      for (const authorization of ['', 'Bearer wrong', `Bearer ${readToken}`])
        assert.equal((await send(authorization)).status, 413)
      const response = await send(`Bearer ${token}`)
      assert.equal(response.status, 200, response.text)
      const { result } = messageIn(response)
      assert.equal(result.isError, undefined, response.text)
      const { id } = JSON.parse(result.content[0].text).rows[0]
      const { json } = await sendRequest(`${writableOrigin}/api/v1/organizations/${id}`)
      assert.equal(json.settings_json, settingsJson)
      const names = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`n${index}`, 1]))
      const many = callMessage('create', { resource: 'organizations', record: names })
      assert.equal((await send(`Bearer ${token}`, many)).status, 400)
    })
  })

  for (const [title, body, headers, expected] of [
    ['text that is no JSON', '{"jsonrpc":', {}, 400],
    ['an empty body', '', {}, 400],
    ['a number', '1', {}, 400],
    ['another content type', JSON.stringify(listTools), { 'content-type': 'text/plain' }, 415],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['an Accept header without event streams', JSON.stringify(listTools), { accept: 'application/json' }, 406],
    ['an unknown version', JSON.stringify(listTools), { 'mcp-protocol-version': '1999-01-01' }, 400],
  ] as const)
    it(`responds ${expected} to ${title}`, async () => {
      const response = await postMessage(origin, body, headers)
      assert.equal(response.status, expected, response.text)
      assert.ok(response.text.length < 1_000)
    })

  it('accepts notifications and unknown methods', async () => {
    assert.equal((await postMessage(origin, { jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
    const response = await postMessage(origin, { jsonrpc: '2.0', id: 1, method: 'resources/list' })
    assert.equal(messageIn(response).error.code, -32_601)
  })

  it('ends a subscription at once, because the tools never change', async () => {
    const agent = await connectHttp(origin)
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const response = await postMessage(
      origin,
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { _meta: meta, notifications: { toolsListChanged: true } },
      },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
    )
    assert.equal(response.status, 200)
    assert.match(response.text, /"resultType":"complete"/)
    await agent.close()
  })

  it('has no sessions', async () => {
    const response = await postMessage(origin, {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    })
    assert.equal(response.headers.get('mcp-session-id'), null)
    assert.equal(messageIn(response).result.serverInfo.name, 'Muster')
    assert.match(messageIn(response).result.instructions, /never follow instructions/)
    for (const { titles } of resources)
      assert.ok(messageIn(response).result.instructions.includes(` ${titles}`), titles)
    assert.equal(response.headers.get('cache-control'), 'no-store')
  })

  it('serves many agents at a time', async () => {
    const agents = await Promise.all(Array.from({ length: 10 }, () => connectHttp(origin)))
    const results = await Promise.all(
      agents.flatMap((agent) =>
        Array.from({ length: 10 }, () => agent.call('list', { resource: 'employees', limit: 50 })),
      ),
    )
    assert.equal(results.length, 100)
    for (const { json } of results) assert.ok(json.shown > 0)
    await Promise.all(agents.map((agent) => agent.close()))
  })
})

describe('limits of the API', () => {
  it('count the reads of an agent', async () => {
    await withService({ limits: { reads: 5 } }, async (origin) => {
      const results: string[] = []
      // Each call counts twice: as a request to /mcp and as a read.
      for (let call = 0; call < 4; call += 1) {
        const response = await postMessage(origin, countEmployees)
        results.push(response.status === 429 ? '429' : messageIn(response).result.content[0].text)
      }
      assert.match(String(results[1]), /rows/)
      assert.match(String(results[2]), /rate_limited.*retry_after_seconds/)
      assert.equal(results[3], '429')
    })
  })

  it('count wrong tokens of an agent by its address', async () => {
    await withService({ reads: 'redacted', limits: { authFailures: 2 } }, async (origin) => {
      const call = async () => messageIn(await postMessage(origin, countEmployees, { authorization: 'Bearer wrong' }))
      const results = [await call(), await call(), await call()].map(({ result }) => result.content[0].text)
      assert.match(results[1], /rows/)
      assert.match(results[2], /rate_limited/)
    })
  })

  it('count wrong tokens that only ask for the list of tools, because it shows which token may create', async () => {
    const readToken = 'a-read-token-of-more-than-32-characters'
    const settings = { mcp: { writes: true }, readTokens: [readToken], limits: { authFailures: 2 } }
    await withService(settings, async (origin) => {
      const statusWith = async (authorization: string) =>
        (await postMessage(origin, listTools, { authorization })).status
      for (const valid of [token, readToken]) {
        const statuses = [await statusWith(`Bearer ${valid}`), await statusWith(`Bearer ${valid}`)]
        assert.deepEqual([...statuses, await statusWith(`Bearer ${valid}`)], [200, 200, 200])
      }
      const statuses = [await statusWith('Bearer a'), await statusWith('Bearer b'), await statusWith('Bearer c')]
      assert.deepEqual(statuses, [200, 200, 429])
    })
  })

  it('apply to the address that a trusted proxy forwards', async () => {
    await withService({ limits: { reads: 4 }, trustedProxies: ['127.0.0.1'] }, async (origin) => {
      const call = (address: string) => postMessage(origin, countEmployees, { 'x-forwarded-for': address })
      for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.1', '198.51.100.2']) {
        const { result } = messageIn(await call(address))
        assert.equal(result.isError, undefined, address)
      }
      assert.equal((await call('198.51.100.1')).status, 429)
    })
  })
})

describe('an agent', () => {
  it('has a limited share of the database connections, as any other client', async () => {
    // Sorted lists have four connections, of which one client gets three.
    await withService({ trustedProxies: ['127.0.0.1'], poolSize: 8, cacheBytes: 0 }, async (origin) => {
      const tables = ['leave_requests', 'attendance', 'job_openings']
      const read = (address: string, path: string) =>
        sendRequest(`${origin}/api/v1/${path}`, { headers: { 'x-forwarded-for': address } })
      await withClient(database.url, async (client) => {
        await client.query(`begin; lock table ${tables.join(', ')} in access exclusive mode`)
        const calls = ['leave', 'attendance', 'jobs'].flatMap((resource) =>
          Array.from({ length: 8 }, (_, offset) =>
            postMessage(origin, callMessage('list', { resource, sort: 'status', offset }), {
              'x-forwarded-for': '198.51.100.1',
            }),
          ),
        )
        await waitUntil('the statements wait', async () => {
          const waiting = await database.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          return waiting.length >= 3
        })
        for (let attempt = 0; attempt < 5; attempt += 1)
          assert.equal((await read('198.51.100.2', `departments?sort=name&offset=${attempt}`)).status, 200)
        await client.query('rollback')
        await Promise.all(calls)
      })
    })
  })
})

describe('muster serve', () => {
  it('serves /mcp with 2 workers', async () => {
    const service = serve({ ...database.env, MUSTER_MCP: 'on' }, { args: ['--workers', '2'] })
    const origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    const agent = await connectHttp(origin)
    assert.equal((await agent.call('count', { resource: 'departments' })).isError, false)
    await agent.close()
    await stopService(service)
    assert.doesNotMatch(service.output, /ERR_ACCESS_DENIED|"level":[56]0/)
  })

  it('logs a call and the read that it makes, without arguments and results, and no error when an agent disconnects', async () => {
    const service = serve({ ...database.env, MUSTER_MCP: 'on' }, { args: ['--workers', '1'] })
    const origin = await serviceOrigin(service)
    await waitForStatus(`${origin}/readyz`, 200)
    await postMessage(origin, callMessage('find', { text: 'a-secret-word' }))
    await waitUntil('the call is logged', async () => service.output.includes('"route":"/mcp"'))
    const outputOfCall = service.output
    await withClient(database.url, async (client) => {
      await client.query('begin; lock table leave_requests in access exclusive mode')
      const controller = new AbortController()
      const call = fetch(`${origin}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify(callMessage('list', { resource: 'leave', sort: 'days' })),
        signal: controller.signal,
      })
      await waitUntil('the statement waits', async () => {
        const waiting = await database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return waiting.length > 0
      })
      controller.abort()
      await assert.rejects(call)
      await client.query('rollback')
    })
    const agent = await connectHttp(origin)
    assert.equal((await agent.call('count', { resource: 'leave' })).isError, false)
    await agent.close()
    await stopService(service)
    assert.match(outputOfCall, /"route":"\/api\/v1\/candidates"/)
    assert.doesNotMatch(service.output, /a-secret-word|ERR_ACCESS_DENIED/)
    assert.doesNotMatch(service.output.slice(outputOfCall.length), /"level":[456]0/)
  })
})
