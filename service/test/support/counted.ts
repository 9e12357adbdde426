/** In charge of what counts must hold: worked out over all records in memory, apart from the service. */
import type { Grouping } from '@muster/model'
import { key } from './reading-reference.ts'
import type { Row, Value } from './reference.ts'

/** The groups of the records in the order they are answered in. */
export const groupsOf = (records: readonly Row[], groupings: readonly Grouping[]): Row[] => {
  const groups = new Map<string, { values: Value[]; count: number }>()
  for (const record of records) {
    const values = groupings.map((grouping) => valueIn(grouping, record))
    const key = JSON.stringify(values)
    const group = groups.get(key) ?? { values, count: 0 }
    group.count += 1
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((a, b) => compareAll(a.values, b.values))
    .map(({ values, count }) => ({
      ...Object.fromEntries(groupings.map(({ name }, index) => [name, values[index] ?? null])),
      count,
    }))
}

const spanLength = { year: 4, month: 7, day: 10 } as const

const valueIn = ({ field, span }: Grouping, record: Row): Value => {
  const value = record[field.name] ?? null
  if (typeof value !== 'string') return value
  return span === undefined ? key(value) : value.slice(0, spanLength[span])
}

const compareAll = (some: readonly Value[], others: readonly (Value | undefined)[]): number => {
  for (const [index, value] of some.entries()) {
    const order = compare(value, others[index] ?? null)
    if (order !== 0) return order
  }
  return 0
}

/** By value, texts by their bytes; what is null comes last. */
const compare = (one: Value, other: Value): number => {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return typeof one === 'number'
    ? one - Number(other)
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}
