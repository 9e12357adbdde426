/** In charge of how large the invented company is: every count follows from a size and, if asked, a number of employees. */
import { OperatorError } from '../database/operator-error.ts'
import type { Day } from './calendar.ts'
import { departmentNames } from './families.ts'
import { OFFICES_PER_ORGANIZATION } from './places.ts'

export const sizes = ['small', 'medium', 'large', 'huge'] as const
export type Size = (typeof sizes)[number]

export const DEFAULT_SEED = 'muster'
/** A day in the past, so that the same company comes out whenever it is asked for. */
export const DEFAULT_AS_OF = '2026-10-30'
export const FEWEST_EMPLOYEES = 50
export const MOST_EMPLOYEES = 1_000_000

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
  /** Share of the employees that were hired through an opening on record. */
  readonly recruited: number
  /** Years over which leave is on record. */
  readonly leaveYears: number
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
  readonly recruited: number
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
    recruited: 0.2,
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
    recruited: 0.36,
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
    recruited: 0.64,
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
    recruited: 0.64,
    leaveYears: 3,
  },
}

export interface PlanOptions {
  readonly size: Size
  readonly employees?: number
  readonly seed: string
  readonly asOf: Day
}

export function makePlan({ size, employees, seed, asOf }: PlanOptions): Plan {
  const scale = scales[size]
  const wanted = employees ?? scale.employees
  if (!Number.isInteger(wanted) || wanted < FEWEST_EMPLOYEES || wanted > MOST_EMPLOYEES)
    throw new OperatorError(
      `The number of employees must be a whole number from ${FEWEST_EMPLOYEES} to ${MOST_EMPLOYEES}: give --employees another one.`,
    )
  const times = (count: number) => Math.max(1, Math.round((count * wanted) / scale.employees))
  const organizations = scale.organizations
  return {
    ...scale,
    size,
    seed,
    asOf,
    employees: wanted,
    departments: Math.min(departmentNames.length, Math.max(3, times(scale.departments))),
    attendance: times(scale.attendance),
    leave: times(scale.leave),
    jobs: times(scale.jobs),
    candidates: times(scale.candidates),
    applications: times(scale.applications),
    offices: organizations * OFFICES_PER_ORGANIZATION,
  }
}
