/** The lists of records that need attention: which records each of them has, and where it is shown. */
import { addDays, waitingDays } from '@muster/model'
import { today } from '../format/dates.ts'
import { screenAt } from '../frame/screens.ts'
import type { SearchParameters } from '../search-parameters.ts'
import { splitValues } from '../search-parameters.ts'
import { dataLocation } from './data-links.ts'

/** Leave that begins within this number of days and is not decided needs attention. */
export const soonDays = 7

export const overdueFilters = (day: string) => ({ status: 'pending', from_date_to: day }) as const

export const soonFilters = (day: string) =>
  ({ status: 'pending', from_date_from: addDays(day, 1), from_date_to: addDays(day, soonDays) }) as const

export const waitingFilters = (day: string) =>
  ({ status: 'active', stage_entered_on_to: addDays(day, -waitingDays - 1) }) as const

export const pastTargetFilters = (day: string) => ({ status: 'open', past_target: day }) as const

export type DateKind = 'joining' | 'leaving' | 'probation' | 'anniversary'

/** The field with the date of each kind. An anniversary is that of the same field as joining, years later. */
export const dateFields = {
  joining: 'date_of_joining',
  leaving: 'termination_date',
  probation: 'probation_end',
} as const satisfies Partial<Record<DateKind, string>>

interface WorkList {
  readonly to: '/today/approvals' | '/today/leave-soon' | '/today/waiting' | '/today/past-target'
  readonly resource: string
  readonly filters: (day: string) => Readonly<Record<string, string>>
}

const workLists: readonly WorkList[] = [
  { to: '/today/approvals', resource: 'leave', filters: overdueFilters },
  { to: '/today/leave-soon', resource: 'leave', filters: soonFilters },
  { to: '/today/waiting', resource: 'applications', filters: waitingFilters },
  { to: '/today/past-target', resource: 'jobs', filters: pastTargetFilters },
]

/**
 * Where the records of a list in the API, such as `/api/v1/jobs?status=open`, are shown: in a work list with exactly
 * these records if there is one, otherwise in the explorer.
 */
export const recordsLocation = (path: string) => workListLocation(path) ?? datesLocation(path) ?? dataLocation(path)

const workListLocation = (
  path: string,
): { readonly to: WorkList['to']; readonly search: SearchParameters } | undefined => {
  const { params, search } = dataLocation(path)
  for (const { to, resource, filters } of workLists) {
    const fixed = filters(today())
    const isOfList = ([name, value]: readonly [string, string]): boolean => fixed[name] === value
    // The lists filter by one value, in which a comma is not doubled.
    const others = Object.entries(search)
      .filter((entry) => !isOfList(entry))
      .map(([name, value]) => [name, splitValues(value)] as const)
    if (
      resource === params.resource &&
      Object.keys(search).length - others.length === Object.keys(fixed).length &&
      others.every(([name, values]) => values.length === 1 && screenAt(to)?.parameters.includes(name))
    )
      return { to, search: Object.fromEntries(others.map(([name, [value]]) => [name, value])) }
  }
  return undefined
}

/** Only of days to come: the list of a past period is no work. */
const datesLocation = (
  path: string,
): { readonly to: '/today/dates'; readonly search: SearchParameters } | undefined => {
  const { params, search } = dataLocation(path)
  for (const [kind, field] of Object.entries(dateFields)) {
    const { [`${field}_from`]: from, [`${field}_to`]: to, dept_id, ...others } = search
    if (params.resource === 'employees' && from !== undefined && to !== undefined && Object.keys(others).length === 0)
      return from < today() ? undefined : { to: '/today/dates', search: { kind, from, to, dept_id } }
  }
  return undefined
}
