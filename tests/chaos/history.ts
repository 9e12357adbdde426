export interface Attempt {
  readonly route: string
  /** Unique string that the record contains. */
  readonly marker: string
  readonly startMs: number
  readonly endMs: number
  /** Undefined if no complete response arrived. */
  readonly status: number | undefined
  /** Id of the created record. Present only if the status was 201. */
  readonly id?: number
}

/** A read of a record, started after its create was acknowledged. */
export interface ReadBack {
  readonly marker: string
  readonly isShown: boolean
}

/** The total that a list response reported. */
export interface ReportedTotal {
  readonly route: string
  readonly startMs: number
  readonly endMs: number
  readonly total: number
}

export interface StoredRecord {
  readonly route: string
  readonly marker: string
  readonly id: number
}

export interface HistoryResult {
  readonly acknowledgedCount: number
  readonly lost: readonly string[]
  /** Records that were stored although an earlier record of the same create was already stored. */
  readonly duplicated: readonly string[]
  /** Stored records whose create was rejected or never sent. */
  readonly unexpected: readonly string[]
  readonly stale: readonly string[]
  /** Number of attempts per status. "none" counts attempts without a response. */
  readonly statuses: ReadonlyMap<string, number>
  readonly slowestMs: number
}

export interface History {
  addAttempt(attempt: Attempt): void
  addRead(read: ReadBack): void
  addTotal(total: ReportedTotal): void
  /** Compares all attempts, reads and totals with the stored records. */
  check(storedRecords: readonly StoredRecord[]): HistoryResult
}

export const openHistory = (): History => {
  const attempts: Attempt[] = []
  const reads: ReadBack[] = []
  const totals: ReportedTotal[] = []
  return {
    addAttempt: (attempt) => attempts.push(attempt),
    addRead: (read) => reads.push(read),
    addTotal: (total) => totals.push(total),
    check: (storedRecords) => checkHistory(attempts, reads, totals, storedRecords),
  }
}

const checkHistory = (
  attempts: readonly Attempt[],
  reads: readonly ReadBack[],
  totals: readonly ReportedTotal[],
  storedRecords: readonly StoredRecord[],
): HistoryResult => {
  const attemptsByRecord = Map.groupBy(attempts, recordKey)
  const rowsByRecord = Map.groupBy(storedRecords, recordKey)
  const lost: string[] = []
  const duplicated: string[] = []
  const unexpected: string[] = []
  let acknowledgedCount = 0
  for (const [recordId, recordAttempts] of attemptsByRecord) {
    const storedRows = rowsByRecord.get(recordId) ?? []
    const ids = new Set(recordAttempts.filter(({ status }) => status === 201).map(({ id }) => id))
    if (ids.size > 0) acknowledgedCount += 1
    for (const id of ids) if (!storedRows.some((row) => row.id === id)) lost.push(`${recordId}, acknowledged as ${id}`)
    if (storedRows.length > 1) duplicated.push(...storedRows.slice(1).map(({ id }) => `${recordId} again as ${id}`))
    if (storedRows.length > 0 && recordAttempts.every(isRejected))
      unexpected.push(`${recordId} was rejected but is stored`)
  }
  for (const recordId of rowsByRecord.keys())
    if (!attemptsByRecord.has(recordId)) unexpected.push(`${recordId} was never sent but is stored`)
  return {
    acknowledgedCount,
    lost,
    duplicated,
    unexpected,
    stale: [
      ...reads.filter(({ isShown }) => !isShown).map(({ marker }) => `${marker} was not shown`),
      ...decreasedTotals(totals),
    ],
    statuses: countBy(attempts.map(({ status }) => String(status ?? 'none'))),
    slowestMs: attempts.reduce((slowest, { startMs, endMs }) => Math.max(slowest, endMs - startMs), 0),
  }
}

const recordKey = ({ route, marker }: { route: string; marker: string }): string => `${route} ${marker}`

/** After 4xx the record is certainly not stored. After 503 or without a response the outcome is unknown. */
const isRejected = ({ status }: Attempt): boolean => status !== undefined && status >= 400 && status < 500

/**
 * Nothing is deleted during a run, so a total must not be lower than that of any response that ended before the request
 * started.
 */
const decreasedTotals = (totals: readonly ReportedTotal[]): string[] =>
  [...Map.groupBy(totals, ({ route }) => route)].flatMap(([route, routeTotals]) => {
    const totalsByStart = routeTotals.toSorted((a, b) => a.startMs - b.startMs)
    const totalsByEnd = routeTotals.toSorted((a, b) => a.endMs - b.endMs)
    let endedCount = 0
    let highestTotal = 0
    return totalsByStart.flatMap(({ startMs, total }) => {
      for (
        let nextEndedTotal = totalsByEnd[endedCount];
        nextEndedTotal !== undefined && nextEndedTotal.endMs < startMs;
        nextEndedTotal = totalsByEnd[endedCount]
      ) {
        highestTotal = Math.max(highestTotal, nextEndedTotal.total)
        endedCount += 1
      }
      return total < highestTotal ? [`the total of ${route} fell from ${highestTotal} to ${total}`] : []
    })
  })

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
