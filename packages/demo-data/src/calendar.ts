/** Days since 1970-01-01. */
export type Day = number

const MS_PER_DAY = 86_400_000
const formattedDays = new Map<Day, string>()

export function parseDay(date: string): Day {
  return Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY
}

export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = parseDay(text)
  return Number.isInteger(day) && formatDay(day) === text
}

export function formatDay(day: Day): string {
  let text = formattedDays.get(day)
  if (text === undefined) {
    text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
    formattedDays.set(day, text)
  }
  return text
}

export function formatTimestamp(day: Day, secondOfDay: number): string {
  return `${formatDay(day)} ${twoDigits(secondOfDay / 3600)}:${twoDigits((secondOfDay / 60) % 60)}:${twoDigits(secondOfDay % 60)}+00`
}

function twoDigits(value: number): string {
  const whole = Math.floor(value)
  return whole < 10 ? `0${whole}` : String(whole)
}

/** Returns the day of the week, from 0 for Monday to 6 for Sunday. */
export function weekday(day: Day): number {
  return (day + 3) % 7
}

export function isWorkday(day: Day): boolean {
  return weekday(day) < 5
}

export function workdayOnOrAfter(day: Day): Day {
  const weekdayIndex = weekday(day)
  return weekdayIndex < 5 ? day : day + 7 - weekdayIndex
}

export function workdayOnOrBefore(day: Day): Day {
  const weekdayIndex = weekday(day)
  return weekdayIndex < 5 ? day : day - (weekdayIndex - 4)
}

/** Counts the working days from `from` to `to`, both included. */
export function workdaysBetween(from: Day, to: Day): number {
  return to < from ? 0 : workdaysUpTo(to) - workdaysUpTo(from - 1)
}

function workdaysUpTo(day: Day): number {
  const sinceMonday = day + 4
  return Math.floor(sinceMonday / 7) * 5 + Math.min(sinceMonday % 7, 5)
}

export function addWorkdays(day: Day, count: number): Day {
  const weeks = Math.floor(count / 5)
  let result = workdayOnOrAfter(day) + weeks * 7
  for (let remaining = count % 5; remaining > 0; remaining--) result = workdayOnOrAfter(result + 1)
  return result
}

export function monthOf(day: Day): number {
  return Number(formatDay(day).slice(5, 7))
}

/** Whether the whole company is closed on this day, so that no employee has an attendance record. */
export function isCompanyHoliday(day: Day): boolean {
  const date = formatDay(day).slice(5)
  return date === '01-01' || date === '12-25' || date === '12-26'
}
