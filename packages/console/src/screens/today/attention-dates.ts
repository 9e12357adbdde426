import { addDays, daysBetween } from '@muster/model'

/** Leave that begins within this number of days and is not decided needs attention. */
export const soonDays = 7
/** If the last recorded attendance is older than this, it is probably missing. */
const oldAttendanceDays = 7

/** The filters of the list of requests that begin soon and wait for a decision. */
export const soonFilters = (asOf: string) =>
  ({ status: 'pending', from_date_from: addDays(asOf, 1), from_date_to: addDays(asOf, soonDays) }) as const

/** How many days ago attendance was recorded last. Undefined if that is recent enough, or if it never was. */
export const missingAttendanceDays = (lastDay: string | null, asOf: string): number | undefined => {
  if (lastDay === null) return undefined
  const days = daysBetween(lastDay, asOf)
  return days > oldAttendanceDays ? days : undefined
}
