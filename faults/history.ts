/** In charge of the history of a run: what every create was answered, and whether that is what the tables hold in the end. */

export interface Attempt {
  readonly route: string
  /** Written into the record, and into no other. */
  readonly mark: string
  readonly start: number
  readonly end: number
  /** None where no whole answer came. */
  readonly status: number | undefined
  /** Of the record, where the answer was 201. */
  readonly id?: number
}

/** A read that started after a create was acknowledged. */
export interface Read {
  readonly mark: string
  readonly shown: boolean
}

/** A total that a list gave. */
export interface Total {
  readonly route: string
  readonly start: number
  readonly end: number
  readonly total: number
}

export interface Stored {
  readonly route: string
  readonly mark: string
  readonly id: number
}

export interface Verdict {
  /** Records that were acknowledged. */
  readonly acknowledged: number
  readonly lost: readonly string[]
  /** Records beyond the first of each create. */
  readonly duplicated: readonly string[]
  /** Records of creates that were refused, or that nobody sent. */
  readonly unexpected: readonly string[]
  readonly stale: readonly string[]
  /** How often each answer was given; "none" for no answer. */
  readonly answers: ReadonlyMap<string, number>
  readonly slowestMs: number
}

export interface History {
  attempted(attempt: Attempt): void
  read(read: Read): void
  counted(total: Total): void
  /** Holds everything against what is stored now. */
  judge(stored: readonly Stored[]): Verdict
}

export const openHistory = (): History => {
  const attempts: Attempt[] = []
  const reads: Read[] = []
  const totals: Total[] = []
  return {
    attempted: (attempt) => attempts.push(attempt),
    read: (read) => reads.push(read),
    counted: (total) => totals.push(total),
    judge: (stored) => judge(attempts, reads, totals, stored),
  }
}

const judge = (
  attempts: readonly Attempt[],
  reads: readonly Read[],
  totals: readonly Total[],
  stored: readonly Stored[],
): Verdict => {
  const creates = Map.groupBy(attempts, keyOf)
  const rows = Map.groupBy(stored, keyOf)
  const lost: string[] = []
  const duplicated: string[] = []
  const unexpected: string[] = []
  let acknowledged = 0
  for (const [key, tries] of creates) {
    const found = rows.get(key) ?? []
    const ids = new Set(tries.filter(({ status }) => status === 201).map(({ id }) => id))
    if (ids.size > 0) acknowledged += 1
    for (const id of ids) if (!found.some((row) => row.id === id)) lost.push(`${key}, acknowledged as ${id}`)
    if (found.length > 1) duplicated.push(...found.slice(1).map(({ id }) => `${key} again as ${id}`))
    if (found.length > 0 && tries.every(isRefused)) unexpected.push(`${key} was refused, and is there`)
  }
  for (const key of rows.keys()) if (!creates.has(key)) unexpected.push(`${key} was never sent, and is there`)
  return {
    acknowledged,
    lost,
    duplicated,
    unexpected,
    stale: [...reads.filter(({ shown }) => !shown).map(({ mark }) => `${mark} was not shown`), ...fallen(totals)],
    answers: countBy(attempts.map(({ status }) => String(status ?? 'none'))),
    slowestMs: attempts.reduce((slowest, { start, end }) => Math.max(slowest, end - start), 0),
  }
}

const keyOf = ({ route, mark }: { route: string; mark: string }): string => `${route} ${mark}`

/** Surely not done: 4xx. No answer and 503 leave it open. */
const isRefused = ({ status }: Attempt): boolean => status !== undefined && status >= 400 && status < 500

/** Totals below one of an answer that had ended before the question was asked. Nothing is deleted in these runs. */
const fallen = (totals: readonly Total[]): string[] =>
  [...Map.groupBy(totals, ({ route }) => route)].flatMap(([route, all]) => {
    const byStart = all.toSorted((a, b) => a.start - b.start)
    const byEnd = all.toSorted((a, b) => a.end - b.end)
    let ended = 0
    let highest = 0
    return byStart.flatMap(({ start, total }) => {
      for (let next = byEnd[ended]; next !== undefined && next.end < start; next = byEnd[ended]) {
        highest = Math.max(highest, next.total)
        ended += 1
      }
      return total < highest ? [`the total of ${route} fell from ${highest} to ${total}`] : []
    })
  })

const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
