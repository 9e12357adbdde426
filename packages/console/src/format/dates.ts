/** Days are texts such as `2026-11-13`, in UTC, as in the API. */
const formatters = {
  /** 13 Nov 2026 */
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  /** Fri 13 Nov 2026 */
  weekday: new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }),
  /** Fri 13 Nov */
  shortWeekday: new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }),
  /** 13 Nov */
  short: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }),
  /** Nov 2026 */
  month: new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  /** November 2026 */
  longMonth: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
}

/**
 * Texts that are no days, which the API does not rule out, are shown as they are. British English abbreviates September,
 * and only it, with four letters, which would not line up.
 */
const format = (formatter: Intl.DateTimeFormat, day: string): string => {
  const time = Date.parse(day)
  return Number.isNaN(time)
    ? day
    : formatter
        .format(time)
        .replace(',', '')
        .replace(/\bSept\b/, 'Sep')
}

export const formatDay = (day: string): string => format(formatters.day, day)
export const formatWeekday = (day: string): string => format(formatters.weekday, day)
export const formatShortWeekday = (day: string): string => format(formatters.shortWeekday, day)
export const formatShortDay = (day: string): string => format(formatters.short, day)
export const formatMonth = (month: string): string => format(formatters.month, month)
export const formatLongMonth = (month: string): string => format(formatters.longMonth, month)

/** The year is left out if it is that of `now`. */
export const formatDayNear = (day: string, now: string): string =>
  day.slice(0, 4) === now.slice(0, 4) ? formatShortDay(day) : formatDay(day)

/** Two days of the same month share it: `28 – 30 Oct`. */
export const formatPeriodNear = (from: string, to: string, now: string): string => {
  if (from === to) return formatDayNear(from, now)
  const first = from.slice(0, 7) === to.slice(0, 7) ? String(Number(from.slice(8))) : formatDayNear(from, now)
  return `${first} – ${formatDayNear(to, now)}`
}

/** Two days of the same year share it: `31 Aug – 4 Sep 2026`. */
export const formatPeriod = (from: string, to: string): string =>
  from === to
    ? formatDay(from)
    : `${from.slice(0, 4) === to.slice(0, 4) ? formatShortDay(from) : formatDay(from)} – ${formatDay(to)}`

/** Today in UTC, as the service uses it. */
export const today = (): string => new Date().toISOString().slice(0, 10)

export const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
