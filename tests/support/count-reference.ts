/** Reference implementation of the count routes: counts all records in memory. */
import type { Grouping } from '@muster/model'
import type { Visibility } from './list-reference.ts'
import { filterKey } from './list-reference.ts'
import type { Row, Value } from './reference.ts'

/** The groups in the order in which the service must return them. */
export const expectedGroups = (
  records: readonly Row[],
  groupings: readonly Grouping[],
  { valueIn }: Pick<Visibility, 'valueIn'>,
): Row[] => {
  const groups = new Map<string, { values: Value[]; count: number }>()
  for (const record of records) {
    const values = groupings.map((grouping) => groupValue(grouping, valueIn(grouping.field, grouping.relation, record)))
    const groupKey = JSON.stringify(values)
    const group = groups.get(groupKey) ?? { values, count: 0 }
    group.count += 1
    groups.set(groupKey, group)
  }
  return [...groups.values()]
    .toSorted((a, b) => compareValueLists(a.values, b.values))
    .map(({ values, count }) => ({
      ...Object.fromEntries(groupings.map(({ name }, index) => [name, values[index] ?? null])),
      count,
    }))
}

const prefixLength = { year: 4, month: 7, day: 10 } as const

/** ISO 8601: the year of the Thursday of the week, and how many Thursdays of that year have passed. */
const weekOf = (day: string): string => {
  const thursday = new Date(`${day}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const dayOfYear = (thursday.getTime() - new Date(`${String(year).padStart(4, '0')}-01-01`).getTime()) / 86_400_000
  return `${String(year).padStart(4, '0')}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, '0')}`
}

const groupValue = ({ unit }: Grouping, value: Value): Value => {
  if (typeof value !== 'string') return value
  if (unit === undefined) return filterKey(value)
  return unit === 'week' ? weekOf(value.slice(0, 10)) : value.slice(0, prefixLength[unit])
}

const compareValueLists = (left: readonly Value[], right: readonly (Value | undefined)[]): number => {
  for (const [index, value] of left.entries()) {
    const order = compareValues(value, right[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}

/** Orders numbers by value and strings by their bytes. null comes last. */
const compareValues = (left: Value, right: Value): number => {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return typeof left === 'number'
    ? left - Number(right)
    : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
}
