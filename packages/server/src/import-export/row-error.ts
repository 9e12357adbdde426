import type { Violation } from '@muster/model'
import { errorMessage } from '@muster/model'

/** A column of a file that is read through a map. */
export interface ColumnPlace {
  /** The number of the column, or its letters in a sheet; empty in NDJSON. */
  readonly position: string
  readonly name: string
}

export interface RowError {
  readonly line: number
  /** Only for files that are read through a map. */
  readonly column?: ColumnPlace
  /** Absent if the whole line cannot be parsed. */
  readonly field?: string
  /** Never contains the value, which may be personal. */
  readonly reason: string
  /** The invalid value. */
  readonly input?: unknown
  /** What the value can mean, if it can be read in several ways. */
  readonly readings?: readonly string[]
}

/** An invalid value as messages show it. */
export interface ErrorExample {
  readonly input: unknown
  readonly readings?: readonly string[]
  /** Whether `input` is only the shape of the value. */
  readonly isMasked?: true
}

/** Errors of one reason in one column. */
export interface RowErrorGroup extends Omit<RowError, 'input' | 'readings'> {
  readonly count: number
  /** The first lines, beginning with `line`. */
  readonly firstLines: readonly number[]
  /** The first different values. */
  readonly examples: readonly ErrorExample[]
}

/** Stands for the value of a personal field, and is printed without quotes. */
export const maskedText = '***'

const maxShapeLength = 40

/** The value without its letters and digits: `12.500,00` becomes `••.•••,••`. */
export const shapeOf = (input: unknown): string => {
  const shape = String(input).replaceAll(/[\p{L}\p{N}\p{M}]/gu, '•')
  return shape.length <= maxShapeLength ? shape : `${shape.slice(0, maxShapeLength - 1)}…`
}

/** Errors beyond this number are counted, but not reported. */
export const maxReportedErrors = 1_000

export const rowErrorOf = (line: number, field: string, violation: Violation, input?: unknown): RowError => ({
  line,
  field,
  reason: errorMessage(violation),
  ...(input === undefined || input === null ? {} : { input }),
})

export interface RowErrors {
  readonly groups: readonly RowErrorGroup[]
  readonly count: number
  readonly isGrouped: boolean
  /** `times`: how many errors of its reason the error stands for. */
  add(error: RowError, times?: number): void
}

const maxFirstLines = 3
export const maxExamples = 5

/** What is kept is bounded even if every line of a file is invalid. `isGrouped` joins errors of the same reason. */
export const collectRowErrors = ({ isGrouped }: Pick<RowErrors, 'isGrouped'>): RowErrors => {
  const groups = new Map<string, OpenGroup>()
  let count = 0
  return {
    get groups() {
      return [...groups.values()]
    },
    get count() {
      return count
    },
    isGrouped,
    add(error, times = 1) {
      count += times
      const key = isGrouped ? JSON.stringify([error.column, error.field, error.reason]) : String(count)
      const group = groups.get(key)
      if (group !== undefined) addTo(group, error, times)
      else if (groups.size < maxReportedErrors) groups.set(key, openGroup(error, times))
    },
  }
}

interface OpenGroup extends RowErrorGroup {
  count: number
  readonly firstLines: number[]
  readonly examples: ErrorExample[]
}

const openGroup = ({ line, column, field, reason, ...value }: RowError, count: number): OpenGroup => ({
  line,
  ...(column === undefined ? {} : { column }),
  ...(field === undefined ? {} : { field }),
  reason,
  count,
  firstLines: [line],
  examples: exampleOf(value),
})

const exampleOf = ({ input, readings }: Pick<RowError, 'input' | 'readings'>): ErrorExample[] =>
  input === undefined ? [] : [{ input, ...(readings === undefined ? {} : { readings }) }]

const addTo = (group: OpenGroup, error: RowError, times: number): void => {
  group.count += times
  if (group.firstLines.length < maxFirstLines) group.firstLines.push(error.line)
  const [example] = exampleOf(error)
  if (example === undefined || group.examples.length >= maxExamples) return
  if (!group.examples.some(({ input }) => input === example.input)) group.examples.push(example)
}

/** The group with the shapes of its values instead of the values. */
export const masked = (group: RowErrorGroup): RowErrorGroup => ({
  ...group,
  examples: [...new Set(group.examples.map(({ input }) => shapeOf(input)))]
    .filter((shape) => shape !== '')
    .map((input) => ({ input, isMasked: true })),
})

export const describeColumn = ({ position, name }: ColumnPlace): string => {
  if (position === '') return JSON.stringify(name)
  return name === '' ? `column ${position}` : `column ${position} "${name}"`
}

/**
 * One line of the report, in the form `file:line: field: reason`, which editors and grep understand. With a map, the
 * column precedes the field.
 */
export const describeRowErrors = (source: string, group: RowErrorGroup): string => {
  const { line, column, field, reason, count, firstLines } = group
  const columnText = column === undefined ? undefined : describeColumn(column)
  const place = columnText === undefined || field === undefined ? (columnText ?? field) : `${columnText} (${field})`
  const location = place === undefined ? `${source}:${line}` : `${source}:${line}: ${place}`
  const lines = count === 1 ? [] : [`${count} lines: ${firstLines.join(', ')}${count > firstLines.length ? ', …' : ''}`]
  const details = [...describeExamples(group), ...lines]
  return details.length === 0 ? `${location}: ${reason}` : `${location}: ${reason} (${details.join('; ')})`
}

const describeExamples = ({ examples, count }: RowErrorGroup): string[] => {
  if (examples.length === 0) return []
  const more = examples.length === maxExamples && count > maxExamples ? ', …' : ''
  return [`${examples.map(describeExample).join(', ')}${more}`]
}

const describeExample = ({ input, readings, isMasked }: ErrorExample): string => {
  const text = isMasked === true ? String(input) : shorten(JSON.stringify(input) ?? String(input))
  return readings === undefined ? text : `${text}: ${readings.join(' or ')}`
}

const shorten = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}…`)
