export interface Failure {
  readonly source: string
  readonly about: string
  /** Names of the failed checks. */
  readonly checks: readonly string[]
  /** The deviations, one per line, followed by a curl command that reproduces them. */
  readonly lines: readonly string[]
}

export interface SourceCounts {
  readonly source: string
  passed: number
  failed: number
  ms: number
}

export interface Results {
  readonly counts: readonly SourceCounts[]
  readonly failures: readonly Failure[]
  /** Returns the counts of a source, and creates them on the first call. */
  countsOf(source: string): SourceCounts
  addFailure(failure: Failure): void
  /** Number of requests repeated after a 503 response. */
  busyRetries: number
}

export const openResults = (): Results => {
  const counts = new Map<string, SourceCounts>()
  const failures: Failure[] = []
  const countsOf = (source: string): SourceCounts => {
    const count = counts.get(source) ?? { source, passed: 0, failed: 0, ms: 0 }
    counts.set(source, count)
    return count
  }
  return {
    busyRetries: 0,
    failures,
    countsOf,
    get counts() {
      return [...counts.values()]
    },
    addFailure(failure) {
      countsOf(failure.source).failed += 1
      failures.push(failure)
    },
  }
}
