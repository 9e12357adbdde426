/** Generates what the records were before: the rows of the table `history`. */
import type { Day } from '../calendar.ts'
import { formatDay, formatTimestamp, workdayOnOrAfter } from '../calendar.ts'
import type { ColumnValue, Row } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import type { ApplicationSources } from './applications.ts'
import { outcomeDecider } from './applications.ts'
import { archivedOn, isArchived, isHired } from './candidates.ts'
import { DISTRIBUTION_STATUS_BY_JOB_STATUS, distributionRows } from './distributions.ts'
import type { Change } from './employee-changes.ts'
import { employeeChanges } from './employee-changes.ts'
import type { Enterprise } from './enterprise.ts'
import { foundingDay } from './growth.ts'
import type { Hierarchy } from './hierarchy.ts'
import type { Leave } from './leave.ts'
import { LEAVE_STATUSES, LEAVE_TYPES } from './leave.ts'
import { JOB_STATUSES } from './openings.ts'
import type { People } from './people.ts'
import { candidateStream } from './people.ts'
import { pipelineEvents } from './pipeline.ts'

export interface PastSources extends ApplicationSources {
  readonly people: People
  readonly hierarchy: Hierarchy
  readonly leave: Leave
  readonly enterprise: Enterprise
}

/** Years for which the company knows what became of each application and leave request. */
const RECENT_YEARS = 2

/** From which day on the history of each resource is complete. */
export function historyBeginnings(plan: Plan): Readonly<Record<string, Day>> {
  const founded = foundingDay(plan)
  const recent = Math.max(founded, plan.asOf - RECENT_YEARS * 365)
  return {
    employees: founded,
    jobs: founded,
    'job-distributions': founded,
    leave: recent,
    applications: recent,
    candidates: recent,
  }
}

export const HISTORY_COLUMNS = ['id', 'resource', 'record_id', 'field', 'old', 'new', 'on', 'since', 'at'] as const

export function* historyRows(sources: PastSources): Generator<Row, void, void> {
  const beginnings = historyBeginnings(sources.plan)
  const stream = streams(sources.plan.seed)('history')
  let id = 0
  for (const [resource, record, changes] of pastChanges(sources))
    for (const { field, old, new: value, on, since } of changes) {
      if (on <= (beginnings[resource] as Day)) continue
      // The changes of one day were recorded together, so they make one version of the record.
      const second = 8 * 3600 + randomBelow(randomUint32(stream, record), on, 9 * 3600)
      const sinceText = since === undefined ? null : formatDay(since)
      id++
      yield [id, resource, record + 1, field, old, value, formatDay(on), sinceText, formatTimestamp(on, second)]
    }
}

type RecordChanges = readonly [resource: string, record: number, changes: readonly Change[]]

function* pastChanges(sources: PastSources): Generator<RecordChanges, void, void> {
  const { plan, people, hierarchy } = sources
  for (const [employee, changes] of employeeChanges(plan, people, hierarchy)) yield ['employees', employee, changes]
  yield* leaveChanges(sources)
  yield* openingChanges(sources)
  yield* distributionChanges(sources)
  yield* recruitingChanges(sources)
}

function* leaveChanges({ plan, leave }: PastSources): Generator<RecordChanges, void, void> {
  const stream = streams(plan.seed)('decisions')
  for (let request = 0; request < leave.count; request++) {
    const status = LEAVE_STATUSES[leave.status[request] as number] as string
    if (status === 'pending') continue
    const randomKey = randomUint32(stream, request)
    const requestedOn = leave.requestedOn[request] as number
    const lastDay = Math.max(requestedOn, Math.min(plan.asOf, leave.from[request] as number))
    const isUrgent = ['sick', 'bereavement'].includes(LEAVE_TYPES[leave.type[request] as number] as string)
    const days = isUrgent ? 0 : randomBelow(randomKey, 1, 4) + randomBelow(randomKey, 2, 5)
    const decidedOn = Math.min(lastDay, workdayOnOrAfter(requestedOn + days))
    const wasApproved = status === 'cancelled' && randomFraction(randomKey, 3) < 0.7
    const cancelledOn = decidedOn + randomBelow(randomKey, 4, lastDay - decidedOn + 1)
    yield [
      'leave',
      request,
      wasApproved
        ? [statusChange('pending', 'approved', decidedOn), statusChange('approved', 'cancelled', cancelledOn)]
        : [statusChange('pending', status, decidedOn)],
    ]
  }
}

function statusChange(old: string, status: string, on: Day): Change {
  return { field: 'status', old, new: status, on }
}

/** What became of an opening after it was opened: it was put on hold, or closed and later archived. */
function openingPast({ plan, openings }: PastSources, job: number): Change[] {
  const randomKey = randomUint32(streams(plan.seed)('openings of the past'), job)
  const closedOn = openings.closedOn[job] as number
  const openedOn = openings.openedOn[job] as number
  switch (JOB_STATUSES[openings.status[job] as number]) {
    case 'on_hold':
      return [statusChange('open', 'on_hold', openedOn + randomBelow(randomKey, 1, plan.asOf - openedOn + 1))]
    case 'closed':
      return [statusChange('open', 'closed', closedOn)]
    case 'archived': {
      const share = 0.3 + 0.6 * randomFraction(randomKey, 1)
      const archivedDay = closedOn + Math.floor(share * Math.min(plan.asOf - closedOn, 540))
      return [statusChange('open', 'closed', closedOn), statusChange('closed', 'archived', archivedDay)]
    }
    default:
      return []
  }
}

function* openingChanges(sources: PastSources): Generator<RecordChanges, void, void> {
  for (let job = 0; job < sources.openings.count; job++) yield ['jobs', job, openingPast(sources, job)]
}

/** A publication follows its opening. */
function* distributionChanges(sources: PastSources): Generator<RecordChanges, void, void> {
  const statusOf = (jobStatus: ColumnValue): string => DISTRIBUTION_STATUS_BY_JOB_STATUS[String(jobStatus)] as string
  for (const [id, jobId] of distributionRows(sources.plan, sources.openings, sources.enterprise)) {
    const changes = openingPast(sources, Number(jobId) - 1)
      .map((change) => statusChange(statusOf(change.old), statusOf(change.new), change.on))
      .filter((change) => change.old !== change.new)
    yield ['job-distributions', Number(id) - 1, changes]
  }
}

/** Candidates and applications come from the same events, so one pass yields the changes of both. */
function* recruitingChanges(sources: PastSources): Generator<RecordChanges, void, void> {
  const { plan, hiredCandidates, hiredOn } = sources
  const candidates = candidateStream(plan.seed)
  const outcomeOf = outcomeDecider(sources)
  for (const event of pipelineEvents(sources)) {
    if (event.isNewCandidate) {
      const { candidate, day } = event
      if (isHired(hiredCandidates, candidate))
        yield ['candidates', candidate, [statusChange('active', 'hired', hiredOn.get(candidate) as Day)]]
      else if (isArchived(randomUint32(candidates, candidate), day, plan.asOf))
        yield ['candidates', candidate, [statusChange('active', 'archived', archivedOn(day))]]
    }
    if (event.application < 0) continue
    const { entries, status, endedOn } = outcomeOf(event)
    const changes: Change[] = []
    for (const [index, { stage, enteredOn }] of entries.entries()) {
      const earlier = entries[index - 1]
      if (earlier !== undefined)
        changes.push({ field: 'stage', old: earlier.stage, new: stage, on: enteredOn, since: earlier.enteredOn })
    }
    if (endedOn !== undefined) changes.push(statusChange('active', status, endedOn))
    yield ['applications', event.application, changes]
  }
}
