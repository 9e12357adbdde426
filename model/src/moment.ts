/** In charge of reading dates and date-times as clients write them, without ever asking a database to interpret them. */

const shape = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/

/** What the pattern above accepts, for the published description: a calendar check follows it. */
export const momentPattern = shape.source

interface Moment {
  /** The calendar day as written: YYYY-MM-DD. */
  readonly day: string
  /** The instant in UTC, as RFC 3339 with at most microseconds. */
  readonly instant: string
}

/** Undefined for anything that is not a real day, or a real time on one, in the years 1 to 9999. */
export const readMoment = (input: string): Moment | undefined => {
  const match = shape.exec(input)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] =
    match
  if (!isCalendarDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offsetMinutes = readOffset(offset)
  if (offsetMinutes === undefined) return undefined
  const utc = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  utc.setTime(utc.getTime() - offsetMinutes * 60_000)
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9999) return undefined
  const micros = fraction.slice(0, 6).replace(/0+$/, '')
  return {
    day: `${year}-${month}-${day}`,
    instant: `${utc.toISOString().slice(0, 19)}${micros === '' ? '' : `.${micros}`}Z`,
  }
}

const isCalendarDay = (year: number, month: number, day: number): boolean =>
  year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)

const daysIn = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const readOffset = (offset: string): number | undefined => {
  if (offset === 'Z' || offset === 'z') return 0
  const hours = Number(offset.slice(1, 3))
  const minutes = Number(offset.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
