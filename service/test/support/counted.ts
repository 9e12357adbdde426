/** In charge of what lists, files and counts must hold: worked out over all records in memory, apart from the service. */
import type { Grouping, ListFilter, Resource } from '@muster/model'

export type Item = Readonly<Record<string, unknown>>

/** A filter, and the value its parameter is sent with. */
export interface AskedFilter {
  readonly filter: ListFilter
  readonly value: string
}

export interface Asked {
  readonly filters: readonly AskedFilter[]
  /** A word of plain letters, or nothing. */
  readonly word: string
}

export const queryOf = ({ filters, word }: Asked): string =>
  [
    ...filters.map(({ filter, value }) => `${filter.parameter}=${encodeURIComponent(value.replaceAll(',', ',,'))}`),
    ...(word === '' ? [] : [`q=${word}`]),
  ].join('&')

/** A record as those without a token are shown it. */
export const withheldFrom = ({ all }: Resource, record: Item): Item =>
  Object.fromEntries(all.map(({ name, personal }) => [name, personal ? null : record[name]]))

export const matches = (resource: Resource, { filters, word }: Asked, record: Item): boolean =>
  filters.every((asked) => passes(asked, record)) && (word === '' || texts(resource, record).includes(word))

const texts = ({ searchable }: Resource, record: Item): string =>
  searchable
    .map(({ name }) => String(record[name] ?? ''))
    .join('\n')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()

const passes = ({ filter: { field, test }, value }: AskedFilter, record: Item): boolean => {
  const found = record[field.name] as string | number | null
  if (test === 'is_null') return (found === null) === (value === 'true')
  if (found === null) return false
  if (test === 'equals')
    return field.kind === 'text' ? String(found).toLowerCase() === value.toLowerCase() : found === Number(value)
  const [one, other] = field.kind === 'number' ? [Number(found), Number(value)] : [momentOf(found), momentOf(value)]
  return test === 'from' ? one >= other : one <= other
}

/** Of one length, so that earlier is less. */
const momentOf = (text: string | number): string =>
  String(text).replace('Z', '').padEnd(19, ' ').padEnd(20, '.').padEnd(26, '0')

export interface Group extends Item {
  readonly count: number
}

/** The groups of the records in the order they are answered in. */
export const groupsOf = (records: readonly Item[], groupings: readonly Grouping[]): Group[] => {
  const groups = new Map<string, { values: unknown[]; count: number }>()
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
      ...Object.fromEntries(groupings.map(({ name }, index) => [name, values[index]])),
      count,
    }))
}

const spanLength = { year: 4, month: 7, day: 10 } as const

const valueIn = ({ field, span }: Grouping, record: Item): unknown => {
  const value = record[field.name]
  if (typeof value !== 'string') return value
  return span === undefined ? value.toLowerCase() : value.slice(0, spanLength[span])
}

const compareAll = (some: readonly unknown[], others: readonly unknown[]): number => {
  for (const [index, value] of some.entries()) {
    const order = compare(value, others[index])
    if (order !== 0) return order
  }
  return 0
}

/** By value, texts by their bytes; what is null comes last. */
const compare = (one: unknown, other: unknown): number => {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return typeof one === 'number'
    ? one - Number(other)
    : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}
