import type { ApplicationTypes, Group } from '@muster/client'
import { firstDay, lastDay } from '@muster/model'
import type { Period } from '../../format/periods.ts'
import { monthRange } from './days.ts'

type MonthGroup = Group<ApplicationTypes, 'candidate.source' | 'month(applied_on)'>

export interface SourceMonths {
  readonly source: string | null
  /** The number of applications in each month, in the order of the months. */
  readonly counts: readonly number[]
}

const monthGroup = 'month(applied_on)'

/** All months from the first to the last that have applications. */
export const monthsWithApplications = (groups: readonly MonthGroup[]): string[] => {
  const months = groups.flatMap((group) => group[monthGroup] ?? []).map(String)
  return monthRange(months.toSorted()[0], months.toSorted().at(-1))
}

/** The applications of each month by source, in the order of the sources. */
export const monthsBySource = (
  groups: readonly MonthGroup[],
  months: readonly string[],
  sources: readonly (string | null)[],
): SourceMonths[] => {
  const counts = new Map(groups.map((group) => [`${group[monthGroup]} ${group['candidate.source']}`, group.count]))
  return sources.map((source) => ({ source, counts: months.map((month) => counts.get(`${month} ${source}`) ?? 0) }))
}

/** The days of a month that are in the period. */
export const monthFilter = (month: string, { from, to }: Period) => {
  const [first, last] = [firstDay(month), lastDay(month)]
  return {
    applied_on_from: from !== undefined && from > first ? from : first,
    applied_on_to: to !== undefined && to < last ? to : last,
  }
}
