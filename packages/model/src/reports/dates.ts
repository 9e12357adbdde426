/** Arithmetic with days (YYYY-MM-DD) and months (YYYY-MM) as text, in the proleptic Gregorian calendar. */
const dayMs = 86_400_000

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Limited to the years 1 to 9999. */
export const addDays = (day: string, days: number): string => {
  const time = Math.min(Math.max(timeOf(day) + days * dayMs, timeOf('0001-01-01')), timeOf('9999-12-31'))
  return new Date(time).toISOString().slice(0, 10)
}

export const daysBetween = (from: string, to: string): number => (timeOf(to) - timeOf(from)) / dayMs

export const monthOf = (day: string): string => day.slice(0, 7)

const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

/** Limited to the years 1 to 9999. */
export const addMonths = (month: string, months: number): string => {
  const number = Math.min(Math.max(monthNumber(month) + months, 12), 9999 * 12 + 11)
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}

export const laterMonth = (a: string, b: string): string => (a > b ? a : b)

export const monthsBetween = (from: string, to: string): number => monthNumber(to) - monthNumber(from)

export const firstDay = (month: string): string => `${month}-01`

export const lastDay = (month: string): string =>
  month === '9999-12' ? '9999-12-31' : addDays(firstDay(addMonths(month, 1)), -1)

/** The last day of the month, or `asOf` if that is earlier: the month of `asOf` ends on `asOf`. */
export const lastDayUntil = (month: string, asOf: string): string => {
  const last = lastDay(month)
  return last < asOf ? last : asOf
}
