/** In charge of what is refused in a file: one entry per fault, and a bounded collection of them that still counts all. */
import type { Flaw } from '@muster/model'
import { faultMessage } from '@muster/model'

export interface Refusal {
  readonly line: number
  /** Absent where the line as a whole cannot be read. */
  readonly field?: string
  readonly reason: string
  /** What stood there, where that is short. */
  readonly input?: unknown
}

/** As many as are told one by one; the rest are counted. */
export const mostTold = 1_000

export const refusalOf = (line: number, field: string, flaw: Flaw, input?: unknown): Refusal => ({
  line,
  field,
  reason: faultMessage(flaw),
  ...(input === undefined || input === null ? {} : { input }),
})

export interface Refusals {
  readonly first: readonly Refusal[]
  readonly count: number
  add(refusal: Refusal): void
}

/** Keeps the first ones, so that a file of nothing but faults needs no more memory than a good one. */
export const collectRefusals = (): Refusals => {
  const first: Refusal[] = []
  let count = 0
  return {
    first,
    get count() {
      return count
    },
    add(refusal) {
      count += 1
      if (first.length < mostTold) first.push(refusal)
    },
  }
}

/** One line of the report, in the form that editors and grep know: place, field, reason. */
export const describeRefusal = (source: string, { line, field, reason, input }: Refusal): string => {
  const place = field === undefined ? `${source}:${line}` : `${source}:${line}: ${field}`
  return input === undefined ? `${place}: ${reason}` : `${place}: ${reason} (${shorten(input)})`
}

const shorten = (input: unknown): string => {
  const text = JSON.stringify(input) ?? String(input)
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`
}
