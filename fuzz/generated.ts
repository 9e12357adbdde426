/** In charge of generated cases: fast-check makes them, the service answers them, and a failure is shrunk against the service. */
import * as fc from 'fast-check'
import type { Case, Deviation } from './case.ts'
import type { Machine } from './machine.ts'

/** Follows an answer further, such as from a create to the read of what was created. */
export type FollowUp = (attempted: Awaited<ReturnType<Machine['attempt']>>) => Promise<readonly Deviation[]>

export interface GeneratedCases {
  readonly source: string
  readonly arbitrary: fc.Arbitrary<Case>
  readonly runs: number
  readonly seed: number
  readonly followUp?: FollowUp
}

/** Smaller forms of a failing case that are tried at most. */
const maxShrinks = 400

export const runGenerated = async (machine: Machine, given: GeneratedCases): Promise<void> => {
  const { source, arbitrary, runs, seed, followUp } = given
  const deviationsOf = async (asked: Case): Promise<readonly Deviation[]> => {
    const attempted = await machine.attempt(asked)
    if (attempted.deviations.length > 0 || followUp === undefined) return attempted.deviations
    return followUp(attempted)
  }
  let smallest: { asked: Case; deviations: readonly Deviation[] } | undefined
  let shrinks = 0
  const property = fc.asyncProperty(arbitrary, async (asked) => {
    if (smallest !== undefined) shrinks += 1
    if (shrinks > maxShrinks) return true
    const deviations = await deviationsOf(asked)
    // A smaller case counts only where the same check fails: another fault is another case.
    if (deviations.length === 0 || !isSameFault(smallest?.deviations, deviations)) return true
    smallest = { asked, deviations }
    return false
  })
  const { numRuns, failed } = await fc.check(property, { numRuns: runs, seed })
  machine.tally.of(source).passed += failed ? Math.max(0, numRuns - 1) : numRuns
  if (smallest !== undefined) await machine.report(smallest.asked, smallest.deviations)
}

const isSameFault = (before: readonly Deviation[] | undefined, now: readonly Deviation[]): boolean =>
  before === undefined || now.some(({ check }) => before.some((deviation) => deviation.check === check))

/** A seed of its own for each part of a run, the same whenever the run has the same. */
export const seedFor = (seed: number, name: string): number => {
  let mixed = seed | 0
  for (const letter of name) mixed = (Math.imul(mixed, 31) + (letter.codePointAt(0) ?? 0)) | 0
  return mixed
}
