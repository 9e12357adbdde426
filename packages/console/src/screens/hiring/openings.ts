import type { ApplicationTypes, Group, ReportRows } from '@muster/client'
import { compareStages } from './stages.ts'

export type OpeningRow = ReportRows['openings']

/** Longest wait first; openings where nobody waits come last. */
export const byLongestWait = (rows: readonly OpeningRow[]): OpeningRow[] =>
  rows.toSorted(
    (a, b) => (b.longest_wait_days ?? -1) - (a.longest_wait_days ?? -1) || Number(a.group) - Number(b.group),
  )

export interface StageCount {
  readonly stage: string
  readonly count: number
}

/** The active applications of each opening by stage, in the order of the stages. */
export const stagesByJob = (
  groups: readonly Group<ApplicationTypes, 'job_id' | 'stage'>[],
): Map<number, StageCount[]> => {
  const byJob = Map.groupBy(groups, ({ job_id }) => Number(job_id))
  return new Map(
    [...byJob].map(([job, ofJob]) => [
      job,
      ofJob
        .map(({ stage, count }) => ({ stage: String(stage), count }))
        .toSorted((a, b) => compareStages(a.stage, b.stage)),
    ]),
  )
}

export const sumCounts = (parts: readonly { readonly count: number }[]): number =>
  parts.reduce((sum, { count }) => sum + count, 0)
