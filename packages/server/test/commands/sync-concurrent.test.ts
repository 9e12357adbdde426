/** Tests what other sessions can do while a sync runs, and what they cannot break. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'
import { post, sendRequest } from '../../../../tests/support/http.ts'
import type { CommandResult } from '../../../../tests/support/muster.ts'
import { muster } from '../../../../tests/support/muster.ts'
import type { RunningService } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

const joinLines = (...texts: string[]): string => texts.map((line) => `${line}\n`).join('')

describe('while a sync runs', () => {
  let database: TestDatabase
  let service: RunningService
  let other: Client
  before(async () => {
    database = await createTestDatabase()
    service = await startService(database.url)
    other = new Client({ connectionString: database.url })
    await other.connect()
  })
  after(async () => {
    await other.end()
    await service.stop()
    await database.drop()
  })
  beforeEach(async () => {
    await database.execute('truncate employees, leave_requests, organizations restart identity cascade')
    await database.execute(
      `insert into employees (code, status) values ('E1', 'active'), ('E2', 'active');
       insert into leave_requests (employee_id, leave_type, days) values (1, 'sick', 1), (2, 'sick', 1), (2, 'study', 1)`,
    )
  })

  /** Starts a sync while another session has locked a row that the sync must update, and waits until it waits. */
  const startWaiting = async (
    lockSql: string,
    args: string[],
    input: string,
  ): Promise<{ readonly finished: Promise<CommandResult> }> => {
    await other.query('begin')
    await other.query(lockSql)
    const finished = muster(
      ['sync', ...args, '--format', 'csv', '--at-most', '100%'],
      { DATABASE_URL: database.url },
      input,
    )
    await waitForLocks(1)
    return { finished }
  }

  /** Waits until this many sessions of the command wait for a lock. */
  const waitForLocks = async (count: number, command = 'sync'): Promise<void> => {
    const deadline = Date.now() + 30_000
    for (;;) {
      // In another session: a transaction sees the activity of other sessions as it was when it first looked.
      const [row] = await database.query<{ count: number }>(
        `select count(*) from pg_stat_activity where datname = current_database()
         and application_name = $1 and wait_event_type = 'Lock'`,
        [`muster-${command}`],
      )
      if (row?.count === count) return
      assert.ok(Date.now() < deadline, `the ${command} never waited`)
    }
  }

  it('creates and reads are served, and created records are not taken as missing from the file', async () => {
    const { finished } = await startWaiting(
      'select from leave_requests where id = 1 for update',
      ['leave', '--delete'],
      joinLines('id,employee_id,leave_type,days', '1,1,sick,2', '2,2,sick,1', '40,1,annual,5'),
    )
    const created = await post(`${service.baseUrl}/v1/leave`, { employee_id: 2, leave_type: 'annual' })
    assert.equal(created.status, 201)
    assert.equal((await sendRequest(`${service.baseUrl}/v1/leave`)).json.meta.total, 4)
    await other.query('commit')
    const result = await finished
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(await database.query('select id, days from leave_requests order by id'), [
      { id: 1, days: 2 },
      { id: 2, days: 1 },
      { id: 40, days: 5 },
      { id: created.json.id, days: null },
    ])
    assert.equal(created.json.id, 41)
  })

  it('another sync or import of the same resource waits', async () => {
    const { finished } = await startWaiting(
      'select from employees where id = 1 for update',
      ['employees'],
      joinLines('code,branch', 'E1,Wien'),
    )
    const second = muster(
      ['sync', 'employees', '--format', 'csv', '--at-most', '100%'],
      { DATABASE_URL: database.url },
      joinLines('code,branch', 'E1,Graz'),
    )
    await waitForLocks(2)
    await other.query('commit')
    assert.deepEqual([(await finished).code, (await second).code], [0, 0])
    assert.deepEqual(await database.query('select branch from employees where id = 1'), [{ branch: 'Graz' }])
  })

  it('a change by another session stops the sync instead of being overwritten', async () => {
    const { finished } = await startWaiting(
      `update employees set branch = 'Rom' where id = 1`,
      ['employees'],
      joinLines('code,branch', 'E1,Wien'),
    )
    await other.query('commit')
    const result = await finished
    assert.deepEqual(
      [result.code, result.err.split('\n').at(-2)],
      [1, 'Another session changed the same records meanwhile: nothing was changed; try again.'],
    )
    assert.deepEqual(await database.query('select branch from employees where id = 1'), [{ branch: 'Rom' }])
  })

  it('creates that refer to its records go on while it waits for an id sequence', async () => {
    await database.execute(`insert into organizations (name, slug) values ('One', 'a'), ('Two', 'b')`)
    const folder = await mkdtemp(join(tmpdir(), 'muster-sync-ids-'))
    await writeFile(join(folder, 'organizations.csv'), joinLines('id,name,slug', '1,One,b', '2,Two,a', '40,New,c'))
    await writeFile(join(folder, 'organization-teams.csv'), joinLines('id,organization_id,name', '40,1,Ants'))
    await other.query('begin')
    await other.query(`select nextval('organizations_id_seq')`)
    const finished = muster(['sync', '--all', folder, '--at-most', '100%'], { DATABASE_URL: database.url })
    try {
      await waitForLocks(1)
      // If the sync had written an organization by now, this would wait for it, and the sync for the sequence of this.
      await withClient(database.url, async (client) => {
        await client.query(`set statement_timeout = '4s'`)
        await client.query(`insert into organization_teams (organization_id, name) values (1, 'Bees')`)
      })
    } finally {
      await other.query('commit')
      await rm(folder, { recursive: true })
    }
    const result = await finished
    assert.equal(result.code, 0, result.out + result.err)
    assert.deepEqual(await database.query('select id, name from organization_teams order by id'), [
      { id: 1, name: 'Bees' },
      { id: 40, name: 'Ants' },
    ])
  })

  it('a create that stays open for long stops a sync that must move the id sequence', async () => {
    const { finished } = await startWaiting(
      `insert into leave_requests (employee_id, leave_type) values (1, 'annual')`,
      ['leave'],
      joinLines('id,employee_id,leave_type', '40,1,annual'),
    )
    const result = await finished
    await other.query('rollback')
    assert.deepEqual(
      [result.code, result.err.split('\n').at(-2)],
      [
        1,
        'Another session has been creating leave requests for more than 5 seconds: nothing was changed. End it, or try again.',
      ],
    )
  })

  it('an erasure waits, and also erases what the sync has stored', async () => {
    const { finished } = await startWaiting(
      'select from leave_requests where id = 1 for update',
      ['leave'],
      joinLines('id,reason', '1,Wedding', '2,Chemotherapy'),
    )
    const erasure = muster(['erase', 'employee', '2'], { DATABASE_URL: database.url })
    await waitForLocks(1, 'erase')
    await other.query('commit')
    assert.deepEqual([(await finished).code, (await erasure).code], [0, 0])
    assert.deepEqual(await database.query('select id, reason from leave_requests order by id'), [
      { id: 1, reason: 'Wedding' },
      { id: 2, reason: null },
      { id: 3, reason: null },
    ])
  })
})
