import type { Day } from '../calendar.ts'
import { formatDay, formatTimestamp } from '../calendar.ts'
import type { Row } from '../copy-text.ts'
import { pick, randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import { POSITION_DROPPED, POSITION_FILLED, rejectionReasons } from '../vocabulary/texts.ts'
import { archivedOn, isArchived, isHired, sourceOf } from './candidates.ts'
import type { Pipeline } from './daily-applications.ts'
import { NEVER, stagesOf } from './openings.ts'
import { candidateStream } from './people.ts'
import type { PipelineEvent } from './pipeline.ts'
import { pipelineEvents } from './pipeline.ts'

/** For each stage, the share of applications that advance to the next stage. */
const ADVANCE_SHARES: Record<string, number> = {
  sourced: 0.45,
  applied: 0.42,
  shortlisted: 0.6,
  assessment: 0.55,
  phone_screen: 0.55,
  interview: 0.05,
}
/** For each stage, the share of applications that the candidate withdraws. */
const WITHDRAWAL_SHARES: Record<string, number> = {
  sourced: 0.25,
  applied: 0.03,
  shortlisted: 0.05,
  assessment: 0.14,
  phone_screen: 0.07,
  interview: 0.1,
  offer: 1,
}
/** Days that an application spends in each stage: the minimum, and how many days may be added at random. */
const STAGE_DAYS: Record<string, readonly [number, number]> = {
  sourced: [2, 14],
  applied: [2, 16],
  shortlisted: [2, 11],
  assessment: [4, 12],
  phone_screen: [3, 11],
  interview: [7, 22],
  offer: [3, 9],
}
const RATED_STAGES = new Set(['assessment', 'phone_screen', 'interview', 'offer', 'hired'])

/** A stage of an application, and the day on which it was entered. */
export interface StageEntry {
  readonly stage: string
  readonly enteredOn: Day
}

export interface ApplicationOutcome {
  stage: string
  status: string
  stageEnteredOn: Day
  rating: number | null
  rejectionReason: string | null
  /** All stages, from the first to the present one. */
  readonly entries: StageEntry[]
  /** The day on which the application was rejected, withdrawn or hired; undefined if it is active. */
  endedOn?: Day
}

export interface ApplicationSources extends Pipeline {
  readonly hiredCandidates: Uint8Array
  /** The day on which each hired candidate was hired. */
  readonly hiredOn: ReadonlyMap<number, Day>
}

/** Returns a function that decides what became of an application. */
export function outcomeDecider(sources: ApplicationSources): (event: PipelineEvent) => ApplicationOutcome {
  const stream = streams(sources.plan.seed)('applications')
  const candidates = candidateStream(sources.plan.seed)
  return (event) =>
    decideOutcome(sources, event, {
      application: randomUint32(stream, event.application),
      candidate: randomUint32(candidates, event.candidate),
    })
}

export function* applicationRows(sources: ApplicationSources): Generator<Row, void, void> {
  const outcomeOf = outcomeDecider(sources)
  for (const event of pipelineEvents(sources)) {
    if (event.application < 0) continue
    const { stage, status, stageEnteredOn, rating, rejectionReason } = outcomeOf(event)
    yield [
      event.application + 1,
      event.candidate + 1,
      event.job + 1,
      stage,
      status,
      formatDay(event.day),
      formatDay(stageEnteredOn),
      rating,
      rejectionReason,
      formatTimestamp(event.day, event.second),
    ]
  }
}

interface RandomKeys {
  readonly application: number
  readonly candidate: number
}

function decideOutcome(sources: ApplicationSources, event: PipelineEvent, keys: RandomKeys): ApplicationOutcome {
  if (event.hire >= 0) {
    const hiredOn = sources.hires.hired[event.hire] as number
    return {
      stage: 'hired',
      status: 'hired',
      stageEnteredOn: hiredOn,
      rating: 4 + randomBelow(keys.application, 1, 3) / 2,
      rejectionReason: null,
      entries: stagesUntilHired(sources, event, keys, hiredOn),
      endedOn: hiredOn,
    }
  }
  const result = simulateStages(sources, event, keys)
  if (result.status === 'active' && isNoLongerAvailable(sources, event, keys.candidate)) {
    result.status = 'withdrawn'
    result.endedOn = unavailableFrom(sources, event, result.stageEnteredOn)
  }
  if (RATED_STAGES.has(result.stage)) result.rating = rate(result, keys.application)
  return result
}

function isNoLongerAvailable(
  { plan, hiredCandidates }: ApplicationSources,
  event: PipelineEvent,
  randomKey: number,
): boolean {
  return isHired(hiredCandidates, event.candidate) || isArchived(randomKey, event.candidateCreated, plan.asOf)
}

/** A candidate is no longer available when hired for another opening, or when the profile is archived. */
function unavailableFrom({ plan, hiredOn }: ApplicationSources, event: PipelineEvent, stageEnteredOn: Day): Day {
  const day = hiredOn.get(event.candidate) ?? archivedOn(event.candidateCreated)
  return Math.min(plan.asOf, Math.max(stageEnteredOn, day))
}

function firstStage(stages: readonly string[], event: PipelineEvent, keys: RandomKeys): string {
  const wasSourced = stages.includes('sourced') && event.isNewCandidate && sourceOf(keys.candidate, event) === 'sourced'
  return wasSourced ? 'sourced' : 'applied'
}

/** A hired candidate passed every stage, in about the same time each. */
function stagesUntilHired(
  { openings }: ApplicationSources,
  event: PipelineEvent,
  keys: RandomKeys,
  hiredOn: Day,
): StageEntry[] {
  const stages = stagesOf(openings, event.job)
  const passed = stages.slice(stages.indexOf(firstStage(stages, event, keys)))
  const steps = passed.length - 1
  return passed.map((stage, step) => {
    const shift = step === 0 || step === steps ? 0 : (randomFraction(keys.application, 40 + step) - 0.5) * 0.6
    return { stage, enteredOn: event.day + Math.round(((hiredOn - event.day) * (step + shift)) / steps) }
  })
}

/**
 * Moves an application through the stages until it ends, its opening closes, or the current day of the demo data is
 * reached.
 */
function simulateStages(
  { plan, openings }: ApplicationSources,
  event: PipelineEvent,
  keys: RandomKeys,
): ApplicationOutcome {
  const stages = stagesOf(openings, event.job)
  const closedOn = openings.closedOn[event.job] as number
  const lastDay = Math.min(closedOn, plan.asOf)
  const stage = firstStage(stages, event, keys)
  const result: ApplicationOutcome = {
    stage,
    status: 'active',
    stageEnteredOn: event.day,
    rating: null,
    rejectionReason: null,
    entries: [{ stage, enteredOn: event.day }],
  }
  for (let stageIndex = stages.indexOf(result.stage); ; stageIndex++) {
    const stageKey = randomUint32(keys.application, 20 + stageIndex)
    const [minDays, extraDays] = STAGE_DAYS[result.stage] as readonly [number, number]
    const decidedOn =
      result.stageEnteredOn +
      minDays +
      Math.floor(((randomFraction(stageKey, 1) + randomFraction(stageKey, 2)) / 2) * extraDays)
    if (decidedOn > lastDay)
      return closedOn === NEVER
        ? result
        : reject(
            result,
            openings.filled[event.job] === 0 ? POSITION_DROPPED : POSITION_FILLED,
            Math.max(closedOn, result.stageEnteredOn),
          )
    const fraction = randomFraction(stageKey, 3)
    const withdrawalShare = WITHDRAWAL_SHARES[result.stage] as number
    if (fraction < withdrawalShare) {
      result.status = 'withdrawn'
      result.endedOn = decidedOn
      return result
    }
    if (fraction >= withdrawalShare + (ADVANCE_SHARES[result.stage] as number))
      return reject(
        result,
        pick(rejectionReasons[result.stage] as readonly string[], randomFraction(stageKey, 4)),
        decidedOn,
      )
    result.stage = stages[stageIndex + 1] as string
    result.stageEnteredOn = decidedOn
    result.entries.push({ stage: result.stage, enteredOn: decidedOn })
  }
}

function reject(result: ApplicationOutcome, rejectionReason: string, day: Day): ApplicationOutcome {
  result.status = 'rejected'
  result.endedOn = day
  result.rejectionReason = rejectionReason
  return result
}

/**
 * Returns the rating of an application, from 1 to 5 in steps of one half. Applications in later stages are rated
 * higher.
 */
function rate({ stage, status }: ApplicationOutcome, randomKey: number): number {
  const basePoints = stage === 'offer' ? 7 : stage === 'interview' ? 5 : 4
  const statusPoints = status === 'rejected' ? -1 : 1
  return Math.max(1, Math.min(5, (basePoints + statusPoints + randomBelow(randomKey, 2, 4)) / 2))
}
