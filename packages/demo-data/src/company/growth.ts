import type { Day } from '../calendar.ts'
import { monthOf, weekday } from '../calendar.ts'
import type { Plan } from '../plan.ts'

const HIRING_BY_MONTH = [1.25, 1.1, 1.1, 1.1, 1, 0.95, 0.8, 0.65, 1.3, 1.15, 0.95, 0.45]
const APPLYING_BY_MONTH = [1.3, 1.15, 1.1, 1, 0.95, 0.9, 0.8, 0.75, 1.15, 1.1, 1, 0.55]
const APPLYING_BY_WEEKDAY = [1.2, 1.15, 1.1, 1, 0.8, 0.35, 0.5]
const DAYS_PER_YEAR = 365.25

/** Cumulative weights of days: `sums[i]` is the sum of the weights of all days before `first + i`. */
export interface Curve {
  readonly first: Day
  readonly sums: Float64Array
}

export function makeCurve(first: Day, last: Day, weight: (day: Day) => number): Curve {
  const sums = new Float64Array(last - first + 2)
  for (let day = first; day <= last; day++) {
    const index = day - first
    sums[index + 1] = (sums[index] as number) + weight(day)
  }
  return { first, sums }
}

/** Returns the sum of the weights of all days before `day`. */
export function sumBefore({ first, sums }: Curve, day: Day): number {
  return sums[Math.max(0, Math.min(sums.length - 1, day - first))] as number
}

/** Returns the day on which the cumulative weight reaches `sum`. */
export function dayAtSum({ first, sums }: Curve, sum: number): Day {
  let low = 0
  let high = sums.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((sums[middle] as number) <= sum) low = middle
    else high = middle - 1
  }
  return first + low
}

export function foundingDay(plan: Plan): Day {
  return plan.asOf - Math.round(plan.years * DAYS_PER_YEAR)
}

/**
 * Weights of hiring days. Hiring grows over the years, slows in summer and in December, and dropped in one bad year.
 */
export function hiringCurve(plan: Plan): Curve {
  const first = foundingDay(plan)
  const companyDays = plan.asOf - first
  return makeCurve(first, plan.asOf, (day) => {
    const ageFraction = (day - first) / companyDays
    const badYearFactor = ageFraction > 0.58 && ageFraction < 0.66 ? 0.3 : 1
    return (
      (0.12 + ageFraction * (0.35 + 0.55 * ageFraction)) * badYearFactor * (HIRING_BY_MONTH[monthOf(day) - 1] as number)
    )
  })
}

/** Weighs each day by how many applications it gets relative to other days. */
export function applyingCurve(first: Day, last: Day): Curve {
  return makeCurve(
    first,
    last,
    (day) => (APPLYING_BY_MONTH[monthOf(day) - 1] as number) * (APPLYING_BY_WEEKDAY[weekday(day)] as number),
  )
}
