import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Client } from 'pg'
import type { TestDatabase } from '../../../tests/support/database.ts'
import { createSeededDatabase, createTestDatabase } from '../../../tests/support/database.ts'
import { muster } from '../../../tests/support/muster.ts'
import { checkCompany, ruleNames, runRules } from '../src/rules/check.ts'

const formerEmployeeId = `(select min(id) from employees where status = 'terminated')`
const hiredApplicationId = `(select min(id) from applications where status = 'hired')`
const openJobId = `(select min(id) from job_openings where status = 'open')`
const annualLeaveId = `(select min(id) from leave_requests where leave_type = 'annual' and status = 'approved' and days > 2)`

/** For each rule, SQL statements that break it. The check must detect each statement on its own. */
const violations: Readonly<Record<string, readonly string[]>> = {
  'ids run from 1 without a gap': [
    `insert into departments (id, name) values (1000, 'Far away')`,
    `insert into departments (id, name) values (0, 'Before the first')`,
    'delete from attendance where id = 17',
  ],
  'the next id of each sequence is free': ['alter sequence attendance_id_seq restart with 5000'],
  'every status, stage and type is one of the suggested values': [
    `update attendance set status = 'asleep' where id = 1`,
    `update candidates set source = 'hearsay' where id = 1`,
  ],
  'all host names are reserved example domains': [
    `update employees set email = 'ana@elsewhere.invalid' where id = 1`,
    `update candidates set email = 'ana@example.com.elsewhere.invalid' where id = 1`,
    `update candidates set linkedin_url = 'https://elsewhere.invalid/in/ana' where id = 1`,
    `update recruitment_brands set custom_domain = 'jobs.elsewhere.invalid' where id = 1`,
    `update career_sites set privacy_policy_url = 'http://example.com/privacy' where id = 1`,
  ],
  'telephone numbers are from ranges reserved for fiction': [
    `update candidates set phone = '+1-212-555-0200' where id = 1`,
    `update candidates set phone = '+49 30 1234567' where id = 1`,
  ],
  'no timestamp, and no date that is today by default, is after today': [
    `update candidates set consent_at = '2026-10-31' where id = 1`,
    `update applications set applied_on = '2026-10-31' where id = 1`,
  ],
  'every chain of managers ends at the one chief executive': [
    'update employees set manager_id = id where id = 40',
    'update employees set manager_id = (select min(id) from employees where manager_id = 2) where id = 2',
    'update employees set manager_id = null where id = 40',
  ],
  'a manager is employed and joined before the employee left': [
    `update employees set manager_id = ${formerEmployeeId} where id = 250`,
    `update employees set manager_id = 240 where id = ${formerEmployeeId}`,
  ],
  'the dates of an employment are in order': [
    'update employees set probation_end = date_of_joining - 1 where id = 40',
    `update employees set termination_date = date_of_joining - 1 where id = ${formerEmployeeId}`,
    `update employees set status = 'active' where status = 'pending'`,
    'update employees set date_of_joining = null where id = 40',
  ],
  'employees have status terminated and are alumni if and only if they left': [
    `update employees set alumni = 0 where id = ${formerEmployeeId}`,
    `update employees set termination_date = null where id = ${formerEmployeeId}`,
    `update employees set alumni = 1 where id = 1`,
  ],
  'employees who will leave are active until then': [
    `update employees set status = 'suspended' where termination_date > '2026-10-30'`,
  ],
  'at least one employee will leave': [
    `update employees set termination_date = null where termination_date > '2026-10-30'`,
  ],
  'personnel numbers and work e-mail addresses are unique': [
    'update employees set code = (select code from employees where id = 1) where id = 2',
    'update employees set email = (select email from employees where id = 1) where id = 2',
  ],
  'employees are on leave if and only if they have approved leave today': [
    `update employees set status = 'on_leave' where id = (select min(id) from employees where status = 'active')`,
    `update employees set status = 'active' where status = 'on_leave'`,
  ],
  'leave is within the employment': [
    `update employees set date_of_joining = '2026-10-29' where id = (select employee_id from leave_requests where id = 1)`,
    `update leave_requests set employee_id = (select min(id) from employees where status = 'pending') where id = 1`,
    'update leave_requests set employee_id = null where id = 1',
  ],
  'the days of a leave request are its working days, or half a day': [
    `update leave_requests set days = days + 1 where id = ${annualLeaveId}`,
    `update leave_requests set days = 0.5 where id = ${annualLeaveId}`,
  ],
  'leave is requested before it begins': ['update leave_requests set applied_on = from_date + 1 where id = 1'],
  'at least one pending leave request is overdue': [
    `update leave_requests set status = 'approved' where status = 'pending' and from_date < '2026-10-30'`,
  ],
  'leave requests of an employee do not overlap': [
    'insert into leave_requests (employee_id, leave_type, from_date, to_date) select employee_id, leave_type, to_date, to_date + 3 from leave_requests where id = 1',
  ],
  'attendance is on working days within the employment': [
    `update attendance set att_date = '2026-10-24' where id = 5000`,
    "update attendance set employee_id = (select min(id) from employees where status = 'pending') where id = 5000",
  ],
  'there is one attendance record per employee and day': [
    'insert into attendance (employee_id, att_date, status, hours) select employee_id, att_date, status, hours from attendance where id = 1',
  ],
  'attendance agrees with approved leave': [
    `update attendance set status = 'on_leave', hours = 0 where id = (select min(id) from attendance where status = 'present')`,
    `update attendance set status = 'present', hours = 8 where id = (select min(id) from attendance where status = 'on_leave')`,
    `update leave_requests set status = 'rejected' where status = 'approved'`,
  ],
  'hours match the attendance status': [
    `update attendance set hours = 8 where id = (select min(id) from attendance where status = 'on_leave')`,
    `update attendance set hours = 0 where id = (select min(id) from attendance where status = 'present')`,
  ],
  'filled is the number of hired applications and at most the headcount': [
    'update job_openings set filled = filled + 1 where id = 1',
    `update applications set status = 'rejected' where id = ${hiredApplicationId}`,
    `update job_openings set headcount = 0 where id = 1`,
  ],
  'the dates and the pay range of an opening are in order': [
    'update job_openings set comp_max = comp_min - 1 where id = 1',
    'update job_openings set target_date = opened_on - 1 where id = 1',
    `update job_openings set created = created + interval '30 days' where id = 1`,
  ],
  'a hiring manager is employed and joined before the opening was created': [
    `update job_openings set hiring_manager_id = ${formerEmployeeId} where id = 1`,
    'update job_openings set hiring_manager_id = null where id = 1',
  ],
  'the dates of an application are in order and its opening is not a draft': [
    'update applications set stage_entered_on = applied_on - 1 where id = 1',
    'update job_openings set opened_on = opened_on + 200 where id = 1',
    `update applications set created = created + interval '1 day' where id = 1`,
  ],
  'a stage belongs to the opening and is entered after the application': [
    `update job_openings set stages_json = '["applied","hired"]' where id = 1`,
    `update applications set stage = 'sourced', stage_entered_on = applied_on where job_id = 1`,
    `update applications set stage_entered_on = applied_on where stage = 'interview'`,
  ],
  'at least one opening has the stage sourced': [
    `update job_openings set stages_json = replace(stages_json, '"sourced",', '')`,
  ],
  'the status of an application matches its stage': [
    `update applications set stage = 'offer' where id = ${hiredApplicationId}`,
    `update applications set rejection_reason = null where status = 'rejected'`,
    `update applications set rating = 6 where id = ${hiredApplicationId}`,
  ],
  'no application is active for a closed opening or an inactive candidate': [
    `update job_openings set status = 'closed' where status = 'open'`,
    `update candidates set status = 'archived' where status = 'active'`,
  ],
  'no candidate applies twice to one opening': [
    'insert into applications (candidate_id, job_id) select candidate_id, job_id from applications where id = 1',
  ],
  'every hired candidate is exactly one employee who joined after being hired, and vice versa': [
    `update employees set candidate_id = null where candidate_id = (select candidate_id from applications where id = ${hiredApplicationId})`,
    `update candidates set status = 'active' where id = (select candidate_id from applications where id = ${hiredApplicationId})`,
    `update candidates set status = 'hired' where id = (select min(id) from candidates where status = 'active')`,
    `update applications set stage_entered_on = '2026-10-30' where id = ${hiredApplicationId}`,
    'update employees set candidate_id = (select max(candidate_id) from employees) where id = 1',
    "update employees set first_name = first_name || 'a' where id = (select max(id) from employees where candidate_id is not null)",
  ],
  'only referrals name a referrer, who was employed on that day': [
    `update candidates set referred_by = 250 where id = (select min(id) from candidates where source = 'referral')`,
    `update candidates set referred_by = null where id = (select min(id) from candidates where source = 'referral')`,
    `update candidates set referred_by = 1 where id = (select min(id) from candidates where source = 'job_board')`,
  ],
  'a candidate was created before consenting and applying': [
    `update candidates set consent_at = created - interval '1 second' where id = 1`,
    `update candidates set created = created + interval '1 day' where id = 1`,
  ],
  'candidates have unique e-mail addresses': [
    'update candidates set email = (select email from candidates where id = 1) where id = 2',
  ],
  'slugs are unique, lower-case ASCII and not generic': [
    `update organizations set slug = 'acme' where id = 1`,
    `update career_sites set slug = 'Über uns' where id = 1`,
    `alter table recruitment_brands drop constraint recruitment_brands_organization_id_slug_key;
     update recruitment_brands set slug = (select slug from recruitment_brands where id = 1) where id = 2`,
  ],
  'the teams of an organization are one tree': [
    `alter table organization_teams drop constraint organization_teams_parent_id_fkey;
     update organization_teams set parent_id = 1 where id = (select max(id) from organization_teams)`,
    'update organization_teams set parent_id = id where id = 3',
    'update organization_teams set parent_id = null where id = 3',
  ],
  'brands are not older than their organization, and no record was updated before it was created': [
    `update recruitment_brands set created = created - interval '20 years' where id = 1`,
    `update career_sites set updated = created - interval '1 second' where id = 1`,
    'update career_sites set is_active = 2 where id = 1',
  ],
  'a distribution is published if and only if its opening is open': [
    `update job_distributions set status = 'closed' where job_posting_id = ${openJobId}`,
    `update job_openings set status = 'on_hold' where id = ${openJobId}`,
  ],
  'other distributions have the status of their opening': [
    `update job_distributions set status = 'archived' where status = 'closed'`,
    `update job_distributions set status = 'draft' where status = 'closed'`,
  ],
  'a distribution is not published before its opening or its site exists': [
    `update job_distributions set published_at = null where job_posting_id = ${openJobId}`,
    `update job_distributions set published_at = published_at - interval '30 days' where id = 1`,
  ],
  'every active career site shows enough open jobs': [
    'delete from job_distributions where career_site_id = 2',
    `update job_distributions set published_at = '2026-10-30' where career_site_id = 2`,
    `update job_openings set status = 'closed' where location = 'Lisboa, Portugal'`,
  ],
  'every career site has an English headline and introduction, and no logo that does not exist': [
    `update career_sites set headline = 'Arbeiten, wo Pläne auf die Straße treffen' where id = 1`,
    `update career_sites set introduction = '小さなチームと本物の現場。' where id = 2`,
    `update career_sites set logo_url = 'https://assets.example.com/logo.svg' where id = 1`,
  ],
  'every brand says how to apply': [
    `update recruitment_brands set settings_json = '{}' where id = 1`,
    `update recruitment_brands set settings_json = replace(settings_json, '.example/', '.invalid/') where id = 1`,
    `update recruitment_brands set settings_json = replace(settings_json, '@', '') where id = 2`,
  ],
  'each recorded change begins with the value of the one before, and the last one has the present value': [
    `update history set old = new where id = 1`,
    `update history set new = 'elsewhere' where id = (select min(id) from history where field = 'branch')`,
    `delete from history where id = (
       select max(h.id) from history h where h.field = 'stage' and exists (
         select from history e where e.resource = h.resource and e.record_id = h.record_id and e.field = h.field and e.id < h.id))`,
  ],
  'a record changes after it began and before it ended, and not after today': [
    `update history set "on" = '2026-10-31' where id = (select max(id) from history)`,
    ...['employees', 'leave', 'jobs', 'candidates', 'applications', 'job-distributions'].map(
      (path) =>
        `update history set "on" = '2001-01-01' where id = (select min(id) from history where resource = '${path}')`,
    ),
    `update employees set termination_date = date_of_joining where id = (select min(record_id) from history where resource = 'employees')`,
  ],
  'the stages of an application follow the order of its opening, and the last one has its day': [
    `update history set old = new, new = old where id = (select min(id) from history where field = 'stage')`,
    `update history set "on" = "on" - 1 where id = (select max(id) from history where field = 'stage')`,
    `update history set since = "on" + 1 where id = (select max(id) from history where field = 'stage')`,
  ],
  'an application ends in its last stage': [
    `update history set "on" = "on" - 400 where id = (select max(id) from history where resource = 'applications' and field = 'status')`,
    `update history set "on" = "on" + 1 where id = (select max(id) from history where resource = 'applications' and new = 'hired' and field = 'status')`,
  ],
  'a leave request is decided within two weeks, before the leave begins': [
    `update history set "on" = "on" + 60 where id = (select min(id) from history where resource = 'leave')`,
    `delete from history where id = (select min(id) from history where resource = 'leave')`,
  ],
  'managers of the past were employed while they had the team, or until a week before': [
    `update history set old = '250' where id = (select min(id) from history where field = 'manager_id')`,
    `update employees set termination_date = termination_date - 30 where id in (select old::bigint from history where field = 'manager_id')`,
  ],
  'who moves to another department gets another manager on that day': [
    `delete from history where field = 'manager_id'`,
  ],
  'a candidate is hired on the day on which the application is': [
    `update history set "on" = "on" + 1 where id = (select min(id) from history where resource = 'candidates' and new = 'hired')`,
  ],
  'at least one employee was promoted': [`delete from history where field = 'designation'`],
  'the history is complete for at least the last year': [
    `update muster_history_from set day = '2026-10-30' where resource = 'leave'`,
  ],
  'every other JSON document is valid': [
    `update recruitment_brands set settings_json = '{"tone":' where id = 1`,
    `update organizations set settings_json = null where id = 1`,
  ],
  'the stages of an opening are a list of different texts': [
    `update job_openings set stages_json = '["applied",' where id = 1`,
    `update job_openings set stages_json = null where id = 1`,
    `update job_openings set stages_json = '{"first":"applied"}' where id = 1`,
    `update job_openings set stages_json = '["applied",1]' where id = 1`,
    `update job_openings set stages_json = '["applied","applied"]' where id = 1`,
    `update job_openings set stages_json = '[]' where id = 1`,
  ],
}

suite('muster seed --check', () => {
  let database: TestDatabase
  let client: Client
  before(async () => {
    database = await createSeededDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await database.drop()
  })

  test('finds no violations in the default company and checks at least one row for each rule', async () => {
    for (const { rule, checked, violations: violationCount } of await checkCompany(client)) {
      assert.equal(violationCount, 0, rule)
      assert.ok(checked > 0, rule)
    }
  })

  test('has a test for every rule', () => {
    assert.deepEqual(Object.keys(violations).sort(), [...ruleNames].sort())
  })

  for (const [rule, statements] of Object.entries(violations))
    test(`detects a violation of the rule: ${rule}`, async () => {
      for (const statement of statements) {
        await client.query('begin')
        try {
          await client.query(statement)
          const [result] = await runRules(client, { only: rule })
          assert.equal(result?.rule, rule)
          assert.ok(result.violations > 0, statement)
        } finally {
          await client.query('rollback')
        }
      }
    })

  test('finds no violations in companies with another size, date and seed', async () => {
    const otherOptions = [
      { size: 'medium', employees: '60', seed: 'a', 'as-of': '2024-02-29' },
      { size: 'large', employees: '50', seed: 'b', 'as-of': '2026-01-01' },
    ]
    for (const options of otherOptions) {
      const otherDatabase = await createTestDatabase()
      try {
        const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
        const seedResult = await muster(['seed', ...args], { DATABASE_URL: otherDatabase.url })
        assert.equal(seedResult.code, 0, seedResult.err)
        const checkResult = await muster(['seed', '--check'], { DATABASE_URL: otherDatabase.url })
        assert.equal(checkResult.code, 0, checkResult.out + checkResult.err)
      } finally {
        await otherDatabase.drop()
      }
    }
  })

  test('prints the number of rows and violations of each rule, and fails if a rule is broken', async () => {
    await database.execute('update attendance set hours = 30 where id = 1')
    const { code, out } = await muster(['seed', '--check'], { DATABASE_URL: database.url })
    assert.equal(code, 1)
    assert.match(out, /^BROKEN hours match the attendance status: 5000 checked, 1 violations/m)
    assert.match(out, /1 of \d+ rules are broken\.\n$/)
  })

  test('fails with an explanation if the database has no demo data', async () => {
    const emptyDatabase = await createTestDatabase()
    try {
      const { code, err } = await muster(['seed', '--check'], { DATABASE_URL: emptyDatabase.url })
      assert.equal(code, 1)
      assert.match(err, /^Database ".+" at .+\nThe database has no invented company: run npx muster seed first\.\n$/)
    } finally {
      await emptyDatabase.drop()
    }
  })
})
