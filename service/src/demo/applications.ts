/** In charge of how each application went: the stages it passed, how long each took and how it ended. */
import type { Day } from './calendar.ts'
import { writeDay, writeMoment } from './calendar.ts'
import { isArchived, isHired, sourceOf } from './candidates.ts'
import type { Row } from './copy-text.ts'
import { familyAt } from './families.ts'
import type { Pipeline } from './inbox.ts'
import { familyOfDepartment, NEVER } from './openings.ts'
import { candidateStream } from './people.ts'
import type { Step } from './pipeline.ts'
import { walk } from './pipeline.ts'
import { below, draw, pick, streams, unit } from './random.ts'
import { POSITION_DROPPED, POSITION_FILLED, rejectionReasons } from './texts.ts'

/** Share that goes on to the next stage. */
const PASSES: Record<string, number> = {
  sourced: 0.45,
  applied: 0.42,
  shortlisted: 0.6,
  assessment: 0.55,
  phone_screen: 0.55,
  interview: 0.05,
}
const WITHDRAWS: Record<string, number> = {
  sourced: 0.25,
  applied: 0.03,
  shortlisted: 0.05,
  assessment: 0.14,
  phone_screen: 0.07,
  interview: 0.1,
  offer: 1,
}
/** Days spent in a stage: at least, and up to this many more. */
const DWELLS: Record<string, readonly [number, number]> = {
  sourced: [2, 14],
  applied: [2, 16],
  shortlisted: [2, 11],
  assessment: [4, 12],
  phone_screen: [3, 11],
  interview: [7, 22],
  offer: [3, 9],
}
const RATED = new Set(['assessment', 'phone_screen', 'interview', 'offer', 'hired'])

export interface Outcome {
  stage: string
  status: string
  entered: Day
  rating: number | null
  reason: string | null
}

export interface ApplicationSources extends Pipeline {
  readonly hiredCandidates: Uint8Array
}

export function* applicationRows(sources: ApplicationSources): Generator<Row, void, void> {
  const stream = streams(sources.plan.seed)('applications')
  const candidates = candidateStream(sources.plan.seed)
  for (const step of walk(sources)) {
    if (step.application < 0) continue
    const { stage, status, entered, rating, reason } = outcome(sources, step, {
      own: draw(stream, step.application),
      candidate: draw(candidates, step.candidate),
    })
    yield [
      step.application + 1,
      step.candidate + 1,
      step.job + 1,
      stage,
      status,
      writeDay(step.day),
      writeDay(entered),
      rating,
      reason,
      writeMoment(step.day, step.second),
    ]
  }
}

interface Keys {
  readonly own: number
  readonly candidate: number
}

function outcome(sources: ApplicationSources, step: Step, keys: Keys): Outcome {
  if (step.hire >= 0)
    return {
      stage: 'hired',
      status: 'hired',
      entered: sources.hires.hired[step.hire] as number,
      rating: 4 + below(keys.own, 1, 3) / 2,
      reason: null,
    }
  const result = follow(sources, step, keys)
  if (result.status === 'active' && hasMovedOn(sources, step, keys.candidate)) result.status = 'withdrawn'
  if (RATED.has(result.stage)) result.rating = rate(result, keys.own)
  return result
}

function hasMovedOn({ plan, hiredCandidates }: ApplicationSources, step: Step, key: number): boolean {
  return isHired(hiredCandidates, step.candidate) || isArchived(key, step.known, plan.asOf)
}

/** Walks through the stages of the opening until the application ends or today is reached. */
function follow({ plan, openings }: ApplicationSources, step: Step, keys: Keys): Outcome {
  const { stages } = familyAt(familyOfDepartment(openings.department[step.job] as number))
  const closed = openings.closed[step.job] as number
  const last = Math.min(closed, plan.asOf)
  const approached = step.newcomer && sourceOf(keys.candidate, step) === 'sourced'
  const result: Outcome = { stage: 'applied', status: 'active', entered: step.day, rating: null, reason: null }
  if (approached) result.stage = 'sourced'
  for (let position = stages.indexOf(result.stage); ; position++) {
    const chance = draw(keys.own, 20 + position)
    const [least, more] = DWELLS[result.stage] as readonly [number, number]
    const decided = result.entered + least + Math.floor(((unit(chance, 1) + unit(chance, 2)) / 2) * more)
    if (decided > last)
      return closed === NEVER
        ? result
        : turnDown(result, openings.filled[step.job] === 0 ? POSITION_DROPPED : POSITION_FILLED)
    const verdict = unit(chance, 3)
    const withdraws = WITHDRAWS[result.stage] as number
    if (verdict < withdraws) {
      result.status = 'withdrawn'
      return result
    }
    if (verdict >= withdraws + (PASSES[result.stage] as number))
      return turnDown(result, pick(rejectionReasons[result.stage] as readonly string[], unit(chance, 4)))
    result.stage = stages[position + 1] as string
    result.entered = decided
  }
}

function turnDown(result: Outcome, reason: string): Outcome {
  result.status = 'rejected'
  result.reason = reason
  return result
}

/** In halves from 1 to 5: those who got further were liked better. */
function rate({ stage, status }: Outcome, key: number): number {
  const base = stage === 'offer' ? 7 : stage === 'interview' ? 5 : 4
  const spread = status === 'rejected' ? -1 : 1
  return Math.max(1, Math.min(5, (base + spread + below(key, 2, 4)) / 2))
}
