/** Three companies for tests of reports: the demo company, and two copies of it with unusual data. */
import type { TestDatabase } from '../../../../tests/support/database.ts'
import { createSeededDatabase } from '../../../../tests/support/database.ts'
import type { RunningService, ServiceSettings } from '../../../../tests/support/service.ts'
import { startService } from '../../../../tests/support/service.ts'

export interface Company {
  readonly database: TestDatabase
  readonly service: RunningService
  /** URL of the API, ending in /api. */
  readonly baseUrl: string
}

/** `share` is a condition that holds for about that share of the rows. */
const share = (part: number): string => `random() < ${part}`

/** Each line changes a small random part of one table. */
const unusualData = [
  // Spelling, blanks and commas in text.
  `update employees set status = initcap(status) where ${share(0.05)}`,
  `update employees set branch = (array[null, ' ', 'Berlin, Mitte', repeat('Tower ', 50), upper(branch)])[1 + floor(random() * 5)] where ${share(0.05)}`,
  `update employees set employment_type = (array[null, upper(employment_type)])[1 + floor(random() * 2)] where ${share(0.05)}`,
  `update leave_requests set status = upper(status) where ${share(0.05)}`,
  `update leave_requests set leave_type = (array['jury, duty', upper(leave_type)])[1 + floor(random() * 2)] where ${share(0.05)}`,
  `update attendance set status = (array['holiday', upper(status)])[1 + floor(random() * 2)] where ${share(0.01)}`,
  `update job_openings set status = initcap(status) where ${share(0.1)}`,
  `update candidates set source = (array[null, 'word, of mouth', upper(source)])[1 + floor(random() * 3)] where ${share(0.1)}`,
  `update applications set status = (array['on_hold', upper(status)])[1 + floor(random() * 2)] where ${share(0.05)}`,
  `update applications set stage = (array['Trial day', upper(stage), 'hired', 'sourced'])[1 + floor(random() * 4)] where ${share(0.1)}`,
  // A day on which everybody is on leave.
  `update attendance set status = 'on_leave' where att_date = (select max(att_date) - 7 from attendance)`,
  // Missing references.
  `update employees set dept_id = null where ${share(0.03)}`,
  `update leave_requests set employee_id = null where ${share(0.02)}`,
  `update attendance set employee_id = null where ${share(0.003)}`,
  `update job_openings set dept_id = null where ${share(0.1)}`,
  // Missing and contradictory dates.
  `update employees set date_of_joining = null where ${share(0.03)}`,
  `update employees set termination_date = date_of_joining + (random() * 900 - 60)::int where ${share(0.1)}`,
  `update leave_requests set from_date = null where ${share(0.02)}`,
  `update leave_requests set to_date = null where ${share(0.02)}`,
  `update job_openings set opened_on = null where ${share(0.1)}`,
  `update job_openings set target_date = opened_on + (random() * 200)::int where ${share(0.2)}`,
  `update applications set applied_on = null where ${share(0.03)}`,
  `update applications set stage_entered_on = null where ${share(0.03)}`,
  `update applications set stage_entered_on = applied_on - 3 where ${share(0.03)}`,
  // Managers at random, managers who report to someone two levels below, and people who manage themselves.
  `update employees e set manager_id = (select id from employees where id <> e.id order by md5(id::text || e.id) limit 1) where ${share(0.04)}`,
  `update employees e set manager_id = (select max(below.id) from employees r join employees below on below.manager_id = r.id where r.manager_id = e.id)
   where ${share(0.3)} and exists (select from employees r join employees below on below.manager_id = r.id where r.manager_id = e.id)`,
  `update employees set manager_id = id where ${share(0.01)}`,
  // Stages and places.
  `update job_openings set stages_json = (array[null, '{', '[]', '[1, 2]', '{"name": "applied"}', '["Applied", {"name": "Trial day"}, "hired"]', '[{"name": "sourced"}, "applied", "INTERVIEW", "hired"]', '["applied", "applied", "offer"]', '[{"title": "x"}, "applied"]'])[1 + floor(random() * 9)] where ${share(0.5)}`,
  `update job_openings set filled = headcount + 1 where ${share(0.1)}`,
  `update job_openings set stages_json = (array['["sourced"]', '["", "applied", "hired"]', '["applied", "Intro, call", {"name": "Visit"}, "offer"]'])[1 + floor(random() * 3)] where ${share(0.2)}`,
  `update applications set stage = 'intro, call' where ${share(0.02)}`,
  // Records that break the other rules of data health.
  `update employees set termination_date = null where ${share(0.05)}`,
  `update employees set date_of_joining = date_of_joining + 200 where ${share(0.03)}`,
  `update employees set code = (array[null, ' ', 'e-1', 'E-1'])[1 + floor(random() * 4)] where ${share(0.05)}`,
  `update employees set termination_date = date_of_joining - 5 where ${share(0.03)}`,
  `update employees e set manager_id = (select max(id) from employees where manager_id = e.id) where id = (select max(manager_id) from employees)`,
  `update leave_requests set employee_id = (select max(employee_id) from leave_requests) where ${share(0.1)}`,
  `update leave_requests set to_date = to_date + 20 where ${share(0.1)}`,
  `update attendance set att_date = att_date - 1 where ${share(0.02)}`,
  `update job_openings set filled = 0 where ${share(0.1)}`,
  `update job_openings set comp_min = comp_max + 1 where ${share(0.1)}`,
  `update job_openings set status = 'Closed' where id in (select job_id from applications where status = 'active' and ${share(0.03)})`,
  `update job_distributions set status = 'Published' where ${share(0.1)}`,
  `update candidates set email = (array[null, '', 'Same@example.com', 'same@example.com'])[1 + floor(random() * 4)] where ${share(0.05)}`,
  `update applications a set candidate_id = (select min(candidate_id) from applications where job_id = a.job_id and status = 'active') where status = 'active' and ${share(0.3)}`,
  `update organization_teams t set parent_id = (select max(id) from organization_teams where organization_id = t.organization_id) where ${share(0.3)}`,
]

/** Changes of past days, so that the history has transfers, stages that were passed within a day, and ways back. */
const pastChanges = [900, 500, 300, 200, 100, 40, 7].flatMap((daysAgo) => [
  `select set_config('muster.effective_on', ((now() at time zone 'utc')::date - ${daysAgo})::text, true)`,
  `update employees set dept_id = (array[null, 1, 2, 3])[1 + floor(random() * 4)] where ${share(0.1)}`,
  `update employees set branch = (array[null, 'Oslo', 'OSLO', 'Berlin, Mitte'])[1 + floor(random() * 4)] where ${share(0.1)}`,
  `update employees set designation = 'Lead', employment_type = (array['contract', 'Full_time'])[1 + floor(random() * 2)] where ${share(0.05)}`,
  `update employees set manager_id = 1 + floor(random() * 20) where ${share(0.05)}`,
  `update leave_requests set status = (array['pending', 'approved', 'Rejected'])[1 + floor(random() * 3)] where ${share(0.2)}`,
  `update applications set stage = (array['applied', 'Applied', 'shortlisted', 'interview', 'offer', 'Trial day', 'hired'])[1 + floor(random() * 7)],
     stage_entered_on = (now() at time zone 'utc')::date - ${daysAgo} + floor(random() * 20)::int where ${share(0.3)}`,
  `update applications set stage = 'phone_screen' where ${share(0.1)}`,
  `update applications set stage = 'interview', stage_entered_on = null where ${share(0.05)}`,
  `update applications set status = (array['active', 'rejected', 'WITHDRAWN', 'hired'])[1 + floor(random() * 4)] where ${share(0.1)}`,
  `update applications set stage = 'hired', status = 'hired', stage_entered_on = (now() at time zone 'utc')::date - ${daysAgo} where ${share(0.02)}`,
])

/** A copy of the demo company with a past and unusual data. */
export const unusualCompany = (seed: number): Promise<TestDatabase> =>
  createSeededDatabase(
    {},
    [
      'begin',
      `select setseed(${seed})`,
      ...pastChanges,
      `select set_config('muster.effective_on', '', true)`,
      ...unusualData,
      'commit',
      'analyze',
    ].join(';\n'),
  )

export interface Companies {
  readonly all: readonly Company[]
  stop(): Promise<void>
}

export const startCompanies = async (settings: ServiceSettings = {}): Promise<Companies> => {
  const databases = [await createSeededDatabase(), await unusualCompany(0.25), await unusualCompany(0.75)]
  const all = await Promise.all(
    databases.map(async (database) => {
      const service = await startService(database.url, settings)
      return { database, service, baseUrl: service.baseUrl }
    }),
  )
  return {
    all,
    async stop() {
      for (const { service, database } of all) {
        await service.stop()
        await database.drop()
      }
    },
  }
}
