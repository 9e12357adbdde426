/** Periods of days for the menus of the screens. */
import { addDays, addMonths, firstDay, lastDay, monthOf } from '@muster/model'
import { formatDay, formatMonth, formatPeriod, isDay } from './dates.ts'

export interface Period {
  /** The first day; undefined if the period has no beginning. */
  readonly from: string | undefined
  /** The last day; undefined if the period has no end. */
  readonly to: string | undefined
}

export interface PeriodChoice extends Period {
  readonly label: string
}

/** The months before the one of `asOf`, which may not be over yet. */
const fullMonths = (asOf: string, count: number): Period => {
  const month = monthOf(asOf)
  return { from: firstDay(addMonths(month, -count)), to: lastDay(addMonths(month, -1)) }
}

/** The twelve full months before the month of `asOf`. */
export const lastTwelveMonths = (asOf: string): Period => fullMonths(asOf, 12)

/** The month of `asOf` and the twelve before it, as far as they are over. */
export const yearUntil = (asOf: string): Period => ({ from: firstDay(addMonths(monthOf(asOf), -12)), to: asOf })

/** The three months before the quarter of `asOf`. */
const lastQuarter = (asOf: string): Period => {
  const month = monthOf(asOf)
  const first = addMonths(month, -3 - ((Number(month.slice(5)) - 1) % 3))
  return { from: firstDay(first), to: lastDay(addMonths(first, 2)) }
}

/** Usual periods of full months, and all time. */
export const monthChoices = (asOf: string): PeriodChoice[] => {
  const year = Number(asOf.slice(0, 4))
  const wholeYear = (number: number) => String(number).padStart(4, '0')
  return [
    { label: 'Last 12 full months', ...fullMonths(asOf, 12) },
    { label: 'Last 3 full months', ...fullMonths(asOf, 3) },
    { label: 'Last quarter', ...lastQuarter(asOf) },
    { label: 'Last full month', ...fullMonths(asOf, 1) },
    { label: 'This year', from: `${wholeYear(year)}-01-01`, to: asOf },
    { label: 'Last year', from: `${wholeYear(year - 1)}-01-01`, to: `${wholeYear(year - 1)}-12-31` },
    { label: 'All time', from: undefined, to: undefined },
  ]
}

/** The last weeks until `asOf`, from a Monday on. */
export const weeksUntil = (asOf: string, weeks: number): Period => ({
  from: addDays(mondayOf(asOf), -7 * (weeks - 1)),
  to: asOf,
})

/** The Monday of a day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** Whole months have no days: `Nov 2025 – Oct 2026`. */
export const formatMonths = ({ from, to }: Period): string => {
  if (from === undefined) return to === undefined ? 'at any time' : `until ${formatDay(to)}`
  if (to === undefined) return `from ${formatDay(from)}`
  if (from !== firstDay(monthOf(from)) || to !== lastDay(monthOf(to))) return formatPeriod(from, to)
  return monthOf(from) === monthOf(to) ? formatMonth(from) : `${formatMonth(from)} – ${formatMonth(to)}`
}

/** Stands in the URL for a period without ends, since no parameter means the default period. */
const open = 'any'

/** Reads the two ends of a period from the URL. */
export const readPeriod = (from: string | undefined, to: string | undefined, standard: Period): Period => {
  if (from === undefined && to === undefined) return standard
  const end = (text: string | undefined) => (text !== undefined && isDay(text) ? text : undefined)
  return { from: end(from), to: end(to) }
}

/** Writes the ends of a period into the URL. A period without ends is `any`. */
export const writePeriod = ({ from, to }: Period, standard: Period): Period => {
  if (from === standard.from && to === standard.to) return { from: undefined, to: undefined }
  return from === undefined && to === undefined ? { from: open, to: undefined } : { from, to }
}
