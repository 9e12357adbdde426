import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService, ServiceSettings } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { readConfig } from '../../src/config/config.ts'
import { noTokens } from '../../src/config/tokens.ts'
import { settingWarnings } from '../../src/config/warnings.ts'
import { networkOf } from '../../src/http/connection/client-address.ts'

describe('rate limits', () => {
  let database: TestDatabase
  const runningServices: RunningService[] = []
  before(async () => {
    database = await createTestDatabase()
  })
  after(async () => {
    for (const service of runningServices) await service.stop()
    await database.drop()
  })
  const startLimitedService = async (settings: ServiceSettings): Promise<RunningService> => {
    const service = await startService(database.url, settings)
    runningServices.push(service)
    return service
  }
  const forwardedFor = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const body = { leave_type: 'annual' }

  it('are disabled by default', async () => {
    const service = await startLimitedService({})
    for (let round = 0; round < 50; round += 1) {
      const response = await sendRequest(`${service.baseUrl}/v1/leave?offset=${round}`)
      assert.deepEqual([response.status, response.headers.get('ratelimit')], [200, null])
    }
  })

  it('count reads by client address, including cached ones, and report the remaining requests', async () => {
    const { baseUrl: base } = await startLimitedService({ limits: { reads: 5 } })
    for (const remaining of [4, 3, 2, 1, 0]) {
      const response = await sendRequest(`${base}/v1/departments`, forwardedFor('198.51.100.7'))
      assert.equal(response.status, 200)
      assert.equal(response.headers.get('ratelimit-policy'), '"reads";q=5;w=60')
      assert.match(
        response.headers.get('ratelimit') ?? '',
        new RegExp(`^"reads";r=${remaining};t=([1-9]|[1-5]\\d|60)$`),
      )
    }
    for (const path of ['departments', 'departments/1', 'employees?limit=x']) {
      // X-Forwarded-For is ignored, because no trusted proxy is configured.
      const response = await sendRequest(`${base}/v1/${path}`, forwardedFor(`198.51.100.${path.length}`))
      assert.equal(response.status, 429)
      assert.equal(response.json.error.code, 'rate_limited')
      const [, remaining, seconds] = /^"reads";r=(\d+);t=(\d+)$/.exec(response.headers.get('ratelimit') ?? '') ?? []
      assert.equal(remaining, '0')
      assert.ok(Number(response.headers.get('retry-after')) >= Number(seconds))
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    }
    const origin = base.replace(/\/api$/, '')
    for (const path of [
      '/api',
      '/api/v1/health',
      '/api/docs',
      '/api/openapi.json',
      '/swagger.json',
      '/livez',
      '/readyz',
    ])
      assert.equal((await sendRequest(origin + path)).status, 200, path)
    assert.equal((await post(`${base}/v1/leave`, body)).status, 201)
  })

  it('count by the address that a trusted proxy forwards', async () => {
    const { baseUrl: base } = await startLimitedService({ limits: { reads: 2 }, trustedProxies: ['127.0.0.1'] })
    const statusFor = async (forwarded: string) =>
      (await sendRequest(`${base}/v1/leave`, forwardedFor(forwarded))).status
    for (const address of ['198.51.100.1', '198.51.100.2', '2001:db8:1:1::5']) {
      assert.deepEqual([await statusFor(address), await statusFor(address), await statusFor(address)], [200, 200, 429])
    }
    // Only the last address counts, which the proxy added. All addresses of one /64 network count as one client.
    assert.equal(await statusFor('203.0.113.9, 198.51.100.1'), 429)
    assert.equal(await statusFor('2001:db8:1:1:ffff::6'), 429)
    assert.equal(await statusFor('2001:db8:1:2::5'), 200)
    // A port, or a text that is no address, brings no limits of its own.
    assert.equal(await statusFor('198.51.100.1:4711'), 429)
    assert.deepEqual([await statusFor('a'), await statusFor('b'), await statusFor('c')], [200, 200, 429])
    // A trusted proxy is recognized with its port, so its clients have limits of their own.
    assert.equal(await statusFor('198.51.100.1, 127.0.0.1:4711'), 429)
    assert.equal(await statusFor('198.51.100.3, 127.0.0.1:4712'), 200)
  })

  it('count creates by token', async () => {
    const { baseUrl: base } = await startLimitedService({ tokens: [token, 'the-other-token'], limits: { writes: 3 } })
    const sendCreate = (authorization: string, requestBody: object = body) =>
      post(`${base}/v1/leave`, requestBody, { authorization: `Bearer ${authorization}` })
    const statuses: number[] = []
    for (const requestBody of [body, {}, body, body, {}]) statuses.push((await sendCreate(token, requestBody)).status)
    assert.deepEqual(statuses, [201, 422, 201, 429, 429])
    assert.equal((await sendCreate('the-other-token')).status, 201)
    assert.equal((await sendCreate('wrong')).status, 401)
    assert.equal((await sendRequest(`${base}/v1/leave`)).status, 200)
    assert.equal((await sendCreate(token)).headers.get('ratelimit-policy'), '"writes";q=3;w=60')
  })

  it('count wrong tokens by client address, and never reject a valid token', async () => {
    const { baseUrl: base } = await startLimitedService({ limits: { authFailures: 4 }, reads: 'token' })
    const wrongTokenHeaders = { authorization: 'Bearer wrong' }
    const statuses: number[] = []
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await post(`${base}/v1/leave`, body, wrongTokenHeaders)).status)
      statuses.push((await sendRequest(`${base}/v1/leave`, { headers: wrongTokenHeaders })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429])
    assert.equal((await post(`${base}/v1/leave`, body)).status, 201)
    const readResponse = await sendRequest(`${base}/v1/leave`, { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual([readResponse.status, readResponse.headers.get('ratelimit')], [200, null])
  })
})

describe('wrong tokens on reads in redacted mode', () => {
  it('are counted and rejected beyond the limit, unlike requests with no token or with a valid one', async (context) => {
    const database = await createTestDatabase()
    const service = await startService(database.url, { limits: { authFailures: 4, reads: 100 }, reads: 'redacted' })
    context.after(async () => {
      await service.stop()
      await database.drop()
    })
    const sendRead = (path: string, authorization?: string) =>
      sendRequest(`${service.baseUrl}/v1/${path}`, authorization === undefined ? {} : { headers: { authorization } })
    await database.execute(`insert into employees (status, first_name) values ('active', 'Ada')`)
    for (const path of ['employees', 'employees/1', 'counts/employees?by=status', 'employees?format=csv']) {
      const response = await sendRead(path, `Bearer wrong-${path}`)
      assert.equal(response.status, 200, path)
      assert.ok(!response.text.includes('Ada'))
    }
    const rejectedResponse = await sendRead('employees', 'Bearer wrong')
    assert.deepEqual([rejectedResponse.status, rejectedResponse.json.error.code], [429, 'rate_limited'])
    assert.equal(rejectedResponse.headers.get('ratelimit-policy'), '"auth-failures";q=4;w=60')
    for (const authorization of [undefined, 'Basic dXNlcjpwYXNz']) {
      const response = await sendRead('employees', authorization)
      assert.deepEqual([response.status, response.headers.get('ratelimit-policy')], [200, '"reads";q=100;w=60'])
    }
    assert.ok((await sendRead('employees', `Bearer ${token}`)).text.includes('Ada'))
  })
})

describe('the network of the client address', () => {
  const networks: [address: string, network: string][] = [
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::', 'fe80:0:0:0::/64'],
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:db8::6]:4711', '2001:db8:0:0::/64'],
    ['2001:0DB8:0::6', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1:0:0:6', '2001:db8:0:0::/64'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['invented', 'unknown'],
    ['198.51.100.7.8', 'unknown'],
    ['', 'unknown'],
  ]
  for (const [address, network] of networks)
    it(`${address} is ${network}`, () => assert.equal(networkOf(address), network))
})

describe('the settings of rate limits', () => {
  const readConfigFrom = (env: Record<string, string>) => readConfig({ DATABASE_URL: 'postgres://127.0.0.1/x', ...env })
  it('are read from environment variables', () => {
    const { limits, trustedProxies } = readConfigFrom({
      MUSTER_RATE_LIMIT_READS: '600',
      MUSTER_RATE_LIMIT_WRITES: '60',
      MUSTER_RATE_LIMIT_AUTH_FAILURES: ' 5 ',
      REDIS_URL: 'redis://127.0.0.1:6379',
      MUSTER_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,,fd00::/8',
    })
    assert.deepEqual(limits, { reads: 600, writes: 60, authFailures: 5, redisUrl: 'redis://127.0.0.1:6379' })
    assert.deepEqual(trustedProxies, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(readConfigFrom({}).trustedProxies, [])
  })
  it('cause a warning if each worker counts separately, or if REDIS_URL has no effect', () => {
    const warningsFor = (env: Record<string, string>) => settingWarnings(env, noTokens)
    const workerSettings = { MUSTER_WORKERS: '2' }
    const limitSettings = { MUSTER_RATE_LIMIT_WRITES: '9' }
    assert.match(
      warningsFor({ ...workerSettings, ...limitSettings }).join(),
      /^Each worker counts .+: set REDIS_URL\.$/,
    )
    const redisSettings = { REDIS_URL: 'redis://127.0.0.1:6379' }
    assert.deepEqual(warningsFor({ ...redisSettings, ...limitSettings }), [])
    assert.match(warningsFor(redisSettings).join(), /^REDIS_URL is set but no rate limit is, so Redis is not used: /)
    for (const env of [
      workerSettings,
      limitSettings,
      { ...workerSettings, ...limitSettings, REDIS_URL: 'redis://127.0.0.1' },
    ])
      assert.deepEqual(warningsFor(env), [])
  })
  for (const [name, value] of [
    ['MUSTER_RATE_LIMIT_READS', '0'],
    ['MUSTER_RATE_LIMIT_WRITES', 'many'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['MUSTER_TRUST_PROXY', 'proxy.example'],
    ['MUSTER_TRUST_PROXY', '10.0.0.0/33'],
    ['MUSTER_TRUST_PROXY', '10.0.0.0/x'],
  ] as const)
    it(`reject ${value} as ${name}`, () =>
      assert.throws(() => readConfigFrom({ [name]: value }), new RegExp(`^Error: ${name} must `)))
})
