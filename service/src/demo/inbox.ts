/** In charge of how many apply to which opening on each day: most in the first weeks, few on weekends and in summer. */
import type { Day } from './calendar.ts'
import type { Curve } from './growth.ts'
import { applyingCurve, sumBefore } from './growth.ts'
import type { Hires, Openings } from './openings.ts'
import { NEVER } from './openings.ts'
import type { Plan } from './plan.ts'
import { below, draw, streams } from './random.ts'

export interface Pipeline {
  readonly plan: Plan
  readonly openings: Openings
  readonly hires: Hires
}

/** The applications of one day: to which opening, and to which hire each leads, -1 for none. */
export interface InboxDay {
  readonly day: Day
  readonly jobs: readonly number[]
  readonly hireOf: readonly number[]
}

/** Day by day, shuffled, so that openings mix as they would in an inbox. */
export function* inbox({ plan, openings, hires }: Pipeline): Generator<InboxDay, void, void> {
  const stream = streams(plan.seed)('days')
  const first = openings.opened[0] as number
  const willing = applyingCurve(first, plan.asOf)
  const order = Int32Array.from(hires.applied.keys())
  order.sort((a, b) => (hires.applied[a] as number) - (hires.applied[b] as number) || a - b)
  const emitted = new Int32Array(openings.count)
  let running: number[] = []
  let nextJob = 0
  let nextHire = 0
  for (let day = first; day <= plan.asOf; day++) {
    while (nextJob < openings.count && (openings.opened[nextJob] as number) <= day) running.push(nextJob++)
    const jobs: number[] = []
    for (const job of running) {
      const due = dueBy(openings, job, { day, asOf: plan.asOf, willing })
      for (let sent = emitted[job] as number; sent < due; sent++) jobs.push(job)
      emitted[job] = due
    }
    const hireOf = jobs.map(() => -1)
    for (; nextHire < order.length; nextHire++) {
      const hire = order[nextHire] as number
      if ((hires.applied[hire] as number) > day) break
      jobs.push(hires.job[hire] as number)
      hireOf.push(hire)
    }
    shuffle(jobs, hireOf, draw(stream, day))
    if (jobs.length > 0) yield { day, jobs, hireOf }
    running = running.filter((job) => (openings.closed[job] as number) > day)
  }
}

interface Due {
  readonly day: Day
  readonly asOf: Day
  readonly willing: Curve
}

/** Unsuccessful applications that have arrived by the end of a day. */
function dueBy(openings: Openings, job: number, { day, asOf, willing }: Due): number {
  const total = openings.unsuccessful[job] as number
  const closed = openings.closed[job] as number
  const last = closed === NEVER ? asOf : closed
  if (day >= last) return total
  const start = sumBefore(willing, openings.opened[job] as number)
  const left = 1 - (sumBefore(willing, day + 1) - start) / (sumBefore(willing, last + 1) - start)
  return Math.floor(total * (1 - left * left))
}

function shuffle(jobs: number[], hireOf: number[], key: number): void {
  for (let index = jobs.length - 1; index > 0; index--) {
    const other = below(key, index, index + 1)
    swap(jobs, index, other)
    swap(hireOf, index, other)
  }
}

function swap(items: number[], one: number, other: number): void {
  const kept = items[one] as number
  items[one] = items[other] as number
  items[other] = kept
}
