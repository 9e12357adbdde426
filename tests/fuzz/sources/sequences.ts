import * as fc from 'fast-check'
import { addToCorpus } from '../corpus.ts'
import type { Fuzzer } from '../fuzzer.ts'
import { forEachInParallel } from '../fuzzer.ts'
import { seedFor } from '../generated.ts'
import type { SequenceResult } from '../sequence/run.ts'
import { runSequence } from '../sequence/run.ts'
import type { Step } from '../sequence/step.ts'
import { sequenceArbitrary } from '../sequence/step.ts'
import type { Source } from './source.ts'

const sourceName = 'sequences'

export const sequences: Source = {
  name: sourceName,
  about: 'sequences of up to 40 steps, compared with a model',
  run: (fuzzer) => {
    const workerCount = 8
    const runs = Math.ceil(fuzzer.sizes.sequences / workerCount)
    return forEachInParallel(
      Array.from({ length: workerCount }, (_, workerIndex) => workerIndex),
      (worker) => runWorker(fuzzer, worker, runs),
    )
  },
}

const maxShrinks = 200

const runWorker = async (fuzzer: Fuzzer, workerIndex: number, runs: number): Promise<void> => {
  const smallestFailure: { steps: readonly Step[]; result: SequenceResult }[] = []
  let shrinks = 0
  const property = fc.asyncProperty(sequenceArbitrary, async (sequence) => {
    if (smallestFailure.length > 0) shrinks += 1
    if (shrinks > maxShrinks) return true
    const result = await runSequence(fuzzer, sequence)
    if (smallestFailure.length === 0)
      fuzzer.results.countsOf(sourceName).passed += result.requests - (result.deviations.length > 0 ? 1 : 0)
    if (result.deviations.length === 0) return true
    smallestFailure[0] = { steps: sequence, result }
    return false
  })
  await fc.check(property, { numRuns: runs, seed: seedFor(fuzzer.seed, `${sourceName} ${workerIndex}`) })
  const [failure] = smallestFailure
  if (failure !== undefined) await reportSequence(fuzzer, failure.steps, failure.result)
}

export const reportSequence = async (
  fuzzer: Fuzzer,
  sequence: readonly Step[],
  result: SequenceResult,
): Promise<void> => {
  const file = fuzzer.saveFailures ? await addToCorpus({ steps: sequence }, result.deviations) : undefined
  fuzzer.results.addFailure({
    source: sourceName,
    about: `a sequence of ${sequence.length} steps`,
    checks: result.deviations.map(({ check }) => check),
    lines: [
      ...result.deviations.map(({ check, message }) => `${check}: ${message}`),
      ...result.trace,
      ...(file === undefined ? [] : [`saved as tests/fuzz/corpus/${file}`]),
    ],
  })
}
