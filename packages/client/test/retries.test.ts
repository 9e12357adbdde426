/** Tests which failed requests the client repeats, when, and how often. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createClient } from '@muster/client'
import type { Relay, RelayOptions } from '../../../tests/chaos/relay.ts'
import { openRelay } from '../../../tests/chaos/relay.ts'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../tests/support/database.ts'
import type { RunningService, ServiceSettings } from '../../../tests/support/service.ts'
import { startService, token } from '../../../tests/support/service.ts'
import { openFaultyProxy } from './support/faulty-proxy.ts'
import { recordRequests } from './support/recorded-fetch.ts'

const body = { leave_type: 'annual', employee_id: 1 }

describe('a request that fails', () => {
  let database: TestDatabase
  let service: RunningService
  const afterwards: (() => Promise<unknown>)[] = []
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url)
  })
  after(async () => {
    for (const end of afterwards.toReversed()) await end()
    await service?.stop()
    await database?.drop()
  })

  const relayTo = async (options: RelayOptions): Promise<Relay> => {
    const relay = await openRelay(options)
    afterwards.push(() => relay.close())
    return relay
  }
  const start = async (settings: ServiceSettings, url = database.url): Promise<RunningService> => {
    const started = await startService(url, settings)
    afterwards.push(() => started.stop())
    return started
  }
  const recordedClient = (port: number, retry = {}) => {
    const { fetch, requests } = recordRequests()
    const muster = createClient({ baseUrl: `http://127.0.0.1:${port}/api`, token, fetch, retry })
    const statuses = () => requests.map(({ status }) => status)
    return { muster, requests, statuses }
  }

  it('is repeated with the same idempotency key if the response to a create was lost, and creates only one record', async () => {
    let lost = 0
    const relay = await relayTo({
      to: service.port,
      shouldCut: (response) => response.includes('HTTP/1.1 201') && lost++ < 2,
    })
    const { muster, requests, statuses } = recordedClient(relay.port)
    const count = async () => (await muster.leave.list()).meta.total
    const before = await count()
    const record = await muster.leave.create(body)
    assert.equal(await count(), before + 1)
    assert.deepEqual(await muster.leave.get(record.id), record)
    assert.deepEqual(statuses().slice(1, 4), [undefined, undefined, 201])
    const keys = new Set(requests.slice(1, 4).map(({ headers }) => headers.get('idempotency-key')))
    assert.equal(keys.size, 1)
    assert.match([...keys][0] ?? '', /^[0-9a-f]{32}$/)
  })

  it('is repeated after the time in Retry-After while the database is down', async () => {
    const url = new URL(database.env.DATABASE_URL)
    const databasePort = Number(url.port || 5432)
    const between = await relayTo({ to: databasePort })
    url.port = String(between.port)
    const { port } = await start({}, url.href)
    const { muster, requests, statuses } = recordedClient(port)
    between.disconnect()
    const times: number[] = []
    const created = muster.leave.create(body)
    while (statuses().filter((status) => status === 503).length < 2) {
      if (requests.length > times.length) times.push(performance.now())
      await nextTurn()
    }
    between.reconnect()
    assert.equal((await created).leave_type, 'annual')
    const [first = 0, second = 0] = times
    assert.ok(second - first >= 1_000, `repeated after ${second - first} ms`)
    assert.deepEqual(statuses().slice(0, 2), [503, 503])
    assert.equal(statuses().at(-1), 201)
  })

  it('is not repeated if Retry-After is longer than the time that is left', async () => {
    const { port } = await start({ limits: { reads: 1 } })
    const { muster, statuses } = recordedClient(port, { totalMs: 20_000 })
    await muster.departments.get(1)
    const started = performance.now()
    await assert.rejects(muster.departments.get(1), ({ status, code, retryAfterMs }) => {
      assert.deepEqual([status, code], [429, 'rate_limited'])
      return retryAfterMs > 20_000 && retryAfterMs <= 60_000
    })
    assert.ok(performance.now() - started < 10_000)
    assert.deepEqual(statuses(), [200, 429])
  })

  it('is not repeated if creates are disabled', async () => {
    const { port } = await start({ tokens: [] })
    const { muster, statuses } = recordedClient(port)
    await assert.rejects(muster.leave.create(body), { status: 503, code: 'writes_disabled' })
    assert.deepEqual(statuses(), [503])
  })

  it('is not repeated if the request itself is invalid', async () => {
    const { muster, statuses } = recordedClient(service.port)
    await assert.rejects(muster.leave.create({ leave_type: '' }), { status: 422 })
    await assert.rejects(muster.leave.get(999_999), { status: 404 })
    assert.deepEqual(statuses(), [422, 404])
  })

  it('is repeated a limited number of times, and then the last error is thrown', async () => {
    const relay = await relayTo({ to: service.port })
    relay.disconnect()
    const { muster, statuses } = recordedClient(relay.port, { attempts: 3 })
    await assert.rejects(muster.departments.list(), ({ status, code, cause }) => {
      assert.deepEqual([status, code], [0, 'network_error'])
      return cause instanceof Error
    })
    assert.deepEqual(statuses(), [undefined, undefined, undefined])
    const once = recordedClient(relay.port, { attempts: 1 })
    await assert.rejects(once.muster.departments.each().next(), { code: 'network_error' })
    assert.equal(once.requests.length, 1)
  })

  it('is repeated if it fails before the first record of a stream', async () => {
    let lost = 0
    const relay = await relayTo({
      to: service.port,
      shouldCut: (response) => response.includes('x-total-count') && lost++ < 1,
    })
    const { muster, statuses } = recordedClient(relay.port)
    let count = 0
    for await (const { id } of muster.departments.each()) count += id > 0 ? 1 : 0
    assert.equal(count, (await muster.departments.list()).meta.total)
    assert.deepEqual(statuses().slice(0, 2), [undefined, 200])
  })

  it('is no longer repeated once its signal is aborted, even in the middle of a pause', async () => {
    const { port } = await start({ limits: { reads: 1 } })
    const { muster, statuses } = recordedClient(port)
    await muster.departments.get(1)
    const controller = new AbortController()
    const failing = muster.departments.get(1, {}, { signal: controller.signal })
    while (statuses()[1] === undefined) await nextTurn()
    // Until the body of the 429 is read and the pause has begun.
    for (let turn = 0; turn < 100; turn += 1) await nextTurn()
    const started = performance.now()
    controller.abort(new Error('enough'))
    await assert.rejects(failing, /enough/)
    assert.ok(performance.now() - started < 5_000)
    assert.deepEqual(statuses(), [200, 429])
  })

  it('is a network error if no response comes in time', async () => {
    const proxy = await openFaultyProxy({ targetPort: service.port, passedBytes: 0, afterwards: 'silence' })
    afterwards.push(() => proxy.close())
    const muster = createClient({ baseUrl: proxy.baseUrl, timeoutMs: 200, retry: { attempts: 1 } })
    await assert.rejects(muster.departments.list(), ({ code, cause }) => {
      return code === 'network_error' && /Nothing received for 200 ms/.test(cause.message)
    })
  })
})
