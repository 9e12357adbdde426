import type { ApplicationTypes, Group } from '@muster/client'
import { applicationStatuses, minRateSample } from '@muster/model'
import { valueLabel } from '../../format/labels.ts'
import type { Period } from '../../format/periods.ts'
import { lastTwelveMonths, readPeriod } from '../../format/periods.ts'
import { parseId } from '../../search-parameters.ts'

/** Which applications a screen is about: those made in a period, with filters. */
export interface Cohort {
  readonly period: Period
  readonly deptId?: number | undefined
  readonly location?: string | undefined
  readonly source?: string | undefined
}

interface CohortSearch {
  readonly applied_from?: string | undefined
  readonly applied_to?: string | undefined
  readonly 'job.dept_id'?: string | undefined
  readonly 'job.location'?: string | undefined
  readonly 'candidate.source'?: string | undefined
}

export const readCohort = (search: CohortSearch, asOf: string): Cohort => ({
  period: readPeriod(search.applied_from, search.applied_to, lastTwelveMonths(asOf)),
  deptId: parseId(search['job.dept_id']),
  location: search['job.location'],
  source: search['candidate.source'],
})

/** The filters of the list of these applications. */
export const cohortFilters = ({ period, deptId, location, source }: Cohort) => ({
  applied_on_from: period.from,
  applied_on_to: period.to,
  'job.dept_id': deptId,
  'job.location': location,
  'candidate.source': source,
})

/** The groups of a count. */
export const bySourceAndStatus = ['candidate.source', 'status'] as const

/** Applications whose outcome is known. All others count as active. */
export const endedStatuses: readonly string[] = applicationStatuses.filter((status) => status !== 'active')

export interface Outcome {
  readonly applications: number
  readonly ended: number
  readonly active: number
  readonly hired: number
  /** Hired of those ended; undefined if these are too few. */
  readonly hiredShare: number | undefined
}

/** Adds up the groups of a count by status. */
export const outcomeOf = (groups: readonly Group<ApplicationTypes, 'status'>[]): Outcome => {
  const count = (isCounted: (status: string) => boolean) =>
    groups.filter(({ status }) => isCounted(String(status))).reduce((sum, group) => sum + group.count, 0)
  const applications = count(() => true)
  const ended = count((status) => endedStatuses.includes(status))
  const hired = count((status) => status === 'hired')
  return {
    applications,
    ended,
    active: applications - ended,
    hired,
    hiredShare: ended < minRateSample ? undefined : hired / ended,
  }
}

export interface SourceOutcome extends Outcome {
  /** Null if the candidates have no source. */
  readonly source: string | null
}

/** The outcome of the applications from each source, most applications first. */
export const outcomesBySource = (
  groups: readonly Group<ApplicationTypes, 'candidate.source' | 'status'>[],
): SourceOutcome[] =>
  [...Map.groupBy(groups, (group) => group['candidate.source'] ?? null)]
    .map(([source, ofSource]) => ({ source: source === null ? null : String(source), ...outcomeOf(ofSource) }))
    .toSorted((a, b) => b.applications - a.applications)

export const sourceLabel = (source: string | null): string => (source === null ? 'No source' : valueLabel(source))

/** Whether the list can be filtered by this source: not by null, blank or very long texts. */
export const isFilterable = (source: string | null): source is string =>
  source !== null && source.trim() !== '' && source.length <= 200
