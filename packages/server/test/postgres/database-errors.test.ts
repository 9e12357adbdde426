import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { EmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { startEmbeddedPostgres } from '@muster/demo-data/embedded-postgres'
import { resourceAt } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import { startInProcess } from '../../../../tests/support/in-process-server.ts'
import { waitForStatus } from '../../../../tests/support/served.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService, token } from '../../../../tests/support/service.ts'
import { waitUntil } from '../../../../tests/support/wait.ts'
import { Problem } from '../../src/errors.ts'
import { maxPatient } from '../../src/postgres/connection/wait-limit.ts'
import { migrate } from '../../src/postgres/schema/migrate.ts'
import { openGetter } from '../../src/queries/get.ts'

/** Together with `unavailableCodes`: a code of every PostgreSQL error class, and all codes that occur in practice. */
const rejectedValueCodes = [
  '22000',
  '22001',
  '22003',
  '22007',
  '22008',
  '22021',
  '22025',
  '22P02',
  '22P05',
  '23000',
  '23514',
  '54000',
]
const unavailableCodes = [
  ...['01000', '02000', '03000', '08000', '08006', '08P01', '09000', '0A000', '0B000', '0F000', '0L000', '0P000'],
  ...['0Z000', '20000', '24000', '25006', '25P03', '26000', '27000', '28000', '28P01', '2B000', '2D000'],
  ...['2F000', '34000', '38000', '39000', '3B000', '3D000', '3F000', '40001', '40P01', '42501', '42601', '42703'],
  ...['42883', '42P01', '42P05', '44000', '53000', '53100', '53200', '53300', '54001', '55000', '55P03'],
  ...['57P01', '57P05', '58000', '58030', '72000', 'F0000', 'HV000', 'P0000', 'P0001', 'XX000', 'XX001', 'XX002'],
]

describe('a database error', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    // An insert of a leave request fails with the SQLSTATE in its field `reason`.
    await database.execute(`
      create function raise(code text) returns int language plpgsql as $$ begin
        raise exception 'as asked' using errcode = code; end $$;
      create function raise_reason() returns trigger language plpgsql as $$ begin
        perform raise(new.reason); return new; end $$;
      create trigger raise_reason before insert on leave_requests for each row when (new.reason is not null)
        execute function raise_reason()`)
    service = await startService(database.url)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  const createWithReason = (reason: string) => post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual', reason })

  for (const code of rejectedValueCodes) {
    it(`${code} becomes 422 for a create`, async () => {
      const response = await createWithReason(code)
      assert.deepEqual([response.status, response.json.error.code], [422, 'validation_error'])
      assert.deepEqual(response.json.error.details.errors, [
        { type: 'value_refused', loc: ['body'], msg: 'The database does not take this value' },
      ])
    })
  }

  it('becomes a validation error for the column that the database reports', async () => {
    await database.execute('alter table leave_requests alter days set not null')
    const { json } = await post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual' })
    await database.execute('alter table leave_requests alter days drop not null')
    assert.deepEqual(json.error.details.errors[0].loc, ['body', 'days'])
  })

  for (const code of unavailableCodes) {
    it(`${code} becomes 503 with Retry-After for a create`, async () => {
      const response = await createWithReason(code)
      assert.deepEqual(
        [response.status, response.json.error.code, response.headers.get('retry-after')],
        [503, 'database_unavailable', '1'],
      )
      assert.deepEqual(Object.keys(response.json.error.details), ['request_id'])
    })
  }

  it('57014 becomes 503 query_timeout with Retry-After for a create', async () => {
    const response = await createWithReason('57014')
    assert.deepEqual(
      [response.status, response.json.error.code, response.headers.get('retry-after')],
      [503, 'query_timeout', '1'],
    )
  })

  it('21000 becomes 500 for a create', async () => {
    const response = await createWithReason('21000')
    assert.deepEqual([response.status, response.json.error.code], [500, 'internal_error'])
  })

  /** The code of the problem that a read reports; undefined if the error itself is reported, which becomes 500. */
  const readWithCode = async (code: string): Promise<string | undefined> => {
    const error = await service.database
      .run({ pool: 'read', text: 'select raise($1)', values: [code] })
      .catch((reason: unknown) => reason)
    if (!(error instanceof Problem)) return undefined
    assert.notEqual(error.cause, undefined)
    return error.code
  }

  it('of the database itself becomes database_unavailable for a read, and one about a value does not', async () => {
    for (const code of unavailableCodes) assert.equal(await readWithCode(code), 'database_unavailable', code)
    const dataCodes = [...rejectedValueCodes.filter((code) => code !== '54000'), '21000', '23503', '23505']
    for (const code of dataCodes) assert.equal(await readWithCode(code), undefined, code)
  })

  it('about the time limit becomes query_timeout for a read', async () => {
    assert.equal(await readWithCode('57014'), 'query_timeout')
  })

  it('57P03 makes the service not ready until the next successful health check', async () => {
    // A health check may succeed before this process sees that the service is not ready: then it is tried again.
    let wasReady = true
    for (let attempt = 0; attempt < 5 && wasReady; attempt += 1) {
      assert.equal((await createWithReason('57P03')).status, 503)
      wasReady = service.database.ready
    }
    assert.equal(wasReady, false)
    await waitForStatus(`http://127.0.0.1:${service.port}/readyz`, 200)
  })

  it('about a duplicate id becomes 503, because another attempt gets the next id', async () => {
    const url = `${service.baseUrl}/v1/organizations`
    await database.execute(`insert into organizations (id, name, slug) values (1, 'By hand', 'by-hand')`)
    const firstAttempt = await post(url, { name: 'One', slug: 'one' })
    assert.deepEqual([firstAttempt.status, firstAttempt.json.error.code], [503, 'database_unavailable'])
    assert.equal((await post(url, { name: 'One', slug: 'one' })).status, 201)
  })

  it('about a foreign key that corresponds to no field of the API becomes 503', async () => {
    await database.execute(
      'alter table organizations add constraint strange_fkey foreign key (id) references employees not valid',
    )
    const response = await post(`${service.baseUrl}/v1/organizations`, { name: 'Two', slug: 'two' })
    await database.execute('alter table organizations drop constraint strange_fkey')
    assert.equal(response.status, 503)
  })

  it('about a conflict that no longer exists names the field of the violated constraint', async () => {
    await database.execute(`
      create function clash() returns trigger language plpgsql as $$ begin
        raise unique_violation using constraint = 'organizations_slug_key'; end $$;
      create trigger clash before insert on organizations for each row execute function clash();
      create function lack() returns trigger language plpgsql as $$ begin
        raise foreign_key_violation using constraint = 'recruitment_brands_organization_id_fkey'; end $$;
      create trigger lack before insert on recruitment_brands for each row execute function lack()`)
    const duplicateSlug = await post(`${service.baseUrl}/v1/organizations`, { name: 'Three', slug: 'three' })
    const missingReference = await post(`${service.baseUrl}/v1/brands`, {
      organization_id: 1,
      name: 'One',
      slug: 'one',
    })
    await database.execute('drop function clash cascade; drop function lack cascade')
    assert.deepEqual(duplicateSlug.json.error.details.errors, [
      { type: 'already_exists', loc: ['body', 'slug'], msg: 'Another record has this value already' },
    ])
    assert.deepEqual(missingReference.json.error.details.errors, [
      {
        type: 'reference_not_found',
        loc: ['body', 'organization_id'],
        msg: 'No organization has this id',
        ctx: { resource: 'organization' },
      },
    ])
  })

  it('does not close the database connection if only a value was rejected', async () => {
    const querySessionIds = async (): Promise<string[]> => {
      const [row] = await service.database.run({
        pool: 'read',
        name: 'sessions',
        text: `select string_agg(pid::text, ',' order by pid) from pg_stat_activity where application_name = 'muster' and datname = current_database()`,
        values: [],
      })
      return String(row).split(',')
    }
    const sessionIdsBefore = await querySessionIds()
    for (let round = 0; round < 5; round += 1) await createWithReason('22003')
    const sessionIds = await querySessionIds()
    // Maintenance and health checks may have opened sessions meanwhile.
    assert.deepEqual(
      sessionIdsBefore.filter((id) => !sessionIds.includes(id)),
      [],
    )
  })

  it('is not reported if the exception comes from the service itself', async () => {
    const bug = new TypeError('ours')
    const value = {
      toPostgres: () => {
        throw bug
      },
    }
    await assert.rejects(service.database.run({ pool: 'read', text: 'select $1', values: [value] }), bug)
  })
})

describe('waiting', () => {
  let database: TestDatabase
  let service: RunningService
  let lockHolder: pg.Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    lockHolder = new pg.Client({ connectionString: database.url })
    await lockHolder.connect()
  })
  after(async () => {
    await lockHolder.end()
    await service.stop()
    await database.drop()
  })

  it('for a lock ends after two seconds with a 503 response, for reads and creates', async () => {
    await lockHolder.query('begin; lock table organizations in access exclusive mode')
    const start = performance.now()
    const responses = await Promise.all([
      sendRequest(`${service.baseUrl}/v1/organizations`),
      post(`${service.baseUrl}/v1/organizations`, { name: 'Held', slug: 'held' }),
    ])
    const elapsedMs = performance.now() - start
    await lockHolder.query('rollback')
    assert.deepEqual(
      responses.map(({ status }) => status),
      [503, 503],
    )
    assert.ok(elapsedMs > 1_900 && elapsedMs < 6_000, `${elapsedMs} ms`)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/organizations`)).json.meta.total, 0)
  })

  it('for a read by id ends after half a second with an overload error, while more than a few wait', async () => {
    const getRecord = openGetter(service.database, resourceAt('organizations'))
    await lockHolder.query('begin; lock table organizations in access exclusive mode')
    const reads = Array.from({ length: 2 + maxPatient + 3 }, (_, id) => getRecord(BigInt(id + 1)))
    const start = performance.now()
    const errors: { error: unknown; ms: number }[] = []
    const areRejected = reads.map((read) =>
      read.then(
        () => assert.fail('a locked table was read'),
        (error: unknown) => errors.push({ error, ms: performance.now() - start }),
      ),
    )
    await Promise.all(areRejected)
    await lockHolder.query('rollback')
    const overloads = errors.filter(({ error }) => error instanceof Problem && error.code === 'overloaded')
    // Two statements read one id each. Of the others, a few wait for the next statement.
    assert.equal(overloads.length, 3)
    for (const { ms } of overloads) assert.ok(ms > 400 && ms < 1_900, `${ms} ms`)
    assert.equal(await getRecord(3n), undefined)
  })

  it('is also limited by PostgreSQL timeouts in every session', async () => {
    const { rows } = await service.database.readPool.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    assert.deepEqual(rows, [{ statement: '7s', lock: '2s', idle: '5s' }])
  })
})

describe('a create', () => {
  it('is durable whatever the default of synchronous_commit is, and does not weaken remote_apply', async () => {
    const database = await createTestDatabase()
    await database.execute(`
      create table seen (setting text);
      grant select on seen to public;
      create function see() returns trigger language plpgsql security definer as $$ begin
        insert into seen values (current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger see after insert on leave_requests deferrable initially deferred
        for each row execute function see()`)
    const settings = ['off', 'local', 'remote_write', 'on', 'remote_apply']
    for (const setting of settings) {
      await database.execute(
        `do $$ begin execute format('alter database %I set synchronous_commit = ${setting}', current_database()); end $$`,
      )
      const service = await startService(database.url)
      assert.equal((await post(`${service.baseUrl}/v1/leave`, { leave_type: 'a' })).status, 201)
      assert.equal(
        (await post(`${service.baseUrl}/v1/leave`, { leave_type: 'b' }, { 'idempotency-key': setting })).status,
        201,
      )
      await service.stop()
    }
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(`select string_agg(setting, ' ') as seen from seen`)
    await client.end()
    await database.drop()
    assert.equal(rows[0].seen, `${'on '.repeat(8)}remote_apply remote_apply`)
  })
})

describe('a create whose commit waits for an unavailable standby', () => {
  let server: EmbeddedPostgres
  let service: RunningService
  let client: pg.Client
  before(async () => {
    server = await startEmbeddedPostgres({ settings: ['client_min_messages=error'] })
    await migrate(server.url)
    service = await startService(server.url)
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
    assert.equal((await send('before')).status, 201)
    await setStandby('nobody')
    await waitUntil('commits wait for the standby', commitsWait)
  })
  after(async () => {
    await setStandby('')
    await client.end()
    await service.stop()
    await server.stop()
  })

  const send = (key: string) =>
    post(`${service.baseUrl}/v1/leave`, { leave_type: 'annual' }, { 'idempotency-key': key })
  const setStandby = async (name: string): Promise<void> => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`)
    await client.query('select pg_reload_conf()')
    const currentStandbys = async () =>
      (await client.query('show synchronous_standby_names')).rows[0].synchronous_standby_names
    await waitUntil('the setting is in effect', async () => (await currentStandbys()) === name)
  }
  /** Whether a commit waits for the standby: PostgreSQL applies the setting only some time after the reload. */
  const commitsWait = async (): Promise<boolean> => {
    const probe = new pg.Client({ connectionString: server.url })
    await probe.connect()
    const probeState = { done: false, waiting: false }
    const commitResult = probe
      .query(`select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'probe', '')`)
      .finally(() => {
        probeState.done = true
      })
    while (!probeState.done) {
      const { rowCount } = await client.query(cancelWaitingSql('probe'))
      if (rowCount === 1) probeState.waiting = true
    }
    await commitResult
    await probe.end()
    return probeState.waiting
  }
  const waitingSessionsSql = (statement: string) =>
    `from pg_stat_activity where wait_event = 'SyncRep' and query like '%${statement}%'`
  const cancelWaitingSql = (statement: string) => `select pg_cancel_backend(pid) ${waitingSessionsSql(statement)}`

  it('gets 503 if an administrator cancels the wait, although PostgreSQL then reports success', async () => {
    const cancelledCreate = send('cancelled')
    await waitUntil('its wait is cancelled', async () => (await client.query(cancelWaitingSql('leave'))).rowCount === 1)
    assert.equal((await cancelledCreate).status, 503)
  })

  it('gets 503 after seven to ten seconds', async () => {
    const start = performance.now()
    assert.equal((await send('left-alone')).status, 503)
    const elapsedMs = performance.now() - start
    assert.ok(elapsedMs > 7_000 && elapsedMs < 10_000, `${elapsedMs} ms`)
  })

  it('is replayed for its idempotency key once the wait is over, and is stored only once', async () => {
    await setStandby('')
    const countWaiting = async () => (await client.query(`select ${waitingSessionsSql('leave')}`)).rowCount
    await waitUntil('no commit waits', async () => (await countWaiting()) === 0)
    for (const key of ['cancelled', 'left-alone']) {
      const response = await send(key)
      assert.deepEqual([response.status, response.headers.get('idempotent-replayed')], [201, 'true'], key)
    }
    assert.equal((await sendRequest(`${service.baseUrl}/v1/leave`)).json.meta.total, 3)
  })
})

describe('the log', () => {
  it('names the permission that the role lacks', async () => {
    const database = await createTestDatabase()
    const role = new URL(database.url).pathname.slice(1)
    await database.execute(
      `create role ${role} login; grant usage on schema public to ${role}; grant select on all tables in schema public to ${role}`,
    )
    const url = new URL(database.url)
    url.username = role
    const service = await startInProcess({ DATABASE_URL: url.href, MUSTER_API_TOKEN: token })
    await waitForStatus(`${service.origin}/readyz`, 200)
    const response = await post(`${service.origin}/api/v1/leave`, { leave_type: 'annual' })
    assert.deepEqual(
      [response.status, response.json.error.message],
      [503, 'The database is unavailable; try again shortly.'],
    )
    await service.waitForOutput(
      /lacks a permission \(permission denied for table leave_requests\): grant it, or connect as a role that has it/,
    )
    await service.stop()
    await database.execute(`drop owned by ${role}; drop role ${role}`)
    await database.drop()
  })
})
