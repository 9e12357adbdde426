/** Limits that several processes share through Redis, and that go by the address a front vouches for. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Redis } from 'ioredis'
import type { TestDatabase } from '../service/test/support/database.ts'
import { createTestDatabase } from '../service/test/support/database.ts'
import { ask, post } from '../service/test/support/http.ts'
import type { RunningService } from '../service/test/support/service.ts'
import { startService, token } from '../service/test/support/service.ts'
import { until } from '../service/test/support/until.ts'
import { startHaproxy, startNginx, startRedis } from './front.ts'

const patienceMs = 20_000

describe('limits counted in Redis', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  it('are shared by processes, let everybody pass while Redis is away, and hold again when it is back', async () => {
    let redis = await startRedis()
    const limits = { reads: 6, redisUrl: `redis://127.0.0.1:${redis.port}` }
    const services = [await startService(database.url, { limits }), await startService(database.url, { limits })]
    const status = async (index: number) => (await ask(`${services[index]?.base}/v1/leave`)).status
    const rounds = async (): Promise<number[]> => {
      const statuses: number[] = []
      for (let round = 0; round < 8; round += 1) statuses.push(await status(round % 2))
      return statuses
    }
    await until(
      async () => (await ask(`${services[0]?.base}/v1/leave`)).headers.get('ratelimit')?.includes('r=6') === false,
      patienceMs,
    )
    assert.deepEqual((await rounds()).slice(-2), [429, 429])
    await redis.stop()
    assert.deepEqual(await rounds(), [200, 200, 200, 200, 200, 200, 200, 200])
    redis = await startRedis(redis.port)
    await until(async () => (await rounds()).includes(429), patienceMs)
    for (const service of services) await service.stop()
    await redis.stop()
  })
})

describe('the keys of limits in Redis', () => {
  it('name the kind of limit and the caller, so that no two kinds share a key', async (context) => {
    const database = await createTestDatabase()
    const server = await startRedis()
    const redisUrl = `redis://127.0.0.1:${server.port}`
    const limits = { reads: 100, writes: 100, authFailures: 100, redisUrl }
    const service = await startService(database.url, { limits, reads: 'token' })
    const redis = new Redis(redisUrl)
    context.after(async () => {
      redis.disconnect()
      await service.stop()
      await server.stop()
      await database.drop()
    })
    const leave = `${service.base}/v1/leave`
    await until(async () => (await ask(leave)).headers.get('ratelimit')?.includes('r=100') === false, patienceMs)
    await redis.flushall()
    const authorization = `Bearer ${token}`
    await ask(leave, { headers: { authorization } })
    await ask(leave, { headers: { authorization: 'Bearer wrong' } })
    assert.equal((await post(leave, { leave_type: 'annual' })).status, 201)
    const name = createHash('sha256').update(token).digest('hex').slice(0, 8)
    const counted = await Promise.all((await redis.keys('*')).sort().map(async (key) => [key, await redis.get(key)]))
    assert.deepEqual(counted, [
      ['muster-auth-failures 127.0.0.1', '1'],
      ['muster-reads 127.0.0.1', '2'],
      [`muster-writes ${name}`, '1'],
    ])
  })
})

describe('limits behind a front', () => {
  for (const [name, start] of [
    ['nginx', startNginx],
    ['haproxy', startHaproxy],
  ] as const) {
    it(`cannot be passed by a forged X-Forwarded-For through ${name}`, async () => {
      const database = await createTestDatabase()
      const service: RunningService = await startService(database.url, {
        limits: { reads: 3 },
        trustedProxies: ['127.0.0.1'],
      })
      const front = await start(service.port)
      const statuses: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const headers = { 'x-forwarded-for': `198.51.100.${round}`, forwarded: `for=198.51.100.${round}` }
        statuses.push((await ask(`http://127.0.0.1:${front.port}/api/v1/leave`, { headers })).status)
      }
      assert.deepEqual(statuses, [200, 200, 200, 429, 429])
      // Another machine, as far as the front can tell, is another caller.
      assert.match(await askFrom('127.0.0.2', front.port), /^HTTP\/1\.1 200 /)
      await front.stop()
      await service.stop()
      await database.drop()
    })
  }
})

const askFrom = async (localAddress: string, port: number): Promise<string> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.write('GET /api/v1/leave HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [first] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
  socket.destroy()
  return first
}
