/**
 * Rate limits that processes share through Redis, and rate limits by the client address that a trusted proxy forwards.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Redis } from 'ioredis'
import type { TestDatabase } from '../support/database.ts'
import { createTestDatabase } from '../support/database.ts'
import { post, sendRequest } from '../support/http.ts'
import { startHaproxy, startNginx, startRedis } from '../support/reverse-proxy.ts'
import type { RunningService } from '../support/service.ts'
import { startService, token } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

describe('rate limits counted in Redis', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())

  it('are shared by all processes, are not enforced while Redis is down, and are enforced again afterwards', async () => {
    let redis = await startRedis()
    const limits = { reads: 6, redisUrl: `redis://127.0.0.1:${redis.port}` }
    const services = [await startService(database.url, { limits }), await startService(database.url, { limits })]
    const statusFromService = async (index: number) =>
      (await sendRequest(`${services[index]?.baseUrl}/v1/leave`)).status
    const alternatingStatuses = async (): Promise<number[]> => {
      const statuses: number[] = []
      for (let round = 0; round < 8; round += 1) statuses.push(await statusFromService(round % 2))
      return statuses
    }
    for (const service of services) {
      await waitUntil(
        'requests are counted',
        async () =>
          (await sendRequest(`${service.baseUrl}/v1/leave`)).headers.get('ratelimit')?.includes('r=6') === false,
      )
    }
    const counts = new Redis(`redis://127.0.0.1:${redis.port}`)
    await counts.flushall()
    await alternatingStatuses()
    await waitUntil(
      'one count has the requests of both',
      async () => (await counts.get('muster-reads 127.0.0.1')) === '8',
    )
    counts.disconnect()
    // Not at once: after a slow response of Redis, a request is served.
    await waitUntil('both refuse', async () =>
      (await alternatingStatuses()).slice(-2).every((status) => status === 429),
    )
    await redis.stop()
    assert.deepEqual(await alternatingStatuses(), [200, 200, 200, 200, 200, 200, 200, 200])
    redis = await startRedis(redis.port)
    await waitUntil('limits are enforced again', async () => (await alternatingStatuses()).includes(429), 60_000)
    for (const service of services) await service.stop()
    await redis.stop()
  })
})

describe('the Redis keys of rate limits', () => {
  it('contain the kind of limit and the client, so that different kinds never share a key', async (context) => {
    const database = await createTestDatabase()
    const redisServer = await startRedis()
    const redisUrl = `redis://127.0.0.1:${redisServer.port}`
    const limits = { reads: 100, writes: 100, authFailures: 100, redisUrl }
    const service = await startService(database.url, { limits, reads: 'token' })
    const redis = new Redis(redisUrl)
    context.after(async () => {
      redis.disconnect()
      await service.stop()
      await redisServer.stop()
      await database.drop()
    })
    const leaveUrl = `${service.baseUrl}/v1/leave`
    await waitUntil(
      'requests are counted',
      async () => (await sendRequest(leaveUrl)).headers.get('ratelimit')?.includes('r=100') === false,
    )
    await redis.flushall()
    const authorization = `Bearer ${token}`
    await sendRequest(leaveUrl, { headers: { authorization } })
    await sendRequest(leaveUrl, { headers: { authorization: 'Bearer wrong' } })
    assert.equal((await post(leaveUrl, { leave_type: 'annual' })).status, 201)
    const tokenHash = createHash('sha256').update(token).digest('hex').slice(0, 8)
    const storedCounts = await Promise.all(
      (await redis.keys('*')).sort().map(async (key) => [key, await redis.get(key)]),
    )
    assert.deepEqual(storedCounts, [
      ['muster-auth-failures 127.0.0.1', '1'],
      ['muster-reads 127.0.0.1', '2'],
      [`muster-writes ${tokenHash}`, '1'],
    ])
  })
})

describe('rate limits behind a reverse proxy', () => {
  for (const [name, startProxy] of [
    ['nginx', startNginx],
    ['haproxy', startHaproxy],
  ] as const) {
    it(`cannot be bypassed by a forged X-Forwarded-For through ${name}`, async () => {
      const database = await createTestDatabase()
      const service: RunningService = await startService(database.url, {
        limits: { reads: 3 },
        trustedProxies: ['127.0.0.1'],
      })
      const proxy = await startProxy(service.port)
      const statuses: number[] = []
      for (let round = 0; round < 5; round += 1) {
        const headers = { 'x-forwarded-for': `198.51.100.${round}`, forwarded: `for=198.51.100.${round}` }
        statuses.push((await sendRequest(`http://127.0.0.1:${proxy.port}/api/v1/leave`, { headers })).status)
      }
      assert.deepEqual(statuses, [200, 200, 200, 429, 429])
      // A request from another source address counts as another client.
      assert.match(await sendRequestFrom('127.0.0.2', proxy.port), /^HTTP\/1\.1 200 /)
      await proxy.stop()
      await service.stop()
      await database.drop()
    })
  }
})

const sendRequestFrom = async (localAddress: string, port: number): Promise<string> => {
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.write('GET /api/v1/leave HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const [firstChunk] = (await once(socket.setEncoding('latin1'), 'data')) as [string]
  socket.destroy()
  return firstChunk
}
