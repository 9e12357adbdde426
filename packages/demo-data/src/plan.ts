import type { Day } from './calendar.ts'
import { DemoDataError } from './error.ts'
import type { Size } from './sizes.ts'
import { departmentNames } from './vocabulary/job-families.ts'
import { OFFICES_PER_ORGANIZATION } from './vocabulary/locations.ts'

export const DEFAULT_SEED = 'muster'
/** The day that counts as today by default. It is fixed, so that the default company is always the same. */
export const DEFAULT_AS_OF = '2026-10-30'
export const MIN_EMPLOYEES = 50
export const MAX_EMPLOYEES = 1_000_000
/** Number of open jobs that every career site shows, unless the company has too few jobs. */
export const OPEN_JOBS_PER_SITE = 3
/** At most this share of all jobs is kept open for career sites, as a percentage. */
export const MAX_OPEN_PERCENT = 60

export interface Plan {
  readonly size: Size
  readonly seed: string
  readonly asOf: Day
  readonly employees: number
  readonly departments: number
  readonly attendance: number
  readonly leave: number
  readonly jobs: number
  readonly candidates: number
  readonly applications: number
  readonly organizations: number
  readonly offices: number
  /** Years since the company was founded. */
  readonly years: number
  /** Share of the employees who were hired through a job opening. */
  readonly recruitedShare: number
  /** Number of years for which there are leave requests. */
  readonly leaveYears: number
  /** Number of openings per office that stay open, so that every career site has jobs to show. */
  readonly openPerOffice: number
}

interface Scale {
  readonly employees: number
  readonly departments: number
  readonly attendance: number
  readonly leave: number
  readonly jobs: number
  readonly candidates: number
  readonly applications: number
  readonly organizations: number
  readonly years: number
  readonly recruitedShare: number
  readonly leaveYears: number
}

const scales: Record<Size, Scale> = {
  small: {
    employees: 250,
    departments: 12,
    attendance: 5000,
    leave: 400,
    jobs: 40,
    candidates: 600,
    applications: 900,
    organizations: 2,
    years: 11,
    recruitedShare: 0.2,
    leaveYears: 1.25,
  },
  medium: {
    employees: 5000,
    departments: 24,
    attendance: 1_000_000,
    leave: 40_000,
    jobs: 1000,
    candidates: 60_000,
    applications: 90_000,
    organizations: 4,
    years: 14,
    recruitedShare: 0.36,
    leaveYears: 3,
  },
  large: {
    employees: 50_000,
    departments: 36,
    attendance: 10_000_000,
    leave: 500_000,
    jobs: 18_000,
    candidates: 2_000_000,
    applications: 3_000_000,
    organizations: 8,
    years: 18,
    recruitedShare: 0.64,
    leaveYears: 3,
  },
  huge: {
    employees: 500_000,
    departments: 36,
    attendance: 100_000_000,
    leave: 5_000_000,
    jobs: 180_000,
    candidates: 20_000_000,
    applications: 30_000_000,
    organizations: 8,
    years: 22,
    recruitedShare: 0.64,
    leaveYears: 3,
  },
}

export interface PlanOptions {
  readonly size: Size
  readonly employees?: number
  readonly seed: string
  readonly asOf: Day
}

/** Computes the row counts of all tables. If `employees` is set, all other row counts are scaled in proportion. */
export function makePlan({ size, employees, seed, asOf }: PlanOptions): Plan {
  const scale = scales[size]
  const employeeCount = employees ?? scale.employees
  if (!Number.isInteger(employeeCount) || employeeCount < MIN_EMPLOYEES || employeeCount > MAX_EMPLOYEES)
    throw new DemoDataError(
      `The number of employees must be a whole number from ${MIN_EMPLOYEES} to ${MAX_EMPLOYEES}: change --employees.`,
    )
  const scaleCount = (baseCount: number) => Math.max(1, Math.round((baseCount * employeeCount) / scale.employees))
  const offices = scale.organizations * OFFICES_PER_ORGANIZATION
  const jobs = scaleCount(scale.jobs)
  return {
    ...scale,
    size,
    seed,
    asOf,
    employees: employeeCount,
    departments: Math.min(departmentNames.length, Math.max(3, scaleCount(scale.departments))),
    attendance: scaleCount(scale.attendance),
    leave: scaleCount(scale.leave),
    jobs,
    candidates: scaleCount(scale.candidates),
    applications: scaleCount(scale.applications),
    offices,
    openPerOffice: Math.min(OPEN_JOBS_PER_SITE, Math.floor((jobs * MAX_OPEN_PERCENT) / (100 * offices))),
  }
}
