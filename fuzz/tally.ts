/** In charge of the count: what every source has tried, and what failed, with all that is needed to try it again. */

export interface Failure {
  readonly source: string
  readonly about: string
  /** Names of the checks that found it. */
  readonly checks: readonly string[]
  /** What was wrong, a line each, and how to see it again. */
  readonly lines: readonly string[]
}

export interface Count {
  readonly source: string
  passed: number
  failed: number
  ms: number
}

export interface Tally {
  readonly counts: readonly Count[]
  readonly failures: readonly Failure[]
  /** The row of a source, made when first asked for. */
  of(source: string): Count
  fail(failure: Failure): void
  /** How often the service said that it was busy, and was asked again. */
  busy: number
}

export const openTally = (): Tally => {
  const counts = new Map<string, Count>()
  const failures: Failure[] = []
  const of = (source: string): Count => {
    const count = counts.get(source) ?? { source, passed: 0, failed: 0, ms: 0 }
    counts.set(source, count)
    return count
  }
  return {
    busy: 0,
    failures,
    of,
    get counts() {
      return [...counts.values()]
    },
    fail(failure) {
      of(failure.source).failed += 1
      failures.push(failure)
    },
  }
}
