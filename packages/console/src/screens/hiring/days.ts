import type { ReportRows } from '@muster/client'
import { addMonths, monthOf, monthsBetween } from '@muster/model'
import type { Period } from '../../format/periods.ts'

export type TimeRow = ReportRows['timeToHire']

/** What is measured: the days from the application, or from the opening of the job, to the hire. */
export type Measure = 'hire' | 'fill'

export interface Spread {
  readonly n: number
  readonly median: number
  readonly p90: number
  readonly min: number
  readonly max: number
  /** Path of the list of these hires. */
  readonly link: string | undefined
}

/** The columns of a measure. Undefined if there are no hires. */
export const spreadOf = (row: TimeRow, measure: Measure): Spread | undefined => {
  const [n, median, p90, min, max, link] =
    measure === 'hire'
      ? [row.n, row.median_days, row.p90_days, row.min_days, row.max_days, row.links.n]
      : [row.fill_n, row.fill_median_days, row.fill_p90_days, row.fill_min_days, row.fill_max_days, row.links.fill_n]
  if (n === null || n === 0 || median === null || p90 === null || min === null || max === null) return undefined
  return { n, median, p90, min, max, link }
}

/** More months than these cannot be drawn. */
const mostMonths = 240

/** All months from the first to the last; only the last ones if they are too many. */
export const monthRange = (first: string | undefined, last: string | undefined): string[] => {
  if (first === undefined || last === undefined || first > last) return []
  const count = Math.min(monthsBetween(first, last) + 1, mostMonths)
  return Array.from({ length: count }, (_, index) => addMonths(last, index - count + 1))
}

/** All months of a period, also those without hires. A period without a beginning or end has the months of the rows. */
export const monthsOf = ({ from, to }: Period, asOf: string, rows: readonly TimeRow[]): string[] => {
  const ofRows = rows.flatMap(({ group }) => group ?? []).toSorted()
  const end = to === undefined || to > asOf ? asOf : to
  return monthRange(from === undefined ? ofRows[0] : monthOf(from), monthOf(end))
}

/** The end of the scale: a multiple of ten days that is not below any value. */
export const scaleEnd = (spreads: readonly (Spread | undefined)[]): number =>
  Math.max(10, ...spreads.map((spread) => Math.ceil((spread?.max ?? 0) / 10) * 10))
