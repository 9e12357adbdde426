import { addMonths, lastDay, monthOf, monthsBetween } from '@muster/model'
import { formatMonth } from '../../format/dates.ts'

export interface Period {
  readonly from: string
  readonly to: string
  /** The last month of the period that has ended by the day of the screen. */
  readonly lastWholeMonth: string
  /** The first month that is asked for: comparisons need the twelve months before the last whole one. */
  readonly firstAskedMonth: string
}

export interface PeriodKind {
  readonly defaultMonths: number
  /** 0 if the period begins with the month before, whose end is compared with. */
  readonly firstMonth: 0 | 1
}
export const monthEnds: PeriodKind = { defaultMonths: 24, firstMonth: 0 }
export const wholeMonths: PeriodKind = { defaultMonths: 12, firstMonth: 1 }

/** The report has at most 600 months. */
const maxMonths = 599

const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) && text >= '0002-01'

/** The last month that has ended by a day. A month ends with its last day. */
export const lastWholeMonth = (asOf: string): string => {
  const month = monthOf(asOf)
  return lastDay(month) === asOf ? month : addMonths(month, -1)
}

/** The period of the screen. Parameters that are missing or make no sense have default values. */
export const periodOf = (
  search: { readonly from?: string; readonly to?: string },
  asOf: string,
  { defaultMonths, firstMonth }: PeriodKind,
): Period => {
  const current = monthOf(asOf)
  const to = isMonth(search.to) && search.to <= current ? search.to : current
  const whole = earlier(to, lastWholeMonth(asOf))
  const from = isMonth(search.from) && search.from <= to ? search.from : addMonths(whole, firstMonth - defaultMonths)
  const allowed = monthsBetween(from, to) > maxMonths - 12 ? addMonths(to, -(maxMonths - 12)) : from
  return { from: allowed, to, lastWholeMonth: whole, firstAskedMonth: earlier(allowed, addMonths(whole, -12)) }
}

export interface PeriodChoice {
  /** Also the first month. */
  readonly from: string
  readonly label: string
}

/** Periods that end today, by the number of their whole months. */
export const periodChoices = (asOf: string, { firstMonth }: PeriodKind): PeriodChoice[] =>
  [
    { months: 12, label: '12 months' },
    { months: 24, label: '24 months' },
    { months: 36, label: '3 years' },
    { months: 60, label: '5 years' },
    { months: 120, label: '10 years' },
  ].map(({ months, label }) => ({ from: addMonths(lastWholeMonth(asOf), firstMonth - months), label }))

export const formatMonths = (from: string, to: string): string => `${formatMonth(from)} – ${formatMonth(to)}`

const earlier = (a: string, b: string): string => (a < b ? a : b)
