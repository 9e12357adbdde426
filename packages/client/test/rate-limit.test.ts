/**
 * The rate limit counts requests per minute. The test mocks the client's timers instead of waiting; the services run in
 * other processes, where timers are not mocked.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createClient } from '@muster/client'
import type { Relay } from '../../../tests/chaos/relay.ts'
import { openRelay } from '../../../tests/chaos/relay.ts'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { ServerProcess } from '../../../tests/support/server-process.ts'
import { startServer } from '../../../tests/support/server-process.ts'
import { recordRequests } from './support/recorded-fetch.ts'

const portOf = ({ origin }: ServerProcess): number => Number(new URL(origin).port)

describe('a request above the rate limit', () => {
  let database: TestDatabase
  let limitedService: ServerProcess
  let unlimitedService: ServerProcess
  let relay: Relay
  before(async () => {
    database = await createSeededDatabase()
    const start = (env: Record<string, string>) =>
      startServer({
        args: ['packages/server/bin/muster.js', 'serve'],
        env: { ...database.env, ...env },
        readyPath: '/readyz',
      })
    limitedService = await start({ MUSTER_RATE_LIMIT_READS: '1' })
    unlimitedService = await start({})
    relay = await openRelay({ to: portOf(limitedService) })
  })
  after(async () => {
    await relay?.close()
    await limitedService?.stop()
    await unlimitedService?.stop()
    await database?.drop()
  })

  it('is repeated once the time in Retry-After has passed, and not earlier', async ({ mock }) => {
    const { fetch, requests } = recordRequests()
    const receivedStatuses = () => requests.map(({ status }) => status)
    const muster = createClient({ baseUrl: `http://127.0.0.1:${relay.port}/api`, fetch })
    await muster.departments.get(1)

    mock.timers.enable({ apis: ['setTimeout'] })
    const repeatedRequest = muster.departments.get(1)
    while (receivedStatuses()[1] === undefined) await nextTurn()
    // The client still reads the body of the 429 response. `setTimeout` is mocked, so turns of the event loop are counted.
    for (const startedAt = performance.now(); performance.now() < startedAt + 500; ) await nextTurn()
    relay.redirect(portOf(unlimitedService))
    let seconds = 0
    while (requests.length < 3 && seconds < 100) {
      for (let turn = 0; turn < 20; turn += 1) await nextTurn()
      mock.timers.tick(1_000)
      seconds += 1
    }
    mock.timers.reset()
    assert.equal((await repeatedRequest).id, 1)
    assert.deepEqual(receivedStatuses(), [200, 429, 200])
    assert.ok(seconds >= 50 && seconds <= 62, `repeated after ${seconds} s`)
  })
})
