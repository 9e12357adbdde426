/** In charge of who may apply again: only those who applied lately are remembered, so the memory stays small however many apply. */
import type { Day } from './calendar.ts'
import { families } from './families.ts'
import { below, draw } from './random.ts'

export interface Acquaintance {
  readonly candidate: number
  /** The office whose country the candidate comes from. */
  readonly home: number
  /** The day on which the candidate became known. */
  readonly known: Day
  readonly jobs: number[]
  hired: boolean
}

/** By the kind of work, so that people apply again for what they can do. */
export type Acquaintances = readonly Acquaintance[][]

const REMEMBERED = 192
const MOST_APPLICATIONS = 5
const ATTEMPTS = 6

export function noAcquaintances(): Acquaintances {
  return families.map(() => [])
}

export function remember(acquaintances: Acquaintances, family: number, newcomer: Acquaintance, key: number): void {
  const group = acquaintances[family] as Acquaintance[]
  if (group.length < REMEMBERED) group.push(newcomer)
  else group[below(key, 5, REMEMBERED)] = newcomer
}

/** Somebody who may apply to an opening, if possible for the same kind of work. */
export function recall(
  acquaintances: Acquaintances,
  family: number,
  job: number,
  key: number,
): Acquaintance | undefined {
  const group = acquaintances[family] as Acquaintance[]
  for (let attempt = 0; attempt < ATTEMPTS && group.length > 0; attempt++) {
    const one = group[below(key, 10 + attempt, group.length)] as Acquaintance
    if (mayApply(one, job)) return one
  }
  const start = draw(key, 6)
  for (let offset = 0; offset < acquaintances.length; offset++) {
    const found = acquaintances[(start + offset) % acquaintances.length]?.find((one) => mayApply(one, job))
    if (found !== undefined) return found
  }
  return undefined
}

function mayApply({ hired, jobs }: Acquaintance, job: number): boolean {
  return !hired && jobs.length < MOST_APPLICATIONS && !jobs.includes(job)
}
