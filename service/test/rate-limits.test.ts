/** How often one caller may ask, where that is limited. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig, settingWarnings } from '../src/config.ts'
import { networkOf } from '../src/http/rate-limits.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import type { RunningService, ServiceSettings } from './support/service.ts'
import { startService, token } from './support/service.ts'

describe('rate limits', () => {
  let database: TestDatabase
  const running: RunningService[] = []
  before(async () => {
    database = await createTestDatabase()
  })
  after(async () => {
    for (const service of running) await service.stop()
    await database.drop()
  })
  const start = async (settings: ServiceSettings): Promise<RunningService> => {
    const service = await startService(database.url, settings)
    running.push(service)
    return service
  }
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const body = { leave_type: 'annual' }

  it('are off unless set', async () => {
    const service = await start({})
    for (let round = 0; round < 50; round += 1) {
      const answer = await ask(`${service.base}/v1/leave?offset=${round}`)
      assert.deepEqual([answer.status, answer.headers.get('ratelimit')], [200, null])
    }
  })

  it('count reads by address, those from memory too, and tell what is left', async () => {
    const { base } = await start({ limits: { reads: 5 } })
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await ask(`${base}/v1/departments`, from('198.51.100.7'))
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('ratelimit-policy'), '"reads";q=5;w=60')
      assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"reads";r=${left};t=([1-9]|[1-5]\\d|60)$`))
    }
    for (const path of ['departments', 'departments/1', 'employees?limit=x']) {
      // Nobody told the service to believe it.
      const answer = await ask(`${base}/v1/${path}`, from(`198.51.100.${path.length}`))
      assert.equal(answer.status, 429)
      assert.equal(answer.json.error.code, 'rate_limited')
      const [, left, seconds] = /^"reads";r=(\d+);t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '') ?? []
      assert.equal(left, '0')
      assert.ok(Number(answer.headers.get('retry-after')) >= Number(seconds))
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    }
    const host = base.replace(/\/api$/, '')
    for (const path of [
      '/api',
      '/api/v1/health',
      '/api/docs',
      '/api/openapi.json',
      '/swagger.json',
      '/livez',
      '/readyz',
    ])
      assert.equal((await ask(host + path)).status, 200, path)
    assert.equal((await post(`${base}/v1/leave`, body)).status, 201)
  })

  it('count by the address that a trusted front names, and by no other', async () => {
    const { base } = await start({ limits: { reads: 2 }, trustedProxies: ['127.0.0.1'] })
    const status = async (forwarded: string) => (await ask(`${base}/v1/leave`, from(forwarded))).status
    for (const address of ['198.51.100.1', '198.51.100.2', '2001:db8:1:1::5']) {
      assert.deepEqual([await status(address), await status(address), await status(address)], [200, 200, 429])
    }
    // What stands before it was said by the client, and another address of the same network is no other caller.
    assert.equal(await status('203.0.113.9, 198.51.100.1'), 429)
    assert.equal(await status('2001:db8:1:1:ffff::6'), 429)
    assert.equal(await status('2001:db8:1:2::5'), 200)
  })

  it('count creates by token', async () => {
    const { base } = await start({ tokens: [token, 'the-other-token'], limits: { writes: 3 } })
    const create = (authorization: string, sent: object = body) =>
      post(`${base}/v1/leave`, sent, { authorization: `Bearer ${authorization}` })
    const statuses: number[] = []
    for (const sent of [body, {}, body, body, {}]) statuses.push((await create(token, sent)).status)
    assert.deepEqual(statuses, [201, 422, 201, 429, 429])
    assert.equal((await create('the-other-token')).status, 201)
    assert.equal((await create('wrong')).status, 401)
    assert.equal((await ask(`${base}/v1/leave`)).status, 200)
    assert.equal((await create(token)).headers.get('ratelimit-policy'), '"writes";q=3;w=60')
  })

  it('count wrong tokens by address, and let right ones pass whatever came before', async () => {
    const { base } = await start({ limits: { authFailures: 4 }, reads: 'token' })
    const wrong = { authorization: 'Bearer wrong' }
    const statuses: number[] = []
    for (let round = 0; round < 3; round += 1) {
      statuses.push((await post(`${base}/v1/leave`, body, wrong)).status)
      statuses.push((await ask(`${base}/v1/leave`, { headers: wrong })).status)
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429])
    assert.equal((await post(`${base}/v1/leave`, body)).status, 201)
    const read = await ask(`${base}/v1/leave`, { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual([read.status, read.headers.get('ratelimit')], [200, null])
  })
})

describe('wrong tokens on reads in redacted mode', () => {
  it('are counted, and past the limit refused; no token is no failure, and a right one passes', async (context) => {
    const database = await createTestDatabase()
    const service = await startService(database.url, { limits: { authFailures: 4, reads: 100 }, reads: 'redacted' })
    context.after(async () => {
      await service.stop()
      await database.drop()
    })
    const read = (path: string, authorization?: string) =>
      ask(`${service.base}/v1/${path}`, authorization === undefined ? {} : { headers: { authorization } })
    await database.execute(`insert into employees (status, first_name) values ('active', 'Ada')`)
    for (const path of ['employees', 'employees/1', 'counts/employees?by=status', 'employees?format=csv']) {
      const answer = await read(path, `Bearer wrong-${path}`)
      assert.equal(answer.status, 200, path)
      assert.ok(!answer.text.includes('Ada'))
    }
    const refused = await read('employees', 'Bearer wrong')
    assert.deepEqual([refused.status, refused.json.error.code], [429, 'rate_limited'])
    assert.equal(refused.headers.get('ratelimit-policy'), '"auth-failures";q=4;w=60')
    for (const authorization of [undefined, 'Basic dXNlcjpwYXNz']) {
      const answer = await read('employees', authorization)
      assert.deepEqual([answer.status, answer.headers.get('ratelimit-policy')], [200, '"reads";q=100;w=60'])
    }
    assert.ok((await read('employees', `Bearer ${token}`)).text.includes('Ada'))
  })
})

describe('a network', () => {
  const networks: [address: string, network: string][] = [
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::', 'fe80:0:0:0::/64'],
  ]
  for (const [address, network] of networks)
    it(`of ${address} is ${network}`, () => assert.equal(networkOf(address), network))
})

describe('the settings of limits', () => {
  const read = (env: Record<string, string>) => readConfig({ DATABASE_URL: 'postgres://127.0.0.1/x', ...env })
  it('are read', () => {
    const { limits, trustedProxies } = read({
      MUSTER_RATE_LIMIT_READS: '600',
      MUSTER_RATE_LIMIT_WRITES: '60',
      MUSTER_RATE_LIMIT_AUTH_FAILURES: ' 5 ',
      REDIS_URL: 'redis://127.0.0.1:6379',
      MUSTER_TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,,fd00::/8',
    })
    assert.deepEqual(limits, { reads: 600, writes: 60, authFailures: 5, redisUrl: 'redis://127.0.0.1:6379' })
    assert.deepEqual(trustedProxies, ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
    assert.deepEqual(read({}).trustedProxies, [])
  })
  it('are warned of where workers multiply them', () => {
    const warnings = (env: Record<string, string>) => settingWarnings(env, { write: [], read: [] })
    const workers = { MUSTER_WORKERS: '2' }
    const limits = { MUSTER_RATE_LIMIT_WRITES: '9' }
    assert.match(warnings({ ...workers, ...limits }).join(), /^Each worker counts .+: set REDIS_URL\.$/)
    const redis = { REDIS_URL: 'redis://127.0.0.1:6379' }
    assert.deepEqual(warnings({ ...redis, ...limits }), [])
    assert.match(warnings(redis).join(), /^REDIS_URL is set and no rate limit is, so Redis is not used: /)
    for (const env of [workers, limits, { ...workers, ...limits, REDIS_URL: 'redis://127.0.0.1' }])
      assert.deepEqual(warnings(env), [])
  })
  for (const [name, value] of [
    ['MUSTER_RATE_LIMIT_READS', '0'],
    ['MUSTER_RATE_LIMIT_WRITES', 'many'],
    ['REDIS_URL', 'http://127.0.0.1'],
    ['MUSTER_TRUST_PROXY', 'front.example'],
    ['MUSTER_TRUST_PROXY', '10.0.0.0/33'],
    ['MUSTER_TRUST_PROXY', '10.0.0.0/x'],
  ] as const)
    it(`refuse ${value} as ${name}`, () =>
      assert.throws(() => read({ [name]: value }), new RegExp(`^Error: ${name} should `)))
})
