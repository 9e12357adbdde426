/** A create with a key can be sent again and again, at once or later, through crashes and restarts: there is one record. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import type { Answer } from './support/http.ts'
import { ask, exchange, post } from './support/http.ts'
import { runCommand } from './support/process.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'
import { until } from './support/until.ts'

const previousToken = 'another-token-for-tests-of-more-than-32-characters'
const leave = { leave_type: 'annual', reason: 'Hiking, far from any telephone' }
const replayed = (answer: Answer): boolean => answer.headers.get('idempotent-replayed') === 'true'

describe('a create with an Idempotency-Key', () => {
  let database: TestDatabase
  let service: RunningService
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url, { tokens: [token, previousToken] })
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await service.stop()
    await database.drop()
  })

  const send = (path: string, key: string, body: unknown, headers: Record<string, string> = {}) =>
    post(`${service.base}/v1/${path}`, body, { 'idempotency-key': key, ...headers })
  const rows = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await client.query(sql, values)).rows
  const count = async (table: string): Promise<number> =>
    Number((await rows(`select count(*) from ${table}`))[0]?.count)

  it('sent again answers what was answered first, and says that it does', async () => {
    const first = await send('leave', 'again', leave)
    assert.equal(first.status, 201)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    const stored = await count('leave_requests')
    const second = await send('leave', 'again', leave)
    assert.equal(second.status, 201)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(second.text, first.text)
    assert.equal(second.headers.get('location'), first.headers.get('location'))
    assert.equal(second.headers.get('content-type'), 'application/json')
    assert.equal(await count('leave_requests'), stored)
  })

  it('sent again is not told that its own slug is taken', async () => {
    const body = { name: 'Retried', slug: 'retried' }
    const first = await send('organizations', 'slug', body)
    assert.equal((await send('organizations', 'slug', body)).text, first.text)
    assert.equal((await send('organizations', 'another key', body)).status, 422)
    const other = await send('organizations', 'other-key', body)
    assert.equal(other.json.error.details.errors[0].type, 'already_exists')
  })

  it('is the same request however its JSON is written', async () => {
    const first = await send('leave', 'written', '{"leave_type":"annual","days":2}')
    const second = await send('leave', 'written', ' { "days" : 2.0,\n"leave_type":"\\u0061nnual"} ')
    assert.deepEqual([second.status, second.text, replayed(second)], [201, first.text, true])
  })

  it('is refused for what is wrong with it, however deep it lies', async () => {
    const deep = `{"leave_type":"annual","reason":${'{"0":'.repeat(60_000)}1${'}'.repeat(60_000)}}`
    const answer = await send('leave', 'deep', deep)
    assert.deepEqual([answer.status, answer.json.error.details.errors?.[0]?.type], [422, 'string_type'])
  })

  it('is refused with another body, and nothing is stored', async () => {
    await send('leave', 'other body', leave)
    await send('leave', 'other-body', leave)
    const stored = await count('leave_requests')
    for (const body of [{ leave_type: 'sick' }, { ...leave, reason: null }, { leave_type: 'annual' }]) {
      const answer = await send('leave', 'other-body', body)
      assert.deepEqual(
        [answer.status, answer.json.error.code, answer.json.error.message],
        [422, 'idempotency_key_reused', 'This idempotency key stands for another request.'],
      )
      assert.deepEqual(Object.keys(answer.json.error.details), ['request_id'])
    }
    assert.equal(await count('leave_requests'), stored)
  })

  it('is another request at another address', async () => {
    const one = await send('organizations', 'address', { name: 'Address', slug: 'address' })
    const two = await send('career-sites', 'address', { name: 'Address', slug: 'address' })
    assert.deepEqual([one.status, two.status, replayed(two)], [201, 201, false])
    const slash = await send('organizations/', 'address', { name: 'Address', slug: 'address' })
    assert.deepEqual([slash.text, replayed(slash)], [one.text, true])
  })

  it('is the same request with another valid token, as in the middle of a rotation', async () => {
    const first = await send('leave', 'rotation', leave)
    const second = await send('leave', 'rotation', leave, { authorization: `Bearer ${previousToken}` })
    assert.deepEqual([second.status, second.text, replayed(second)], [201, first.text, true])
    const wrong = await send('leave', 'rotation', leave, { authorization: 'Bearer wrong' })
    assert.equal(wrong.status, 401)
  })

  it('reads a key in quotes as the same key without them', async () => {
    const first = await send('leave', '"quoted"', leave)
    assert.equal((await send('leave', 'quoted', leave)).text, first.text)
    for (const key of ['!', '~', '"', '""', 'k'.repeat(255), `"${'q'.repeat(255)}"`])
      assert.equal((await send('leave', key, leave)).status, 201, key)
  })

  it('refuses a key of other characters or length, together with the faults of the body', async () => {
    const pattern = '^(?:"[!-~]{1,255}"|[!-~]{1,255})$'
    const fault = {
      type: 'string_pattern_mismatch',
      loc: ['header', 'idempotency-key'],
      msg: `String should match pattern '${pattern}'`,
      ctx: { pattern },
    }
    const stored = await count('leave_requests')
    for (const key of ['', 'a b', 'k'.repeat(256), `"${'q'.repeat(256)}"`, 'k\u00e9y', 'a\tb']) {
      const answer = await send('leave', key, leave)
      assert.deepEqual([answer.status, answer.json.error.code], [422, 'validation_error'], key)
      assert.deepEqual(answer.json.error.details.errors, [fault], key)
    }
    const both = await send('leave', 'a b', {})
    const types = both.json.error.details.errors.map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['missing', 'string_pattern_mismatch'])
    assert.equal(await count('leave_requests'), stored)
  })

  it('refuses two keys', async () => {
    const body = JSON.stringify(leave)
    const answer = await exchange(
      service.port,
      `POST /api/v1/leave HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Idempotency-Key: one\r\nIdempotency-Key: two\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(answer, /^HTTP\/1\.1 422 .*string_pattern_mismatch/s)
  })

  it('remembers a 201 alone: what was refused may be sent again with the same key', async () => {
    const body = { leave_type: 'annual', employee_id: 4711 }
    assert.equal((await send('leave', 'refused', body)).status, 422)
    assert.equal((await send('leave', 'refused', { leave_type: '' })).status, 422)
    await database.execute(`insert into employees (id, first_name, status, alumni) values (4711, 'Ada', 'active', 0)`)
    const answer = await send('leave', 'refused', body)
    assert.deepEqual([answer.status, replayed(answer)], [201, false])
    assert.equal(replayed(await send('leave', 'refused', body)), true)
  })

  it('keeps no copy of the body or the record beside the record', async () => {
    await send('leave', 'no-copy', leave)
    const [kept] = await rows(`select k::text as line from muster_idempotency_keys k where key = 'no-copy'`)
    assert.match(String(kept?.line), /^\(leave,no-copy,"\\\\x[0-9a-f]{64}",\d+,"[^"]+"\)$/)
  })

  it('waits for a twin that is under way and answers what that one stored', async () => {
    const twin = new pg.Client({ connectionString: database.url })
    await twin.connect()
    const fingerprint = (await send('leave', 'model', leave)) && (await fingerprintOf('model'))
    await twin.query('begin')
    const { rows: made } = await twin.query(
      `insert into leave_requests (leave_type, reason, status) values ('annual', 'by the twin', 'pending') returning id`,
    )
    await twin.query(
      `insert into muster_idempotency_keys (resource, key, fingerprint, record_id) values ('leave', 'twin', $1, $2)`,
      [fingerprint, made[0].id],
    )
    const answer = send('leave', 'twin', leave)
    await untilWaiting(client)
    await twin.query('commit')
    await twin.end()
    const { status, json } = await answer
    assert.deepEqual([status, json.reason], [201, 'by the twin'])
  })

  it('gives up on a twin that does not end, with 503 and when to try again', async () => {
    const twin = new pg.Client({ connectionString: database.url })
    await twin.connect()
    await twin.query('begin')
    await twin.query(
      `insert into muster_idempotency_keys (resource, key, fingerprint, record_id) values ('leave', 'stuck', '', 0)`,
    )
    const stored = await count('leave_requests')
    const refused = await send('leave', 'stuck', leave)
    assert.deepEqual(
      [refused.status, refused.json.error.code, refused.headers.get('retry-after')],
      [503, 'database_unavailable', '1'],
    )
    assert.equal(await count('leave_requests'), stored)
    await twin.query('rollback')
    await twin.end()
    const answer = await send('leave', 'stuck', leave)
    assert.deepEqual([answer.status, replayed(answer)], [201, false])
  })

  it('is another request when the record that its key stood for is gone', async () => {
    const { json } = await send('leave', 'gone', leave)
    await database.execute(`delete from leave_requests where id = ${json.id}`)
    assert.equal((await send('leave', 'gone', leave)).json.error.code, 'idempotency_key_reused')
  })

  it('may be used anew a day later, by the clock of the database, and not before', async () => {
    const late = await send('leave', 'late', leave)
    const early = await send('leave', 'early', leave)
    await database.execute(`
      update muster_idempotency_keys set claimed = now() - interval '24 hours 1 second' where key = 'late';
      update muster_idempotency_keys set claimed = now() - interval '23 hours 59 minutes' where key = 'early'`)
    await until(async () => (await rows(`select from muster_idempotency_keys where key = 'late'`)).length === 0)
    const anew = await send('leave', 'late', { leave_type: 'sick' })
    assert.deepEqual([anew.status, replayed(anew)], [201, false])
    assert.notEqual(anew.json.id, late.json.id)
    assert.equal((await send('leave', 'early', leave)).text, early.text)
  })

  it('forgets old keys in batches, the oldest first', async () => {
    await service.stop()
    await client.query(`insert into muster_idempotency_keys (resource, key, fingerprint, record_id, claimed)
      select 'leave', 'old ' || n, '', n, now() - interval '2 days' + n * interval '1 second' from generate_series(1, 12000) n`)
    const left: unknown[] = []
    for (let batch = 0; batch < 4; batch += 1) {
      await client.query('select muster_forget_keys()')
      left.push(
        ...(await rows(
          `select count(*)::int, min(record_id)::int from muster_idempotency_keys where key like 'old %'`,
        )),
      )
    }
    assert.deepEqual(left, [
      { count: 7000, min: 5001 },
      { count: 2000, min: 10001 },
      { count: 0, min: null },
      { count: 0, min: null },
    ])
    service = await startService(database.url, { tokens: [token, previousToken] })
  })

  it('finds a key free that was forgotten while it was looked up', async () => {
    await send('leave', 'vanishing', leave)
    await database.execute(`
      create function forget() returns trigger language plpgsql security definer as $$ begin
        delete from muster_idempotency_keys where key = 'vanishing' and claimed < now(); return null; end $$;
      create trigger forget after insert on muster_idempotency_keys for each statement execute function forget()`)
    const answer = await send('leave', 'vanishing', leave)
    await database.execute('drop function forget cascade')
    assert.deepEqual([answer.status, replayed(answer)], [201, false])
    assert.equal(replayed(await send('leave', 'vanishing', leave)), true)
  })

  it('makes one record per key when fifty arrive at once, and refuses exactly the bodies that are not the stored one', async () => {
    const stored = await count('leave_requests')
    const twins = Array.from({ length: 50 }, (_, twin) => ({ leave_type: twin === 25 ? 'sick' : 'annual' }))
    // 503 only says that too much is asked at once, and when to ask again.
    const insist = async (key: string, body: unknown): Promise<Answer> => {
      for (;;) {
        const answer = await send('leave', key, body)
        if (answer.status !== 503) return answer
      }
    }
    const round = async (key: string): Promise<void> => {
      const answers = await Promise.all(twins.map((body) => insist(key, body)))
      const created = answers.filter(({ status }) => status === 201)
      const [first] = created
      assert.equal(created.filter((answer) => !replayed(answer)).length, 1, key)
      for (const [index, answer] of answers.entries()) {
        const same = twins[index]?.leave_type === first?.json.leave_type
        if (same) assert.deepEqual([answer.status, answer.text], [201, first?.text], key)
        else assert.deepEqual([answer.status, answer.json.error.code], [422, 'idempotency_key_reused'], key)
      }
    }
    const keys = Array.from({ length: 60 }, (_, index) => `storm-${index}`)
    for (let next = 0; next < keys.length; next += 4) await Promise.all(keys.slice(next, next + 4).map(round))
    assert.equal(await count('leave_requests'), stored + keys.length)
  })

  const fingerprintOf = async (key: string): Promise<unknown> =>
    (await rows('select fingerprint from muster_idempotency_keys where key = $1', [key]))[0]?.fingerprint
})

describe('a create with an Idempotency-Key through a crash', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // The insert waits here, its claim and its row made and not yet committed.
    await client.query(`
      create function hold() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(1); return null; end $$;
      create trigger hold after insert on leave_requests for each row execute function hold()`)
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const serve = async () => {
    const process = runCommand('muster.ts', ['serve'], {
      DATABASE_URL: database.url,
      MUSTER_API_TOKEN: token,
      PORT: '0',
    })
    const [, address] = await process.says(/Server listening at (http:\/\/[\d.:]+)/)
    await until(async () => (await ask(`${address}/readyz`)).status === 200)
    const send = (key: string): Promise<Answer> => post(`${address}/api/v1/leave`, leave, { 'idempotency-key': key })
    return { process, send }
  }
  const stored = async (): Promise<number> => Number((await client.query('select from leave_requests')).rowCount)

  it('is replayed by the next process, where the one that stored it was killed before it could answer', async () => {
    const doomed = await serve()
    await client.query('select pg_advisory_lock(1)')
    const unanswered = assert.rejects(doomed.send('killed'))
    await untilWaiting(client)
    doomed.process.signal('SIGKILL')
    await unanswered
    await client.query('select pg_advisory_unlock(1)')
    await until(async () => (await stored()) === 1)
    const next = await serve()
    const answer = await next.send('killed')
    assert.deepEqual([answer.status, replayed(answer), await stored()], [201, true, 1])
    next.process.signal('SIGTERM')
    await next.process.ended
  })

  it('is stored by the next try, where its session ended before the commit', async () => {
    const { process, send } = await serve()
    const before = await stored()
    await client.query('select pg_advisory_lock(1)')
    const unserved = send('ended')
    await untilWaiting(client)
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    )
    assert.equal((await unserved).status, 503)
    await client.query('select pg_advisory_unlock(1)')
    assert.equal(await stored(), before)
    const answer = await send('ended')
    assert.deepEqual([answer.status, replayed(answer), await stored()], [201, false, before + 1])
    process.signal('SIGTERM')
    await process.ended
  })
})

/** Until a session of the service waits for a lock. */
const untilWaiting = (client: pg.Client): Promise<void> =>
  until(async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'muster' and wait_event_type = 'Lock'`,
    )
    return rowCount === 1
  })
