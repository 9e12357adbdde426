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
