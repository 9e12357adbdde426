import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Client } from 'pg'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase, withClient } from '../../../tests/support/database.ts'
import type { CommandResult } from '../../../tests/support/muster.ts'
import { muster } from '../../../tests/support/muster.ts'
import { DemoDataError } from '../src/error.ts'
import { faultRules, plantFaults } from '../src/faults.ts'
import { runRules } from '../src/rules/check.ts'

interface Expectation {
  /** The rule of `muster seed --check` that the fault breaks. */
  readonly rule: string
  /** A query for the ids of all records with a fault of this kind. */
  readonly sql: string
}

const expectations: Readonly<Record<string, Expectation>> = {
  manager_cycle: {
    rule: 'every chain of managers ends at the one chief executive',
    sql: `with recursive above as (
            select id as start, manager_id as id, 1 as steps from employees
            union all
            select a.start, m.manager_id, a.steps + 1 from above a join employees m on m.id = a.id
            where a.id <> a.start and a.steps < 100
          )
          select distinct start as id from above where id = start`,
  },
  manager_left: {
    rule: 'a manager is employed and joined before the employee left',
    sql: `select e.id from employees e join employees m on m.id = e.manager_id
          where m.status = 'terminated' and e.status <> 'terminated'`,
  },
  overlapping_leave: {
    rule: 'leave requests of an employee do not overlap',
    sql: `select b.id from leave_requests a join leave_requests b on b.employee_id = a.employee_id and b.id > a.id
          where a.status = 'approved' and b.status = 'approved' and a.from_date <= b.to_date and b.from_date <= a.to_date`,
  },
  filled_over_headcount: {
    rule: 'filled is the number of hired applications and at most the headcount',
    sql: 'select id from job_openings where filled > headcount',
  },
  active_application_on_closed_job: {
    rule: 'no application is active for a closed opening or an inactive candidate',
    sql: `select a.id from applications a join job_openings j on j.id = a.job_id
          where a.status = 'active' and j.status in ('closed', 'archived')`,
  },
  terminated_without_date: {
    rule: 'employees have status terminated and are alumni if and only if they left',
    sql: `select id from employees where status = 'terminated' and termination_date is null`,
  },
  attendance_before_joining: {
    rule: 'attendance is on working days within the employment',
    sql: `select a.id from attendance a join employees e on e.id = a.employee_id where a.att_date < e.date_of_joining`,
  },
  published_distribution_of_closed_job: {
    rule: 'a distribution is published if and only if its opening is open',
    sql: `select d.id from job_distributions d join job_openings j on j.id = d.job_posting_id
          where d.status = 'published' and j.status <> 'open'`,
  },
  unparseable_stages: {
    rule: 'the stages of an opening are a list of different texts',
    sql: `select id from job_openings where stages_json !~ '^\\["[a-z_]+"(,"[a-z_]+")*\\]$'`,
  },
  application_stage_not_in_job: {
    rule: 'a stage belongs to the opening and is entered after the application',
    sql: `select a.id from applications a join job_openings j on j.id = a.job_id
          where strpos(j.stages_json, '"' || a.stage || '"') = 0`,
  },
  duplicate_attendance: {
    rule: 'there is one attendance record per employee and day',
    sql: `select b.id from attendance a join attendance b
            on b.employee_id = a.employee_id and b.att_date = a.att_date and b.id > a.id`,
  },
}

const findFaults = async (client: Client): Promise<Record<string, unknown[]>> => {
  const found: Record<string, unknown[]> = {}
  for (const [rule, { sql }] of Object.entries(expectations))
    found[rule] = (await client.query(sql)).rows.map(({ id }) => id)
  return found
}

const runSeed = (database: TestDatabase, ...args: string[]): Promise<CommandResult> =>
  muster(['seed', ...args], { DATABASE_URL: database.url })

const withSeed = async (args: string[], work: (client: Client, database: TestDatabase) => Promise<void>) => {
  const database = await createTestDatabase()
  try {
    const { code, err } = await runSeed(database, ...args)
    assert.equal(code, 0, err)
    await withClient(database.url, (client) => work(client, database))
  } finally {
    await database.drop()
  }
}

suite('the option --with-faults', () => {
  let faultless: TestDatabase
  before(async () => {
    faultless = await createSeededDatabase()
  })
  after(() => faultless.drop())

  test('has an expectation for each fault', () => {
    assert.deepEqual(Object.keys(expectations).sort(), [...faultRules].sort())
  })

  test('is needed: a company has none of these faults without it', () =>
    withClient(faultless.url, async (client) => {
      for (const [rule, ids] of Object.entries(await findFaults(client))) assert.deepEqual(ids, [], rule)
    }))

  const assertOneFaultOfEachKind = async (client: Client): Promise<void> => {
    const found = await findFaults(client)
    for (const [rule, ids] of Object.entries(found)) assert.equal(ids.length, 1, rule)
    const expected = Object.values(expectations).map(({ rule }) => [rule, 1])
    const broken = (await runRules(client)).filter(({ violations }) => violations > 0)
    assert.deepEqual(broken.map(({ rule, violations }) => [rule, violations]).sort(), expected.sort())
    const employees = [found.manager_cycle, found.manager_left, found.terminated_without_date].flat()
    assert.equal(new Set(employees).size, 3)
  }

  for (const args of [
    ['--size', 'small', '--as-of', '2028-02-29', '--seed', 'other'],
    ['--size', 'medium', '--employees', '60', '--as-of', '2027-01-01'],
  ])
    test(`plants exactly one fault of each kind with ${args.join(' ')}`, () =>
      withSeed([...args, '--with-faults'], assertOneFaultOfEachKind))

  test('plants exactly one fault of each kind in the default company, and changes no other record', () =>
    withClient(faultless.url, async (client) => {
      await client.query('begin')
      try {
        await plantFaults(client)
        const tables = [
          'employees',
          'leave_requests',
          'attendance',
          'job_openings',
          'applications',
          'job_distributions',
        ]
        let changed = 0
        for (const table of tables) {
          const { rows } = await client.query(
            `select count(*)::int as n from ${table} where xmin = pg_current_xact_id()::xid`,
          )
          changed += rows[0].n
        }
        assert.equal(changed, faultRules.length)
        const { rows } = await client.query('select count(*)::int as n from attendance')
        assert.equal(rows[0].n, 5000)
        await assertOneFaultOfEachKind(client)
      } finally {
        await client.query('rollback')
      }
    }))

  test('is part of what makes a company the same', () =>
    withSeed(['--employees', '60', '--with-faults'], async (_client, database) => {
      const again = await runSeed(database, '--employees', '60', '--with-faults')
      assert.match(again.out, /nothing changed/)
      const without = await runSeed(database, '--employees', '60')
      assert.equal(without.code, 1)
      assert.match(without.err, /another invented company \(size small with 60 employees and faults,/)
      const check = await runSeed(database, '--check')
      assert.equal(check.code, 1)
      assert.match(check.out, /\n11 of \d+ rules are broken\.\n$/)
    }))

  test('fails with an explanation if no record suits a fault', () =>
    withClient(faultless.url, async (client) => {
      await client.query('begin')
      try {
        await client.query(`update job_openings set status = 'open' where status = 'draft'`)
        await assert.rejects(plantFaults(client), (error) => {
          assert.ok(error instanceof DemoDataError)
          assert.match(error.message, /no record for the fault unparseable_stages: choose a larger company/)
          return true
        })
      } finally {
        await client.query('rollback')
      }
    }))
})
