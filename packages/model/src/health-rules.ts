/**
 * The rules of data health, which hold for the records of any company. The SQL function `muster_health_<name>` returns
 * the ids of the records that break the rule.
 */

import type { ComputedFilter } from './query/computed-filters.ts'
import { DeclarationError } from './schema/declaration-error.ts'

/** An `error` is a contradiction, which makes figures wrong. A `warning` is probably an oversight. */
export type HealthSeverity = 'error' | 'warning'

export interface HealthRule {
  readonly name: string
  /** Path of the resource whose records are checked. */
  readonly resource: string
  readonly severity: HealthSeverity
  /** One sentence that names the records that break the rule. */
  readonly about: string
  /** If true, the rule reads personal fields, so that its result reveals them. */
  readonly personal?: true
  /** The tables that the SQL function reads; that of the resource first. */
  readonly tables: readonly [string, ...string[]]
}

/** By resource, in the order in which reports list them. */
const declared = [
  {
    name: 'manager_cycle',
    resource: 'employees',
    severity: 'error',
    about: 'Employees whose chain of managers leads back to themselves.',
    tables: ['employees'],
  },
  {
    name: 'manager_left',
    resource: 'employees',
    severity: 'warning',
    about: 'Employees who are not terminated, but whose manager is.',
    tables: ['employees'],
  },
  {
    name: 'terminated_without_date',
    resource: 'employees',
    severity: 'error',
    about: 'Terminated employees without a termination date.',
    personal: true,
    tables: ['employees'],
  },
  {
    name: 'left_before_joining',
    resource: 'employees',
    severity: 'error',
    about: 'Employees whose termination date is before their date of joining.',
    personal: true,
    tables: ['employees'],
  },
  {
    name: 'duplicate_employee_code',
    resource: 'employees',
    severity: 'error',
    about: 'Employees with the `code` of another employee, ignoring case.',
    tables: ['employees'],
  },
  {
    name: 'leave_without_employee',
    resource: 'leave',
    severity: 'warning',
    about: 'Leave requests that name no employee.',
    tables: ['leave_requests'],
  },
  {
    name: 'overlapping_leave',
    resource: 'leave',
    severity: 'error',
    about: 'Approved leave requests that overlap another approved request of the same employee.',
    tables: ['leave_requests'],
  },
  {
    name: 'leave_before_joining',
    resource: 'leave',
    severity: 'error',
    about: 'Approved leave requests that begin before the employee joined.',
    tables: ['leave_requests', 'employees'],
  },
  {
    name: 'leave_after_leaving',
    resource: 'leave',
    severity: 'error',
    about: 'Approved leave requests that end after the termination date of the employee.',
    personal: true,
    tables: ['leave_requests', 'employees'],
  },
  {
    name: 'attendance_without_employee',
    resource: 'attendance',
    severity: 'warning',
    about: 'Attendance records that name no employee.',
    tables: ['attendance'],
  },
  {
    name: 'attendance_before_joining',
    resource: 'attendance',
    severity: 'error',
    about: 'Attendance records of a day before the employee joined.',
    tables: ['attendance', 'employees'],
  },
  {
    name: 'attendance_after_leaving',
    resource: 'attendance',
    severity: 'error',
    about: 'Attendance records of a day after the termination date of the employee.',
    personal: true,
    tables: ['attendance', 'employees'],
  },
  {
    name: 'duplicate_attendance',
    resource: 'attendance',
    severity: 'error',
    about: 'Attendance records of an employee who has another record on the same day.',
    tables: ['attendance'],
  },
  {
    name: 'filled_over_headcount',
    resource: 'jobs',
    severity: 'error',
    about: 'Job openings with more filled positions than positions.',
    tables: ['job_openings'],
  },
  {
    name: 'hired_without_filled_place',
    resource: 'jobs',
    severity: 'warning',
    about: 'Job openings with more hired applications than filled positions.',
    tables: ['job_openings', 'applications'],
  },
  {
    name: 'reversed_pay_range',
    resource: 'jobs',
    severity: 'error',
    about: 'Job openings whose lower end of the pay range is above the upper end.',
    tables: ['job_openings'],
  },
  {
    name: 'unparseable_stages',
    resource: 'jobs',
    severity: 'error',
    about: 'Job openings whose `stages_json` is not an array of strings or of objects with a string `name`.',
    tables: ['job_openings'],
  },
  {
    name: 'duplicate_candidate_email',
    resource: 'candidates',
    severity: 'warning',
    about: 'Candidates with the e-mail address of another candidate, ignoring case.',
    personal: true,
    tables: ['candidates'],
  },
  {
    name: 'active_application_on_closed_job',
    resource: 'applications',
    severity: 'warning',
    about: 'Active applications to a job opening that is closed or archived.',
    tables: ['applications', 'job_openings'],
  },
  {
    name: 'application_stage_not_in_job',
    resource: 'applications',
    severity: 'warning',
    about:
      'Applications whose stage is neither a stage of the job opening nor `sourced`. For a job opening without stages, the suggested stages count.',
    tables: ['applications', 'job_openings'],
  },
  {
    name: 'hired_in_other_stage',
    resource: 'applications',
    severity: 'error',
    about: 'Applications with the status `hired`, but another stage.',
    tables: ['applications'],
  },
  {
    name: 'stage_before_application',
    resource: 'applications',
    severity: 'error',
    about: 'Applications that entered their stage before the date of the application.',
    tables: ['applications'],
  },
  {
    name: 'duplicate_application',
    resource: 'applications',
    severity: 'warning',
    about:
      'Active applications of a candidate to a job opening for which the candidate has another active application.',
    tables: ['applications'],
  },
  {
    name: 'team_cycle',
    resource: 'organization-teams',
    severity: 'error',
    about: 'Teams whose chain of parent teams leads back to themselves.',
    tables: ['organization_teams'],
  },
  {
    name: 'published_distribution_of_closed_job',
    resource: 'job-distributions',
    severity: 'error',
    about: 'Published distributions of a job opening that is closed or archived.',
    tables: ['job_distributions', 'job_openings'],
  },
] as const satisfies readonly HealthRule[]

export type HealthRuleName = (typeof declared)[number]['name']
export const healthRules: readonly (HealthRule & { readonly name: HealthRuleName })[] = declared

export const healthRule = (name: string): (typeof healthRules)[number] | undefined =>
  healthRules.find((rule) => rule.name === name)

const namesOf = (rules: typeof healthRules): HealthRuleName[] => rules.map(({ name }) => name)

export const healthRuleNames: readonly HealthRuleName[] = namesOf(healthRules)
export const personalHealthRuleNames: readonly HealthRuleName[] = namesOf(
  healthRules.filter(({ personal }) => personal),
)

/** The filter `health` of a resource with rules. */
export const healthFilter = (path: string): ComputedFilter => {
  const rules = healthRules.filter(({ resource }) => resource === path)
  if (rules.length === 0) throw new DeclarationError(`There are no health rules for ${path}: leave out healthFilter.`)
  const personalValues = namesOf(rules.filter(({ personal }) => personal))
  return {
    parameter: 'health',
    kind: 'choice',
    values: namesOf(rules),
    about: [
      'Only records that break this rule of the report `data-health`.',
      ...personalValues.map((name) => `\`${name}\` needs a token if personal fields are redacted.`),
    ].join(' '),
    personal: false,
    personalValues,
    tables: [...new Set(rules.flatMap(({ tables: [, ...others] }) => others))],
    tablesByValue: Object.fromEntries(rules.map(({ name, tables: [, ...others] }) => [name, others])),
  }
}
