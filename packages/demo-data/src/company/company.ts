import type { Resource } from '@muster/model'
import { resources } from '@muster/model'
import type { Day } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import { formatChunks } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { departmentNames } from '../vocabulary/job-families.ts'
import { applicationRows } from './applications.ts'
import { attendanceChunks, attendanceWindow } from './attendance.ts'
import { candidateRows } from './candidates.ts'
import { withDeclaredRows } from './declared-tables.ts'
import { distributionRows } from './distributions.ts'
import { employeeRows } from './employees.ts'
import { brandRows, makeEnterprise, organizationRows, siteRows, teamRows } from './enterprise.ts'
import { hiringCurve } from './growth.ts'
import { makeHierarchy } from './hierarchy.ts'
import { jobRows } from './jobs.ts'
import { employeesOnLeave, leaveRows, makeLeave } from './leave.ts'
import type { Hires } from './openings.ts'
import { makeOpenings } from './openings.ts'
import { HISTORY_COLUMNS, historyRows } from './past.ts'
import type { Recruits } from './people.ts'
import { makePeople } from './people.ts'
import { findRecruits } from './pipeline.ts'
import type { Table } from './table.ts'

/**
 * Returns the tables in an order that satisfies their foreign keys. Resources and fields that this file does not write
 * get rows from their declaration.
 */
export function makeCompany(plan: Plan, declared: readonly Resource[] = resources): readonly Table[] {
  const hiring = hiringCurve(plan)
  const { openings, hires } = makeOpenings(plan, hiring)
  const pipeline = { plan, openings, hires }
  const recruits = findRecruits(pipeline)
  const people = makePeople({ plan, hiring, openings, hires, recruits })
  const hierarchy = makeHierarchy(plan, people)
  const leave = makeLeave(plan, people)
  const hiredCandidates = hiredCandidateBits(plan, recruits)
  const enterprise = makeEnterprise(plan)
  const onLeaveToday = employeesOnLeave(leave, people, plan.asOf)
  const attendance = { plan, people, leave }
  const applications = { ...pipeline, hiredCandidates, hiredOn: hiringDays(hires, recruits) }
  const tables = withDeclaredRows(plan, declared, [
    table('departments', plan.departments, ['id', 'name'], () => departmentRows(plan)),
    {
      ...table('employees', plan.employees, EMPLOYEE_COLUMNS, () =>
        employeeRows({ plan, people, hierarchy, recruits, onLeaveToday }),
      ),
      refersToItself: true,
    },
    table('candidates', plan.candidates, CANDIDATE_COLUMNS, () =>
      candidateRows({ ...pipeline, people, hiredCandidates }),
    ),
    table('leave_requests', plan.leave, LEAVE_COLUMNS, () => leaveRows(plan, leave)),
    {
      name: 'attendance',
      columns: ['id', 'employee_id', 'att_date', 'status', 'hours'],
      rowCount: attendanceWindow(attendance).rows,
      chunks: () => attendanceChunks(attendance),
    },
    table('job_openings', plan.jobs, JOB_COLUMNS, () => jobRows({ plan, openings, people, hierarchy })),
    table('applications', plan.applications, APPLICATION_COLUMNS, () => applicationRows(applications)),
    table('organizations', plan.organizations, ORGANIZATION_COLUMNS, () => organizationRows(plan, enterprise)),
    table('recruitment_brands', enterprise.brands.length, BRAND_COLUMNS, () => brandRows(plan, enterprise)),
    table('career_sites', enterprise.sites.length, SITE_COLUMNS, () => siteRows(plan, enterprise)),
    countedTable('organization_teams', TEAM_COLUMNS, () => teamRows(plan, enterprise, people)),
    countedTable('job_distributions', DISTRIBUTION_COLUMNS, () => distributionRows(plan, openings, enterprise)),
  ])
  const past = { ...applications, people, hierarchy, leave, enterprise }
  return [...tables, countedTable('history', HISTORY_COLUMNS, () => historyRows(past))]
}

function hiringDays({ hired }: Hires, { candidate }: Recruits): ReadonlyMap<number, Day> {
  return new Map([...candidate].map((each, hire) => [each, hired[hire] as number]))
}

function table(name: string, rowCount: number, columns: readonly string[], rows: () => Iterable<Row>): Table {
  return { name, columns, rowCount, chunks: () => formatChunks(rows()) }
}

/** Makes a table whose number of rows the plan does not say. Its rows are generated once more, to count them. */
function countedTable(name: string, columns: readonly string[], rows: () => Iterable<Row>): Table {
  let rowCount = 0
  for (const _row of rows()) rowCount++
  return table(name, rowCount, columns, rows)
}

function* departmentRows(plan: Plan): Generator<Row, void, void> {
  for (const [index, { name }] of departmentNames.slice(0, plan.departments).entries()) yield [index + 1, name]
}

/** Returns a bit set with one bit per candidate, which is 1 if the candidate was hired. */
function hiredCandidateBits(plan: Plan, { candidate }: Recruits): Uint8Array {
  const candidateBits = new Uint8Array((plan.candidates >> 3) + 1)
  for (const index of candidate) candidateBits[index >> 3] = (candidateBits[index >> 3] as number) | (1 << (index & 7))
  return candidateBits
}

/**
 * The lists below are the columns that the generators write, in their order. They are not taken from the declarations, so
 * that a new field does not change what the other values of a row mean.
 */
const columns = (names: string): readonly string[] => names.split(' ')

const EMPLOYEE_COLUMNS = columns(
  'id code first_name last_name email dept_id designation manager_id branch status date_of_joining gender base_salary candidate_id employment_type probation_end termination_date alumni',
)
const CANDIDATE_COLUMNS = columns(
  'id first_name last_name email phone location headline current_title current_employer years_experience linkedin_url source referred_by consent_at status notes created',
)
const LEAVE_COLUMNS = columns('id employee_id leave_type from_date to_date days status reason applied_on')
const JOB_COLUMNS = columns(
  'id code title dept_id hiring_manager_id headcount filled comp_min comp_max currency location remote_policy employment_type status description requirements stages_json opened_on target_date created',
)
const APPLICATION_COLUMNS = columns(
  'id candidate_id job_id stage status applied_on stage_entered_on rating rejection_reason created',
)
const ORGANIZATION_COLUMNS = columns('id name slug default_locale timezone settings_json created')
const BRAND_COLUMNS = columns(
  'id organization_id name slug logo_url favicon_url primary_color accent_color custom_domain settings_json created updated',
)
const SITE_COLUMNS = columns(
  'id name slug headline introduction brand_color accent_color logo_url privacy_policy_url custom_domain is_active created updated',
)
const TEAM_COLUMNS = columns('id organization_id parent_id name country department_id settings_json')
const DISTRIBUTION_COLUMNS = columns('id job_posting_id career_site_id brand_id locale slug status published_at')
