/** For each screen, the SQL that computes its figures. The SQL is written from the definitions in docs/reports.md. */
import type { Muster } from '../support/muster.ts'
import { attendanceSql } from './expected/attendance.ts'
import { candidateSql, candidatesSql } from './expected/candidates.ts'
import { careerSiteSql, careerSitesSql } from './expected/career-sites.ts'
import { expectedFunnel, expectedSources } from './expected/cohort.ts'
import { headcountSql } from './expected/headcount.ts'
import { expectedHealth } from './expected/health.ts'
import { leaveSql } from './expected/leave.ts'
import { movementsSql } from './expected/movements.ts'
import { expectedOpening, openingsSql } from './expected/openings.ts'
import { managersSql, orgOfPersonSql, orgSql } from './expected/org.ts'
import { drawerSql, peopleSql } from './expected/people.ts'
import { personSql } from './expected/person.ts'
import type { ExpectedFigure } from './expected/texts.ts'
import { timeToHireSql } from './expected/time-to-hire.ts'
import { changedTodaySql, stageMedianSql, todaySql } from './expected/today.ts'
import { approvalsSql, datesSql, leaveSoonSql, pastTargetSql, waitingSql } from './expected/work-lists.ts'

export interface Truth {
  /** Path of the screen. The id of its subject replaces `:id`. */
  readonly path: string
  /** SQL that selects the id of a suitable subject. */
  readonly subject?: string
  /** Without a subject, the id is 0. */
  readonly expected: (muster: Muster, day: string, id: number) => Promise<ExpectedFigure[]>
}

/** The day of the screen is the parameter $1. The id of its subject replaces $2. */
const bySql =
  (query: string): Truth['expected'] =>
  ({ sql }, day, id) =>
    sql<ExpectedFigure>(query.replaceAll('$2', String(id)), query.includes('$1') ? [day] : [])

const expectedToday: Truth['expected'] = async ({ sql }, day) => [
  ...(await sql<ExpectedFigure>(todaySql, [day])),
  ...(await sql<ExpectedFigure>(stageMedianSql, [day])),
  ...(await sql<ExpectedFigure>(changedTodaySql, [day])),
]

export const companyTruths: Readonly<Record<string, Truth>> = {
  today: { path: 'today', expected: expectedToday },
  headcount: { path: 'headcount', expected: bySql(headcountSql('dept_id')) },
  'headcount by contract': {
    path: 'headcount?by=employment_type',
    expected: bySql(headcountSql('employment_type')),
  },
  movements: { path: 'headcount/movements', expected: bySql(movementsSql) },
  attendance: { path: 'attendance?departments=all', expected: bySql(attendanceSql) },
  leave: { path: 'leave', expected: bySql(leaveSql('dept_id')) },
  'leave by manager': { path: 'leave?by=manager', expected: bySql(leaveSql('manager_id')) },
  health: { path: 'health', expected: expectedHealth },
}

const mostReports = `select manager_id as id from employees where lower(status) = 'active' and manager_id <> id
  group by 1 order by count(*) desc, 1 limit 1`
/** Three levels below the top, or deeper. */
const deep = `select employees.id from employees join employees manager on manager.id = employees.manager_id
  join employees second on second.id = manager.manager_id join employees third on third.id = second.manager_id
  where 'active' = all (array[lower(employees.status), lower(manager.status), lower(second.status), lower(third.status)])
    and employees.id <> manager.id order by employees.id limit 1`
const mostOpenings = `select hiring_manager_id as id from job_openings where hiring_manager_id is not null
  group by 1 order by count(*) desc, 1 limit 1`
const recruited = (status: string) => `select employees.id from employees join applications using (candidate_id)
  where lower(employees.status) = '${status}' group by 1 order by count(*) desc, 1 limit 1`

export const peopleTruths: Readonly<Record<string, Truth>> = {
  people: { path: 'people', expected: bySql(peopleSql()) },
  'people with filters': {
    path: 'people?status=active,on_leave&employment_type=full_time,contract',
    expected: bySql(peopleSql({ status: ['active', 'on_leave'], employment_type: ['full_time', 'contract'] })),
  },
  'people with an open record': { path: 'people?open=:id', subject: mostReports, expected: bySql(drawerSql) },
  'a manager': { path: 'people/:id', subject: mostOpenings, expected: bySql(personSql) },
  'somebody who was recruited': { path: 'people/:id', subject: recruited('active'), expected: bySql(personSql) },
  'somebody who left': { path: 'people/:id', subject: recruited('terminated'), expected: bySql(personSql) },
  org: { path: 'org', expected: bySql(orgSql) },
  'org of a person': { path: 'org?person=:id', subject: deep, expected: bySql(orgOfPersonSql) },
  managers: { path: 'org/managers', expected: bySql(managersSql) },
}

const opening = (status: string) => `select job_id as id from applications join job_openings on job_openings.id = job_id
  where lower(job_openings.status) = '${status}'
  group by 1 order by count(*) filter (where lower(applications.status) = 'active') desc, 1 limit 1`

const mostOpen = `select dept_id as id from job_openings where lower(status) = 'open' and dept_id is not null
  group by 1 order by count(*) desc, 1 limit 1`

export const hiringTruths: Readonly<Record<string, Truth>> = {
  openings: { path: 'hiring', expected: bySql(openingsSql) },
  'openings of a department': {
    path: 'hiring?dept_id=:id&past_target=true',
    subject: mostOpen,
    expected: bySql(openingsSql),
  },
  'an open opening': { path: 'hiring/openings/:id', subject: opening('open'), expected: expectedOpening },
  'a closed opening': { path: 'hiring/openings/:id', subject: opening('closed'), expected: expectedOpening },
  candidates: { path: 'hiring/candidates', expected: bySql(candidatesSql()) },
  'candidates with filters': {
    path: 'hiring/candidates?status=active&source=referral,event&consent=given',
    expected: bySql(
      candidatesSql({
        status: `lower(status) = 'active'`,
        source: `lower(source) in ('referral', 'event')`,
        consent: 'consent_at is not null',
      }),
    ),
  },
  'a candidate': {
    path: 'hiring/candidates/:id',
    subject: `select candidate_id as id from applications group by 1
      order by count(*) filter (where lower(status) = 'active') desc, count(*) desc, 1 limit 1`,
    expected: bySql(candidateSql),
  },
  'a candidate who was hired': {
    path: 'hiring/candidates/:id',
    subject: `select candidate_id as id from employees join applications using (candidate_id)
      group by 1 order by count(*) desc, 1 limit 1`,
    expected: bySql(candidateSql),
  },
  funnel: { path: 'hiring/funnel', expected: expectedFunnel },
  'funnel of a department': {
    path: 'hiring/funnel?job.dept_id=:id',
    subject: mostOpen,
    expected: expectedFunnel,
  },
  'time to hire': { path: 'hiring/time-to-hire?departments=all', expected: bySql(timeToHireSql) },
  sources: { path: 'hiring/sources', expected: expectedSources },
  'sources of a department': {
    path: 'hiring/sources?job.dept_id=:id',
    subject: mostOpen,
    expected: expectedSources,
  },
  'career sites': { path: 'hiring/career-sites', expected: bySql(careerSitesSql) },
  'a career site': {
    path: 'hiring/career-sites/:id',
    subject: 'select career_site_id as id from job_distributions group by 1 order by count(*) desc, 1 limit 1',
    expected: bySql(careerSiteSql),
  },
}

/** The lists that figures open. Their filters, groups and first rows are compared. */
export const workListTruths: Readonly<Record<string, Truth>> = {
  'leave that began undecided': { path: 'today/approvals', expected: bySql(approvalsSql) },
  'leave that begins undecided': { path: 'today/leave-soon', expected: bySql(leaveSoonSql) },
  'applications that wait too long': { path: 'today/waiting', expected: bySql(waitingSql) },
  'openings past target': { path: 'today/past-target', expected: bySql(pastTargetSql) },
  'coming dates': { path: 'today/dates', expected: bySql(datesSql()) },
  'dates of a year, over a 29 February': {
    path: 'today/dates?from=2027-03-15&to=2028-03-12',
    expected: bySql(datesSql(`date '2027-03-15'`, `date '2028-03-12'`)),
  },
}

/** Screens with figures from the history. */
export const historyTruths: Readonly<Record<string, Truth>> = {
  movements: companyTruths.movements as Truth,
  headcount: companyTruths.headcount as Truth,
  'headcount by office': { path: 'headcount?by=branch', expected: bySql(headcountSql('branch')) },
  org: peopleTruths.org as Truth,
  'org of a person': peopleTruths['org of a person'] as Truth,
  managers: peopleTruths.managers as Truth,
  funnel: hiringTruths.funnel as Truth,
  'an open opening': hiringTruths['an open opening'] as Truth,
  'a candidate': hiringTruths['a candidate'] as Truth,
  today: companyTruths.today as Truth,
}

/** Records with missing dates, other spellings and stages of their own, which the demo companies do not have. */
export const unusualRecords: readonly string[] = [
  `update candidates set source = case id % 3 when 0 then null else upper(source) end where id % 5 = 0`,
  `update job_openings set stages_json = '[{"name":"Applied"},{"name":"Trial day"},{"name":"Interview"},{"name":"Hired"}]'
    where id % 4 = 0`,
  `update job_openings set dept_id = null, opened_on = null, target_date = null where id % 7 = 0`,
  `update applications set stage = 'Trial day' where id % 11 = 0 and status = 'active'`,
  `update applications set stage = upper(stage), status = upper(status) where id % 6 = 0`,
  `update applications set applied_on = null where id % 17 = 0`,
  `update applications set stage_entered_on = applied_on - 3 where id % 19 = 0`,
  `update employees set dept_id = null, branch = null, employment_type = null where id % 12 = 0`,
  `update employees set status = upper(status) where id % 10 = 0`,
  `update attendance set status = case id % 2 when 0 then 'training' else upper(status) end where id % 9 = 0`,
  `update leave_requests set status = upper(status) where id % 8 = 0`,
  `update job_openings set description = ' ', requirements = null where id % 13 = 0`,
  `update job_openings set location = 'Atlantis' where id % 13 = 1`,
  `update job_distributions set brand_id = null where job_posting_id % 13 = 2`,
  `update job_distributions set status = 'draft' where job_posting_id % 13 = 3`,
  `update job_distributions set published_at = now() + interval '1 year' where job_posting_id % 13 = 4`,
]

/** A company with records that break the rules of Health, and with the unusual records above. */
export const unusualCompany = {
  data: { seed: 'truth-2', asOf: '2027-02-26', withFaults: true },
  changes: unusualRecords,
} as const
