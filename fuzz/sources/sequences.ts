/** In charge of sequences: many steps on records of their own, held against a small model after each. */
import * as fc from 'fast-check'
import { keep } from '../corpus.ts'
import { seedFor } from '../generated.ts'
import type { Machine } from '../machine.ts'
import { inParallel } from '../machine.ts'
import type { Walked } from '../sequence/run.ts'
import { walk } from '../sequence/run.ts'
import type { Step } from '../sequence/step.ts'
import { steps } from '../sequence/step.ts'
import type { Source } from './source.ts'

const name = 'sequences'

export const sequences: Source = {
  name,
  about: 'sequences of up to 40 steps against a model',
  run: (machine) => {
    const lanes = 8
    const runs = Math.ceil(machine.sizes.sequences / lanes)
    return inParallel(
      Array.from({ length: lanes }, (_, lane) => lane),
      (lane) => runLane(machine, lane, runs),
    )
  },
}

const maxShrinks = 200

const runLane = async (machine: Machine, lane: number, runs: number): Promise<void> => {
  const smallest: { steps: readonly Step[]; walked: Walked }[] = []
  let shrinks = 0
  const property = fc.asyncProperty(steps, async (sequence) => {
    if (smallest.length > 0) shrinks += 1
    if (shrinks > maxShrinks) return true
    const walked = await walk(machine, sequence)
    if (smallest.length === 0) machine.tally.of(name).passed += walked.requests - (walked.deviations.length > 0 ? 1 : 0)
    if (walked.deviations.length === 0) return true
    smallest[0] = { steps: sequence, walked }
    return false
  })
  await fc.check(property, { numRuns: runs, seed: seedFor(machine.seed, `${name} ${lane}`) })
  const [failed] = smallest
  if (failed !== undefined) await reportSequence(machine, failed.steps, failed.walked)
}

export const reportSequence = async (machine: Machine, sequence: readonly Step[], walked: Walked): Promise<void> => {
  const file = machine.keepsFailures ? await keep({ steps: sequence }, walked.deviations) : undefined
  machine.tally.fail({
    source: name,
    about: `a sequence of ${sequence.length} steps`,
    checks: walked.deviations.map(({ check }) => check),
    lines: [
      ...walked.deviations.map(({ check, message }) => `${check}: ${message}`),
      ...walked.trace,
      ...(file === undefined ? [] : [`kept as fuzz/corpus/${file}`]),
    ],
  })
}
