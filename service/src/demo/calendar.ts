/** In charge of days: they are whole numbers since 1970-01-01, and Monday to Friday are worked. */

export type Day = number

const MS_PER_DAY = 86_400_000
const written = new Map<Day, string>()

export function dayOf(text: string): Day {
  return Date.parse(`${text}T00:00:00Z`) / MS_PER_DAY
}

export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = dayOf(text)
  return Number.isInteger(day) && writeDay(day) === text
}

export function writeDay(day: Day): string {
  let text = written.get(day)
  if (text === undefined) {
    text = new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
    written.set(day, text)
  }
  return text
}

export function writeMoment(day: Day, second: number): string {
  return `${writeDay(day)} ${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)}+00`
}

function two(value: number): string {
  const whole = Math.floor(value)
  return whole < 10 ? `0${whole}` : String(whole)
}

/** 0 is Monday, 6 is Sunday. */
export function weekday(day: Day): number {
  return (day + 3) % 7
}

export function isWorked(day: Day): boolean {
  return weekday(day) < 5
}

export function nextWorked(day: Day): Day {
  const past = weekday(day)
  return past < 5 ? day : day + 7 - past
}

export function lastWorked(day: Day): Day {
  const past = weekday(day)
  return past < 5 ? day : day - (past - 4)
}

/** Working days from one day to another, both counted. */
export function workedBetween(from: Day, to: Day): number {
  return to < from ? 0 : workedUpTo(to) - workedUpTo(from - 1)
}

function workedUpTo(day: Day): number {
  const sinceMonday = day + 4
  return Math.floor(sinceMonday / 7) * 5 + Math.min(sinceMonday % 7, 5)
}

export function addWorked(day: Day, count: number): Day {
  const weeks = Math.floor(count / 5)
  let result = nextWorked(day) + weeks * 7
  for (let left = count % 5; left > 0; left--) result = nextWorked(result + 1)
  return result
}

export function monthOf(day: Day): number {
  return Number(writeDay(day).slice(5, 7))
}

/** The offices are shut: nobody records a presence. */
export function isShut(day: Day): boolean {
  const date = writeDay(day).slice(5)
  return date === '01-01' || date === '12-25' || date === '12-26'
}
