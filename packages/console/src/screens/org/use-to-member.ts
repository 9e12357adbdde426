import type { ReportResult, ReportRows } from '@muster/client'
import type { Member } from './members.ts'
import { toMember, withoutThemselves } from './members.ts'
import { useCycleMembers } from './use-cycle-members.ts'

/** Reads rows of the chart. Whether people are their own managers is known of the present, and asked for if there are cycles. */
export const useToMember = (
  report: ReportResult<ReportRows['orgChart']> | undefined,
  day: string | undefined,
): ((row: ReportRows['orgChart']) => Member) => {
  const { data } = useCycleMembers((report?.meta.excluded ?? 0) > 0 && day === undefined)
  const ownManagers = new Set(data?.data.filter(({ id, manager_id }) => id === manager_id).map(({ id }) => id))
  return (row) => {
    const member = toMember(row)
    return ownManagers.has(member.id) ? withoutThemselves(member) : member
  }
}
