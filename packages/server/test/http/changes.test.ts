import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { sendRequest } from '../../../../tests/support/http.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import type { ChangeCursor } from '../../src/queries/change-cursor.ts'
import { decodeCursor, encodeCursor } from '../../src/queries/change-cursor.ts'

interface Change {
  readonly resource: string
  readonly id: number
  readonly kind: string
  readonly at: string
}

const summaryOf = ({ resource, id, kind }: Change): string => `${resource} ${id} ${kind}`

const openStream = async (url: string, headers: Record<string, string> = {}) => {
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...headers } })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const blocks: string[] = []
  const nextBlock = async (): Promise<string | undefined> => {
    while (blocks.length === 0) {
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return undefined
      const parts = (text + value).split('\n\n')
      text = parts.pop() ?? ''
      blocks.push(...parts)
    }
    return blocks.shift()
  }
  return {
    response,
    nextBlock,
    async nextChange(): Promise<{ id: string; change: Change } | undefined> {
      for (;;) {
        const block = await nextBlock()
        if (block === undefined) return undefined
        const match = /^id: (\S+)\ndata: (.*)$/.exec(block)
        if (match !== null) return { id: match[1] as string, change: JSON.parse(match[2] as string) }
      }
    },
    close: () => reader?.cancel(),
  }
}

describe('GET /v1/changes', () => {
  let database: TestDatabase
  let service: RunningService
  let changesUrl: string
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    changesUrl = `${service.baseUrl}/v1/changes`
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const now = async (): Promise<string> => {
    // A transaction of another test that ends while the feed is read may hold changes back for this one read.
    const { rows } = await withClient((client) => client.query('select pg_current_xact_id()::text as xid'))
    await waitUntil('older transactions have ended', async () => {
      const [row] = await database.query<{ ended: boolean }>(
        'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as ended',
        [rows[0].xid],
      )
      return row?.ended === true
    })
    return (await sendRequest(changesUrl)).json.meta.next
  }
  const withClient = async <T>(run: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      return await run(client)
    } finally {
      await client.end()
    }
  }
  /** Follows the feed until it has at least `count` changes. */
  const follow = async (after: string, count: number, query = ''): Promise<{ changes: string[]; next: string }> => {
    const changes: string[] = []
    let next = after
    await waitUntil(`${count} changes`, async () => {
      const { json } = await sendRequest(`${changesUrl}?after=${next}${query}`)
      changes.push(...json.data.map(summaryOf))
      next = json.meta.next
      return changes.length >= count && !json.meta.more
    })
    return { changes, next }
  }

  it('begins at the current end of the feed', async () => {
    await database.query("insert into departments (name) values ('before')")
    const { status, json, headers } = await sendRequest(changesUrl)
    assert.equal(status, 200)
    assert.deepEqual(json.data, [])
    assert.equal(json.meta.more, false)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('shows creates, updates and deletes of all resources, in order', async () => {
    const start = await now()
    const [{ id: first = 0 } = {}] = await database.query<{ id: number }>(
      "insert into departments (name) values ('a'), ('b') returning id",
    )
    await database.query("update departments set name = 'c' where id = $1", [first])
    await database.query("insert into organizations (name, slug) values ('o', 'o')")
    await database.query('delete from departments where id = $1', [first])
    const { changes } = await follow(start, 5)
    assert.deepEqual(changes, [
      `departments ${first} created`,
      `departments ${first + 1} created`,
      `departments ${first} updated`,
      'organizations 1 created',
      `departments ${first} deleted`,
    ])
  })

  it('returns pages of `limit`, and `more` until the last one', async () => {
    const start = await now()
    await database.query("insert into departments (name) select 'p' from generate_series(1, 7)")
    await follow(start, 7)
    const sizes: number[] = []
    const ids: number[] = []
    let next = start
    for (let more = true; more; ) {
      const { json } = await sendRequest(`${changesUrl}?after=${next}&limit=3`)
      sizes.push(json.data.length)
      ids.push(...json.data.map(({ id }: Change) => id))
      ;({ next, more } = json.meta)
    }
    assert.deepEqual(sizes, [3, 3, 1])
    assert.equal(new Set(ids).size, 7)
  })

  it('filters by resource, and moves on even if no change matches', async () => {
    const start = await now()
    await database.query("insert into departments (name) values ('f')")
    await follow(start, 1)
    const { json } = await sendRequest(`${changesUrl}?after=${start}&resource=leave,jobs`)
    assert.deepEqual(json.data, [])
    assert.notEqual(json.meta.next, start)
    const later = await sendRequest(`${changesUrl}?after=${json.meta.next}`)
    assert.deepEqual(later.json.data, [])
    assert.equal(later.json.meta.next, json.meta.next)
    const both = await sendRequest(`${changesUrl}?after=${start}&resource=leave,departments`)
    assert.equal(both.json.data.length, 1)
  })

  it('holds a change back while an older transaction is open, and reports its age', async () => {
    const start = await now()
    await withClient(async (client) => {
      await client.query("begin; insert into departments (name) values ('early')")
      await database.query("insert into departments (name) values ('late')")
      const held = await sendRequest(`${changesUrl}?after=${start}`)
      assert.deepEqual(held.json.data, [])
      assert.ok(held.json.meta.behind_seconds > 0)
      await client.query('commit')
    })
    const { changes } = await follow(start, 2)
    const ids = changes.map((change) => Number(change.split(' ')[1]))
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
      'the transaction that began first comes first',
    )
  })

  it('shows a change while an older transaction of another database is open', async () => {
    const start = await now()
    const otherDatabase = await createTestDatabase()
    const client = new pg.Client(otherDatabase.url)
    await client.connect()
    await client.query("begin; insert into departments (name) values ('in another database')")
    await database.query("insert into departments (name) values ('here')")
    const { changes } = await follow(start, 1)
    assert.equal(changes.length, 1)
    const file = await sendRequest(`${service.baseUrl}/v1/departments?format=ndjson`)
    const page = await sendRequest(`${changesUrl}?after=${file.headers.get('x-changes-after')}`)
    assert.deepEqual([file.text.includes('here'), page.json.data], [true, []])
    await client.end()
    await otherDatabase.drop()
  })

  it('rejects malformed parameters with 422, all at once', async () => {
    const { status, json } = await sendRequest(`${changesUrl}?after=xyz&resource=leave,people&limit=1001`)
    assert.equal(status, 422)
    assert.deepEqual(
      json.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`),
      ['query.after cursor_parsing', 'query.resource literal_error', 'query.limit less_than_equal'],
    )
    const cursor = encodeCursor({ start: '0'.repeat(16), lsn: '0/0', xid: 2n ** 63n, seq: 0n, id: 0n })
    assert.equal((await sendRequest(`${changesUrl}?after=${cursor}`)).status, 422)
    const last = decodeCursor(await now()) as ChangeCursor
    // A range of ids after the greatest bigint cannot be computed.
    const forged = encodeCursor({ ...last, id: 2n ** 63n - 1n })
    assert.equal((await sendRequest(`${changesUrl}?after=${forged}`)).status, 422)
    for (const id of [2n ** 63n - 2n, -(2n ** 63n)])
      assert.equal((await sendRequest(`${changesUrl}?after=${encodeCursor({ ...last, id })}`)).status, 200)
    assert.equal((await sendRequest(`${changesUrl}?after=${await now()}=`)).status, 422)
    for (const query of ['after=', 'after=%20', `after=&since=2026-01-01T00:00:00Z`])
      assert.equal((await sendRequest(`${changesUrl}?${query}`)).status, 422, query)
    const strict = await sendRequest(`${changesUrl}?afte=x`, { headers: { prefer: 'handling=strict' } })
    assert.equal(strict.json.detail[0].ctx.did_you_mean, 'after')
  })

  it('rejects the cursor of another history with 410', async () => {
    const cursor = encodeCursor({ start: '0'.repeat(16), lsn: '0/0', xid: 0n, seq: 0n, id: 0n })
    const { status, json, headers } = await sendRequest(`${changesUrl}?after=${cursor}`)
    assert.equal(status, 410)
    assert.equal(json.error.code, 'cursor_gone')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  it('rejects every cursor with 410 after "muster doctor --repair" or a restore', async () => {
    const start = await now()
    await database.execute('refresh materialized view muster_epoch')
    assert.equal((await sendRequest(`${changesUrl}?after=${start}`)).status, 410)
    assert.equal((await sendRequest(`${changesUrl}?after=${await now()}`)).status, 200)
  })

  it('keeps cursors valid after VACUUM FULL and a reset of the statistics', async () => {
    const start = await now()
    await database.execute('vacuum full muster_table_versions')
    assert.equal((await sendRequest(`${changesUrl}?after=${start}`)).status, 200)
    await database.execute("select pg_stat_reset_shared('bgwriter')")
    assert.equal((await sendRequest(`${changesUrl}?after=${start}`)).status, 200)
    assert.equal((await sendRequest(`${changesUrl}?after=${await now()}`)).status, 200)
  })

  it('leaves out tables that a later version of the schema has added, and moves on', async () => {
    const start = await now()
    await database.execute(
      "insert into muster_changes (table_name, kind, ids) values ('new_table', 'created', '{[1,4)}')",
    )
    await database.query("insert into departments (name) values ('known')")
    const stream = await openStream(`${changesUrl}?after=${start}`)
    const { changes, next } = await follow(start, 1)
    assert.equal(changes.length, 1)
    assert.match(changes[0] ?? '', /^departments \d+ created$/)
    assert.deepEqual((await sendRequest(`${changesUrl}?after=${next}`)).json.data, [])
    assert.equal((await stream.nextChange())?.change.resource, 'departments')
    await stream.close()
  })

  it('has changes of the history only for those who name it, in pages and in streams', async () => {
    const start = await now()
    const everything = await openStream(`${changesUrl}?after=${start}`)
    const named = await openStream(`${changesUrl}?after=${start}&resource=history,departments`)
    const resourcesOf = async (stream: typeof named): Promise<(string | undefined)[]> => [
      (await stream.nextChange())?.change.resource,
      (await stream.nextChange())?.change.resource,
    ]
    await database.execute("insert into candidates (status) values ('first')")
    assert.equal((await everything.nextChange())?.change.resource, 'candidates')
    // A stream first reads the feed itself, and then gets what the poller reads.
    for (const status of ['second', 'third', 'fourth', 'fifth']) {
      await database.execute(`update candidates set status = '${status}' where id = (select max(id) from candidates)`)
      await database.execute("insert into departments (name) values ('after the history')")
      assert.deepEqual(await resourcesOf(named), ['history', 'departments'], status)
      assert.deepEqual(await resourcesOf(everything), ['candidates', 'departments'], status)
    }
    const paths = async (query: string): Promise<string[]> => {
      const { json } = await sendRequest(`${changesUrl}?after=${start}${query}`)
      return [...new Set(json.data.map(({ resource }: Change) => resource))] as string[]
    }
    assert.deepEqual(await paths(''), ['candidates', 'departments'])
    assert.deepEqual(await paths('&resource=history'), ['history'])
    await everything.close()
    await named.close()
    await database.execute('truncate candidates restart identity cascade')
  })

  it('reads the rest of a row with many ids without expanding what was read', async () => {
    const start = await now()
    await database.query("insert into departments (name) select 'one row' from generate_series(1, 9000)")
    const { changes } = await follow(start, 9_000)
    assert.equal(new Set(changes).size, 9_000)
    assert.equal(changes.length, 9_000)
  })

  it('rejects a cursor that had read more than a recovery restored, and no other', async () => {
    const kept = await now()
    await database.execute(
      "insert into muster_server_starts (timeline, replayed_to) values ('00000001', pg_current_wal_flush_lsn())",
    )
    await database.query("insert into departments (name) values ('lost')")
    const { next: alsoKept } = await follow(kept, 1)
    assert.equal((await sendRequest(`${changesUrl}?after=${kept}`)).status, 200)
    await database.execute(
      "insert into muster_server_starts (timeline, replayed_to) select '00000002', replayed_to from muster_server_starts order by position desc limit 1",
    )
    assert.equal((await sendRequest(`${changesUrl}?after=${alsoKept}`)).status, 410)
    assert.equal((await sendRequest(`${changesUrl}?after=${kept}`)).status, 200)
    assert.equal((await sendRequest(`${changesUrl}?after=${await now()}`)).status, 200)
  })

  it('rejects a cursor before the changes that are kept with 410', async () => {
    const start = await now()
    await database.query("insert into departments (name) values ('old')")
    await follow(start, 1)
    await database.query("insert into departments (name) values ('older than kept')")
    const { next } = await follow(start, 2)
    await database.execute("update muster_changes set at = now() - interval '31 days'")
    await waitUntil('old changes are deleted', async () => {
      return (await database.query('select from muster_changes')).length === 0
    })
    assert.equal((await sendRequest(`${changesUrl}?after=${start}`)).status, 410)
    assert.equal((await sendRequest(`${changesUrl}?after=${next}`)).status, 200)
    assert.equal((await sendRequest(`${changesUrl}?after=${await now()}`)).status, 200)
  })

  it('has the methods and headers of other routes', async () => {
    const head = await sendRequest(changesUrl, { method: 'HEAD' })
    assert.equal(head.status, 200)
    assert.equal(head.text, '')
    const options = await sendRequest(changesUrl, { method: 'OPTIONS' })
    assert.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
    const post = await sendRequest(changesUrl, { method: 'POST' })
    assert.equal(post.status, 405)
  })

  it('continues after an export without a gap', async () => {
    await withClient(async (client) => {
      await client.query("begin; insert into departments (name) values ('not in the file')")
      const file = await sendRequest(`${service.baseUrl}/v1/departments?format=ndjson`)
      const after = String(file.headers.get('x-changes-after'))
      assert.doesNotMatch(file.text, /not in the file/)
      await client.query('commit')
      const { changes } = await follow(after, 1)
      const [{ id = 0 } = {}] = await database.query<{ id: number }>(
        "select id from departments where name = 'not in the file'",
      )
      assert.ok(changes.includes(`departments ${id} created`))
    })
    const csv = await sendRequest(`${service.baseUrl}/v1/departments`, { headers: { accept: 'text/csv' } })
    assert.equal((await sendRequest(`${changesUrl}?after=${csv.headers.get('x-changes-after')}`)).status, 200)
    const page = await sendRequest(`${service.baseUrl}/v1/departments`)
    assert.equal(page.headers.get('x-changes-after'), null)
  })

  it('continues after an export directly after a start of the database server', async () => {
    await database.execute("update muster_primary_epoch set epoch = epoch || '1'")
    const file = await sendRequest(`${service.baseUrl}/v1/departments?format=ndjson`)
    assert.equal((await sendRequest(`${changesUrl}?after=${file.headers.get('x-changes-after')}`)).status, 200)
  })

  describe('as an event stream', () => {
    it('sends the changes after a cursor, then each new one within a second', async () => {
      const start = await now()
      await database.query("insert into departments (name) values ('s1')")
      const { changes } = await follow(start, 1)
      const stream = await openStream(`${changesUrl}?after=${start}&resource=departments`)
      assert.equal(stream.response.status, 200)
      assert.equal(stream.response.headers.get('content-type'), 'text/event-stream')
      assert.equal(stream.response.headers.get('x-accel-buffering'), 'no')
      assert.equal(stream.response.headers.get('cache-control'), 'no-store')
      const first = await stream.nextChange()
      assert.equal(first && summaryOf(first.change), changes[0])
      await database.query("insert into organizations (name, slug) values ('s2', 's2')")
      await database.query("insert into departments (name) values ('s3')")
      const second = await stream.nextChange()
      const resumed = await sendRequest(`${changesUrl}?after=${second?.id}`)
      assert.deepEqual(resumed.json.data, [])
      await stream.close()
    })

    it('sends a change that is made right after the stream was opened', async () => {
      for (let round = 0; round < 8; round += 1) {
        const stream = await openStream(`${changesUrl}?resource=departments`)
        const [{ id } = {}] = await database.query<{ id: number }>(
          "insert into departments (name) values ('right after') returning id",
        )
        assert.equal((await stream.nextChange())?.change.id, id)
        await stream.close()
      }
    })

    it('continues after Last-Event-ID', async () => {
      const start = await now()
      await database.query("insert into departments (name) values ('l1'), ('l2'), ('l3')")
      const { changes } = await follow(start, 3)
      const stream = await openStream(`${changesUrl}?after=${start}`)
      const first = await stream.nextChange()
      await stream.close()
      const resumed = await openStream(changesUrl, { 'last-event-id': String(first?.id) })
      const rest = [await resumed.nextChange(), await resumed.nextChange()]
      assert.deepEqual(
        rest.map((event) => event && summaryOf(event.change)),
        changes.slice(1),
      )
      await resumed.close()
      for (const cursor of ['x', '']) {
        const malformed = await openStream(changesUrl, { 'last-event-id': cursor })
        assert.equal(malformed.response.status, 422, cursor)
      }
    })

    it('sends a comment at once and every 5 seconds, with the cursor if other changes moved it', async () => {
      const start = await now()
      const stream = await openStream(`${changesUrl}?after=${start}&resource=leave`)
      // The client can continue here even if it disconnects before the first change.
      assert.equal(await stream.nextBlock(), `: \nid: ${start}`)
      await database.query("insert into departments (name) values ('other')")
      const { next } = await follow(start, 1)
      const sentAt = performance.now()
      let block = await stream.nextBlock()
      if (block === ': ') block = await stream.nextBlock()
      assert.match(block ?? '', /^: \nid: \S+$/)
      const moved = await sendRequest(`${changesUrl}?after=${block?.split('id: ')[1]}`)
      assert.deepEqual(moved.json.data, [])
      assert.ok(next.length > 0)
      assert.ok(performance.now() - sentAt < 20_000)
      await stream.close()
    })

    it('sends many changes, in several pages', async () => {
      const start = await now()
      await database.query("insert into departments (name) select 'many' from generate_series(1, 6000)")
      await follow(start, 1)
      const stream = await openStream(`${changesUrl}?after=${start}`)
      let count = 0
      for (; count < 6_000; count += 1) if ((await stream.nextChange()) === undefined) break
      assert.equal(count, 6_000)
      await stream.close()
    })

    it('responds 503 with Retry-After beyond 50 streams of one client', async () => {
      const streams = await Promise.all(Array.from({ length: 50 }, () => openStream(changesUrl)))
      assert.ok(streams.every(({ response }) => response.status === 200))
      const refused = await openStream(changesUrl)
      assert.equal(refused.response.status, 503)
      assert.equal(refused.response.headers.get('retry-after'), '1')
      await Promise.all(streams.map((stream) => stream.close()))
      await waitUntil('a stream is free again', async () => {
        const stream = await openStream(changesUrl)
        await stream.close()
        return stream.response.status === 200
      })
    })

    it('keeps sending while a client does not read at all', async () => {
      const start = await now()
      const idle = connect(service.port, '127.0.0.1')
      idle.pause()
      idle.write(`GET /api/v1/changes?after=${start} HTTP/1.1\r\nhost: a\r\naccept: text/event-stream\r\n\r\n`)
      const stream = await openStream(`${changesUrl}?after=${start}`)
      await database.query("insert into departments (name) select 'x' from generate_series(1, 30000)")
      let count = 0
      for (; count < 30_000; count += 1) if ((await stream.nextChange()) === undefined) break
      assert.equal(count, 30_000)
      idle.destroy()
      await stream.close()
    })

    it('ends when the cursor becomes invalid', async () => {
      const stream = await openStream(changesUrl)
      await stream.nextBlock()
      await database.execute('refresh materialized view muster_epoch')
      assert.equal(await stream.nextChange(), undefined)
    })

    it('ends when the service stops', async () => {
      const other = await startService(database.url)
      const stream = await openStream(`${other.baseUrl}/v1/changes`)
      await stream.nextBlock()
      await other.stop()
      assert.equal(await stream.nextChange(), undefined)
    })

    it('has the headers of GET for HEAD, and opens no stream', async () => {
      const head = await sendRequest(changesUrl, { method: 'HEAD', headers: { accept: 'text/event-stream' } })
      assert.equal(head.status, 200)
      assert.equal(head.headers.get('content-type'), 'text/event-stream')
      const gone = encodeCursor({ start: '0'.repeat(16), lsn: '0/0', xid: 0n, seq: 0n, id: 0n })
      for (const method of ['GET', 'HEAD']) {
        const response = await sendRequest(`${changesUrl}?after=${gone}`, {
          method,
          headers: { accept: 'text/event-stream' },
        })
        assert.equal(response.status, 410, method)
      }
    })
  })

  describe('for readers without a token', () => {
    it('shows erased records as updated in the mode redacted', async () => {
      const redacted = await startService(database.url, { reads: 'redacted' })
      const start = await now()
      await database.query(
        "insert into candidates (first_name, last_name, email, status) values ('Ann', 'Bee', 'ann@example.com', 'new')",
      )
      await withClient((client) =>
        client.query("begin; set local muster.erases = 'on'; update candidates set phone = '1'; commit"),
      )
      // A transaction that ends just now may hold the feed back for a moment, even after another read showed both changes.
      const kindsFor = async (headers: Record<string, string>): Promise<string[]> => {
        let kinds: string[] = []
        await waitUntil('both changes are shown', async () => {
          const { json } = await sendRequest(`${redacted.baseUrl}/v1/changes?after=${start}`, { headers })
          kinds = json.data.map(({ kind }: Change) => kind)
          return kinds.length >= 2
        })
        return kinds
      }
      assert.deepEqual(await kindsFor({}), ['created', 'updated'])
      assert.deepEqual(await kindsFor({ authorization: `Bearer ${token}` }), ['created', 'erased'])
      const stream = await openStream(`${redacted.baseUrl}/v1/changes?after=${start}`)
      assert.equal((await stream.nextChange())?.change.kind, 'created')
      assert.equal((await stream.nextChange())?.change.kind, 'updated')
      await redacted.stop()
    })

    it('responds 401 in the mode token', async () => {
      const closed = await startService(database.url, { reads: 'token' })
      assert.equal((await sendRequest(`${closed.baseUrl}/v1/changes`)).status, 401)
      const stream = await openStream(`${closed.baseUrl}/v1/changes`)
      assert.equal(stream.response.status, 401)
      const headers = { authorization: `Bearer ${token}` }
      assert.equal((await sendRequest(`${closed.baseUrl}/v1/changes`, { headers })).status, 200)
      await closed.stop()
    })
  })
})
