/** What `muster doctor` says about changes that were made while the triggers were off, and what `--repair` does about them. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase } from '../../../../tests/support/database.ts'
import { muster } from '../../../../tests/support/muster.ts'

describe('gaps in the history', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
    // Employee 1 has a change of a later day with a lower id, as after a load, and employee 2 has two changes of one day.
    await database.execute(`
      insert into departments (name) values ('One'), ('Two');
      insert into employees (status, designation, branch, dept_id) values
        ('active', 'Lead', 'Oslo', 1), ('active', 'Cook', null, 1), ('active', 'Clerk', 'Oslo', 2), ('active', 'Baker', null, 1);
      insert into candidates (status) values ('active');
      insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open');
      insert into applications (candidate_id, job_id, stage, status) values (1, 1, 'offer', 'active');
      insert into history (resource, record_id, field, old, new, "on", at) values
        ('employees', 1, 'designation', 'Engineer', 'Lead', '2022-03-04', now()),
        ('employees', 1, 'designation', 'Trainee', 'Engineer', '2020-01-02', now()),
        ('employees', 2, 'designation', 'Helper', 'Baker', '2022-03-04', now()),
        ('employees', 2, 'designation', 'Baker', 'Cook', '2022-03-04', now()),
        ('employees', 2, 'branch', 'Oslo', null, '2022-03-04', now()),
        ('employees', 3, 'branch', 'Oslo', null, '2022-03-04', now()),
        ('employees', 3, 'dept_id', '2', '1', '2022-03-04', now()),
        ('employees', 4, 'branch', null, 'Wien', '2022-03-04', now()),
        ('applications', 1, 'stage', 'applied', 'interview', '2022-03-04', now());
      update muster_history_from set day = '2020-01-02'`)
  })
  after(() => database.drop())

  const historyCheck = async (): Promise<string | undefined> =>
    /^\w+ +history .*$/m.exec((await muster(['doctor'], { DATABASE_URL: database.url })).out)?.[0]
  const rowsOf = async (sql: string): Promise<unknown[]> =>
    (await database.query<{ row: unknown }>(`select json_build_array(${sql}`)).map(({ row }) => row)

  it('are found by day and order, in each field, and with values that are empty', async () => {
    assert.match(
      (await historyCheck()) ?? '',
      /^wrong +history +Changes are not in the history: 3 of employees, 1 of applications\. They were made without triggers\./,
    )
  })

  it('become changes of today, from which on the history of these resources is complete', async () => {
    const repair = await muster(['doctor', '--repair'], { DATABASE_URL: database.url })
    assert.match(repair.out, /^employees +off by 0, 3 changes not in the history$/m)
    assert.match(repair.out, /^applications +off by 0, 1 changes not in the history$/m)
    assert.deepEqual(
      await rowsOf(
        `resource, record_id, field, old, new, (now() at time zone 'utc')::date - "on") as row from history where id > 9 order by resource, record_id, field`,
      ),
      [
        ['applications', 1, 'stage', 'interview', 'offer', 0],
        ['employees', 3, 'branch', null, 'Oslo', 0],
        ['employees', 3, 'dept_id', '1', '2', 0],
        ['employees', 4, 'branch', 'Wien', null, 0],
      ],
    )
    assert.deepEqual(
      await rowsOf(
        `resource) as row from muster_history_from where day = (now() at time zone 'utc')::date order by resource`,
      ),
      [['applications'], ['employees']],
    )
    assert.deepEqual(
      await rowsOf(
        `branch, dept_id) as row from muster_values_on_employees((now() at time zone 'utc')::date - 1) where record_id = 3`,
      ),
      [[null, 1]],
    )
    assert.match((await historyCheck()) ?? '', /^ok /)
  })
})
