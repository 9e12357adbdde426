import { daysBetween } from '@muster/model'

/** If the last recorded attendance is older than this, it is probably missing. */
const oldAttendanceDays = 7

/** How many days ago attendance was recorded last. Undefined if that is recent enough, or if it never was. */
export const missingAttendanceDays = (lastDay: string | null, asOf: string): number | undefined => {
  if (lastDay === null) return undefined
  const days = daysBetween(lastDay, asOf)
  return days > oldAttendanceDays ? days : undefined
}
