/** Which changes the triggers record, and for which day. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { listedResources, resources, trackedFields } from '@muster/model'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createTestDatabase, withClient } from '../../../../tests/support/database.ts'

/** Days relative to today by the database's clock, such as `day -3`, so that the tests hold on every day. */
const day = (offset: number): string => `((now() at time zone 'utc')::date + ${offset})`

describe('history', () => {
  let database: TestDatabase
  before(async () => {
    database = await createTestDatabase()
  })
  after(() => database.drop())
  beforeEach(() =>
    database.execute(`
      truncate employees, departments, leave_requests, attendance, job_openings, candidates, applications, job_distributions restart identity cascade;
      insert into departments (name) values ('One'), ('Two'), ('Three');
      insert into candidates (status) values ('active');
      insert into job_openings (title, headcount, filled, status) values ('Engineer', 1, 0, 'open');
    `),
  )

  const insertApplication = (stage: string, enteredOn: string) =>
    database.execute(
      `insert into applications (candidate_id, job_id, stage, status, applied_on, stage_entered_on)
       values (1, 1, '${stage}', 'active', ${day(-90)}, ${enteredOn})`,
    )
  const insertEmployee = () =>
    database.execute(`insert into employees (code, status, dept_id, designation) values ('E', 'active', 1, 'Engineer')`)

  /** Entries as [field, old, new, days until today]. */
  const entries = async (): Promise<unknown[]> => {
    const rows = await database.query<{ row: unknown }>(
      `select json_build_array(field, old, new, (now() at time zone 'utc')::date - "on") as row from history order by id`,
    )
    return rows.map(({ row }) => row)
  }

  it('has nothing of creates, and of updates that change no tracked field', async () => {
    await insertEmployee()
    await insertApplication('applied', day(-10))
    await database.execute(`update employees set first_name = 'Bo', status = 'terminated', dept_id = dept_id`)
    await database.execute(`update applications set rating = 4`)
    assert.deepEqual(await entries(), [])
  })

  it('has each tracked field that a statement changed, as text, in the order of the fields', async () => {
    await insertEmployee()
    await database.execute(`update employees set designation = null, dept_id = 2, employment_type = 'full_time'`)
    assert.deepEqual(await entries(), [
      ['dept_id', '1', '2', 0],
      ['designation', 'Engineer', null, 0],
      ['employment_type', null, 'full_time', 0],
    ])
  })

  it('has the changes of every tracked field, and of no other', async () => {
    const tracked = resources.flatMap(({ path, ...resource }) =>
      trackedFields(resource).map(({ name }) => `${path}.${name}`),
    )
    assert.deepEqual(tracked, [
      'employees.dept_id',
      'employees.designation',
      'employees.manager_id',
      'employees.branch',
      'employees.employment_type',
      'leave.status',
      'jobs.status',
      'candidates.status',
      'applications.stage',
      'applications.status',
      'job-distributions.status',
    ])
    assert.ok(resources.flatMap(trackedFields).every(({ personal }) => !personal))
  })

  it('has the day on which the new stage was entered, and the day of the old one as since', async () => {
    await insertApplication('applied', day(-30))
    await database.execute(`update applications set stage = 'interview', stage_entered_on = ${day(-12)}`)
    assert.deepEqual(await entries(), [['stage', 'applied', 'interview', 12]])
    const [row] = await database.query<{ days: number }>(`select "on" - since as days from history`)
    assert.equal(row?.days, 18)
  })

  it('has today for a stage whose day is unknown, and for a stage of the future', async () => {
    await insertApplication('applied', day(-30))
    await database.execute(`update applications set stage = 'interview', stage_entered_on = null`)
    await database.execute(`update applications set stage = 'offer', stage_entered_on = ${day(9)}`)
    assert.deepEqual(await entries(), [
      ['stage', 'applied', 'interview', 0],
      ['stage', 'interview', 'offer', 0],
    ])
  })

  it('has no change before the last one of the same field of the record', async () => {
    await insertApplication('applied', day(-30))
    await database.execute(`update applications set stage = 'interview', stage_entered_on = ${day(-5)}`)
    await database.execute(`update applications set stage = 'offer', stage_entered_on = ${day(-20)}, status = 'active'`)
    await database.execute(
      `begin; set local muster.effective_on = '2020-01-02'; update applications set status = 'hired'; commit`,
    )
    assert.deepEqual(
      (await entries()).slice(0, 2),
      [
        ['stage', 'applied', 'interview', 5],
        ['stage', 'interview', 'offer', 5],
      ],
      'in the order in which they were made',
    )
    const [status] = await database.query<{ on: string }>(`select "on" from history where field = 'status'`)
    assert.equal(status?.on, '2020-01-02')
  })

  it('has the day of muster.effective_on, but no day of the future', async () => {
    await insertEmployee()
    await database.execute(
      `begin; set local muster.effective_on = '2024-02-29'; update employees set dept_id = 2; commit`,
    )
    await database.execute(
      `begin; set local muster.effective_on = '2999-01-01'; update employees set dept_id = 3; commit`,
    )
    const rows = await database.query<{ on: string; is_today: boolean }>(
      `select "on", "on" = (now() at time zone 'utc')::date as is_today from history order by id`,
    )
    assert.deepEqual(
      rows.map((row) => (row.is_today ? 'today' : row.on)),
      ['2024-02-29', 'today'],
    )
  })

  it('has several changes of a day in order', async () => {
    await insertApplication('applied', day(-30))
    for (const stage of ['interview', 'offer', 'applied', 'hired'])
      await database.execute(`update applications set stage = '${stage}', stage_entered_on = ${day(-2)}`)
    assert.deepEqual(await entries(), [
      ['stage', 'applied', 'interview', 2],
      ['stage', 'interview', 'offer', 2],
      ['stage', 'offer', 'applied', 2],
      ['stage', 'applied', 'hired', 2],
    ])
    const versions = await database.query<{ stage: string; days: number }>(
      `select stage, coalesce(valid_to, (now() at time zone 'utc')::date) - valid_from as days
       from muster_versions_applications() order by version`,
    )
    assert.deepEqual(
      versions.map(({ stage, days }) => `${stage} ${days}`),
      ['applied 88', 'interview 0', 'offer 0', 'applied 0', 'hired 2'],
    )
  })

  it('moves the last change of a stage with its day, within the bounds', async () => {
    await insertApplication('applied', day(-30))
    const move = (enteredOn: string) => database.execute(`update applications set stage_entered_on = ${enteredOn}`)
    await move(day(-29))
    assert.deepEqual(await entries(), [], 'the first stage has no change that could move')
    await database.execute(`update applications set stage = 'interview', stage_entered_on = ${day(-9)}`)
    await database.execute(`update applications set stage = 'offer', stage_entered_on = ${day(-4)}`)
    const lastDay = async () => ((await entries()).at(-1) as unknown[])[3]
    const days: unknown[] = []
    for (const enteredOn of [day(-6), 'null', day(-20), day(5)]) {
      await move(enteredOn)
      days.push(await lastDay())
    }
    assert.deepEqual(days, [6, 6, 9, 0])
    assert.deepEqual((await entries())[0], ['stage', 'applied', 'interview', 9])
  })

  it('has the changes of an upsert and of a merge', async () => {
    await insertEmployee()
    await database.execute(
      `insert into employees (id, code, status, dept_id) values (1, 'E', 'active', 2), (7, 'F', 'active', 2)
       on conflict (id) do update set dept_id = excluded.dept_id`,
    )
    await database.execute(
      `merge into employees e using (values (1, 3), (8, 1)) v (id, dept_id) on v.id = e.id
       when matched then update set dept_id = v.dept_id when not matched then insert (id, status, dept_id) values (v.id, 'active', v.dept_id)`,
    )
    assert.deepEqual(await entries(), [
      ['dept_id', '1', '2', 0],
      ['dept_id', '2', '3', 0],
    ])
  })

  it('has nothing of a transaction that was rolled back', async () => {
    await insertEmployee()
    await database.execute(
      `begin; update employees set dept_id = 2; savepoint here; update employees set dept_id = 3; rollback to savepoint here; commit`,
    )
    await database.execute(`begin; update employees set dept_id = 1; rollback`)
    assert.deepEqual(await entries(), [['dept_id', '1', '2', 0]])
  })

  it('is deleted with its records, also by a truncate and by a new id, and by nothing else', async () => {
    await insertEmployee()
    await database.execute(`
      insert into employees (status, dept_id) values ('active', 1), ('active', 1);
      update employees set dept_id = 2;
      insert into leave_requests (leave_type, status) values ('annual', 'pending');
      update leave_requests set status = 'approved';
    `)
    const records = async () =>
      (
        await database.query<{ record: string }>(
          `select resource || ' ' || record_id as record from history order by 1`,
        )
      ).map(({ record }) => record)
    await database.execute(`delete from employees where id = 1`)
    assert.deepEqual(await records(), ['employees 2', 'employees 3', 'leave 1'])
    await database.execute(`update employees set id = 30 where id = 3`)
    assert.deepEqual(await records(), ['employees 2', 'leave 1'])
    await database.execute('truncate leave_requests')
    assert.deepEqual(await records(), ['employees 2'])
  })

  it('is written by triggers only: the roles of the service can neither insert, change nor delete it', async () => {
    await insertEmployee()
    for (const url of [database.env.DATABASE_URL, database.env.DATABASE_READ_URL])
      await withClient(url, async (client) => {
        for (const statement of [
          `insert into history (resource, record_id, field, "on", at) values ('employees', 1, 'dept_id', current_date, now())`,
          `update history set new = 'x'`,
          `delete from history`,
          `select muster_track_history('employees', 'employees', array['branch'], array[null]::text[])`,
        ])
          await assert.rejects(
            client.query(statement),
            /permission denied|read-only transaction|must be owner/,
            statement,
          )
      })
  })

  it('is complete from the day of the migration on', async () => {
    const rows = await database.query<{ resource: string; is_today: boolean }>(
      `select resource, day between (now() at time zone 'utc')::date - 1 and (now() at time zone 'utc')::date as is_today
       from muster_history_from order by 1`,
    )
    const tracked = resources.filter((resource) => trackedFields(resource).length > 0).map(({ path }) => path)
    assert.deepEqual(
      rows,
      tracked.toSorted().map((resource) => ({ resource, is_today: true })),
    )
  })

  it('has counts and versions as every list', async () => {
    await insertEmployee()
    await database.execute(`update employees set dept_id = 2, branch = 'Oslo'; update employees set dept_id = 3`)
    const [row] = await database.query<Record<string, number>>(
      `select (select sum(rows) from muster_table_versions where table_name = 'history')::int as rows,
         muster_row_count('history', array['field=dept_id'])::int as departments,
         muster_rebuild_counts('history', array['resource', 'field'])::int as off_by`,
    )
    assert.deepEqual(row, { rows: 3, departments: 2, off_by: 0 })
    assert.equal(listedResources.length, resources.length + 1)
  })
})
