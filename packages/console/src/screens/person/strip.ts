/** The days of the strip of attendance and leave: twelve months back, and leave that is still ahead. */
import { addDays, daysBetween, lastDay, monthOf } from '@muster/model'
import { formatMonth } from '../../format/dates.ts'

export interface AttendanceGroup {
  readonly 'day(att_date)': string | null
  readonly status: string | null
  readonly count: number
}

export interface LeaveRequest {
  readonly id: number
  readonly status: string | null
  readonly from_date: string | null
  readonly to_date: string | null
}

export interface StripDay {
  readonly day: string
  readonly week: number
  /** 0 is Monday. */
  readonly weekday: number
  /** The recorded status. Undefined if nothing is recorded; null if the record has none. */
  readonly status: string | null | undefined
  /** Leave of a day without a record. */
  readonly leave: { readonly id: number; readonly isApproved: boolean } | undefined
}

export interface Strip {
  readonly from: string
  readonly asOf: string
  readonly weeks: number
  /** Weekends are shown only if something is recorded on them. */
  readonly weekdays: number
  readonly days: readonly StripDay[]
  readonly months: readonly { readonly label: string; readonly week: number }[]
}

/** How far ahead leave is shown. */
const daysAhead = 182

/** The first day of the twelve months that end on a day. The year before 29 February 2024 begins on 1 March 2023. */
export const stripStart = (asOf: string): string => {
  const dayYearBefore = `${Number(asOf.slice(0, 4)) - 1}${asOf.slice(4)}`
  const monthEnd = lastDay(monthOf(dayYearBefore))
  return addDays(dayYearBefore < monthEnd ? dayYearBefore : monthEnd, 1)
}

const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

export const buildStrip = (asOf: string, groups: readonly AttendanceGroup[], leave: readonly LeaveRequest[]): Strip => {
  const from = stripStart(asOf)
  const latest = leave.reduce((end, { to_date }) => (to_date !== null && to_date > end ? to_date : end), asOf)
  const to = latest < addDays(asOf, daysAhead) ? latest : addDays(asOf, daysAhead)
  const monday = addDays(from, -weekdayOf(from))
  const recorded = new Map<string, string | null>()
  // If a day has several records, the first one is drawn. The data health screen lists such days.
  for (const { 'day(att_date)': day, status } of groups) {
    if (day !== null && !recorded.has(day)) recorded.set(day, status)
  }
  const isOut = (day: string) =>
    leave.find(({ from_date, to_date }) => from_date !== null && from_date <= day && (to_date ?? from_date) >= day)
  const days: StripDay[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const weekday = weekdayOf(day)
    const request = recorded.has(day) || (weekday > 4 && day <= asOf) ? undefined : isOut(day)
    days.push({
      day,
      week: Math.floor(daysBetween(monday, day) / 7),
      weekday,
      status: recorded.get(day),
      leave:
        request === undefined
          ? undefined
          : { id: request.id, isApproved: request.status?.toLowerCase() === 'approved' },
    })
  }
  const weekdays = days.some(({ weekday, status }) => weekday > 4 && status !== undefined) ? 7 : 5
  return {
    from,
    asOf,
    weeks: (days.at(-1)?.week ?? 0) + 1,
    weekdays,
    days: days.filter(({ weekday }) => weekday < weekdays),
    months: monthLabels(days),
  }
}

/** A label above the week in which a month begins. January has the year. */
const monthLabels = (days: readonly StripDay[]): { label: string; week: number }[] =>
  days
    .filter(({ day }) => day.endsWith('-01'))
    .map(({ day, week, weekday }) => ({
      label: day.slice(5, 7) === '01' ? formatMonth(day) : formatMonth(day).slice(0, 3),
      week: weekday === 0 ? week : week + 1,
    }))

const knownStatuses = ['present', 'work_from_home', 'on_leave', 'half_day', 'absent'] as const

/** The number of records by status: the known ones in a fixed order, then others. */
export const statusTotals = (groups: readonly AttendanceGroup[]): Map<string | null, number> => {
  const totals = new Map<string | null, number>(knownStatuses.map((status) => [status, 0]))
  for (const { status, count } of groups) totals.set(status, (totals.get(status) ?? 0) + count)
  return totals
}

/** The number of records by month and status, for the table. */
export const monthTotals = (
  groups: readonly AttendanceGroup[],
): { month: string; totals: Map<string | null, number> }[] =>
  [...Map.groupBy(groups, (group) => group['day(att_date)']?.slice(0, 7))].flatMap(([month, members]) =>
    month === undefined ? [] : { month, totals: statusTotals(members) },
  )

/**
 * The mark that an arrow key moves to: up and down by a day, left and right by a week. Days without a mark are skipped.
 * Undefined for other keys.
 */
export const nextMark = (marks: readonly string[], current: string, key: string): string | undefined => {
  const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7 }
  if (key === 'Home') return marks[0]
  if (key === 'End') return marks.at(-1)
  const step = steps[key]
  if (step === undefined) return
  const target = addDays(current, step)
  const found = step > 0 ? marks.find((day) => day >= target) : marks.findLast((day) => day <= target)
  return found ?? (step > 0 ? marks.at(-1) : marks[0])
}
