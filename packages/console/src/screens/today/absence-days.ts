import { addDays, daysBetween } from '@muster/model'

const weeks = 13

/** 0 for Monday, 6 for Sunday. */
const weekday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

const mondayOf = (day: string): string => addDays(day, -weekday(day))

/** The first day of the 13 weeks whose last one contains `day`. */
export const firstChartDay = (day: string): string => addDays(mondayOf(day), -7 * (weeks - 1))

/** The days that have a place in the chart: the weekdays of the period, and weekends only if one of them has records. */
export const chartDays = (from: string, to: string, recorded: ReadonlySet<string>): string[] => {
  const days = Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) => addDays(from, index))
  const isWeekend = (day: string) => weekday(day) > 4
  const showsWeekends = days.some((day) => isWeekend(day) && recorded.has(day))
  return showsWeekends ? days : days.filter((day) => !isWeekend(day))
}

/** The Mondays that are labelled: every second week, or fewer in a narrow chart. */
export const labelledDays = (days: readonly string[], width: number): string[] => {
  const mondays = days.filter((day) => weekday(day) === 0)
  const widthOfLabel = 56
  const step = Math.max(2, Math.ceil((mondays.length * widthOfLabel) / Math.max(1, width)))
  return mondays.filter((_, index) => index % step === 0)
}
