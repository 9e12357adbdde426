import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { resources } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase, withClient } from '../../../../tests/support/database.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

/** Opens a client that sends all its requests from one loopback address, so that the service counts it as one. */
const openClient = (baseUrl: string, localAddress: string) => {
  const agent = new Agent({ keepAlive: true })
  return {
    async send(path: string, body?: object): Promise<number> {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const outgoingRequest = request(`${baseUrl}/v1/${path}`, { method, localAddress, agent, headers })
      outgoingRequest.end(body === undefined ? undefined : JSON.stringify(body))
      const [response] = (await once(outgoingRequest, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      return response.statusCode ?? 0
    },
    close: () => agent.destroy(),
  }
}

/** Returns a new number at each call. In a URL or body it prevents a response from the cache. */
let lastNumber = 0
const uniqueNumber = (): number => {
  lastNumber += 1
  return lastNumber
}

const floodConnections = 40

const untilQueued = ({ database }: RunningService, pool: string): Promise<number> =>
  waitUntil('a request waits for a slot', async () =>
    database.pools.some(({ name, waiting }) => name === pool && waiting > 0),
  )

/**
 * Repeats a request that gets 503 up to twice: on a busy machine even a request that is next in the queue may wait too
 * long. Without fair sharing, each attempt would get 503.
 */
const sendPatiently = async (send: () => Promise<number>): Promise<number> => {
  let status = await send()
  for (let repeats = 0; repeats < 2 && status === 503; repeats += 1) status = await send()
  return status
}

describe('a flood', () => {
  let database: TestDatabase
  let service: RunningService

  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { poolSize: 8 })
    await database.execute(`insert into organizations (name, slug) values ('Taken', 'taken')`)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** Floods from 127.0.0.2, and meanwhile collects the statuses that `address` receives for each kind of request. */
  const statusesDuringFlood = async (
    nextFloodRequest: (number: number) => readonly [path: string, body?: object],
    requests: Readonly<Record<string, () => readonly [path: string, body?: object]>>,
    { pool, address = '127.0.0.3' }: { pool: string; address?: string },
  ): Promise<Record<string, number[]>> => {
    const [flooder, otherClient] = [openClient(service.baseUrl, '127.0.0.2'), openClient(service.baseUrl, address)]
    let isOver = false
    const floodConnectionsDone = Array.from({ length: floodConnections }, async (_, number) => {
      while (!isOver) await flooder.send(...nextFloodRequest(number))
    })
    await untilQueued(service, pool)
    const statuses: Record<string, number[]> = {}
    for (let round = 0; round < 3; round += 1)
      for (const [name, nextRequest] of Object.entries(requests)) {
        const status = await sendPatiently(() => otherClient.send(...nextRequest()))
        statuses[name] = [...new Set([...(statuses[name] ?? []), status])]
      }
    isOver = true
    await Promise.all(floodConnectionsDone)
    flooder.close()
    otherClient.close()
    return statuses
  }

  const otherRequests = {
    get: () => [`employees/1?n=${uniqueNumber()}`] as const,
    'get with related records': () => [`employees/1?expand=department&n=${uniqueNumber()}`] as const,
    page: () => [`employees?limit=5&offset=${uniqueNumber()}`] as const,
    'sorted list': () => [`employees?sort=-last_name&limit=5&offset=${uniqueNumber()}`] as const,
    'filter by reference': () => [`leave?employee_id=${uniqueNumber()}`] as const,
    'duplicate slug': () => ['organizations', { name: 'Taken', slug: 'taken' }] as const,
    create: () => ['organizations', { name: 'New', slug: `new-${uniqueNumber()}` }] as const,
  }
  const expectedStatuses = {
    get: [200],
    'get with related records': [200],
    page: [200],
    'sorted list': [200],
    'filter by reference': [200],
    'duplicate slug': [422],
    create: [201],
  }

  it("of searches from one address causes only that address's searches to fail, never other reads or creates", async () => {
    // Each word of a search now takes 300 ms of waiting in the database, without CPU time.
    await database.execute(`
      alter function muster_like(text) rename to muster_like_fast;
      create function muster_like(term text) returns text language sql immutable
        as $$ select case when pg_sleep(0.3)::text = '' then muster_like_fast(term) end $$`)
    const searchRequest = (number: number): readonly [path: string] => [
      number % 2 === 0 ? `candidates?q=nobody${uniqueNumber()}` : `candidates?q=a&status=x${uniqueNumber()}`,
    ]
    const otherStatuses = await statusesDuringFlood(
      searchRequest,
      { ...otherRequests, search: () => [`candidates?q=somebody${uniqueNumber()}`] as const },
      { pool: 'search' },
    )
    const ownStatuses = await statusesDuringFlood(searchRequest, otherRequests, {
      pool: 'search',
      address: '127.0.0.2',
    })
    await database.execute(
      'drop function muster_like(text); alter function muster_like_fast(text) rename to muster_like',
    )
    assert.deepEqual(otherStatuses, { ...expectedStatuses, search: [200] })
    assert.deepEqual(ownStatuses, expectedStatuses)
  })

  it('of requests from one address for pages with related records makes no read or create from another address fail', async () => {
    // Reading a related department now takes 20 ms.
    await database.execute(`
      alter table departments enable row level security;
      create policy slow on departments for select using (pg_sleep(0.02)::text = '')`)
    const otherStatuses = await statusesDuringFlood(
      () => [`employees?expand=department&limit=25&n=${uniqueNumber()}`],
      {
        ...otherRequests,
        'page with related records': () => [`employees?expand=department&limit=1&n=${uniqueNumber()}`],
      },
      { pool: 'list' },
    )
    await database.execute('alter table departments disable row level security')
    assert.deepEqual(otherStatuses, { ...expectedStatuses, 'page with related records': [200] })
  })

  it('of creates from one address makes no read or create from another address fail', async () => {
    await database.execute(`
      create function nap() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
      create trigger nap before insert on leave_requests for each row execute function nap()`)
    const otherStatuses = await statusesDuringFlood(
      () => ['leave', { leave_type: 'annual' }],
      { ...otherRequests, 'the same create': () => ['leave', { leave_type: 'sick' }] as const },
      { pool: 'write' },
    )
    await database.execute('drop function nap cascade')
    assert.deepEqual(otherStatuses, { ...expectedStatuses, 'the same create': [201] })
  })
})

describe('a locked table', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createSeededDatabase()
    service = await startService(database.url, { poolSize: 8 })
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('does not affect other resources, and requests that need the table fail before a proxy repeats them', async () => {
    const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((address) => openClient(service.baseUrl, address))
    const [first] = clients as [ReturnType<typeof openClient>]
    const otherResources = resources.filter(({ path }) => path !== 'employees')
    await withClient(database.url, async (lockHolder) => {
      await lockHolder.query('begin; lock table employees in access exclusive mode')
      const start = performance.now()
      const blockedRequests = clients.flatMap(({ send }) =>
        Array.from({ length: 10 }, () => [
          send(`employees?limit=5&offset=${uniqueNumber()}`),
          send(`employees/1?n=${uniqueNumber()}`),
          send(`employees?sort=-id&offset=${uniqueNumber()}`),
          send(`employees?q=nobody${uniqueNumber()}`),
          send('leave', { employee_id: 1, leave_type: 'annual' }),
        ]).flat(),
      )
      await untilQueued(service, 'read')
      const statuses: Record<string, number[]> = {}
      for (const { path } of otherResources)
        statuses[path] = await Promise.all([
          sendPatiently(() => first.send(`${path}?limit=5&offset=${uniqueNumber()}`)),
          sendPatiently(() => first.send(`${path}/1?fields=id&n=${uniqueNumber()}`)),
          sendPatiently(() => first.send(`${path}?sort=-id&limit=5&offset=${uniqueNumber()}`)),
        ])
      assert.deepEqual(statuses, Object.fromEntries(otherResources.map(({ path }) => [path, [200, 200, 200]])))
      assert.deepEqual(new Set(await Promise.all(blockedRequests)), new Set([503]))
      // The lock timeout is 2 s, and a request waits at most 3 s for a slot in a connection pool. A proxy waits 15 s.
      assert.ok(performance.now() - start < 14_900, `${performance.now() - start} ms`)
      await lockHolder.query('rollback')
    })
    assert.equal(await first.send(`employees?limit=5&offset=${uniqueNumber()}`), 200)
    for (const { close } of clients) close()
  })
})
