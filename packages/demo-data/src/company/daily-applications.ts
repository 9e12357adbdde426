import type { Day } from '../calendar.ts'
import type { Plan } from '../plan.ts'
import { randomBelow, randomUint32, streams } from '../random.ts'
import type { Curve } from './growth.ts'
import { applyingCurve, sumBefore } from './growth.ts'
import type { Hires, Openings } from './openings.ts'
import { NEVER } from './openings.ts'

export interface Pipeline {
  readonly plan: Plan
  readonly openings: Openings
  readonly hires: Hires
}

/** The applications of one day. `jobs` has the job of each application, and `hireOf` the hire it leads to, or -1. */
export interface ApplicationDay {
  readonly day: Day
  readonly jobs: readonly number[]
  readonly hireOf: readonly number[]
}

/**
 * Yields the applications of each day, in random order. Most applications arrive in the first weeks of an opening, and
 * fewer on weekends and in summer.
 */
export function* dailyApplications({ plan, openings, hires }: Pipeline): Generator<ApplicationDay, void, void> {
  const stream = streams(plan.seed)('days')
  const first = openings.openedOn[0] as number
  const demand = applyingCurve(first, plan.asOf)
  const hiresByApplicationDay = Int32Array.from(hires.applied.keys())
  hiresByApplicationDay.sort((a, b) => (hires.applied[a] as number) - (hires.applied[b] as number) || a - b)
  const applicationsSent = new Int32Array(openings.count)
  let openJobs: number[] = []
  let nextJob = 0
  let nextHire = 0
  for (let day = first; day <= plan.asOf; day++) {
    while (nextJob < openings.count && (openings.openedOn[nextJob] as number) <= day) openJobs.push(nextJob++)
    const jobs: number[] = []
    for (const job of openJobs) {
      const dueCount = applicationsDue(openings, job, { day, asOf: plan.asOf, demand })
      for (let sent = applicationsSent[job] as number; sent < dueCount; sent++) jobs.push(job)
      applicationsSent[job] = dueCount
    }
    const hireOf = jobs.map(() => -1)
    for (; nextHire < hiresByApplicationDay.length; nextHire++) {
      const hire = hiresByApplicationDay[nextHire] as number
      if ((hires.applied[hire] as number) > day) break
      jobs.push(hires.job[hire] as number)
      hireOf.push(hire)
    }
    shuffle(jobs, hireOf, randomUint32(stream, day))
    if (jobs.length > 0) yield { day, jobs, hireOf }
    openJobs = openJobs.filter((job) => (openings.closedOn[job] as number) > day)
  }
}

interface DueInput {
  readonly day: Day
  readonly asOf: Day
  readonly demand: Curve
}

/** Returns how many applications that do not lead to a hire a job has received by the end of a day. */
function applicationsDue(openings: Openings, job: number, { day, asOf, demand }: DueInput): number {
  const total = openings.unsuccessfulApplications[job] as number
  const closedOn = openings.closedOn[job] as number
  const lastDay = closedOn === NEVER ? asOf : closedOn
  if (day >= lastDay) return total
  const startSum = sumBefore(demand, openings.openedOn[job] as number)
  const remainingShare = 1 - (sumBefore(demand, day + 1) - startSum) / (sumBefore(demand, lastDay + 1) - startSum)
  return Math.floor(total * (1 - remainingShare * remainingShare))
}

function shuffle(jobs: number[], hireOf: number[], randomKey: number): void {
  for (let index = jobs.length - 1; index > 0; index--) {
    const swapIndex = randomBelow(randomKey, index, index + 1)
    swap(jobs, index, swapIndex)
    swap(hireOf, index, swapIndex)
  }
}

function swap(items: number[], a: number, b: number): void {
  const itemA = items[a] as number
  items[a] = items[b] as number
  items[b] = itemA
}
