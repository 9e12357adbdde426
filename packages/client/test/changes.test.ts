import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ChangesQuery, Client } from '@muster/client'
import { createClient, MusterError } from '@muster/client'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createTestDatabase } from '../../../tests/support/database.ts'
import type { RunningService } from '../../../tests/support/service.ts'
import { startService } from '../../../tests/support/service.ts'
import { waitUntil } from '../../../tests/support/wait.ts'

describe('changes of a client', () => {
  let database: TestDatabase
  let service: RunningService
  let muster: Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    muster = createClient({ baseUrl: service.baseUrl })
  })
  after(async () => {
    await service?.stop()
    await database?.drop()
  })

  const collect = async (query?: ChangesQuery) => {
    const pages = []
    for await (const page of muster.changes(query)) pages.push(page)
    return pages
  }

  it('yield one empty page with the current cursor, then each page of the changes after it', async () => {
    const [first, ...others] = await collect()
    assert.deepEqual(first?.data, [])
    assert.deepEqual(others, [])
    const cursor = first?.meta.next
    await database.query("insert into departments (name) select 'a' from generate_series(1, 450)")
    // A transaction of another test may hold the changes back.
    await waitUntil('the changes are shown', async () => (await collect({ after: cursor }))[0]?.data.length === 200)
    const pages = await collect({ after: cursor })
    assert.deepEqual(
      pages.map(({ data }) => data.length),
      [200, 200, 50],
    )
    const changes = pages.flatMap(({ data }) => data)
    assert.deepEqual(
      changes.map(({ id }) => id),
      Array.from({ length: 450 }, (_, index) => index + 1),
    )
    assert.ok(changes.every(({ resource, kind }) => resource === 'departments' && kind === 'created'))
    const last = pages.at(-1)?.meta.next
    assert.deepEqual(
      (await collect({ after: last })).flatMap(({ data }) => data),
      [],
    )
    assert.equal((await collect({ after: cursor, limit: 150 })).length, 3)
    const [otherResources] = await collect({ after: cursor, resource: ['jobs', 'job-distributions'] })
    assert.deepEqual((await collect({ after: otherResources?.meta.next }))[0]?.data, [])
  })

  it('start at a moment, and continue with cursors', async () => {
    const pages = await collect({ since: new Date(Date.now() - 3_600_000).toISOString(), limit: 150 })
    assert.deepEqual(
      pages.map(({ data }) => data.length),
      [150, 150, 150],
    )
    await assert.rejects(
      collect({ since: '2026-10-30', after: pages[0]?.meta.next }),
      (error) => error instanceof MusterError && error.problems[0]?.type === 'parameter_conflict',
    )
  })

  it('arrive live, after a cursor too, until the caller stops', async () => {
    const stop = new AbortController()
    const live = muster.liveChanges({ resource: 'departments' }, { signal: stop.signal })
    const { value: begin } = await live.next()
    assert.equal(begin?.change, undefined)
    const insert = (name: string) =>
      database.query<{ id: number }>('insert into departments (name) values ($1) returning id', [name])
    const [{ id: first } = { id: 0 }] = await insert('first')
    const nextChange = async () => {
      for (;;) {
        const { value, done } = await live.next()
        if (done || value.change !== undefined) return value
      }
    }
    const seen = await nextChange()
    assert.deepEqual([seen?.change?.resource, seen?.change?.id, seen?.change?.kind], ['departments', first, 'created'])
    const [{ id: second } = { id: 0 }] = await insert('second')
    for await (const { change } of muster.liveChanges({ after: seen?.cursor ?? '' })) {
      if (change === undefined) continue
      assert.equal(change.id, second)
      break
    }
    stop.abort()
    await assert.rejects(nextChange(), { name: 'AbortError' })
  })

  it('throw an error for a cursor that is not valid any more', async () => {
    const [first] = await collect()
    await database.execute('refresh materialized view muster_epoch')
    await assert.rejects(
      collect({ after: first?.meta.next }),
      (error) => error instanceof MusterError && error.code === 'cursor_gone' && error.status === 410,
    )
  })

  it('stop when the signal is aborted', async () => {
    const pages = muster.changes({}, { signal: AbortSignal.abort('stopped') })
    await assert.rejects(pages.next(), (reason) => reason === 'stopped')
  })
})
