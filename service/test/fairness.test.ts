/** One client's load, or one locked table, leaves room for all other requests. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setImmediate as immediate } from 'node:timers/promises'
import { resources } from '@muster/model'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, withClient } from './support/database.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'
import { until } from './support/until.ts'

/** Requests from one of the loopback addresses. */
const openClient = (base: string, localAddress: string) => {
  const agent = new Agent({ keepAlive: true })
  return {
    async send(path: string, body?: object): Promise<number> {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = request(`${base}/v1/${path}`, { method, localAddress, agent, headers })
      sent.end(body === undefined ? undefined : JSON.stringify(body))
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode ?? 0
    },
    close: () => agent.destroy(),
  }
}

/** Numbers that make a URL or a body unlike every other, so that nothing is served from memory. */
let last = 0
const unique = (): number => {
  last += 1
  return last
}

const floodConnections = 40

const untilQueued = ({ database }: RunningService, pool: string): Promise<void> =>
  until(async () => {
    await immediate()
    return database.pools.some(({ name, waiting }) => name === pool && waiting > 0)
  })

describe('a flood from one address', () => {
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

  /** Floods from 127.0.0.2, and meanwhile collects the statuses that `address` gets for each kind of request. */
  const statusesDuring = async (
    flood: (number: number) => readonly [path: string, body?: object],
    others: Readonly<Record<string, () => readonly [path: string, body?: object]>>,
    { pool, address = '127.0.0.3' }: { pool: string; address?: string },
  ): Promise<Record<string, number[]>> => {
    const [greedy, modest] = [openClient(service.base, '127.0.0.2'), openClient(service.base, address)]
    let isOver = false
    const floods = Array.from({ length: floodConnections }, async (_, number) => {
      while (!isOver) await greedy.send(...flood(number))
    })
    await untilQueued(service, pool)
    const seen: Record<string, number[]> = {}
    for (let round = 0; round < 3; round += 1)
      for (const [name, next] of Object.entries(others)) {
        const status = await modest.send(...next())
        seen[name] = [...new Set([...(seen[name] ?? []), status])]
      }
    isOver = true
    await Promise.all(floods)
    greedy.close()
    modest.close()
    return seen
  }

  const plainReads = {
    get: () => [`employees/1?n=${unique()}`] as const,
    'get with related records': () => [`employees/1?expand=department&n=${unique()}`] as const,
    page: () => [`employees?limit=5&offset=${unique()}`] as const,
    'sorted list': () => [`employees?sort=-last_name&limit=5&offset=${unique()}`] as const,
    'filter by reference': () => [`leave?employee_id=${unique()}`] as const,
    'taken slug': () => ['organizations', { name: 'Taken', slug: 'taken' }] as const,
    create: () => ['organizations', { name: 'New', slug: `new-${unique()}` }] as const,
  }
  const served = {
    get: [200],
    'get with related records': [200],
    page: [200],
    'sorted list': [200],
    'filter by reference': [200],
    'taken slug': [422],
    create: [201],
  }

  it('of searches makes no search of another address fail, and no other read or create of any address', async () => {
    // A search takes 300 ms for each of its words, without using the processor.
    await database.execute(`
      alter function muster_like(text) rename to muster_like_fast;
      create function muster_like(term text) returns text language sql immutable
        as $$ select case when pg_sleep(0.3)::text = '' then muster_like_fast(term) end $$`)
    const searches = (number: number): readonly [path: string] => [
      number % 2 === 0 ? `candidates?q=nobody${unique()}` : `candidates?q=a&status=x${unique()}`,
    ]
    const seen = await statusesDuring(
      searches,
      { ...plainReads, search: () => [`candidates?q=somebody${unique()}`] as const },
      { pool: 'search' },
    )
    const own = await statusesDuring(searches, plainReads, { pool: 'search', address: '127.0.0.2' })
    await database.execute(
      'drop function muster_like(text); alter function muster_like_fast(text) rename to muster_like',
    )
    assert.deepEqual(seen, { ...served, search: [200] })
    assert.deepEqual(own, served)
  })

  it('of pages with related records makes no read or create of another address fail', async () => {
    // Each related department takes 20 ms.
    await database.execute(`
      alter table departments enable row level security;
      create policy slow on departments for select using (pg_sleep(0.02)::text = '')`)
    const seen = await statusesDuring(
      () => [`employees?expand=department&limit=25&n=${unique()}`],
      { ...plainReads, 'page with related records': () => [`employees?expand=department&limit=1&n=${unique()}`] },
      { pool: 'list' },
    )
    await database.execute('alter table departments disable row level security')
    assert.deepEqual(seen, { ...served, 'page with related records': [200] })
  })

  it('of creates makes no create of another address fail, and no read', async () => {
    await database.execute(`
      create function nap() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return new; end $$;
      create trigger nap before insert on leave_requests for each row execute function nap()`)
    const seen = await statusesDuring(
      () => ['leave', { leave_type: 'annual' }],
      { ...plainReads, 'the same create': () => ['leave', { leave_type: 'sick' }] as const },
      { pool: 'write' },
    )
    await database.execute('drop function nap cascade')
    assert.deepEqual(seen, { ...served, 'the same create': [201] })
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

  it('does not affect other resources, and requests that need it fail in bounded time', async () => {
    const clients = ['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((address) => openClient(service.base, address))
    const [first] = clients as [ReturnType<typeof openClient>]
    const others = resources.filter(({ path }) => path !== 'employees')
    await withClient(database.url, async (holder) => {
      await holder.query('begin; lock table employees in access exclusive mode')
      const start = performance.now()
      const needing = clients.flatMap(({ send }) =>
        Array.from({ length: 10 }, () => [
          send(`employees?limit=5&offset=${unique()}`),
          send(`employees/1?n=${unique()}`),
          send(`employees?sort=-id&offset=${unique()}`),
          send(`employees?q=nobody${unique()}`),
          send('leave', { employee_id: 1, leave_type: 'annual' }),
        ]).flat(),
      )
      await untilQueued(service, 'read')
      const statuses: Record<string, number[]> = {}
      for (const { path } of others)
        statuses[path] = await Promise.all([
          first.send(`${path}?limit=5&offset=${unique()}`),
          first.send(`${path}/1?fields=id&n=${unique()}`),
          first.send(`${path}?sort=-id&limit=5&offset=${unique()}`),
        ])
      assert.deepEqual(statuses, Object.fromEntries(others.map(({ path }) => [path, [200, 200, 200]])))
      assert.deepEqual(new Set(await Promise.all(needing)), new Set([503]))
      // The lock timeout is two seconds, a wait for a slot half of one.
      assert.ok(performance.now() - start < 6_000, `${performance.now() - start} ms`)
      await holder.query('rollback')
    })
    assert.equal(await first.send(`employees?limit=5&offset=${unique()}`), 200)
    for (const { close } of clients) close()
  })
})
