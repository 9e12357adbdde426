const dayMs = 86_400_000

/** Attendance usually arrives within a week. If the newest day is older than that, figures of the day may mislead. */
const usualDelayDays = 7

/** Whether the newest recorded day is so long before the shown day that the reader should know. */
export const isOutdated = (newestDay: string, asOf: string): boolean =>
  Date.parse(asOf) - Date.parse(newestDay) > usualDelayDays * dayMs

/** The last day of the month before the given day. */
export const endOfLastMonth = (day: string): string => {
  const date = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  return new Date(date.getTime() - dayMs).toISOString().slice(0, 10)
}
