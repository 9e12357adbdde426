import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { HealthRuleName } from '@muster/model'
import { healthRules, resourceAt } from '@muster/model'
import pg from 'pg'
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'

/** The suggested stages. */
const applicationStages = resourceAt('applications').allFields.find(({ name }) => name === 'stage')?.values ?? []

/**
 * For each rule, SQL that makes records break this rule and no other. The last statement returns the ids of the records
 * that break it.
 */
const faults: Readonly<Record<HealthRuleName, readonly string[]>> = {
  manager_cycle: [
    // The lowest manager of a chain of three becomes the manager of the highest.
    `with chain as (
       select a.id as low, b.id as middle, c.id as high
       from employees a join employees b on b.id = a.manager_id join employees c on c.id = b.manager_id
       where a.status = 'active' and c.status = 'active' order by a.id limit 1
     ), changed as (
       update employees set manager_id = (select low from chain) where id = (select high from chain)
     )
     select unnest(array[low, middle, high]) as id from chain`,
  ],
  manager_left: [
    `insert into employees (id, status, termination_date, alumni) values (900001, 'Terminated', '2020-01-31', 1)`,
    `update employees set manager_id = 900001 where id = (select min(id) from employees where manager_id is not null and status = 'active') returning id`,
  ],
  terminated_without_date: [`insert into employees (id, status) values (900001, 'TERMINATED') returning id`],
  left_before_joining: [
    `insert into employees (id, status, date_of_joining, termination_date) values
       (900001, 'terminated', '2020-02-01', '2020-01-31'), (900002, 'terminated', '2020-02-01', '2020-02-01')
     returning nullif(id, 900002) as id`,
  ],
  duplicate_employee_code: [
    `insert into employees (id, status, code) values
       (900001, 'active', 'Q-1'), (900002, 'active', 'q-1'), (900003, 'active', ' '), (900004, 'active', ' '),
       (900005, 'active', null), (900006, 'active', null)
     returning case when id < 900003 then id end as id`,
  ],
  leave_without_employee: [
    `insert into leave_requests (leave_type, from_date, to_date, status) values ('annual', '2026-01-01', '2026-01-01', 'approved') returning id`,
  ],
  overlapping_leave: [
    `insert into employees (id, status) values (900001, 'active'), (900002, 'active')`,
    // Only the first two overlap: the others touch, are pending, have no end or belong to somebody else.
    `insert into leave_requests (id, employee_id, leave_type, from_date, to_date, status) values
       (900001, 900001, 'annual', '2026-01-01', '2026-01-31', 'approved'),
       (900002, 900001, 'sick', '2026-01-10', '2026-01-12', 'Approved'),
       (900003, 900001, 'sick', '2026-02-01', '2026-02-02', 'approved'),
       (900004, 900001, 'sick', '2026-01-20', '2026-01-20', 'pending'),
       (900005, 900001, 'sick', '2026-01-20', null, 'approved'),
       (900006, 900002, 'sick', '2026-01-20', '2026-01-20', 'approved')
     returning case when id < 900003 then id end as id`,
  ],
  leave_before_joining: [
    `insert into employees (id, status, date_of_joining) values (900001, 'active', '2026-01-15')`,
    `insert into leave_requests (id, employee_id, leave_type, from_date, to_date, status) values
       (900001, 900001, 'annual', '2026-01-14', '2026-01-20', 'approved'),
       (900002, 900001, 'annual', '2026-01-02', '2026-01-02', 'rejected')
     returning nullif(id, 900002) as id`,
  ],
  leave_after_leaving: [
    `insert into employees (id, status, termination_date) values (900001, 'terminated', '2026-01-15')`,
    `insert into leave_requests (id, employee_id, leave_type, from_date, to_date, status) values
       (900001, 900001, 'annual', '2026-01-14', '2026-01-16', 'approved'),
       (900002, 900001, 'annual', '2026-01-12', '2026-01-13', 'approved')
     returning nullif(id, 900002) as id`,
  ],
  attendance_without_employee: [
    `insert into attendance (att_date, status) values ('2026-01-05', 'present'), ('2026-01-05', 'present') returning id`,
  ],
  attendance_before_joining: [
    `insert into employees (id, status, date_of_joining) values (900001, 'active', '2026-01-15')`,
    `insert into attendance (id, employee_id, att_date, status) values
       (90000001, 900001, '2026-01-14', 'present'), (90000002, 900001, '2026-01-15', 'present')
     returning nullif(id, 90000002) as id`,
  ],
  attendance_after_leaving: [
    `insert into employees (id, status, termination_date) values (900001, 'terminated', '2026-01-15')`,
    `insert into attendance (id, employee_id, att_date, status) values
       (90000001, 900001, '2026-01-16', 'present'), (90000002, 900001, '2026-01-15', 'present')
     returning nullif(id, 90000002) as id`,
  ],
  duplicate_attendance: [
    `insert into employees (id, status) values (900001, 'active'), (900002, 'active')`,
    `insert into attendance (id, employee_id, att_date, status) values
       (90000001, 900001, '1999-12-31', 'present'), (90000002, 900001, '1999-12-31', 'absent'),
       (90000003, 900001, '2000-02-01', 'present'), (90000004, 900002, '1999-12-31', 'present')
     returning case when id < 90000003 then id end as id`,
  ],
  filled_over_headcount: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'open', 1, 2), (900002, 'Clerk', 'open', 2, 2)
     returning nullif(id, 900002) as id`,
  ],
  hired_without_filled_place: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'open', 2, 0)`,
    `insert into applications (candidate_id, job_id, stage, status) select min(id), 900001, 'hired', 'Hired' from candidates`,
    `select 900001 as id`,
  ],
  reversed_pay_range: [
    `insert into job_openings (id, title, status, headcount, filled, comp_min, comp_max) values
       (900001, 'Clerk', 'open', 1, 0, 50001, 50000), (900002, 'Clerk', 'open', 1, 0, 50000, 50000)
     returning nullif(id, 900002) as id`,
  ],
  unparseable_stages: [
    `insert into job_openings (id, title, status, headcount, filled, stages_json) values
       (900001, 'Clerk', 'open', 1, 0, '{'), (900002, 'Clerk', 'open', 1, 0, '["applied", 1]'),
       (900003, 'Clerk', 'open', 1, 0, '{"name": "applied"}'), (900004, 'Clerk', 'open', 1, 0, '[{"name": null}]'),
       (900005, 'Clerk', 'open', 1, 0, '["\\u0000"]'), (900006, 'Clerk', 'open', 1, 0, repeat('[', 100000)),
       (900007, 'Clerk', 'open', 1, 0, '[]'), (900008, 'Clerk', 'open', 1, 0, ' null '), (900009, 'Clerk', 'open', 1, 0, ''),
       (900010, 'Clerk', 'open', 1, 0, '["Applied", {"name": "Trial day", "days": 3}]')
     returning case when id < 900007 then id end as id`,
  ],
  duplicate_candidate_email: [
    `insert into candidates (id, status, email) values
       (900001, 'active', 'twin@example.com'), (900002, 'active', 'Twin@example.com'), (900003, 'active', ' '), (900004, 'active', ' ')
     returning case when id < 900003 then id end as id`,
  ],
  active_application_on_closed_job: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'Closed', 1, 0), (900002, 'Clerk', 'archived', 1, 0)`,
    `insert into applications (candidate_id, job_id, stage, status)
     select (select min(id) from candidates), job, 'applied', 'Active' from unnest(array[900001, 900002]) job returning id`,
  ],
  application_stage_not_in_job: [
    `insert into job_openings (id, title, status, headcount, filled, stages_json) values
       (900001, 'Clerk', 'open', 1, 0, '["Applied", {"name": "Trial day"}]'), (900002, 'Clerk', 'open', 1, 0, null)`,
    `insert into applications (id, candidate_id, job_id, stage, status)
     select 900000 + row_number() over (), (select min(id) from candidates), job, stage, 'rejected'
     from (values (900001, 'applied'), (900001, 'TRIAL DAY'), (900001, 'Sourced'), (900001, 'interview'), (900002, 'trial day')
       ${applicationStages.map((stage) => `, (900002, '${stage}')`).join('')}) stages (job, stage)
     returning case when id in (900004, 900005) then id end as id`,
  ],
  hired_in_other_stage: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'open', 1, 1)`,
    `insert into applications (candidate_id, job_id, stage, status) select min(id), 900001, 'offer', 'hired' from candidates returning id`,
  ],
  stage_before_application: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'open', 1, 1)`,
    `insert into applications (candidate_id, job_id, stage, applied_on, stage_entered_on)
     select min(id), 900001, 'offer', '2026-01-02', '2026-01-01' from candidates returning id`,
  ],
  duplicate_application: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'open', 1, 0), (900002, 'Clerk', 'open', 1, 0)`,
    `insert into applications (id, candidate_id, job_id, status)
     select id, (select min(id) from candidates), job, status
     from (values (900001, 900001, 'active'), (900002, 900001, 'Active'), (900003, 900001, 'withdrawn'), (900004, 900002, 'active'))
       a (id, job, status)
     returning case when id < 900003 then id end as id`,
  ],
  team_cycle: [
    `insert into organization_teams (id, organization_id, name)
     select id, (select min(id) from organizations), 'Team' from generate_series(900001, 900003) id`,
    // The third team is below the cycle, not on it.
    `update organization_teams set parent_id = case id when 900001 then 900002 else 900001 end where id > 900000
     returning nullif(id, 900003) as id`,
  ],
  published_distribution_of_closed_job: [
    `insert into job_openings (id, title, status, headcount, filled) values (900001, 'Clerk', 'CLOSED', 1, 0)`,
    `insert into job_distributions (id, job_posting_id, career_site_id, slug, status)
     select id, 900001, (select min(id) from career_sites), 'clerk-' || id, status
     from (values (900001, 'Published'), (900002, 'closed')) d (id, status)
     returning nullif(id, 900002) as id`,
  ],
}

describe('the rules of data health', () => {
  let database: TestDatabase
  let client: pg.Client
  before(async () => {
    database = await createSeededDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client?.end()
    await database?.drop()
  })

  const ids = async (text: string): Promise<string[]> =>
    (await client.query({ text, rowMode: 'array' })).rows
      .map(([id]) => id as string | null)
      .filter((id) => id !== null)
      .map(String)
      .sort()

  /** The ids of the records that break each rule, without those that break none. */
  const brokenRules = async (): Promise<Record<string, string[]>> => {
    const broken: Record<string, string[]> = {}
    for (const { name } of healthRules) {
      const found = await ids(`select * from muster_health_${name}()`)
      if (found.length > 0) broken[name] = found
    }
    return broken
  }

  it('all hold for the demo company', async () => {
    assert.deepEqual(await brokenRules(), {})
  })

  it('are declared in the model as in the database, with their tables', async () => {
    const { rows } = await client.query('select rule, table_name from muster_data_health_rules()')
    assert.deepEqual(
      rows.map(({ rule, table_name }) => [rule, table_name]),
      healthRules.map(({ name, resource }) => [name, resourceAt(resource).table]),
    )
    for (const { name, resource, tables } of healthRules) assert.equal(tables[0], resourceAt(resource).table, name)
    const functions = await client.query(
      `select substr(proname, 15) as name from pg_proc where proname ~ '^muster_health_' and pronargs = 0 order by 1`,
    )
    assert.deepEqual(
      functions.rows.map(({ name }) => name),
      healthRules.map(({ name }) => name).sort(),
    )
  })

  it('read no other tables than they declare', async () => {
    const { rows } = await client.query<{ name: string; source: string }>(
      `select substr(proname, 15) as name, prosrc as source from pg_proc where proname ~ '^muster_health_' and pronargs = 0`,
    )
    for (const { name, source } of rows) {
      const read = [...source.matchAll(/(?:from|join) public\.(\w+)(?!\w*\()/g)].map(([, table]) => table as string)
      const declared = healthRules.find((rule) => rule.name === name)?.tables ?? []
      assert.deepEqual([...new Set(read)].sort(), [...declared].sort(), name)
    }
  })

  for (const { name } of healthRules) {
    it(`finds exactly the records that break ${name}, and no other rule finds any`, async () => {
      const statements = faults[name]
      await client.query('begin')
      try {
        for (const text of statements.slice(0, -1)) await client.query(text)
        const planted = await ids(String(statements.at(-1)))
        assert.ok(planted.length > 0)
        assert.deepEqual(await brokenRules(), { [name]: planted })
      } finally {
        await client.query('rollback')
      }
    })
  }

  it('find a manager who manages himself', async () => {
    await client.query('begin')
    try {
      await client.query('update employees set manager_id = id where id = 5')
      assert.deepEqual(await ids('select * from muster_health_manager_cycle()'), ['5'])
    } finally {
      await client.query('rollback')
    }
  })

  it('find long cycles and long chains in linear time', async () => {
    const length = 200_000
    const members = async (parent: string) =>
      (
        await ids(`select * from muster_cycle_members(
          array(select n from generate_series(1, ${length}) n), array(select ${parent} from generate_series(1, ${length}) n))`)
      ).length
    await client.query(`set statement_timeout = '20s'`)
    assert.deepEqual(
      [await members(`n % ${length} + 1`), await members('n - 1'), await members(`(n + 1) % (${length} + 1)`)],
      [length, 0, 0],
    )
    await client.query('reset statement_timeout')
  })
})
