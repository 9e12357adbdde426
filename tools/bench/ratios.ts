/** Ratios of alternating measurements. */
export interface RatioSummary {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** The median and its confidence interval, from the binomial distribution of the ranks: 98.8 % for 11 ratios or more. */
export const summarizeRatios = (ratios: readonly number[]): RatioSummary => {
  const sorted = ratios.toSorted((a, b) => a - b)
  const rank = Math.max(Math.floor(sorted.length / 2 - 1.25 * Math.sqrt(sorted.length)), 0)
  const at = (index: number) => sorted.at(index) as number
  return { low: at(rank), median: at(Math.floor(sorted.length / 2)), high: at(-1 - rank) }
}

export const formatRatio = ({ low, median, high }: RatioSummary): string =>
  `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`

/** The items of a round. Every second round has the reverse order, so that a gradual change of the machine cancels out. */
export const inAlternatingOrder = <T>(items: readonly T[], round: number): readonly T[] =>
  round % 2 === 0 ? items : items.toReversed()

interface Pair<T> {
  readonly before: T
  readonly after: T
}

/** Measures two subjects once per pair, in alternating order. */
export const measureAlternately = async <T>(
  pairs: number,
  measure: { readonly before: () => Promise<T>; readonly after: () => Promise<T> },
): Promise<Pair<T>[]> => {
  const results: Pair<T>[] = []
  for (let pair = 0; pair < pairs; pair += 1) {
    const result: { before?: T; after?: T } = {}
    for (const name of inAlternatingOrder(['before', 'after'] as const, pair)) result[name] = await measure[name]()
    results.push(result as Pair<T>)
  }
  return results
}
