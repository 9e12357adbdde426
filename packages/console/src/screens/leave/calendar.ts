/** Days of a month, and where a request for leave lies among them. */

export interface MonthDay {
  /** As in `2026-11-13`. */
  readonly day: string
  /** Day of the month, from 1. */
  readonly date: number
  readonly weekday: string
  readonly isWeekend: boolean
}

export const isMonth = (text: string | undefined): text is string => /^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')

const twoDigits = (number: number): string => String(number).padStart(2, '0')

export const addMonths = (month: string, months: number): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const index = year * 12 + number - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${twoDigits((index % 12) + 1)}`
}

const weekdays = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']

export const monthDays = (month: string): readonly MonthDay[] => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length }, (_, index) => {
    const weekday = new Date(Date.UTC(year, number - 1, index + 1)).getUTCDay()
    return {
      day: `${month}-${twoDigits(index + 1)}`,
      date: index + 1,
      weekday: weekdays[weekday] as string,
      isWeekend: weekday === 0 || weekday === 6,
    }
  })
}

export interface LeavePeriod {
  readonly from_date: string | null
  readonly to_date: string | null
}

interface BarPosition {
  /** First and last day of the month that the bar covers, from 1. */
  readonly from: number
  readonly to: number
  readonly isFromBefore: boolean
  readonly goesOn: boolean
}

/** The part of a request that lies in the month. Undefined if there is none. */
export const barPosition = (
  { from_date, to_date }: LeavePeriod,
  days: readonly MonthDay[],
): BarPosition | undefined => {
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  if (from_date === null || to_date === null || from_date > last || to_date < first || to_date < from_date)
    return undefined
  return {
    from: from_date < first ? 1 : Number(from_date.slice(8, 10)),
    to: to_date > last ? days.length : Number(to_date.slice(8, 10)),
    isFromBefore: from_date < first,
    goesOn: to_date > last,
  }
}

/** Requests by person, in the order in which people first occur. */
export const groupByEmployee = <T extends { readonly employee_id: number | null }>(
  requests: readonly T[],
): readonly (readonly [number, readonly T[]])[] => {
  const groups = new Map<number, T[]>()
  for (const request of requests) {
    const id = request.employee_id ?? 0
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [request])
    else group.push(request)
  }
  return [...groups]
}

interface DayCounts {
  readonly day: string | null
  readonly out: number | null
  readonly pending: number | null
}

/** Approved and waiting leave of a day: the height of its bar. */
export const dayLoad = ({ out, pending }: DayCounts): number => (out ?? 0) + (pending ?? 0)

/** The days with the most approved leave. Days with as much as the last of them are included. */
export const fullestDays = (days: readonly DayCounts[], count: number): ReadonlySet<string> => {
  const counts = days.map(({ out }) => out ?? 0).sort((a, b) => b - a)
  const least = Math.max(1, counts[count - 1] ?? 1)
  const fullest = days.filter(({ out }) => (out ?? 0) >= least)
  // In a month in which most days are alike, none stands out.
  return new Set(fullest.length > count * 2 ? [] : fullest.map(({ day }) => day ?? ''))
}

/** Lower ends of the steps of colour, as shares of the people. */
const shareSteps = [0, 0.025, 0.05, 0.07, 0.09] as const

/** A share of fewer people says little. */
export const minPeopleForShare = 20

export const shareStep = (out: number, people: number): number | undefined =>
  people < minPeopleForShare ? undefined : shareSteps.findLastIndex((least) => out / people >= least)

/** What the agenda says about one day. */
interface AgendaDay<T> {
  readonly day: string
  /** Requests to name: those that include the first day of the agenda, later only those that begin on the day. */
  readonly requests: readonly T[]
}

/** The days from the first one on, without those on which nothing begins. */
export const makeAgenda = <T extends LeavePeriod>(
  requests: readonly T[],
  days: readonly MonthDay[],
  firstDay: string,
): readonly AgendaDay<T>[] =>
  days
    .filter(({ day }) => day >= firstDay)
    .map(({ day }, index) => ({
      day,
      requests: requests.filter(
        ({ from_date, to_date }) =>
          from_date !== null &&
          to_date !== null &&
          (index === 0 ? from_date <= day && day <= to_date : from_date === day),
      ),
    }))
    .filter(({ requests: named }, index) => index === 0 || named.length > 0)
