import type { LeaveRequest, ReportResult, ReportRows } from '@muster/client'
import { employedStatuses } from '@muster/model'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { NamedPerson } from '../../format/person-name.ts'
import { parseId, parseOffset } from '../../search-parameters.ts'
import type { Result } from '../../service/queries.ts'
import { useCounts, useList, useReport, useReports } from '../../service/queries.ts'
import { listPath } from '../../service/requests.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import type { MonthDay } from './calendar.ts'
import { isMonth, monthDays } from './calendar.ts'

export type LeaveDays = ReportResult<ReportRows['leaveDays']>
export type LeaveRow = Pick<
  LeaveRequest,
  'id' | 'employee_id' | 'leave_type' | 'from_date' | 'to_date' | 'days' | 'status'
> & { readonly employee: NamedPerson | null }

/** A department, or the direct reports of a manager. */
export interface LeaveGroup {
  readonly id: number
  readonly name: string | undefined
  readonly manager?: NamedPerson
  readonly people: number
  readonly peopleLink: string | undefined
}

type GroupParameter = 'dept_id' | 'manager_id'

const shownStatuses = ['approved', 'pending']
/** Groups that are shown at first. */
const fewGroups = 7
export const pageSize = 30

export interface LeaveData {
  readonly month: string
  readonly asOf: string
  readonly days: readonly MonthDay[]
  readonly parameter: GroupParameter
  readonly company: Result<LeaveDays>
  readonly groupsResult: Result<unknown>
  /** Largest first. */
  readonly groups: readonly LeaveGroup[] | undefined
  readonly shownGroups: readonly LeaveGroup[]
  readonly open: LeaveGroup | undefined
  readonly requests: Result<{ readonly data: LeaveRow[]; readonly meta: { readonly total: number } }>
  readonly offset: number
  /** Undefined until the report of the group has arrived. */
  readonly daysOf: (group: LeaveGroup) => LeaveDays | undefined
  /** Path of the list of the requests of the month, and their number: of the open group, or of all if none is open. */
  readonly requestsPath: string
  readonly requestsTotal: number | undefined
  /** Whether people are in no group, so that their leave is in no row. */
  readonly hasPeopleOutside: boolean
}

export const useLeave = (isNarrow: boolean): LeaveData => {
  const search = useSearch({ from: '/leave' })
  const asOf = useAsOf()
  const month = isMonth(search.month) ? search.month : asOf.slice(0, 7)
  const days = useMemo(() => monthDays(month), [month])
  const [from, to] = [days[0]?.day ?? '', days.at(-1)?.day ?? '']
  const parameter = search.by === 'manager' || search.manager_id !== undefined ? 'manager_id' : 'dept_id'
  const wanted = search[parameter]
  const wantedId = parseId(wanted)

  const company = useReport('leaveDays', { as_of: asOf, from, to })
  const departments = useDepartments(parameter === 'dept_id')
  const teams = useTeams(parameter === 'manager_id', wantedId)
  const { result: groupsResult, groups } = parameter === 'dept_id' ? departments : teams
  const open =
    wanted === 'none' && !isNarrow
      ? undefined
      : (groups?.find(({ id }) => id === wantedId) ?? (wantedId === undefined ? groups?.[0] : undefined))

  const groupFilter = (id: number | undefined) => ({ [`employee.${parameter}`]: id })
  const monthFilter = { status: shownStatuses, from_date_to: to, to_date_from: from }
  const offset = parseOffset(search.offset)
  const limit = isNarrow ? 100 : pageSize
  const requests = useList(
    'leave',
    {
      ...monthFilter,
      ...groupFilter(open?.id),
      expand: ['employee'],
      sort: ['from_date', 'id'],
      limit,
      offset,
    },
    { enabled: open !== undefined },
  )
  // The first picture has the company and the open group; the other groups follow.
  const isFirstPictureReady = company.data !== undefined && groups !== undefined && !requests.isFetching
  const shownGroups = (groups ?? []).filter(
    ({ id }, index) => search.all !== undefined || index < fewGroups || id === open?.id,
  )
  const closed = isNarrow ? [] : shownGroups.filter(({ id }) => id !== open?.id)
  const reportQuery = (id: number) => ({ as_of: asOf, from, to, ...groupFilter(id) })
  const openReports = useReports('leaveDays', open === undefined ? [] : [reportQuery(open.id)])
  const closedReports = useReports(
    'leaveDays',
    closed.map(({ id }) => reportQuery(id)),
    { enabled: isFirstPictureReady },
  )
  const all = useList(
    'leave',
    { ...monthFilter, limit: 1, fields: ['id'] },
    { enabled: isFirstPictureReady && open === undefined },
  )
  const listed = open === undefined ? all : requests

  return {
    month,
    asOf,
    days,
    parameter,
    company,
    groupsResult,
    groups,
    shownGroups,
    open,
    requests,
    offset,
    daysOf: ({ id }) =>
      id === open?.id ? openReports[0]?.data : closedReports[closed.findIndex((group) => group.id === id)]?.data,
    hasPeopleOutside: departments.hasPeopleOutside === true,
    requestsPath: listPath('leave', { ...monthFilter, ...(open && groupFilter(open.id)) }),
    requestsTotal: listed.isPlaceholderData ? undefined : listed.data?.meta.total,
  }
}

interface Groups {
  readonly result: Result<unknown>
  readonly groups: readonly LeaveGroup[] | undefined
  readonly hasPeopleOutside?: boolean | undefined
}

const byPeople = (a: LeaveGroup, b: LeaveGroup): number => b.people - a.people || a.id - b.id

const useDepartments = (enabled: boolean): Groups => {
  const counts = useCounts('employees', { by: ['dept_id'], status: employedStatuses }, { enabled })
  const names = useList('departments', { limit: 200, fields: ['id', 'name'] }, { enabled })
  const groups = useMemo(
    () =>
      counts.data === undefined || names.data === undefined
        ? undefined
        : counts.data.data
            .flatMap(({ dept_id: id, count: people }) =>
              typeof id === 'number'
                ? {
                    id,
                    name: names.data.data.find((department) => department.id === id)?.name ?? `Department ${id}`,
                    people,
                    peopleLink: listPath('employees', { dept_id: id, status: employedStatuses }),
                  }
                : [],
            )
            .sort(byPeople),
    [counts.data, names.data],
  )
  const hasPeopleOutside = counts.data?.data.some(({ dept_id: id }) => id === null)
  return { result: names.error === null ? counts : names, groups, hasPeopleOutside }
}

/** The managers of the two upper levels, and the wanted one. */
const useTeams = (enabled: boolean, wantedId: number | undefined): Groups => {
  const top = useReport('orgChart', { depth: 1 }, { enabled })
  const wanted = useReport('orgChart', { root: wantedId, depth: 0 }, { enabled: enabled && wantedId !== undefined })
  const groups = useMemo(() => {
    if (top.data === undefined || (wantedId !== undefined && wanted.data === undefined)) return undefined
    const rows = [...top.data.data, ...(wantedId === undefined ? [] : (wanted.data?.data ?? []))]
    const byId = new Map(
      rows
        .filter(({ direct_reports }) => (direct_reports ?? 0) > 0)
        .map(({ id, first_name, last_name, direct_reports, links }) => [
          id,
          {
            id: id ?? 0,
            name: undefined,
            manager: { id: id ?? 0, first_name, last_name },
            people: direct_reports ?? 0,
            peopleLink: links.direct_reports,
          },
        ]),
    )
    return [...byId.values()].sort(byPeople)
  }, [top.data, wanted.data, wantedId])
  return { result: wanted.error === null ? top : wanted, groups }
}
