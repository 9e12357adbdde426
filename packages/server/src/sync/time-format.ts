/** Times in files. A time without a zone is an error, unless the map names the zone. */
import type { DateFormat, DateResult } from './date-format.ts'
import { readDate, readPlainDate } from './date-format.ts'

export interface TimeFormat {
  /** How the file writes dates; undefined for YYYY-MM-DD. */
  readonly dates: readonly DateFormat[] | undefined
  /** The zone of times that name none, such as Europe/Vienna. */
  readonly zone: string | undefined
}

export const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const timePattern =
  /^(?<date>.*?\S)(?:[T ]+(?<time>\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?<zone>Z|UTC|[+-]\d{2}:?\d{2})?)?$/i

/** Returns the time with its zone; a date stands for the midnight at which it begins. */
export const readTime = ({ dates, zone }: TimeFormat, text: string): DateResult => {
  const parts = timePattern.exec(text)?.groups
  const date = parts?.date ?? text
  const day = dates === undefined || isPlain(date, dates) ? readPlainDate(date) : readDate(dates, date)
  if ('reason' in day) return day
  const time = (parts?.time ?? '00:00').replace(/^\d:/, '0$&')
  if (parts?.zone !== undefined) return { value: `${day.value}T${time}${parts.zone.toUpperCase().replace('UTC', 'Z')}` }
  // The validation says what is wrong with it.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day.value)) return { value: text }
  if (zone === undefined)
    return { reason: 'This time has no time zone: add "time_zone" to the map, such as "Europe/Vienna" or "UTC"' }
  return inZone(`${day.value}T${time}`, zone)
}

/** Files that write dates in another form often write times as YYYY-MM-DD. */
const isPlain = (date: string, dates: readonly DateFormat[]): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) && !dates.some(({ text }) => text.startsWith('YYYY'))

const inZone = (local: string, zone: string): DateResult => {
  const at = (disambiguation: 'earlier' | 'later'): string =>
    Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation }).toInstant().toString()
  let readings: string[]
  try {
    readings = [at('earlier'), at('later')]
  } catch {
    return { value: local }
  }
  const [earlier = '', later = ''] = readings
  if (earlier === later) return { value: earlier }
  const isMissing =
    Temporal.Instant.from(earlier).toZonedDateTimeISO(zone).toPlainDateTime().toString() !==
    Temporal.PlainDateTime.from(local).toString()
  return isMissing
    ? { reason: `This time does not exist in ${zone}, because clocks are set forward then` }
    : {
        reason: `This time occurs twice in ${zone}, because clocks are set back then: export it with its zone`,
        readings,
      }
}
