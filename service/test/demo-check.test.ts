/** In charge of proving that the checker holds for the invented company and finds what breaks each of its rules. */
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Client } from 'pg'
import { checkCompany, ruleNames, runRules } from '../src/demo/check.ts'
import type { TestDatabase } from './support/database.ts'
import { createSeededDatabase, createTestDatabase } from './support/database.ts'
import { runCommand } from './support/process.ts'

const former = `(select min(id) from employees where status = 'terminated')`
const hired = `(select min(id) from applications where status = 'hired')`
const openJob = `(select min(id) from job_openings where status = 'open')`
const annual = `(select min(id) from leave_requests where leave_type = 'annual' and status = 'approved' and days > 2)`

/** What breaks each rule: every statement alone must be found. */
const plants: Readonly<Record<string, readonly string[]>> = {
  'ids run from 1 without a gap': [
    `insert into departments (id, name) values (1000, 'Far away')`,
    `insert into departments (id, name) values (0, 'Before the first')`,
    'delete from attendance where id = 17',
  ],
  'the next id comes after the last': ['alter sequence attendance_id_seq restart with 5000'],
  'states, stages and kinds are the advised ones': [
    `update attendance set status = 'asleep' where id = 1`,
    `update candidates set source = 'hearsay' where id = 1`,
  ],
  'hosts are reserved for examples': [
    `update employees set email = 'ana@elsewhere.invalid' where id = 1`,
    `update candidates set email = 'ana@example.com.elsewhere.invalid' where id = 1`,
    `update candidates set linkedin_url = 'https://elsewhere.invalid/in/ana' where id = 1`,
    `update recruitment_brands set custom_domain = 'jobs.elsewhere.invalid' where id = 1`,
    `update career_sites set privacy_policy_url = 'http://example.com/privacy' where id = 1`,
  ],
  'telephone numbers are kept for fiction': [
    `update candidates set phone = '+1-212-555-0200' where id = 1`,
    `update candidates set phone = '+49 30 1234567' where id = 1`,
  ],
  'every chain of managers ends at the one chief executive': [
    'update employees set manager_id = id where id = 40',
    'update employees set manager_id = (select min(id) from employees where manager_id = 2) where id = 2',
    'update employees set manager_id = null where id = 40',
  ],
  'a manager works here and was here before the employee left': [
    `update employees set manager_id = ${former} where id = 250`,
    `update employees set manager_id = 240 where id = ${former}`,
  ],
  'the dates of an employment are in order': [
    'update employees set probation_end = date_of_joining - 1 where id = 40',
    `update employees set termination_date = date_of_joining - 1 where id = ${former}`,
    `update employees set status = 'active' where status = 'pending'`,
    'update employees set date_of_joining = null where id = 40',
  ],
  'exactly those who left are terminated alumni': [
    `update employees set alumni = 0 where id = ${former}`,
    `update employees set termination_date = null where id = ${former}`,
    `update employees set alumni = 1 where id = 1`,
  ],
  'personnel numbers and work addresses are unique': [
    'update employees set code = (select code from employees where id = 1) where id = 2',
    'update employees set email = (select email from employees where id = 1) where id = 2',
  ],
  'exactly those with approved leave today are on leave': [
    `update employees set status = 'on_leave' where id = (select min(id) from employees where status = 'active')`,
    `update employees set status = 'active' where status = 'on_leave'`,
  ],
  'leave lies inside employment': [
    `update employees set date_of_joining = '2026-10-29' where id = (select employee_id from leave_requests where id = 1)`,
    `update leave_requests set employee_id = (select min(id) from employees where status = 'pending') where id = 1`,
    'update leave_requests set employee_id = null where id = 1',
  ],
  'the days of a leave are its working days, or half of a single one': [
    `update leave_requests set days = days + 1 where id = ${annual}`,
    `update leave_requests set days = 0.5 where id = ${annual}`,
  ],
  'leave is asked for before it begins, and decided by then': [
    'update leave_requests set applied_on = from_date + 1 where id = 1',
    `update leave_requests set status = 'pending' where id = 1`,
  ],
  'nobody is on two leaves at once': [
    'insert into leave_requests (employee_id, leave_type, from_date, to_date) select employee_id, leave_type, to_date, to_date + 3 from leave_requests where id = 1',
  ],
  'attendance lies on working days inside employment': [
    `update attendance set att_date = '2026-10-24' where id = 5000`,
    "update attendance set employee_id = (select min(id) from employees where status = 'pending') where id = 5000",
  ],
  'one attendance for an employee and a day': [
    'insert into attendance (employee_id, att_date, status, hours) select employee_id, att_date, status, hours from attendance where id = 1',
  ],
  'attendance agrees with approved leave': [
    `update attendance set status = 'on_leave', hours = 0 where id = (select min(id) from attendance where status = 'present')`,
    `update attendance set status = 'present', hours = 8 where id = (select min(id) from attendance where status = 'on_leave')`,
    `update leave_requests set status = 'rejected' where status = 'approved'`,
  ],
  'hours fit the kind of day': [
    `update attendance set hours = 8 where id = (select min(id) from attendance where status = 'on_leave')`,
    `update attendance set hours = 0 where id = (select min(id) from attendance where status = 'present')`,
  ],
  'filled is the number of hired applications and at most the headcount': [
    'update job_openings set filled = filled + 1 where id = 1',
    `update applications set status = 'rejected' where id = ${hired}`,
    `update job_openings set headcount = 0 where id = 1`,
  ],
  'the dates and the pay of an opening are in order': [
    'update job_openings set comp_max = comp_min - 1 where id = 1',
    'update job_openings set target_date = opened_on - 1 where id = 1',
    `update job_openings set created = created + interval '30 days' where id = 1`,
  ],
  'a hiring manager worked here when the opening was made': [
    `update job_openings set hiring_manager_id = ${former} where id = 1`,
    'update job_openings set hiring_manager_id = null where id = 1',
  ],
  'an application is made while the opening is known and moves on in time': [
    'update applications set stage_entered_on = applied_on - 1 where id = 1',
    'update job_openings set opened_on = opened_on + 200 where id = 1',
    `update applications set created = created + interval '1 day' where id = 1`,
  ],
  'a stage is one of the opening, entered in the order of its stages': [
    `update job_openings set stages_json = '["applied","hired"]' where id = 1`,
    `update applications set stage_entered_on = applied_on where stage = 'interview'`,
  ],
  'the status of an application fits its stage': [
    `update applications set stage = 'offer' where id = ${hired}`,
    `update applications set rejection_reason = null where status = 'rejected'`,
    `update applications set rating = 6 where id = ${hired}`,
  ],
  'nothing is pending at a closed opening or for somebody who moved on': [
    `update job_openings set status = 'closed' where status = 'open'`,
    `update candidates set status = 'archived' where status = 'active'`,
  ],
  'nobody applies twice to one opening': [
    'insert into applications (candidate_id, job_id) select candidate_id, job_id from applications where id = 1',
  ],
  'every hired candidate is one employee who joined after being hired, and the reverse': [
    `update employees set candidate_id = null where candidate_id = (select candidate_id from applications where id = ${hired})`,
    `update candidates set status = 'active' where id = (select candidate_id from applications where id = ${hired})`,
    `update candidates set status = 'hired' where id = (select min(id) from candidates where status = 'active')`,
    `update applications set stage_entered_on = '2026-10-30' where id = ${hired}`,
    'update employees set candidate_id = (select max(candidate_id) from employees) where id = 1',
    "update employees set first_name = first_name || 'a' where id = (select max(id) from employees where candidate_id is not null)",
  ],
  'a referral names an employee of that day, and nothing else does': [
    `update candidates set referred_by = 250 where id = (select min(id) from candidates where source = 'referral')`,
    `update candidates set referred_by = null where id = (select min(id) from candidates where source = 'referral')`,
    `update candidates set referred_by = 1 where id = (select min(id) from candidates where source = 'job_board')`,
  ],
  'a candidate is known before consenting and applying': [
    `update candidates set consent_at = created - interval '1 second' where id = 1`,
    `update candidates set created = created + interval '1 day' where id = 1`,
  ],
  'candidates have unique addresses': [
    'update candidates set email = (select email from candidates where id = 1) where id = 2',
  ],
  'slugs are unique where they must be, plain and never generic': [
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
  'what belongs to something is not older than it': [
    `update recruitment_brands set created = created - interval '20 years' where id = 1`,
    `update career_sites set updated = created - interval '1 second' where id = 1`,
    'update career_sites set is_active = 2 where id = 1',
  ],
  'a distribution follows its opening and its site': [
    `update job_distributions set status = 'closed' where job_posting_id = ${openJob}`,
    `update job_distributions set published_at = null where job_posting_id = ${openJob}`,
    `update job_distributions set published_at = published_at - interval '30 days' where id = 1`,
  ],
  'texts that carry JSON are JSON': [
    `update job_openings set stages_json = '["applied",' where id = 1`,
    `update organizations set settings_json = null where id = 1`,
  ],
}

suite('the checker', () => {
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

  test('finds nothing wrong with the company, and looks at something for each rule', async () => {
    for (const { rule, checked, violations } of await checkCompany(client)) {
      assert.equal(violations, 0, rule)
      assert.ok(checked > 0, rule)
    }
  })

  test('has something planted here for each rule', () => {
    assert.deepEqual(Object.keys(plants).sort(), [...ruleNames].sort())
  })

  for (const [rule, statements] of Object.entries(plants))
    test(`finds what breaks: ${rule}`, async () => {
      for (const statement of statements) {
        await client.query('begin')
        try {
          await client.query(statement)
          const results = await runRules(client)
          assert.ok((results.find((result) => result.rule === rule)?.violations ?? 0) > 0, statement)
        } finally {
          await client.query('rollback')
        }
      }
    })

  test('holds for companies of other sizes, days and seeds', async () => {
    const others = [
      { size: 'medium', employees: '90', seed: 'a', 'as-of': '2024-02-29' },
      { size: 'large', employees: '60', seed: 'b', 'as-of': '2026-01-01' },
    ]
    for (const options of others) {
      const other = await createTestDatabase()
      try {
        const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
        const seeded = runCommand('muster.ts', ['seed', ...args], { DATABASE_URL: other.url })
        assert.equal(await seeded.ended, 0, seeded.said)
        const checked = runCommand('muster.ts', ['seed', '--check'], { DATABASE_URL: other.url })
        assert.equal(await checked.ended, 0, checked.said)
      } finally {
        await other.drop()
      }
    }
  })

  test('says of each rule what it counted, and fails when one is broken', async () => {
    const broken = await createSeededDatabase()
    try {
      await broken.execute('update attendance set hours = 30 where id = 1')
      const command = runCommand('muster.ts', ['seed', '--check'], { DATABASE_URL: broken.url })
      assert.equal(await command.ended, 1)
      assert.match(command.said, /^BROKEN hours fit the kind of day: 5000 checked, 1 violations/m)
      assert.match(command.said, /1 of \d+ rules are broken\.\n$/)
    } finally {
      await broken.drop()
    }
  })

  test('asks for a seed where there is no company', async () => {
    const empty = await createTestDatabase()
    try {
      const command = runCommand('muster.ts', ['seed', '--check'], { DATABASE_URL: empty.url })
      assert.equal(await command.ended, 1)
      assert.match(
        command.said,
        /^Database ".+" at .+\nThe database holds no invented company: run npm run seed first\.\n$/,
      )
    } finally {
      await empty.drop()
    }
  })
})
