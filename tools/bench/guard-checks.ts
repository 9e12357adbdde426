/** The checks of the benchmark guard. Each one compares the ratio of two figures with a maximum. */
import { mutations, slowDowns } from '../../tests/chaos/mutations.ts'
import type { Mutation } from '../../tests/mutations/mutation.ts'

export interface GuardCheck {
  /** Name of the figure that is divided by the baseline figure of the same run. */
  readonly figure: string
  readonly baseline: string
  /** Lowest and highest ratio measured when `maxRatio` was set. */
  readonly observed: readonly [number, number]
  readonly maxRatio: number
  /**
   * A code change that makes the service slower. `guard.ts --mutations` checks that the ratio then exceeds `maxRatio`.
   */
  readonly slowDown: Mutation
}

const makeCheck = (
  figure: string,
  baseline: string,
  observed: GuardCheck['observed'],
  maxRatio: number,
  slowDown: Mutation,
): GuardCheck => ({
  figure,
  baseline,
  observed,
  maxRatio,
  slowDown,
})

/**
 * A figure that ends with `.cpu` is the CPU time of the server process per request. A figure that ends with `.time` is
 * the reciprocal of the rate, so it includes the time in the database.
 */
export const guardChecks: readonly GuardCheck[] = [
  makeCheck('hot list.cpu', 'bare server.cpu', [1.7, 2.7], 5.4, slowDowns.cacheUnused),
  makeCheck('hot list in br.cpu', 'bare server.cpu', [1.4, 2.6], 6, slowDowns.compressedEachTime),
  makeCheck('hot get.cpu', 'bare server.cpu', [1.1, 1.5], 2.8, slowDowns.cacheUnused),
  makeCheck('hot get.cpu', 'get of different ids.cpu', [0.18, 0.33], 0.66, slowDowns.cacheUnused),
  makeCheck('get of different ids.time', 'naive get.time', [0.4, 0.9], 2.5, slowDowns.getWithoutIndex),
  makeCheck('every page different.time', 'naive get.time', [1.2, 3.1], 6.5, slowDowns.countedTotal),
  makeCheck('deep page.time', 'every page different.time', [1.4, 1.9], 2.8, slowDowns.skippedRows),
  makeCheck('further pages of a search.time', 'every page different.time', [0.7, 1.8], 5, slowDowns.repeatedSearch),
  makeCheck('first-time search.time', 'naive get.time', [1.5, 2.6], 3, slowDowns.searchesNotPrepared),
  makeCheck('create.time', 'naive create.time', [1.1, 1.6], 3.5, slowDowns.createWithScan),
  makeCheck('memory at the end', 'memory at the start', [1.6, 2.1], 2.8, mutations.leak),
]

export interface Verdict {
  readonly passed: boolean
  readonly line: string
}

/** Returns whether the check passed, and a line to print. The check fails if a figure was not measured. */
export const verdictOf = (
  { figure, baseline, observed, maxRatio }: GuardCheck,
  figures: Readonly<Record<string, number>>,
): Verdict => {
  const ratio = (figures[figure] ?? Number.NaN) / (figures[baseline] ?? Number.NaN)
  const passed = ratio <= maxRatio
  const boundText = `at most ${maxRatio}, observed ${observed.join(' to ')}`
  return { passed, line: `${passed ? 'ok    ' : 'FAILED'} ${figure} / ${baseline}: ${ratio.toFixed(2)} (${boundText})` }
}
