// Covers the change feed: its pages, its cursors, its event stream, and the cursor of a file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { created, minimalBody } from './bodies.ts'
import { baseUrl, get, object, type Row, send } from './http.ts'
import { expectDetail, tooLarge, tooSmall } from './refusals.ts'

interface ChangePage {
  data: { resource: string; id: number; kind: string; at: string }[]
  meta: { next: string; more: boolean; behind_seconds: number }
}

async function changes(query = ''): Promise<ChangePage> {
  const answer = await get(`/v1/changes${query}`)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  return object(answer) as unknown as ChangePage
}

/** Follows the feed until it names the record. Other transactions on the server may hold it back for a while. */
async function changeOf(after: string, resource: string, id: unknown): Promise<ChangePage['data'][number]> {
  const deadline = performance.now() + 60_000
  for (let cursor = after; performance.now() < deadline; ) {
    const { data, meta } = await changes(`?after=${cursor}&resource=${resource}`)
    const change = data.find((each) => each.id === id)
    if (change !== undefined) return change
    cursor = meta.next
    if (!meta.more) await pause(100)
  }
  throw new Error(`the feed does not name ${resource} ${id}`)
}

const create = async (): Promise<Row> => created('leave', await minimalBody('leave'))

test('without a cursor there are no changes, and the next cursor', async () => {
  const { data, meta } = await changes()
  assert.deepEqual(data, [])
  assert.equal(meta.more, false)
  assert.ok(meta.behind_seconds >= 0)
  assert.equal((await get(`/v1/changes?after=${meta.next}`)).status, 200)
})

test('a create is a change after the cursor from before it', async () => {
  const { meta } = await changes()
  const record = await create()
  const change = await changeOf(meta.next, 'leave', record.id)
  assert.deepEqual(Object.keys(change), ['resource', 'id', 'kind', 'at'])
  assert.deepEqual([change.resource, change.kind], ['leave', 'created'])
  assert.ok(Math.abs(Date.parse(change.at) - Date.now()) < 120_000)
})

test('the changes since a moment contain a later create', async () => {
  const since = new Date(Date.now() - 120_000).toISOString()
  const record = await create()
  const deadline = performance.now() + 60_000
  for (let query = `since=${since}`; ; ) {
    const { data, meta } = await changes(`?${query}&resource=leave`)
    if (data.some(({ id }) => id === record.id)) break
    assert.ok(performance.now() < deadline, 'the feed does not name the record')
    query = `after=${meta.next}`
    if (!meta.more) await pause(100)
  }
  assert.equal((await get('/v1/changes?since=0001-01-01')).status, 200)
})

test('the cursor of a file precedes every create after it', async () => {
  for (const format of ['csv', 'ndjson']) {
    const file = await get(`/v1/leave?format=${format}&limit=1`)
    const cursor = file.headers.get('x-changes-after') ?? ''
    assert.notEqual(cursor, '')
    const record = await create()
    await changeOf(cursor, 'leave', record.id)
  }
})

test('parameters that are not valid are refused with 422', async () => {
  expectDetail(await get('/v1/changes?limit=0'), [tooSmall('limit', '0', 1)])
  expectDetail(await get('/v1/changes?limit=1001'), [tooLarge('limit', '1001', 1_000)])
  expectDetail(await get('/v1/changes?after=nonsense'), [
    {
      type: 'cursor_parsing',
      loc: ['query', 'after'],
      msg: 'Input should be a cursor that this service has returned',
      input: 'nonsense',
    },
  ])
  assert.equal((await get('/v1/changes?resource=people')).status, 422)
  assert.equal((await get('/v1/changes?since=yesterday')).status, 422)
  const { meta } = await changes()
  expectDetail(await get(`/v1/changes?since=2026-10-30&after=${meta.next}`), [
    {
      type: 'parameter_conflict',
      loc: ['query', 'since'],
      msg: 'This parameter cannot be combined with after',
      input: '2026-10-30',
      ctx: { other: 'after' },
    },
  ])
})

test('a cursor of another database is refused with 410', async () => {
  const cursor = Buffer.from(`${'0'.repeat(16)}.0/0.0.0.0`).toString('base64url')
  const answer = await get(`/v1/changes?after=${cursor}`)
  assert.equal(answer.status, 410)
  assert.equal((object(answer).error as Row).code, 'cursor_gone')
})

test('HEAD and OPTIONS work, other methods are refused', async () => {
  assert.equal((await send('HEAD', '/v1/changes')).status, 200)
  assert.equal((await send('OPTIONS', '/v1/changes')).headers.get('allow'), 'GET, HEAD, OPTIONS')
  assert.equal((await send('DELETE', '/v1/changes')).status, 405)
})

test('an event stream sends the change of a create, and its id is the cursor after it', async () => {
  const { meta } = await changes()
  const stop = new AbortController()
  const response = await fetch(`${baseUrl}/v1/changes?after=${meta.next}&resource=leave`, {
    headers: { accept: 'text/event-stream' },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(90_000)]),
  })
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  assert.equal(response.headers.get('x-accel-buffering'), 'no')
  const record = await create()
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const pattern = new RegExp(`^id: (\\S+)\\ndata: (.*"id":${record.id},.*)$`, 'm')
  let text = ''
  while (!pattern.test(text)) text += (await reader?.read())?.value ?? ''
  stop.abort()
  const [, id, data] = pattern.exec(text) ?? []
  const change = JSON.parse(String(data))
  assert.deepEqual([change.resource, change.kind], ['leave', 'created'])
  const { data: later } = await changes(`?after=${id}&resource=leave`)
  assert.ok(later.every((each) => each.id !== record.id))
})
