/** Applications that wait, by how many times the median of their stage they have waited. */
import { daysBetween } from '@muster/model'
import type { Status } from '../../components/StatusMark.tsx'

/** How many applications have been in a stage since a day. */
export interface StageDay {
  readonly stage: string
  readonly since: string
  readonly count: number
}

interface WaitingGroup {
  readonly key: string
  readonly title: string
  readonly mark: Status
  /** Applications of the group have waited at least so many times the median. */
  readonly times: number
}

/** The longest first. */
export const waitingGroups: readonly WaitingGroup[] = [
  { key: '3', title: 'Three times the median or more', mark: 'error', times: 3 },
  { key: '2', title: 'Twice the median or more', mark: 'warning', times: 2 },
  { key: '0', title: 'Less than twice the median', mark: 'warning', times: 0 },
]

/** A stage without a median, which nobody has left yet, is in the last group. */
export const waitingGroupOf = (
  { stage, since }: Pick<StageDay, 'stage' | 'since'>,
  medians: ReadonlyMap<string, number>,
  asOf: string,
): WaitingGroup['key'] => {
  const median = medians.get(stage.toLowerCase())
  const days = daysBetween(since, asOf)
  const group = waitingGroups.find(({ times }) => times === 0 || (median !== undefined && days >= times * median))
  return group?.key ?? ''
}

/** The applications of a group: how many since each day, and in which stages. */
export const daysOfGroup = (
  cells: readonly StageDay[],
  key: string,
  medians: ReadonlyMap<string, number>,
  asOf: string,
) => {
  const ofGroup = cells.filter((cell) => waitingGroupOf(cell, medians, asOf) === key)
  const counts = new Map<string, number>()
  for (const { since, count } of ofGroup) counts.set(since, (counts.get(since) ?? 0) + count)
  return { counts, stages: [...new Set(ofGroup.map(({ stage }) => stage))] }
}
