import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

/** A day of the last weeks, because older changes are deleted. */
const day = (number: number): string => new Date(Date.now() + (number - 20) * 86_400_000).toISOString().slice(0, 10)

describe('GET /v1/changes?since', () => {
  let database: TestDatabase
  let service: RunningService
  let changesUrl: string
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    changesUrl = `${service.baseUrl}/v1/changes`
    // The first request after the database was cloned begins a new feed.
    await sendRequest(changesUrl)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  /** A feed whose second change is later than the third, as after a long transaction. Ids 1 to 4 have one change each. */
  beforeEach(async () => {
    await database.execute(`
      delete from muster_changes;
      update muster_last_pruned_change set xid = '0', seq = 0, id = 0;
      insert into muster_changes (xid, at, table_name, kind, ids) values
        ('11', '${day(1)} 10:00Z', 'departments', 'created', '{[1,2)}'),
        ('12', '${day(3)} 10:00Z', 'departments', 'created', '{[2,3)}'),
        ('13', '${day(2)} 10:00Z', 'departments', 'created', '{[3,4)}'),
        ('14', '${day(4)} 00:00Z', 'leave_requests', 'created', '{[4,6)}')`)
  })

  const idsSince = async (since: string, query = ''): Promise<number[]> => {
    const { status, json } = await sendRequest(`${changesUrl}?since=${encodeURIComponent(since)}${query}`)
    assert.equal(status, 200)
    return json.data.map(({ id }: { id: number }) => id)
  }

  it('starts at the first change in the feed that is at or after the moment', async () => {
    assert.deepEqual(await idsSince(`${day(1)}T10:00:00Z`), [1, 2, 3, 4, 5])
    assert.deepEqual(await idsSince(`${day(1)}T10:00:00.000001Z`), [2, 3, 4, 5])
    assert.deepEqual(await idsSince(day(2)), [2, 3, 4, 5])
    assert.deepEqual(await idsSince(`${day(3)}T12:00:00+02:00`), [2, 3, 4, 5])
    assert.deepEqual(await idsSince(`${day(3)}T10:00:01`), [4, 5])
    assert.deepEqual(await idsSince(day(4)), [4, 5])
    assert.deepEqual(await idsSince(day(2), '&resource=leave'), [4, 5])
  })

  it('continues with the cursor of the page', async () => {
    const { json } = await sendRequest(`${changesUrl}?since=${day(2)}&limit=2`)
    assert.equal(json.meta.more, true)
    const rest = await sendRequest(`${changesUrl}?after=${json.meta.next}`)
    assert.deepEqual(
      rest.json.data.map(({ id }: { id: number }) => id),
      [4, 5],
    )
  })

  it('starts at the oldest change that is kept if the moment is older', async () => {
    assert.deepEqual(await idsSince('0001-01-01'), [1, 2, 3, 4, 5])
    await database.execute(`
      delete from muster_changes where xid = '11';
      update muster_last_pruned_change set xid = '11', seq = (select min(seq) - 1 from muster_changes), id = 1`)
    assert.deepEqual(await idsSince(day(0)), [2, 3, 4, 5])
  })

  it('starts at the end of the feed if there is no change since the moment', async () => {
    const { json } = await sendRequest(`${changesUrl}?since=${day(4)}T00:00:01Z`)
    assert.deepEqual(json.data, [])
    await database.query("insert into departments (name) values ('later')")
    await waitUntil('the change is shown', async () => {
      const next = await sendRequest(`${changesUrl}?after=${json.meta.next}`)
      return next.json.data.length === 1
    })
    await database.execute('delete from muster_changes')
    assert.deepEqual(await idsSince(day(1)), [])
  })

  it('starts an event stream there, unless it continues after an event', async () => {
    const firstId = async (headers: Record<string, string> = {}): Promise<string | undefined> => {
      const response = await fetch(`${changesUrl}?since=${day(2)}`, {
        headers: { accept: 'text/event-stream', ...headers },
      })
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      assert.equal(response.status, 200)
      while (!text.includes('data: ')) text += (await reader?.read())?.value ?? ''
      await reader?.cancel()
      return /"id":(\d+)/.exec(text)?.[1]
    }
    assert.equal(await firstId(), '2')
    const { json } = await sendRequest(`${changesUrl}?since=${day(2)}&limit=1`)
    assert.equal(await firstId({ 'last-event-id': json.meta.next }), '3')
  })

  it('is a date or date-time, and not combined with `after`', async () => {
    const { json: page } = await sendRequest(changesUrl)
    const errorsOf = async (query: string): Promise<string[]> => {
      const { status, json } = await sendRequest(`${changesUrl}?${query}`)
      assert.equal(status, 422)
      return json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`)
    }
    assert.deepEqual(await errorsOf('since=yesterday'), ['query.since datetime_parsing'])
    assert.deepEqual(await errorsOf('since=2026-02-30'), ['query.since datetime_parsing'])
    assert.deepEqual(await errorsOf('since=%FF'), ['query.since string_unicode'])
    assert.deepEqual(await errorsOf(`since=${day(2)}&after=${page.meta.next}`), ['query.since parameter_conflict'])
    assert.equal((await sendRequest(`${changesUrl}?since=&after=${page.meta.next}`)).status, 200)
    assert.deepEqual(await errorsOf(`since=${day(2)}&after=`), [
      'query.after cursor_parsing',
      'query.since parameter_conflict',
    ])
  })
})
