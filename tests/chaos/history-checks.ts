import type { Outcome, Violation } from './chaos-case.ts'
import { failedChecks } from './chaos-case.ts'
import { readStoredRecords } from './creates.ts'
import type { History } from './history.ts'

export interface CheckOptions {
  readonly faultCount: number
  /** Only the records of this run are compared (`WritersOptions.run`). */
  readonly run?: string
  /** Statuses allowed besides 201. "none" stands for a connection that broke without a response. */
  readonly allowedStatuses: readonly string[]
  readonly violations?: readonly Violation[]
  readonly notes?: readonly string[]
}

/** Compares the history with all stored records and turns every difference into a violation. */
export const checkHistory = async (
  history: History,
  databaseUrl: string,
  { faultCount, run, allowedStatuses, violations = [], notes = [] }: CheckOptions,
): Promise<Outcome> => {
  const { acknowledgedCount, lost, duplicated, unexpected, stale, statuses, slowestMs } = history.check(
    await readStoredRecords(databaseUrl, run),
  )
  const otherStatuses = [...statuses].filter(([status]) => status !== '201' && !allowedStatuses.includes(status))
  return {
    faultCount,
    acknowledgedCount,
    lostCount: lost.length,
    duplicatedCount: duplicated.length,
    staleCount: stale.length,
    slowestMs,
    violations: [
      ...failedChecks(
        [lost.length === 0, 'no lost records', summarize(lost)],
        [duplicated.length === 0, 'no duplicates', summarize(duplicated)],
        [unexpected.length === 0, 'no duplicates', summarize(unexpected)],
        [stale.length === 0, 'no stale reads', summarize(stale)],
        [
          otherStatuses.length === 0,
          'expected responses',
          otherStatuses.map(([status, count]) => `${count} × ${status}`).join(', '),
        ],
        [acknowledgedCount > 0, 'expected responses', 'no create was acknowledged'],
      ),
      ...violations,
    ],
    notes: [`statuses ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`, ...notes],
  }
}

const summarize = (messages: readonly string[]): string =>
  `${messages.slice(0, 3).join('; ')}${messages.length > 3 ? `; and ${messages.length - 3} more` : ''}`
