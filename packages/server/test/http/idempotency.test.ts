import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import type { HttpResponse } from '../../../../tests/support/http.ts'
import { post, sendRawBytes } from '../../../../tests/support/http.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { waitForStatus } from '../../../../tests/support/served.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'

const previousToken = 'another-token-for-tests-of-more-than-32-characters'
const leaveBody = { leave_type: 'annual', reason: 'Hiking, far from any telephone' }
const isReplayed = (response: HttpResponse): boolean => response.headers.get('idempotent-replayed') === 'true'

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
    post(`${service.baseUrl}/v1/${path}`, body, { 'idempotency-key': key, ...headers })
  const queryRows = async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await client.query(sql, values)).rows
  const countRows = async (table: string): Promise<number> =>
    Number((await queryRows(`select count(*) from ${table}`))[0]?.count)

  it('replays the first response when it is repeated, with Idempotent-Replayed: true', async () => {
    const firstResponse = await send('leave', 'again', leaveBody)
    assert.equal(firstResponse.status, 201)
    assert.equal(firstResponse.headers.get('idempotent-replayed'), null)
    const storedCount = await countRows('leave_requests')
    const secondResponse = await send('leave', 'again', leaveBody)
    assert.equal(secondResponse.status, 201)
    assert.equal(secondResponse.headers.get('idempotent-replayed'), 'true')
    assert.equal(secondResponse.text, firstResponse.text)
    assert.equal(secondResponse.headers.get('location'), firstResponse.headers.get('location'))
    assert.equal(secondResponse.headers.get('content-type'), 'application/json')
    assert.equal(await countRows('leave_requests'), storedCount)
  })

  it('is not rejected when it is repeated, although its slug now exists', async () => {
    const body = { name: 'Retried', slug: 'retried' }
    const firstResponse = await send('organizations', 'slug', body)
    assert.equal((await send('organizations', 'slug', body)).text, firstResponse.text)
    assert.equal((await send('organizations', 'another key', body)).status, 422)
    const otherKeyResponse = await send('organizations', 'other-key', body)
    assert.equal(otherKeyResponse.json.error.details.errors[0].type, 'already_exists')
  })

  it('counts as the same request if only the JSON formatting differs', async () => {
    const firstResponse = await send('leave', 'written', '{"leave_type":"annual","days":2}')
    const secondResponse = await send('leave', 'written', ' { "days" : 2.0,\n"leave_type":"\\u0061nnual"} ')
    assert.deepEqual(
      [secondResponse.status, secondResponse.text, isReplayed(secondResponse)],
      [201, firstResponse.text, true],
    )
  })

  it('is validated even if its body is nested deeply', async () => {
    const deepBody = `{"leave_type":"annual","reason":${'{"0":'.repeat(60_000)}1${'}'.repeat(60_000)}}`
    const response = await send('leave', 'deep', deepBody)
    assert.deepEqual([response.status, response.json.error.details.errors?.[0]?.type], [422, 'string_type'])
  })

  it('is rejected if its key was used with another body, and nothing is stored', async () => {
    await send('leave', 'other body', leaveBody)
    await send('leave', 'other-body', leaveBody)
    const storedCount = await countRows('leave_requests')
    for (const body of [{ leave_type: 'sick' }, { ...leaveBody, reason: null }, { leave_type: 'annual' }]) {
      const response = await send('leave', 'other-body', body)
      assert.deepEqual(
        [response.status, response.json.error.code, response.json.error.message],
        [422, 'idempotency_key_reused', 'This idempotency key was used for a different request.'],
      )
      assert.deepEqual(Object.keys(response.json.error.details), ['request_id'])
    }
    assert.equal(await countRows('leave_requests'), storedCount)
  })

  it('counts as a different request on another route', async () => {
    const organizationResponse = await send('organizations', 'address', { name: 'Address', slug: 'address' })
    const careerSiteResponse = await send('career-sites', 'address', { name: 'Address', slug: 'address' })
    assert.deepEqual(
      [organizationResponse.status, careerSiteResponse.status, isReplayed(careerSiteResponse)],
      [201, 201, false],
    )
    const slashResponse = await send('organizations/', 'address', { name: 'Address', slug: 'address' })
    assert.deepEqual([slashResponse.text, isReplayed(slashResponse)], [organizationResponse.text, true])
  })

  it('counts as the same request with another valid token, as during a token rotation', async () => {
    const firstResponse = await send('leave', 'rotation', leaveBody)
    const secondResponse = await send('leave', 'rotation', leaveBody, { authorization: `Bearer ${previousToken}` })
    assert.deepEqual(
      [secondResponse.status, secondResponse.text, isReplayed(secondResponse)],
      [201, firstResponse.text, true],
    )
    const unauthorizedResponse = await send('leave', 'rotation', leaveBody, { authorization: 'Bearer wrong' })
    assert.equal(unauthorizedResponse.status, 401)
  })

  it('treats a key in quotes as the key without quotes', async () => {
    const firstResponse = await send('leave', '"quoted"', leaveBody)
    assert.equal((await send('leave', 'quoted', leaveBody)).text, firstResponse.text)
    for (const key of ['!', '~', '"', '""', 'k'.repeat(255), `"${'q'.repeat(255)}"`])
      assert.equal((await send('leave', key, leaveBody)).status, 201, key)
  })

  it('is rejected if its key has invalid characters or an invalid length, and the response also lists the errors of its body', async () => {
    const pattern = '^(?:"[!-~]{1,255}"|[!-~]{1,255})$'
    const violation = {
      type: 'string_pattern_mismatch',
      loc: ['header', 'idempotency-key'],
      msg: `String should match pattern '${pattern}'`,
      ctx: { pattern },
    }
    const storedCount = await countRows('leave_requests')
    for (const key of ['', 'a b', 'k'.repeat(256), `"${'q'.repeat(256)}"`, 'k\u00e9y', 'a\tb']) {
      const response = await send('leave', key, leaveBody)
      assert.deepEqual([response.status, response.json.error.code], [422, 'validation_error'], key)
      assert.deepEqual(response.json.error.details.errors, [violation], key)
    }
    const rejectedResponse = await send('leave', 'a b', {})
    const types = rejectedResponse.json.error.details.errors.map(({ type }: { type: string }) => type)
    assert.deepEqual(types, ['missing', 'string_pattern_mismatch'])
    assert.equal(await countRows('leave_requests'), storedCount)
  })

  it('is rejected if it has two keys', async () => {
    const body = JSON.stringify(leaveBody)
    const response = await sendRawBytes(
      service.port,
      `POST /api/v1/leave HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Idempotency-Key: one\r\nIdempotency-Key: two\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    assert.match(response, /^HTTP\/1\.1 422 .*string_pattern_mismatch/s)
  })

  it('stores its key only if it succeeds: a rejected create may be repeated with the same key', async () => {
    const body = { leave_type: 'annual', employee_id: 4711 }
    assert.equal((await send('leave', 'refused', body)).status, 422)
    assert.equal((await send('leave', 'refused', { leave_type: '' })).status, 422)
    await database.execute(`insert into employees (id, first_name, status, alumni) values (4711, 'Ada', 'active', 0)`)
    const response = await send('leave', 'refused', body)
    assert.deepEqual([response.status, isReplayed(response)], [201, false])
    assert.equal(isReplayed(await send('leave', 'refused', body)), true)
  })

  it('stores only a fingerprint of the body, and no copy of the record', async () => {
    await send('leave', 'no-copy', leaveBody)
    const [storedKey] = await queryRows(`select k::text as line from muster_idempotency_keys k where key = 'no-copy'`)
    assert.match(String(storedKey?.line), /^\(leave,no-copy,"\\\\x[0-9a-f]{64}",\d+,"[^"]+"\)$/)
  })

  it('waits for a concurrent duplicate and responds with the record that the duplicate stored', async () => {
    const duplicateClient = new pg.Client({ connectionString: database.url })
    await duplicateClient.connect()
    const fingerprint = (await send('leave', 'model', leaveBody)) && (await fingerprintOf('model'))
    await duplicateClient.query('begin')
    const { rows: insertedRows } = await duplicateClient.query(
      `insert into leave_requests (leave_type, reason, status) values ('annual', 'by the duplicate', 'pending') returning id`,
    )
    await duplicateClient.query(
      `insert into muster_idempotency_keys (resource, key, fingerprint, record_id) values ('leave', 'duplicate', $1, $2)`,
      [fingerprint, insertedRows[0].id],
    )
    const response = send('leave', 'duplicate', leaveBody)
    await waitForLockWait(client)
    await duplicateClient.query('commit')
    await duplicateClient.end()
    const { status, json } = await response
    assert.deepEqual([status, json.reason], [201, 'by the duplicate'])
  })

  it('responds 503 with Retry-After if a concurrent duplicate does not end', async () => {
    const duplicateClient = new pg.Client({ connectionString: database.url })
    await duplicateClient.connect()
    await duplicateClient.query('begin')
    await duplicateClient.query(
      `insert into muster_idempotency_keys (resource, key, fingerprint, record_id) values ('leave', 'stuck', '', 0)`,
    )
    const storedCount = await countRows('leave_requests')
    const unavailableResponse = await send('leave', 'stuck', leaveBody)
    assert.deepEqual(
      [unavailableResponse.status, unavailableResponse.json.error.code, unavailableResponse.headers.get('retry-after')],
      [503, 'database_unavailable', '1'],
    )
    assert.equal(await countRows('leave_requests'), storedCount)
    await duplicateClient.query('rollback')
    await duplicateClient.end()
    const response = await send('leave', 'stuck', leaveBody)
    assert.deepEqual([response.status, isReplayed(response)], [201, false])
  })

  it('is rejected if the record of its key has been deleted', async () => {
    const { json } = await send('leave', 'gone', leaveBody)
    await database.execute(`delete from leave_requests where id = ${json.id}`)
    assert.equal((await send('leave', 'gone', leaveBody)).json.error.code, 'idempotency_key_reused')
  })

  it('can reuse a key after 24 hours on the clock of the database, but not earlier', async () => {
    const expiredCreate = await send('leave', 'late', leaveBody)
    const validCreate = await send('leave', 'early', leaveBody)
    await database.execute(`
      update muster_idempotency_keys set claimed = now() - interval '24 hours 1 second' where key = 'late';
      update muster_idempotency_keys set claimed = now() - interval '23 hours 59 minutes' where key = 'early'`)
    await waitUntil(
      'the expired key is deleted',
      async () => (await queryRows(`select from muster_idempotency_keys where key = 'late'`)).length === 0,
    )
    const reusedResponse = await send('leave', 'late', { leave_type: 'sick' })
    assert.deepEqual([reusedResponse.status, isReplayed(reusedResponse)], [201, false])
    assert.notEqual(reusedResponse.json.id, expiredCreate.json.id)
    assert.equal((await send('leave', 'early', leaveBody)).text, validCreate.text)
  })

  it('stores a key that expires; expired keys are deleted in batches, oldest first', async () => {
    await service.stop()
    await client.query(`insert into muster_idempotency_keys (resource, key, fingerprint, record_id, claimed)
      select 'leave', 'old ' || n, '', n, now() - interval '2 days' + n * interval '1 second' from generate_series(1, 12000) n`)
    const remainingKeys: unknown[] = []
    for (let batch = 0; batch < 4; batch += 1) {
      await client.query('select muster_prune_keys()')
      remainingKeys.push(
        ...(await queryRows(
          `select count(*)::int, min(record_id)::int from muster_idempotency_keys where key like 'old %'`,
        )),
      )
    }
    assert.deepEqual(remainingKeys, [
      { count: 7000, min: 5001 },
      { count: 2000, min: 10001 },
      { count: 0, min: null },
      { count: 0, min: null },
    ])
    service = await startService(database.url, { tokens: [token, previousToken] })
  })

  it('succeeds if its key is deleted while it is looked up', async () => {
    await send('leave', 'vanishing', leaveBody)
    await database.execute(`
      create function forget() returns trigger language plpgsql security definer as $$ begin
        delete from muster_idempotency_keys where key = 'vanishing' and claimed < now(); return null; end $$;
      create trigger forget after insert on muster_idempotency_keys for each statement execute function forget()`)
    const response = await send('leave', 'vanishing', leaveBody)
    await database.execute('drop function forget cascade')
    assert.deepEqual([response.status, isReplayed(response)], [201, false])
    assert.equal(isReplayed(await send('leave', 'vanishing', leaveBody)), true)
  })

  it('stores one record if fifty with the same key arrive concurrently, and is rejected only if its body differs', async () => {
    const storedCount = await countRows('leave_requests')
    const bodies = Array.from({ length: 50 }, (_, number) => ({ leave_type: number === 25 ? 'sick' : 'annual' }))
    // In this test 503 means that the service is overloaded, so the request is repeated.
    const sendUntilServed = async (key: string, body: unknown): Promise<HttpResponse> => {
      for (;;) {
        const response = await send('leave', key, body)
        if (response.status !== 503) return response
      }
    }
    const sendAllBodies = async (key: string): Promise<void> => {
      const responses = await Promise.all(bodies.map((body) => sendUntilServed(key, body)))
      const createdResponses = responses.filter(({ status }) => status === 201)
      const [firstResponse] = createdResponses
      assert.equal(createdResponses.filter((response) => !isReplayed(response)).length, 1, key)
      for (const [index, response] of responses.entries()) {
        const isSameBody = bodies[index]?.leave_type === firstResponse?.json.leave_type
        if (isSameBody) assert.deepEqual([response.status, response.text], [201, firstResponse?.text], key)
        else assert.deepEqual([response.status, response.json.error.code], [422, 'idempotency_key_reused'], key)
      }
    }
    const keys = Array.from({ length: 12 }, (_, index) => `storm-${index}`)
    for (let firstIndex = 0; firstIndex < keys.length; firstIndex += 2)
      await Promise.all(keys.slice(firstIndex, firstIndex + 2).map(sendAllBodies))
    assert.equal(await countRows('leave_requests'), storedCount + keys.length)
  })

  const fingerprintOf = async (key: string): Promise<unknown> =>
    (await queryRows('select fingerprint from muster_idempotency_keys where key = $1', [key]))[0]?.fingerprint
})

describe('a create with an Idempotency-Key after a crash', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createTestDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    // A create waits in this trigger, after its key and its record are inserted and before they are committed.
    await client.query(`
      create function hold() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock(1); return null; end $$;
      create trigger hold after insert on leave_requests for each row execute function hold()`)
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  const startServing = async () => {
    const command = runCommand('muster.ts', ['serve'], {
      DATABASE_URL: database.url,
      MUSTER_API_TOKEN: token,
      PORT: '0',
    })
    const [, origin] = await command.waitForOutput(/Server listening at (http:\/\/[\d.:]+)/)
    await waitForStatus(`${origin}/readyz`, 200)
    const send = (key: string): Promise<HttpResponse> =>
      post(`${origin}/api/v1/leave`, leaveBody, { 'idempotency-key': key })
    return { process: command, send }
  }
  const countStored = async (): Promise<number> => Number((await client.query('select from leave_requests')).rowCount)

  it('is replayed by the next process if the first one was killed before it responded', async () => {
    const killedService = await startServing()
    await client.query('select pg_advisory_lock(1)')
    const rejection = assert.rejects(killedService.send('killed'))
    await waitForLockWait(client)
    killedService.process.signal('SIGKILL')
    await rejection
    await client.query('select pg_advisory_unlock(1)')
    await waitUntil('the record is stored', async () => (await countStored()) === 1)
    const nextService = await startServing()
    const response = await nextService.send('killed')
    assert.deepEqual([response.status, isReplayed(response), await countStored()], [201, true, 1])
    nextService.process.signal('SIGTERM')
    await nextService.process.exitPromise
  })

  it('is stored by the next attempt if the database session of the first was terminated before the commit', async () => {
    const { process, send } = await startServing()
    const countBefore = await countStored()
    await client.query('select pg_advisory_lock(1)')
    const terminatedCreate = send('ended')
    await waitForLockWait(client)
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    )
    assert.equal((await terminatedCreate).status, 503)
    await client.query('select pg_advisory_unlock(1)')
    assert.equal(await countStored(), countBefore)
    const response = await send('ended')
    assert.deepEqual([response.status, isReplayed(response), await countStored()], [201, false, countBefore + 1])
    process.signal('SIGTERM')
    await process.exitPromise
  })
})

/** Resolves once a session of the service waits for a lock. */
const waitForLockWait = (client: pg.Client): Promise<number> =>
  waitUntil('a session waits for a lock', async () => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'muster' and wait_event_type = 'Lock'`,
    )
    return rowCount === 1
  })
