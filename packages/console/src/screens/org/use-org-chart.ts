import type { ReportResult, ReportRows } from '@muster/client'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useIsNarrow } from '../../components/use-is-narrow.ts'
import type { SearchOf } from '../../frame/screens.ts'
import type { Result } from '../../service/queries.ts'
import { useReport, useReports } from '../../service/queries.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import type { Column } from './columns.ts'
import { firstPath, leads, makeColumn, togglePath } from './columns.ts'
import type { Member } from './members.ts'
import { chartDay, parseId, parseIds } from './parameters.ts'
import { useToMember } from './use-to-member.ts'

type OrgReport = ReportResult<ReportRows['orgChart']>

export interface OrgChart {
  readonly top: Result<OrgReport>
  /** The request for the people above the wanted person, if there is one. */
  readonly chain: Result<OrgReport>
  /** The first request for the reports of an open person that failed. */
  readonly failed: Result<unknown> | undefined
  readonly columns: readonly Column[]
  /** The open people from the top down. */
  readonly path: readonly number[]
  /** The person who was asked for, or who was opened last. */
  readonly target: Member | undefined
  /** Whether somebody was asked for. */
  readonly isWanted: boolean
  /** The target and everybody above, from the top down. */
  readonly above: readonly Member[]
  /** Set if the person who was asked for is not in the chart. */
  readonly missingId: number | undefined
  /** Whether everything that is open has arrived. */
  readonly isComplete: boolean
  readonly isNarrow: boolean
  readonly toggle: (columnIndex: number, id: number) => void
  readonly toggleFold: (parentId: number) => void
}

/** Requests the open part of the chart and arranges it in columns. */
export const useOrgChart = (): OrgChart => {
  const search = useSearch({ from: '/org' })
  const navigate = useNavigate({ from: '/org' })
  const day = chartDay(useAsOf())
  const isNarrow = useIsNarrow()
  const wantedId = parseId(search.person)
  const isPathGiven = search.open !== undefined

  const top = useReport('orgChart', { as_of: day, depth: 1 })
  const chain = useReport('orgChart', { as_of: day, above: wantedId }, { enabled: wantedId !== undefined })
  const toMember = useToMember(top.data, day)
  const membersOf = (report: OrgReport | undefined): readonly Member[] => (report?.data ?? []).map(toMember)
  const topMembers = membersOf(top.data)
  const chainMembers = wantedId === undefined ? [] : membersOf(chain.data)

  const roots = topMembers.filter(({ depth }) => depth === 0)
  const path = isPathGiven
    ? parseIds(search.open)
    : wantedId === undefined
      ? firstPath(topMembers)
      : chainMembers.filter(leads).map(({ id }) => id)

  // The first request already has the reports of everybody at the top.
  const isAtTop = (id: number) => roots.some((root) => root.id === id)
  const requested = path.filter((id) => !isAtTop(id))
  const responses = useReports(
    'orgChart',
    requested.map((root) => ({ as_of: day, root, depth: 1 })),
    { enabled: top.data !== undefined },
  )
  const reportsOf = (id: number): readonly Member[] | undefined =>
    isAtTop(id)
      ? topMembers.filter(({ managerId }) => managerId === id)
      : responses[requested.indexOf(id)]?.data === undefined
        ? undefined
        : membersOf(responses[requested.indexOf(id)]?.data).filter(({ depth }) => depth === 1)

  const unfolded = parseIds(search.more)
  const columns: Column[] = []
  let parent: Member | undefined
  for (let index = 0; index <= path.length; index++) {
    const parentId = path[index - 1]
    const known = parentId === undefined ? roots : reportsOf(parentId)
    // Until the reports of a manager arrive, the column has only the person on the way to the wanted one.
    const members = known ?? chainMembers.filter(({ managerId }) => managerId === parentId)
    if (index > 0 && parent === undefined) break
    const openId = path[index]
    columns.push(
      makeColumn({
        parent,
        members,
        openId,
        targetId: wantedId,
        isUnfolded: unfolded.includes(parentId ?? 0),
        isNarrow,
      }),
    )
    parent = members.find(({ id }) => id === openId)
  }

  const members = [...topMembers, ...chainMembers, ...columns.flatMap(({ shown }) => shown)]
  const targetId = wantedId ?? path.at(-1)
  const find = (id: number | undefined) => members.find((member) => member.id === id)
  const above = wantedId === undefined ? path.flatMap((id) => find(id) ?? []) : chainMembers

  return {
    top,
    chain,
    failed: responses.find(({ error }) => error !== null),
    columns,
    path,
    target: find(targetId),
    isWanted: wantedId !== undefined,
    above,
    missingId: wantedId !== undefined && chain.data?.data.length === 0 && !chain.isFetching ? wantedId : undefined,
    isComplete: top.data !== undefined && !chain.isFetching && responses.every(({ isFetching }) => !isFetching),
    isNarrow,
    toggle: (columnIndex, id) =>
      void navigate({
        search: (old: SearchOf<'/org'>) => ({
          ...old,
          person: undefined,
          open: togglePath(path, columnIndex, id).join(',') || 'none',
        }),
        resetScroll: false,
      }),
    toggleFold: (parentId) =>
      void navigate({
        search: (old: SearchOf<'/org'>) => ({
          ...old,
          more: (unfolded.includes(parentId) ? unfolded.filter((id) => id !== parentId) : [...unfolded, parentId]).join(
            ',',
          ),
        }),
        replace: true,
        resetScroll: false,
      }),
  }
}
