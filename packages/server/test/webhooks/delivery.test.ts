import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'
import { runCommand } from '../../../../tests/support/process.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { decodeCursor } from '../../src/queries/change-cursor.ts'
import type { EndpointEntry, EndpointsFile, Run, RunOptions } from './environment.ts'
import { makeEndpointsFile, startRun, statusOf, waitForEndpoint, waitUntilVisible } from './environment.ts'
import type { Receiver } from './receiver.ts'
import { accept, isSignedWith, newSecret, respondWith, startReceiver } from './receiver.ts'

const hour = 3_600_000

describe('webhooks', () => {
  let database: TestDatabase
  let file: EndpointsFile
  let receiver: Receiver
  let secret: string
  let testCount = 0
  const runs: Run[] = []
  before(async () => {
    database = await createTestDatabase()
    file = await makeEndpointsFile()
  })
  beforeEach(async () => {
    secret = newSecret()
    receiver = await startReceiver(secret)
    testCount += 1
  })
  afterEach(async () => {
    await Promise.all(runs.splice(0).map((run) => run.stop()))
    await receiver.close()
    assert.deepEqual(receiver.invalid, [])
  })
  after(async () => {
    await file.remove()
    await database.drop()
  })

  /** A new endpoint for each test. */
  const endpoint = (entry: Partial<EndpointEntry> = {}): EndpointEntry => ({
    name: `test-${testCount}`,
    url: receiver.url,
    secret,
    ...entry,
  })
  const run = (options?: RunOptions): Run => {
    const started = startRun(database, file, options)
    runs.push(started)
    return started
  }
  const start = async (entry: Partial<EndpointEntry> = {}, options?: RunOptions): Promise<Run> => {
    await waitUntilVisible(database)
    await file.write([endpoint(entry)])
    const started = run(options)
    await waitForEndpoint(database, endpoint().name)
    return started
  }
  const insert = async (count = 1): Promise<string[]> => {
    const rows = await database.query<{ id: number }>(
      `insert into departments (name) select 'a' from generate_series(1, $1::int) returning id`,
      [count],
    )
    return rows.map(({ id }) => `departments ${id} created`)
  }
  const acceptedChanges = () => receiver.accepted.flatMap(({ changes }) => changes)
  const waitForChanges = (expected: readonly string[]) =>
    waitUntil(`${expected.length} changes are delivered`, async () => acceptedChanges().length >= expected.length).then(
      () => assert.deepEqual(acceptedChanges(), expected),
    )
  const waitForDeliveries = (count: number) =>
    waitUntil(`${count} requests arrive`, async () => receiver.deliveries.length >= count)
  const waitForStatus = (status: string) =>
    waitUntil(`the endpoint is ${status}`, async () => (await statusOf(database, endpoint().name)) === status)
  const column = async <T>(expression: string): Promise<T> =>
    (
      await database.query<{ value: T }>(`select ${expression} as value from muster_webhooks where name = $1`, [
        endpoint().name,
      ])
    )[0]?.value as T
  const attemptsOf = () => column<number>('attempts')
  const nextAttemptAt = () => column<number | null>('extract(epoch from next_attempt_at) * 1000')
  const doctorLine = async (): Promise<string> => {
    const { out } = await muster(['doctor'], database.env)
    return /^\w+ +webhooks .*\n(?: +fix: .*\n)?/m.exec(out)?.[0] ?? ''
  }
  const resume = async (...options: string[]): Promise<void> => {
    const result = await muster(['webhooks', '--resume', endpoint().name, ...options], database.env)
    assert.deepEqual(result, { code: 0, out: `The endpoint "${endpoint().name}" is resumed.\n`, err: '' })
  }

  it('contain what changed since the endpoint was added, in order, at most 100 changes each', async () => {
    await insert(3)
    await start()
    const created = await insert(250)
    const id = Number(created[0]?.split(' ')[1])
    await database.query('update departments set name = $1 where id = $2', ['b', id])
    await database.query('delete from departments where id = $1', [id])
    await waitForChanges([...created, `departments ${id} updated`, `departments ${id} deleted`])
    assert.deepEqual(
      receiver.accepted.slice(0, 2).map(({ changes }) => changes.length),
      [100, 100],
    )
    assert.ok(
      receiver.accepted.every(({ type, next }) => type === 'muster.changes' && decodeCursor(next) !== undefined),
    )
    assert.equal(receiver.deliveries.length, receiver.accepted.length)
  })

  it('are verified by the library of Standard Webhooks, during a rotation with the old and with the new secret', async () => {
    const previous = newSecret()
    await start({ secret: `${secret}\n${previous}` })
    await waitForChanges(await insert())
    const [delivery] = receiver.accepted
    assert.ok(delivery !== undefined)
    const { body, headers } = delivery
    for (const known of [secret, previous])
      assert.deepEqual(new Webhook(known).verify(body, headers as Record<string, string>), JSON.parse(body))
    assert.equal(isSignedWith(newSecret(), delivery), false)
    assert.deepEqual(
      [headers['content-type'], headers['content-length'], /^msg_[\w-]+$/.test(delivery.id)],
      ['application/json', String(Buffer.byteLength(body)), true],
    )
  })

  it('contain only the resources and kinds of the endpoint, and move on if nothing matches', async () => {
    await start({ resources: ['candidates', 'departments'], kinds: ['updated', 'erased'] })
    const cursor = async () =>
      (
        await database.query<{ cursor: string }>('select cursor from muster_webhooks where name = $1', [
          endpoint().name,
        ])
      )[0]?.cursor
    const before = await cursor()
    await insert(2_000)
    await waitUntil('the cursor moves', async () => (await cursor()) !== before)
    await database.query(`insert into organizations (name, slug) values ('o', 'o')`)
    await database.query(`update organizations set name = 'p'`)
    await database.query(`insert into candidates (id, first_name, status) values (1, 'a', 'active')`)
    await database.execute(`begin; set local muster.erases = on; update candidates set first_name = null; commit`)
    const [{ id = 0 } = {}] = await database.query<{ id: number }>(
      `update departments set name = 'b' where id = 1 returning id`,
    )
    await waitForChanges(['candidates 1 erased', `departments ${id} updated`])
  })

  it('are sent again with the same id and body if they fail, and nothing is sent before they are delivered', async () => {
    receiver.respond = (response, index) => (index < 2 ? respondWith(500)(response) : accept(response))
    let passedMs = 0
    await start({}, { now: () => new Date(Date.now() + passedMs) })
    const first = await insert()
    await waitForDeliveries(1)
    const second = await insert()
    for (const [attempts, delayMs] of [
      [1, 5_000],
      [2, hour],
    ] as const) {
      await waitUntil(`attempt ${attempts} is recorded`, async () => (await attemptsOf()) === attempts)
      passedMs += delayMs
    }
    await waitForChanges([...first, ...second])
    const attempts = receiver.deliveries.slice(0, 3)
    assert.equal(new Set(attempts.map(({ id, body }) => `${id} ${body}`)).size, 1)
    assert.equal(new Set(attempts.map(({ headers }) => headers['webhook-signature'])).size, 3)
    assert.equal(receiver.accepted.length, 2)
  })

  it('are tried ten times by the published schedule, then set aside, and continue after --resume without a gap', async () => {
    const startedAt = Date.now()
    let now = startedAt
    receiver.respond = respondWith(503)
    const started = await start({}, { now: () => new Date(now) })
    const expected = await insert()
    const delaysMs = [5_000, ...[5, 30, 120, 300, 600, 840, 1_200, 1_440].map((minutes) => minutes * 60_000)]
    for (const [index, delayMs] of delaysMs.entries()) {
      await waitUntil(`attempt ${index + 1} is recorded`, async () => (await attemptsOf()) === index + 1)
      assert.equal(await nextAttemptAt(), now + delayMs)
      now += delayMs
    }
    await waitForStatus('failed')
    assert.equal(now - startedAt, 75 * hour + 35 * 60_000 + 5_000)
    assert.equal(receiver.deliveries.length, 10)
    await waitUntil('the metric says so', async () =>
      started.metrics.includes(`\nmuster_webhook_stopped{endpoint="${endpoint().name}"} 1\n`),
    )
    assert.ok(
      started.metrics.includes(`\nmuster_webhook_attempts_total{endpoint="${endpoint().name}",outcome="failed"} 10\n`),
    )
    assert.equal(
      await doctorLine(),
      `wrong    webhooks       The webhook endpoint "${endpoint().name}" gets no more messages (10 attempts failed, the last with: status 503).\n` +
        `                        fix: npx muster webhooks --resume ${endpoint().name}\n`,
    )
    expected.push(...(await insert()))
    now += 100 * hour
    receiver.respond = accept
    await resume()
    await waitForChanges(expected)
    assert.match(started.metrics, /^muster_webhook_stopped\{.*\} 0$/m)
    assert.match(await doctorLine(), /^ok +webhooks +A process delivers webhooks to 1 endpoint\.$/m)
  })

  it('wait as long as Retry-After says, if that is longer than the schedule', async () => {
    let now = Date.now()
    receiver.respond = (response, index) =>
      index === 0 ? respondWith(429, { 'retry-after': '60' })(response) : accept(response)
    await start({}, { now: () => new Date(now) })
    const expected = await insert()
    await waitUntil('the attempt is recorded', async () => (await nextAttemptAt()) !== null)
    assert.equal(await nextAttemptAt(), now + 60_000)
    assert.match(await doctorLine(), /^advice +webhooks .* failed 1 of 10 times \(status 429\); next attempt at 20/)
    now += 60_000
    await waitForChanges(expected)
  })

  it('stop at status 410, until --resume', async () => {
    receiver.respond = respondWith(410)
    await start()
    const expected = await insert()
    await waitForStatus('disabled')
    assert.match(await doctorLine(), /^wrong +webhooks .* gets no more messages \(it responded 410\)\.$/m)
    assert.equal(receiver.deliveries.length, 1)
    receiver.respond = accept
    await resume()
    await waitForChanges(expected)
  })

  it('are sent again to a receiver that does not respond in time', async () => {
    let passedMs = 0
    receiver.respond = (response, index) => {
      if (index > 0) accept(response)
    }
    await start({}, { timeoutMs: 100, now: () => new Date(Date.now() + passedMs) })
    const expected = await insert()
    await waitForDeliveries(1)
    await waitUntil('the attempt is recorded', async () => (await column('last_error')) === 'no response within 0.1 s')
    passedMs = 5_000
    await waitForChanges(expected)
  })

  it('count as delivered as soon as the status is received, however slow or long the body is', async () => {
    const closed = Promise.withResolvers<void>()
    receiver.respond = (response, index) => {
      response.writeHead(200)
      // The first body never ends; the second is longer than what is read.
      response.write(index === 0 ? 'a' : Buffer.alloc(10_000_000))
      if (index > 0) response.on('close', closed.resolve)
    }
    await start({}, { timeoutMs: 100 })
    const expected = await insert()
    await waitForChanges(expected)
    expected.push(...(await insert()))
    await waitForChanges(expected)
    await closed.promise
    assert.equal(receiver.deliveries.length, 2)
  })

  it('are not sent to the target of a redirect', async () => {
    const target = await startReceiver(secret)
    receiver.respond = respondWith(307, { location: target.url })
    await start()
    await insert()
    await waitForDeliveries(1)
    await waitUntil('the attempt is recorded', async () => (await column('last_error')) === 'status 307')
    assert.deepEqual(target.deliveries, [])
    await target.close()
  })

  it('reach a receiver that was restarted', async () => {
    let passedMs = 0
    await start({}, { now: () => new Date(Date.now() + passedMs) })
    const expected = await insert()
    await waitForChanges(expected)
    await receiver.close()
    expected.push(...(await insert()))
    const error = 'connection failed: ECONNREFUSED'
    await waitUntil('the attempt is recorded', async () => (await column('last_error')) === error)
    await receiver.open()
    passedMs = 5_000
    await waitForChanges(expected)
  })

  it('are sent by one of two processes, and by the other when it ends', async () => {
    const first = await start()
    const second = run()
    const expected = await insert(300)
    await waitForChanges(expected)
    assert.deepEqual([first.isActive, second.isActive], [true, false])
    await first.stop()
    expected.push(...(await insert(300)))
    await waitForChanges(expected)
    assert.deepEqual([first.isActive, second.isActive], [false, true])
    assert.equal(new Set(receiver.deliveries.map(({ id }) => id)).size, receiver.deliveries.length)
    await second.stop()
    assert.match(await doctorLine(), /^wrong +webhooks +No process delivers webhooks\.\n +fix: npx muster webhooks$/m)
    const command = runCommand('muster.ts', ['webhooks'], { ...database.env, MUSTER_WEBHOOKS_FILE: file.path })
    await command.waitForOutput(/Delivering webhooks to 1 endpoint/)
    assert.match(await doctorLine(), /^ok +webhooks +A process delivers webhooks to 1 endpoint\.$/m)
    command.signal('SIGTERM')
    await command.exitPromise
  })

  it('that an open transaction holds back are shown by a metric, and are sent when it ends', async () => {
    const started = await start()
    const writer = new pg.Client(database.url)
    await writer.connect()
    await writer.query("begin; insert into departments (name) values ('open')")
    await insert()
    await database.execute("update muster_changes set at = now() - interval '10 minutes'")
    await waitUntil('the metric shows the delay', async () =>
      /^muster_changes_behind_seconds 6\d\d/m.test(started.metrics),
    )
    assert.equal(receiver.deliveries.length, 0)
    await writer.query('commit')
    await writer.end()
    await waitUntil('both changes are sent', async () => acceptedChanges().length === 2)
  })

  it('are sent independently to each endpoint', async () => {
    const other = await startReceiver(secret)
    receiver.respond = respondWith(500)
    await file.write([endpoint(), endpoint({ name: 'other', url: other.url })])
    run()
    await waitForEndpoint(database, 'other')
    const expected = await insert()
    await waitUntil('the other endpoint gets the change', async () => other.accepted.length === 1)
    assert.deepEqual(other.accepted[0]?.changes, expected)
    assert.notEqual(other.accepted[0]?.id, receiver.deliveries[0]?.id)
    await other.close()
  })

  it('continue where they stopped if the endpoint is taken out of the file and put back', async () => {
    const other = await startReceiver(secret)
    const started = await start()
    const expected = await insert()
    await waitForChanges(expected)
    await started.stop()
    await file.write([endpoint({ name: 'unrelated', url: other.url })])
    const without = run()
    await waitForStatus('removed')
    expected.push(...(await insert()))
    await without.stop()
    await start()
    await waitForChanges(expected)
    await other.close()
  })

  it('are sent again from a point in time with --resume and --since', async () => {
    await start()
    const first = await insert()
    await waitForChanges(first)
    const [{ at = '' } = {}] = await database.query<{ at: string }>(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`,
    )
    const second = await insert()
    await waitForChanges([...first, ...second])
    await waitUntilVisible(database)
    await resume('--since', at)
    await waitForChanges([...first, ...second, ...second])
  })

  it('of type muster.resync tell the receiver to copy again if the cursor is not valid any more', async () => {
    await start()
    await insert()
    await waitForDeliveries(1)
    // As a restore of a dump does.
    await database.execute('refresh materialized view muster_epoch')
    await waitUntil('a resync is delivered', async () => receiver.accepted.some(({ type }) => type === 'muster.resync'))
    const later = await insert()
    await waitUntil('the next change is delivered', async () => acceptedChanges().includes(later[0] ?? ''))
    assert.deepEqual(
      receiver.accepted.map(({ type }) => type),
      ['muster.changes', 'muster.resync', 'muster.changes'],
    )
    assert.ok(decodeCursor(receiver.accepted[1]?.next ?? '') !== undefined)
  })

  const changedColumns: Readonly<Record<string, string>> = {
    body: "message_body = replace(message_body, 'created', 'deleted')",
    // Of another message: changes would be repeated or skipped after it.
    cursor: 'message_cursor = cursor',
    'cursor, which is now no cursor,': "message_cursor = 'x'",
  }
  for (const [title, change] of Object.entries(changedColumns))
    it(`do not send a message whose ${title} was changed in the database, and tell the receiver to copy again`, async () => {
      receiver.respond = respondWith(503)
      await start({}, { now: () => new Date() })
      await insert()
      await waitUntil('the first attempt has failed', async () => (await column<number>('attempts')) > 0)
      await Promise.all(runs.splice(0).map((each) => each.stop()))
      const sent = receiver.deliveries.length
      await database.query(
        `update muster_webhooks set ${change}, next_attempt_at = null, revision = revision + 1 where name = $1`,
        [endpoint().name],
      )
      receiver.respond = accept
      run()
      await waitUntil('a message is delivered', async () => receiver.accepted.length > 0)
      assert.deepEqual(
        receiver.deliveries.slice(sent).map(({ body }) => JSON.parse(body).type),
        ['muster.resync'],
      )
    })

  it('tell the receiver to copy again if its cursor in the database is no cursor any more', async () => {
    await start()
    await Promise.all(runs.splice(0).map((each) => each.stop()))
    await database.query(`update muster_webhooks set cursor = 'x' where name = $1`, [endpoint().name])
    await insert()
    run()
    await waitUntil('a message is delivered', async () => receiver.accepted.length > 0)
    assert.deepEqual(receiver.accepted[0]?.type, 'muster.resync')
  })

  describe('after a standby was promoted', () => {
    /** What the service records after a promotion: another timeline, and the end of the log that the standby had. */
    const promote = (replayedTo: string) =>
      database.execute(
        `insert into muster_server_starts (timeline, replayed_to)
         values ((select coalesce(max(timeline), '') from muster_server_starts) || '1', ${replayedTo});
         select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'muster-webhooks' and datname = current_database()`,
      )
    const types = () => receiver.accepted.map(({ type }) => type)

    it('go on if the process knows that nothing it sent was lost', async () => {
      await start()
      const expected = await insert()
      await waitForChanges(expected)
      await promote('pg_current_wal_flush_lsn()')
      expected.push(...(await insert()))
      await waitForChanges(expected)
      assert.deepEqual(types(), ['muster.changes', 'muster.changes'])
    })

    it('begin with a resync if something that was sent was lost, even if the state in the database is that of before', async () => {
      await start()
      await waitForChanges(await insert())
      const cursor = await column<string>('cursor')
      const [{ lsn = '' } = {}] = await database.query<{ lsn: string }>(
        'select pg_current_wal_flush_lsn()::text as lsn',
      )
      await insert()
      await waitForDeliveries(2)
      await waitUntil('the delivery is recorded', async () => (await column('cursor')) !== cursor)
      await database.query('update muster_webhooks set cursor = $1 where name = $2', [cursor, endpoint().name])
      await promote(`'${lsn}'`)
      await waitUntil('a resync is delivered', async () => types().includes('muster.resync'))
    })

    it('begin with a resync if the process was started since, because it does not know what was sent', async () => {
      const started = await start()
      const expected = await insert()
      await waitForChanges(expected)
      await started.stop()
      await start()
      expected.push(...(await insert()))
      await waitForChanges(expected)
      await Promise.all(runs.splice(0).map((each) => each.stop()))
      await promote('pg_current_wal_flush_lsn()')
      await start()
      await waitUntil('a resync is delivered', async () => types().includes('muster.resync'))
      assert.deepEqual(types(), ['muster.changes', 'muster.changes', 'muster.resync'])
    })

    it('begin with a resync after --resume, and doctor still knows why the endpoint was set aside', async () => {
      receiver.respond = respondWith(503)
      let now = Date.now()
      const clock = { now: () => new Date(now) }
      const started = await start({}, clock)
      await insert()
      await waitUntil('all attempts fail', async () => {
        now += 24 * hour
        return (await statusOf(database, endpoint().name)) === 'failed'
      })
      await started.stop()
      await promote('pg_current_wal_flush_lsn()')
      run(clock)
      await waitUntil('the resync is stored', async () =>
        (await column<string>('message_body')).includes('muster.resync'),
      )
      assert.match(await doctorLine(), /gets no more messages \(10 attempts failed, the last with: status 503\)\.$/m)
      receiver.respond = accept
      await resume()
      await waitUntil('the resync is delivered', async () => types().includes('muster.resync'))
      assert.deepEqual(types(), ['muster.resync'])
    })
  })
})
