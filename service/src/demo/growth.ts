/** In charge of when things happen: hiring grows over the years, pauses in summer and at the year's end, and had one bad year. */
import type { Day } from './calendar.ts'
import { monthOf, weekday } from './calendar.ts'
import type { Plan } from './plan.ts'

const HIRING_BY_MONTH = [1.25, 1.1, 1.1, 1.1, 1, 0.95, 0.8, 0.65, 1.3, 1.15, 0.95, 0.45]
const APPLYING_BY_MONTH = [1.3, 1.15, 1.1, 1, 0.95, 0.9, 0.8, 0.75, 1.15, 1.1, 1, 0.55]
const APPLYING_BY_WEEKDAY = [1.2, 1.15, 1.1, 1, 0.8, 0.35, 0.5]
const DAYS_PER_YEAR = 365.25

/** A growing sum over days: `share` says how much lies before a day, `at` finds the day of a share. */
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

/** The sum of all weights before a day. */
export function sumBefore({ first, sums }: Curve, day: Day): number {
  return sums[Math.max(0, Math.min(sums.length - 1, day - first))] as number
}

/** The day in which the sum reaches a value. */
export function dayAt({ first, sums }: Curve, sum: number): Day {
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

export function hiringCurve(plan: Plan): Curve {
  const first = foundingDay(plan)
  const span = plan.asOf - first
  return makeCurve(first, plan.asOf, (day) => {
    const age = (day - first) / span
    const badYear = age > 0.58 && age < 0.66 ? 0.3 : 1
    return (0.12 + age * (0.35 + 0.55 * age)) * badYear * (HIRING_BY_MONTH[monthOf(day) - 1] as number)
  })
}

/** How willing people are to apply on a day. */
export function applyingCurve(first: Day, last: Day): Curve {
  return makeCurve(
    first,
    last,
    (day) => (APPLYING_BY_MONTH[monthOf(day) - 1] as number) * (APPLYING_BY_WEEKDAY[weekday(day)] as number),
  )
}
