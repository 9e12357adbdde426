/** Limits that several processes share through Redis, and that go by the address a front vouches for. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../service/test/support/database.ts'
import { createTestDatabase } from '../service/test/support/database.ts'
import { ask } from '../service/test/support/http.ts'
import type { RunningService } from '../service/test/support/service.ts'
import { startService } from '../service/test/support/service.ts'
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
