/** The chain of managers above a person, from the org chart. */
import type { Employee, ReportResult, ReportRows } from '@muster/client'
import { employedStatuses } from '@muster/model'
import type { Result } from '../../service/queries.ts'
import { useList, useReport } from '../../service/queries.ts'

export type ChartRow = ReportRows['orgChart']

/** The direct reports of somebody. Somebody who is recorded as their own manager is not one of them. */
export const reportsFilter = (managerId: number, isOwnManager: boolean) => ({
  manager_id: managerId,
  under: isOwnManager ? managerId : undefined,
  status: employedStatuses,
})

interface Chain {
  readonly result: Result<ReportResult<ChartRow>>
  /** Managers from the top of the company down to the person's own manager. */
  readonly managers: readonly ChartRow[]
  /** The person in the chart. Undefined for people who left or have not joined yet. */
  readonly own: ChartRow | undefined
  /** The people of the chain whose managers lead back to themselves. */
  readonly cycle: readonly Employee[]
}

/**
 * People who left or are joining are not in the chart. For them it is asked for the chain of their manager, so
 * `managerId` has to be known then.
 */
export const useChain = (id: number, managerId: number | null | undefined, enabled = true): Chain => {
  const own = useReport('orgChart', { above: id }, { enabled })
  const isOutside = own.data?.data.length === 0 && !own.isPlaceholderData
  const ofManager = useReport(
    'orgChart',
    { above: managerId ?? undefined },
    { enabled: enabled && isOutside && typeof managerId === 'number' },
  )
  const result = isOutside && typeof managerId === 'number' ? ofManager : own
  const rows = (result.data?.data ?? []).toSorted((a, b) => Number(a.depth) - Number(b.depth))
  // The chart cuts cycles without saying where, so their members are asked for if there are any cycles at all.
  const cycle = useList(
    'employees',
    { id: rows.map((row) => Number(row.id)).slice(0, 200), health: 'manager_cycle', limit: 200 },
    { enabled: rows.length > 0 && Number(result.data?.meta.excluded) > 0 },
  )
  return {
    result,
    managers: rows.filter((row) => row.id !== id),
    own: rows.find((row) => row.id === id),
    cycle: cycle.data?.data ?? [],
  }
}
