import type { ReportRows } from '@muster/client'
import { addDays, daysBetween, firstDay, lastDay, minRateSample, monthOf } from '@muster/model'
import type { Period } from '../../format/periods.ts'
import { mondayOf, readPeriod, weeksUntil } from '../../format/periods.ts'

export type AttendanceRow = ReportRows['attendance']

/** A period whose two ends are known. */
export interface Days {
  readonly from: string
  readonly to: string
}

export const standardWeeks = 13
/** Longer periods are cut at the beginning. */
const mostDays = 53 * 7

/** Reads the period from the URL: 13 weeks by default, and never more than 53. */
export const readDays = (from: string | undefined, to: string | undefined, asOf: string): Days & { isCut: boolean } => {
  const period: Period = readPeriod(from, to, weeksUntil(asOf, standardWeeks))
  const last = period.to ?? (period.from !== undefined && period.from > asOf ? period.from : asOf)
  const first = period.from ?? addDays(last, 1 - mostDays)
  const isCut = daysBetween(first, last) >= mostDays || period.from === undefined
  if (first > last) return { from: last, to: last, isCut: false }
  return { from: isCut ? addDays(last, 1 - mostDays) : first, to: last, isCut }
}

export interface DayCell {
  readonly day: string
  /** Undefined if there are no records of that day. */
  readonly row: AttendanceRow | undefined
  readonly isInPeriod: boolean
}

/** The weeks of the period, each with its days: Monday to Friday, or to Sunday if there are records at weekends. */
export const weeksOf = ({ from, to }: Days, rows: readonly AttendanceRow[]): DayCell[][] => {
  const byDay = new Map(rows.map((row) => [row.group, row]))
  const hasWeekends = rows.some(({ group }) => group !== null && daysBetween(mondayOf(group), group) > 4)
  const count = Math.floor(daysBetween(mondayOf(from), to) / 7) + 1
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: hasWeekends ? 7 : 5 }, (_unused, weekday) => {
      const day = addDays(mondayOf(from), week * 7 + weekday)
      return { day, row: byDay.get(day), isInPeriod: day >= from && day <= to }
    }),
  )
}

/** The records of which the absence rate is a share. */
export const expected = ({ recorded, on_leave }: AttendanceRow): number => (recorded ?? 0) - (on_leave ?? 0)

/** The absence rate; undefined if there are too few records. */
export const rateOf = (row: AttendanceRow): number | undefined =>
  row.absence_rate === null || expected(row) < minRateSample ? undefined : row.absence_rate

/** The share of all records that are sick leave; undefined if there are too few records, null if it is withheld. */
export const sicknessRateOf = ({
  recorded,
  sick,
}: Pick<AttendanceRow, 'recorded' | 'sick'>): number | null | undefined =>
  sick === null ? null : (recorded ?? 0) < minRateSample ? undefined : sick / (recorded ?? 0)

/** The records of all rows together. The rows are the whole period, not a page of it. */
export const totalsOf = (rows: readonly AttendanceRow[]) => {
  const sum = (value: (row: AttendanceRow) => number) => rows.reduce((total, row) => total + value(row), 0)
  const [recorded, absent, ofRate] = [sum((row) => row.recorded ?? 0), sum((row) => row.absent ?? 0), sum(expected)]
  const isWithheld = rows.some((row) => row.sick === null)
  return {
    recorded,
    expected: ofRate,
    rate: ofRate < minRateSample ? undefined : absent / ofRate,
    sick: isWithheld ? null : sum((row) => row.sick ?? 0),
  }
}

/** The day with the highest absence rate; the latest of several. */
export const highestDay = (rows: readonly AttendanceRow[]): AttendanceRow | undefined =>
  rows
    .filter((row) => rateOf(row) !== undefined)
    .toSorted((a, b) => (rateOf(b) ?? 0) - (rateOf(a) ?? 0) || (String(a.group) < String(b.group) ? 1 : -1))[0]

/**
 * The six rates at which the colour changes: round numbers at equal distances, between the lowest and the highest tenth
 * of the rates.
 */
export const colorSteps = (rates: readonly number[]): number[] => {
  const sorted = rates.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  const step = roundStep((at(0.9) - at(0.1)) / 5)
  const first = Math.max(1, Math.round(at(0.1) / step))
  return Array.from({ length: 6 }, (_, index) => (first + index) * step)
}

/** The smallest of 0.05 %, 0.1 %, 0.2 %, 0.25 %, 0.5 %, 1 %, 2 %, 2.5 %, 5 % and 10 % that is not below the value. */
const roundStep = (value: number): number =>
  [0.0005, 0.001, 0.002, 0.0025, 0.005, 0.01, 0.02, 0.025, 0.05].find((step) => step >= value) ?? 0.1

/** The months of the period, each limited to it. */
export const monthsOf = ({ from, to }: Days): (Days & { readonly month: string })[] => {
  const months = []
  for (let first = from; first <= to; first = addDays(lastDay(monthOf(first)), 1)) {
    const end = lastDay(monthOf(first))
    months.push({ month: monthOf(first), from: first, to: end < to ? end : to })
    if (end === '9999-12-31') break
  }
  return months
}

/** Whether only a part of the month is in the period. */
export const isPartMonth = ({ month, from, to }: Days & { readonly month: string }): boolean =>
  from !== firstDay(month) || to !== lastDay(month)
