import type { Muster } from '../../support/muster.ts'
import { readJobStages, stageNames } from './stages.ts'
import type { ExpectedFigure } from './texts.ts'
import { integer } from './texts.ts'

/** For each rule the table that it checks, and the condition of its records that break the rule. */
const rules: Readonly<Record<string, readonly [table: string, isBroken: string]>> = {
  manager_cycle: ['employees', `id in (${idsInCycle('employees', 'manager_id')})`],
  manager_left: [
    'employees',
    `lower(status) is distinct from 'terminated' and lower(${manager('status')}) = 'terminated'`,
  ],
  terminated_without_date: ['employees', `lower(status) = 'terminated' and termination_date is null`],
  left_before_joining: ['employees', 'termination_date < date_of_joining'],
  duplicate_employee_code: ['employees', otherExists('employees', 'lower(other.code) = lower(record.code)')],
  leave_without_employee: ['leave_requests', 'employee_id is null'],
  overlapping_leave: [
    'leave_requests',
    `lower(status) = 'approved' and ${otherExists(
      'leave_requests',
      `other.employee_id = record.employee_id and lower(other.status) = 'approved'
        and other.from_date <= record.to_date and other.to_date >= record.from_date`,
    )}`,
  ],
  leave_before_joining: ['leave_requests', `lower(status) = 'approved' and from_date < ${employee('date_of_joining')}`],
  leave_after_leaving: ['leave_requests', `lower(status) = 'approved' and to_date > ${employee('termination_date')}`],
  attendance_without_employee: ['attendance', 'employee_id is null'],
  attendance_before_joining: ['attendance', `att_date < ${employee('date_of_joining')}`],
  attendance_after_leaving: ['attendance', `att_date > ${employee('termination_date')}`],
  duplicate_attendance: [
    'attendance',
    `(employee_id, att_date) in (select employee_id, att_date from attendance group by 1, 2 having count(*) > 1)`,
  ],
  filled_over_headcount: ['job_openings', 'filled > headcount'],
  hired_without_filled_place: [
    'job_openings',
    `coalesce(filled, 0) < (select count(*) from applications where job_id = record.id and lower(stage) = 'hired'
      and coalesce(lower(applications.status), '') not in ('rejected', 'withdrawn'))`,
  ],
  reversed_pay_range: ['job_openings', 'comp_min > comp_max'],
  duplicate_candidate_email: [
    'candidates',
    'lower(email) in (select lower(email) from candidates group by 1 having count(*) > 1)',
  ],
  active_application_on_closed_job: [
    'applications',
    `lower(status) = 'active' and lower(${job('job_id', 'status')}) in ('closed', 'archived')`,
  ],
  hired_in_other_stage: ['applications', `lower(status) = 'hired' and lower(stage) is distinct from 'hired'`],
  stage_before_application: ['applications', 'stage_entered_on < applied_on'],
  duplicate_application: [
    'applications',
    `lower(status) = 'active' and (candidate_id, job_id) in (select candidate_id, job_id from applications
      where lower(status) = 'active' group by 1, 2 having count(*) > 1)`,
  ],
  team_cycle: ['organization_teams', `id in (${idsInCycle('organization_teams', 'parent_id')})`],
  published_distribution_of_closed_job: [
    'job_distributions',
    `lower(status) = 'published' and lower(${job('job_posting_id', 'status')}) in ('closed', 'archived')`,
  ],
}

function employee(column: string): string {
  return `(select ${column} from employees where employees.id = record.employee_id)`
}

function manager(column: string): string {
  return `(select manager.${column} from employees manager where manager.id = record.manager_id)`
}

function job(reference: string, column: string): string {
  return `(select job_openings.${column} from job_openings where job_openings.id = record.${reference})`
}

function otherExists(table: string, condition: string): string {
  return `exists (select from ${table} other where other.id <> record.id and ${condition})`
}

/** Walks up from every record. `union` keeps each pair once, so that the walk also ends in a cycle. */
function idsInCycle(table: string, parent: string): string {
  return `with recursive above as (
      select id, ${parent} as upper_id from ${table}
      union select above.id, ${table}.${parent} from above join ${table} on ${table}.id = above.upper_id
    ) select id from above where id = upper_id`
}

/** The figures of Health. They do not depend on the day. */
export const expectedHealth = async ({ sql }: Muster): Promise<ExpectedFigure[]> => {
  const results = Object.entries(rules).map(
    ([rule, [table, isBroken]]) => `select '${rule}' as rule, (select count(*) from ${table}) checked,
      (select count(*) from ${table} record where ${isBroken}) broken`,
  )
  const figures = await sql<ExpectedFigure>(`
    with results as (${results.join(' union all ')})
    select 'health.checked.' || rule as name, ${integer('checked')} as text from results
    union all select 'health.broken.' || rule, ${integer('broken')} from results`)
  return [...figures, ...(await expectedStages(sql))]
}

/** The two rules about `stages_json`. */
const expectedStages = async (sql: Muster['sql']): Promise<ExpectedFigure[]> => {
  const jobs = await readJobStages(sql)
  const applications = await sql<{ job: number; stage: string }>(
    'select job_id as job, lower(stage) as stage from applications',
  )
  const unparseable = jobs.filter(({ json }) => json !== null && stageNames(json) === undefined)
  const stagesByJob = new Map(jobs.map(({ id, stages }) => [id, stages]))
  const elsewhere = applications.filter(
    ({ job, stage }) => stage !== 'sourced' && stagesByJob.get(job)?.includes(stage) === false,
  )
  const format = (count: number) => count.toLocaleString('en')
  return [
    { name: 'health.checked.unparseable_stages', text: format(jobs.length) },
    { name: 'health.broken.unparseable_stages', text: format(unparseable.length) },
    { name: 'health.checked.application_stage_not_in_job', text: format(applications.length) },
    { name: 'health.broken.application_stage_not_in_job', text: format(elsewhere.length) },
  ]
}
