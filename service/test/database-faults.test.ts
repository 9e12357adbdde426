/** What the database says when it cannot or will not: each SQLSTATE, each wait and each lost session has one honest answer. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { resourceAt } from '@muster/model'
import pg from 'pg'
import type { EmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'
import { migrate } from '../src/database/migrate.ts'
import { Problem } from '../src/errors.ts'
import { openGetter } from '../src/operations/get.ts'
import type { TestDatabase } from './support/database.ts'
import { createTestDatabase } from './support/database.ts'
import { ask, post } from './support/http.ts'
import { runCommand } from './support/process.ts'
import type { RunningService } from './support/service.ts'
import { startService, token } from './support/service.ts'
import { until } from './support/until.ts'

/** A code of every class that PostgreSQL has, and those that meet us. */
const refusals = [
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
const faults = [
  ...['01000', '02000', '03000', '08000', '08006', '08P01', '09000', '0A000', '0B000', '0F000', '0L000', '0P000'],
  ...['0Z000', '20000', '21000', '24000', '25006', '25P03', '26000', '27000', '28000', '28P01', '2B000', '2D000'],
  ...['2F000', '34000', '38000', '39000', '3B000', '3D000', '3F000', '40001', '40P01', '42501', '42601', '42703'],
  ...['42883', '42P01', '42P05', '44000', '53000', '53100', '53200', '53300', '54001', '55000', '55P03', '57014'],
  ...['57P01', '57P05', '58000', '58030', '72000', 'F0000', 'HV000', 'P0000', 'P0001', 'XX000', 'XX001', 'XX002'],
]

describe('a fault of the database', () => {
  let database: TestDatabase
  let service: RunningService
  before(async () => {
    database = await createTestDatabase()
    // Raises whatever SQLSTATE the reason of a leave request names, at the moment the row is stored.
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

  const create = (reason: string) => post(`${service.base}/v1/leave`, { leave_type: 'annual', reason })

  for (const code of refusals) {
    it(`${code} refuses a create with 422`, async () => {
      const answer = await create(code)
      assert.deepEqual([answer.status, answer.json.error.code], [422, 'validation_error'])
      assert.deepEqual(answer.json.error.details.errors, [
        { type: 'value_refused', loc: ['body'], msg: 'The database does not take this value' },
      ])
    })
  }

  it('names the column that the database named', async () => {
    await database.execute('alter table leave_requests alter days set not null')
    const { json } = await post(`${service.base}/v1/leave`, { leave_type: 'annual' })
    await database.execute('alter table leave_requests alter days drop not null')
    assert.deepEqual(json.error.details.errors[0].loc, ['body', 'days'])
  })

  for (const code of faults) {
    it(`${code} answers a create with 503 and when to try again`, async () => {
      const answer = await create(code)
      assert.deepEqual(
        [answer.status, answer.json.error.code, answer.headers.get('retry-after')],
        [503, 'database_unavailable', '1'],
      )
      assert.deepEqual(Object.keys(answer.json.error.details), ['request_id'])
    })
  }

  it('of any code is 503 for a read, which has no values to mend', async () => {
    for (const code of [...refusals, ...faults, '23503', '23505'])
      await assert.rejects(
        service.database.run({ pool: 'read', text: 'select raise($1)', values: [code] }),
        (error) => error instanceof Problem && error.code === 'database_unavailable' && error.cause !== undefined,
        code,
      )
  })

  it('57P03 keeps others from knocking until the next look, and no longer', async () => {
    assert.equal((await create('57P03')).status, 503)
    assert.equal(service.database.ready, false)
    await until(async () => (await ask(`http://127.0.0.1:${service.port}/readyz`)).status === 200)
  })

  it('behind which no field stands is 503: the next try draws the next id', async () => {
    const url = `${service.base}/v1/organizations`
    await database.execute(`insert into organizations (id, name, slug) values (1, 'By hand', 'by-hand')`)
    const first = await post(url, { name: 'One', slug: 'one' })
    assert.deepEqual([first.status, first.json.error.code], [503, 'database_unavailable'])
    assert.equal((await post(url, { name: 'One', slug: 'one' })).status, 201)
  })

  it('that a reference of no field raised is 503 as well', async () => {
    await database.execute(
      'alter table organizations add constraint strange_fkey foreign key (id) references employees not valid',
    )
    const answer = await post(`${service.base}/v1/organizations`, { name: 'Two', slug: 'two' })
    await database.execute('alter table organizations drop constraint strange_fkey')
    assert.equal(answer.status, 503)
  })

  it('that tells of a clash which is gone by now is told in the words of its constraint', async () => {
    await database.execute(`
      create function clash() returns trigger language plpgsql as $$ begin
        raise unique_violation using constraint = 'organizations_slug_key'; end $$;
      create trigger clash before insert on organizations for each row execute function clash();
      create function lack() returns trigger language plpgsql as $$ begin
        raise foreign_key_violation using constraint = 'recruitment_brands_organization_id_fkey'; end $$;
      create trigger lack before insert on recruitment_brands for each row execute function lack()`)
    const taken = await post(`${service.base}/v1/organizations`, { name: 'Three', slug: 'three' })
    const lacking = await post(`${service.base}/v1/brands`, { organization_id: 1, name: 'One', slug: 'one' })
    await database.execute('drop function clash cascade; drop function lack cascade')
    assert.deepEqual(taken.json.error.details.errors, [
      { type: 'already_exists', loc: ['body', 'slug'], msg: 'Another record has this value already' },
    ])
    assert.deepEqual(lacking.json.error.details.errors, [
      {
        type: 'reference_not_found',
        loc: ['body', 'organization_id'],
        msg: 'No organization has this id',
        ctx: { resource: 'organization' },
      },
    ])
  })

  it('leaves the connection in use where it only refused a value', async () => {
    const sessions = async () =>
      (
        await service.database.run({
          pool: 'read',
          name: 'sessions',
          text: `select string_agg(pid::text, ',' order by pid) from pg_stat_activity where application_name = 'muster' and datname = current_database()`,
          values: [],
        })
      )[0]
    const before = await sessions()
    for (let round = 0; round < 5; round += 1) await create('22003')
    assert.deepEqual(await sessions(), before)
  })

  it('of this very code is not taken for one of the database', async () => {
    const mistake = new TypeError('ours')
    const value = {
      toPostgres: () => {
        throw mistake
      },
    }
    await assert.rejects(service.database.run({ pool: 'read', text: 'select $1', values: [value] }), mistake)
  })
})

describe('a wait', () => {
  let database: TestDatabase
  let service: RunningService
  let holder: pg.Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
  })
  after(async () => {
    await holder.end()
    await service.stop()
    await database.drop()
  })

  it('for a lock ends after two seconds with 503, for a read as for a create', async () => {
    await holder.query('begin; lock table organizations in access exclusive mode')
    const start = performance.now()
    const answers = await Promise.all([
      ask(`${service.base}/v1/organizations`),
      post(`${service.base}/v1/organizations`, { name: 'Held', slug: 'held' }),
    ])
    const took = performance.now() - start
    await holder.query('rollback')
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503],
    )
    assert.ok(took > 1_900 && took < 4_000, `${took} ms`)
    assert.equal((await ask(`${service.base}/v1/organizations`)).json.meta.total, 0)
  })

  it('of an id for its turn ends after half a second with 503', async () => {
    const get = openGetter(service.database, resourceAt('organizations'))
    await holder.query('begin; lock table organizations in access exclusive mode')
    const underWay = [get(1n), get(2n)].map((found) => assert.rejects(found))
    const start = performance.now()
    const waiting = [get(3n), get(4n), get(3n)]
    for (const found of waiting)
      await assert.rejects(found, (error) => error instanceof Problem && error.code === 'overloaded')
    const took = performance.now() - start
    assert.ok(took > 400 && took < 1_500, `${took} ms`)
    await Promise.all(underWay)
    await holder.query('rollback')
    assert.equal(await get(3n), undefined)
  })

  it('is bounded on the server too, in every session the service opens', async () => {
    const { rows } = await service.database.pool.query(
      `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
              current_setting('idle_in_transaction_session_timeout') as idle`,
    )
    assert.deepEqual(rows, [{ statement: '7s', lock: '2s', idle: '5s' }])
  })
})

describe('a create', () => {
  it('is durable whatever the default of the database, and weakens no stronger one', async () => {
    const database = await createTestDatabase()
    await database.execute(`
      create table seen (setting text);
      grant select on seen to public;
      create function see() returns trigger language plpgsql security definer as $$ begin
        insert into seen values (current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger see after insert on leave_requests deferrable initially deferred
        for each row execute function see()`)
    const defaults = ['off', 'local', 'remote_write', 'on', 'remote_apply']
    for (const setting of defaults) {
      await database.execute(
        `do $$ begin execute format('alter database %I set synchronous_commit = ${setting}', current_database()); end $$`,
      )
      const service = await startService(database.url)
      assert.equal((await post(`${service.base}/v1/leave`, { leave_type: 'a' })).status, 201)
      assert.equal(
        (await post(`${service.base}/v1/leave`, { leave_type: 'b' }, { 'idempotency-key': setting })).status,
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

describe('a create whose commit waits for a standby that is not there', () => {
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
    await until(commitsWait)
  })
  after(async () => {
    await setStandby('')
    await client.end()
    await service.stop()
    await server.stop()
  })

  const send = (key: string) => post(`${service.base}/v1/leave`, { leave_type: 'annual' }, { 'idempotency-key': key })
  const setStandby = async (name: string): Promise<void> => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`)
    await client.query('select pg_reload_conf()')
    const current = async () => (await client.query('show synchronous_standby_names')).rows[0].synchronous_standby_names
    await until(async () => (await current()) === name)
  }
  /** The server takes the setting up in its own time: tries one commit, and cancels it where it waits. */
  const commitsWait = async (): Promise<boolean> => {
    const probe = new pg.Client({ connectionString: server.url })
    await probe.connect()
    const seen = { done: false, waiting: false }
    const commit = probe
      .query(`select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'probe', '')`)
      .finally(() => {
        seen.done = true
      })
    while (!seen.done) {
      const { rowCount } = await client.query(cancelWaiting('probe'))
      if (rowCount === 1) seen.waiting = true
    }
    await commit
    await probe.end()
    return seen.waiting
  }
  const waiting = (what: string) => `from pg_stat_activity where wait_event = 'SyncRep' and query like '%${what}%'`
  const cancelWaiting = (what: string) => `select pg_cancel_backend(pid) ${waiting(what)}`

  it('is answered 503 where an administrator cancels the wait, though PostgreSQL then reports it as done', async () => {
    const cancelled = send('cancelled')
    await until(async () => (await client.query(cancelWaiting('leave'))).rowCount === 1)
    assert.equal((await cancelled).status, 503)
  })

  it('is answered 503 after a time that has an end', async () => {
    const start = performance.now()
    assert.equal((await send('left-alone')).status, 503)
    const took = performance.now() - start
    assert.ok(took > 7_000 && took < 8_500, `${took} ms`)
  })

  it('is found by its key when the wait is over, and was stored once', async () => {
    await setStandby('')
    await until(async () => (await client.query(`select ${waiting('leave')}`)).rowCount === 0)
    for (const key of ['cancelled', 'left-alone']) {
      const answer = await send(key)
      assert.deepEqual([answer.status, answer.headers.get('idempotent-replayed')], [201, 'true'], key)
    }
    assert.equal((await ask(`${service.base}/v1/leave`)).json.meta.total, 3)
  })
})

describe('the log', () => {
  it('tells the operator the truth about a right that is lacking', async () => {
    const database = await createTestDatabase()
    const role = new URL(database.url).pathname.slice(1)
    await database.execute(`create role ${role} login; grant select on all tables in schema public to ${role}`)
    const url = new URL(database.url)
    url.username = role
    const service = runCommand('muster.ts', ['serve'], { DATABASE_URL: url.href, MUSTER_API_TOKEN: token, PORT: '0' })
    const [, address] = await service.says(/Server listening at (http:\/\/[\d.:]+)/)
    await until(async () => (await ask(`${address}/readyz`)).status === 200)
    const answer = await post(`${address}/api/v1/leave`, { leave_type: 'annual' })
    assert.deepEqual(
      [answer.status, answer.json.error.message],
      [503, 'The database cannot serve this now; try again shortly.'],
    )
    await service.says(
      /lacks a permission \(permission denied for table leave_requests\): grant it, or connect as a role that has it/,
    )
    service.signal('SIGTERM')
    await service.ended
    await database.execute(`drop owned by ${role}; drop role ${role}`)
    await database.drop()
  })
})
