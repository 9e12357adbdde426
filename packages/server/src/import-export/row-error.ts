import type { Violation } from '@muster/model'
import { errorMessage } from '@muster/model'

export interface RowError {
  readonly line: number
  /** Absent if the whole line cannot be parsed. */
  readonly field?: string
  readonly reason: string
  /** The invalid value. */
  readonly input?: unknown
}

/** Stands for the value of a personal field, and is printed without quotes. */
export const maskedText = '***'

/** Errors beyond this number are counted, but not reported. */
export const maxReportedErrors = 1_000

export const rowErrorOf = (line: number, field: string, violation: Violation, input?: unknown): RowError => ({
  line,
  field,
  reason: errorMessage(violation),
  ...(input === undefined || input === null ? {} : { input }),
})

export interface RowErrors {
  readonly firstErrors: readonly RowError[]
  readonly count: number
  add(error: RowError): void
}

/** Keeps only the first errors in memory, which is then bounded even if every line of a file is invalid. */
export const collectRowErrors = (): RowErrors => {
  const firstErrors: RowError[] = []
  let count = 0
  return {
    firstErrors,
    get count() {
      return count
    },
    add(error) {
      count += 1
      if (firstErrors.length < maxReportedErrors) firstErrors.push(error)
    },
  }
}

/** One line of the report, in the form `file:line: field: reason`, which editors and grep understand. */
export const describeRowError = (source: string, { line, field, reason, input }: RowError): string => {
  const location = field === undefined ? `${source}:${line}` : `${source}:${line}: ${field}`
  return input === undefined ? `${location}: ${reason}` : `${location}: ${reason} (${shorten(input)})`
}

const shorten = (input: unknown): string => {
  const text = input === maskedText ? maskedText : (JSON.stringify(input) ?? String(input))
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`
}
