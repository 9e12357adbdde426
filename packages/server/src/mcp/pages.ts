/** Pages of rows that the API returns all at once. */
import type { PageArguments } from './arguments.ts'
import type { Result, Values } from './result.ts'
import { ToolError } from './tool-error.ts'

const defaultLimit = 50

export const pageOf = (rows: readonly Values[], { limit = defaultLimit, offset = 0 }: PageArguments): Result => ({
  rows: rows.slice(offset, offset + limit).map((values) => ({ values })),
  offset,
  total: rows.length,
})

/** Sorts by one column, in descending order if its name has a minus in front. Null comes last. */
export const sortRows = (
  rows: readonly Values[],
  sort: string | undefined,
  columns: readonly string[],
): readonly Values[] => {
  if (sort === undefined) return rows
  const column = sort.replace(/^-/, '')
  if (!columns.includes(column)) throw new ToolError(`There is no column "${column}": sort by ${columns.join(', ')}.`)
  const direction = sort.startsWith('-') ? -1 : 1
  return rows.toSorted((a, b) => compare(a[column] ?? null, b[column] ?? null, direction))
}

const compare = (a: unknown, b: unknown, direction: number): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b)
  const [first, second] = [String(a), String(b)]
  return first === second ? 0 : direction * (first < second ? -1 : 1)
}
