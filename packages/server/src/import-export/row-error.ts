import type { Violation } from '@muster/model'
import { errorMessage } from '@muster/model'

/** A column of a file that is read through a map. */
export interface ColumnPlace {
  /** The number of the column, or its letters in a sheet. */
  readonly position: string
  readonly name: string
}

export interface RowError {
  readonly line: number
  /** Only for files that are read through a map. */
  readonly column?: ColumnPlace
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

export const describeColumn = ({ position, name }: ColumnPlace): string =>
  name === '' ? `column ${position}` : `column ${position} "${name}"`

/**
 * One line of the report, in the form `file:line: field: reason`, which editors and grep understand. With a map, the
 * column precedes the field.
 */
export const describeRowError = (source: string, { line, column, field, reason, input }: RowError): string => {
  const columnText = column === undefined ? undefined : describeColumn(column)
  const place = columnText === undefined || field === undefined ? (columnText ?? field) : `${columnText} (${field})`
  const location = place === undefined ? `${source}:${line}` : `${source}:${line}: ${place}`
  return input === undefined ? `${location}: ${reason}` : `${location}: ${reason} (${shorten(input)})`
}

const shorten = (input: unknown): string => {
  const text = input === maskedText ? maskedText : (JSON.stringify(input) ?? String(input))
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`
}
