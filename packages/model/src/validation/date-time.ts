const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/

/**
 * Regular expression for the syntax of dates and date-times. It also matches days that do not exist, such as
 * 2026-02-31.
 */
export const dateTimePattern = pattern.source

interface DateTime {
  /** The date as it stands in the input, without conversion to UTC: YYYY-MM-DD. */
  readonly day: string
  /** The instant in UTC, as an RFC 3339 string with at most six fractional digits. */
  readonly instant: string
}

/**
 * Parses a date or date-time. Returns undefined if the input has another form, does not exist in the calendar, or is
 * outside the years 1 to 9999 in UTC.
 */
export const parseDateTime = (input: string): DateTime | undefined => {
  const match = pattern.exec(input)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] =
    match
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offsetMinutes = parseOffset(offset)
  if (offsetMinutes === undefined) return undefined
  const utcDate = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  utcDate.setTime(utcDate.getTime() - offsetMinutes * 60_000)
  if (utcDate.getUTCFullYear() < 1 || utcDate.getUTCFullYear() > 9999) return undefined
  const fractionDigits = fraction.slice(0, 6).replace(/0+$/, '')
  return {
    day: `${year}-${month}-${day}`,
    instant: `${utcDate.toISOString().slice(0, 19)}${fractionDigits === '' ? '' : `.${fractionDigits}`}Z`,
  }
}

const isCalendarDay = (year: number, month: number, day: number): boolean =>
  year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)

const daysInMonth = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const parseOffset = (offset: string): number | undefined => {
  if (offset === 'Z' || offset === 'z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
