/** Leave requests that wait for a decision: in which groups they are, and what a row says about its days. */
import type { LeaveFilters } from '@muster/client'
import { addDays } from '@muster/model'
import type { Status } from '../../components/StatusMark.tsx'
import { overdueFilters, soonFilters } from '../../components/work-lists.ts'

export interface LeaveGroup {
  readonly key: string
  readonly title: string
  readonly mark: Status
  readonly remark: (count: number) => string
  readonly filters: LeaveFilters
}

const requests = (count: number): string => (count === 1 ? 'request' : 'requests')

/** Each request of the list is in exactly one group. */
export const overdueGroups = (day: string): readonly LeaveGroup[] => [
  {
    key: 'over',
    title: 'The leave is over',
    mark: 'error',
    remark: (count) => `${requests(count)}, all days were taken without a decision`,
    filters: { ...overdueFilters(day), to_date_to: addDays(day, -1) },
  },
  {
    key: 'away',
    title: 'Away today',
    mark: 'warning',
    remark: (count) => `${requests(count)}, some days can still be decided`,
    filters: { ...overdueFilters(day), from_date_to: addDays(day, -1), to_date_from: day },
  },
  {
    key: 'began',
    title: 'Began today',
    mark: 'warning',
    remark: requests,
    filters: { ...overdueFilters(day), from_date_from: day, to_date_from: day },
  },
  {
    key: 'open-ended',
    title: 'Without a last day',
    mark: 'warning',
    remark: (count) => `${requests(count)}, nobody knows until when`,
    filters: { ...overdueFilters(day), to_date_is_null: true },
  },
]

export const soonGroups = (day: string): readonly LeaveGroup[] => [
  {
    key: 'tomorrow',
    title: 'Begins tomorrow',
    mark: 'error',
    remark: requests,
    filters: { ...soonFilters(day), from_date_to: addDays(day, 1) },
  },
  {
    key: 'later',
    title: 'Begins later',
    mark: 'warning',
    remark: requests,
    filters: { ...soonFilters(day), from_date_from: addDays(day, 2) },
  },
]

/** Monday to Friday. */
const isWorkingDay = (day: string): boolean => new Date(day).getUTCDay() % 6 !== 0

interface LeaveDays {
  readonly from_date: string | null
  readonly to_date: string | null
  /** Working days, without public holidays, and with half days. */
  readonly days: number | null
}

/** The working days of a leave up to and including `day`, as far as they are days of leave. */
export const daysTaken = ({ from_date, to_date, days }: LeaveDays, day: string): number => {
  if (from_date === null) return 0
  const last = to_date === null || to_date > day ? day : to_date
  // Nobody is on leave for more working days than the request has.
  if (to_date !== null && to_date <= day && days !== null) return days
  let taken = 0
  for (let each = from_date; each <= last; each = addDays(each, 1)) if (isWorkingDay(each)) taken += 1
  return Math.min(taken, days ?? taken)
}
