/** In charge of invented questions to a list: filters, orders, words, shapes and windows, mostly such that something is found. */
import type { FilterTest, Grouping, ListFilter, NamedField, Resource } from '@muster/model'
import { groupingsOf, maxGroupings } from '@muster/model'
import type { Random } from './random.ts'
import { pick, pickSome } from './random.ts'
import type { Asked, View } from './reading-reference.ts'
import { parameterName } from './reading-reference.ts'
import type { Row } from './reference.ts'

export const inventAsked = ({ resource, rows }: View, random: Random): Asked => {
  const filters = pickSome(random, resource.listFilters, pick(random, [0, 0, 1, 1, 1, 2, 2, 3])).map((filter) => ({
    field: filter.field,
    test: filter.test,
    text: valueText(filter, rows, random),
  }))
  return {
    filters,
    ...(random(4) === 0 ? { q: words(resource.searchable, rows, random) } : {}),
    ...(random(5) < 3 ? { sort: sortText(resource.sortable, random) } : {}),
    ...(random(3) === 0 ? { fields: namesOf(resource.all, 1 + random(5), random) } : {}),
    ...(random(3) === 0 ? { expand: namesOf(resource.relations, 1 + random(3), random) } : {}),
    ...(random(3) === 0 ? {} : { limit: pick(random, [1, 2, 3, 10, 50, 199, 200]) }),
    ...(random(2) === 0 ? {} : { offset: pick(random, [0, 1, 2, random(20), random(rows.length + 3)]) }),
  }
}

/** What records are counted by; personal fields among them, for whoever may not. */
export const inventGroupings = (resource: Resource, random: Random): Grouping[] =>
  pickSome(random, groupingsOf(resource), 1 + random(maxGroupings))

/** The query string, escaped; what is not asked for is left out. */
export const queryOf = ({ q, filters, sort, fields, expand, limit, offset }: Asked): string => {
  const pairs: [string, unknown][] = [
    ['q', q],
    ['sort', sort],
    ['fields', fields],
    ['expand', expand],
    ['limit', limit],
    ['offset', offset],
    ...filters.map(({ field, test, text }): [string, string] => [parameterName(field, test), text]),
  ]
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

const namesOf = (all: readonly { readonly name: string }[], count: number, random: Random): string[] =>
  pickSome(random, all, count).map(({ name }) => name)

const sortText = (fields: readonly NamedField[], random: Random): string =>
  pickSome(random, fields, 1 + random(3))
    .map(({ name }) => `${random(2) === 0 ? '-' : ''}${name}`)
    .join(',')

const valuesOf = ({ name }: NamedField, rows: readonly Row[], random: Random, count: number): unknown[] =>
  Array.from({ length: count }, () => pick(random, rows)[name]).filter((value) => value !== null)

const valueText = ({ field, test }: ListFilter, rows: readonly Row[], random: Random): string => {
  if (random(40) === 0) return ' '
  if (test === 'is_null') return pick(random, ['true', 'false', 'True'])
  const count = test === 'equals' && (field.kind === 'text' || field.kind === 'id') ? 1 + random(4) : 1
  const values = valuesOf(field, rows, random, count)
  if (test === 'equals')
    return values.length === 0 ? '0' : values.map((value) => equalText(field, value, random)).join(',')
  return edgeText(field, test, values[0], random)
}

const equalText = ({ kind }: NamedField, value: unknown, random: Random): string => {
  const text = String(value)
  if (kind !== 'text') return text
  // A text that begins or ends with a comma cannot be told from its neighbours' separators.
  const written = text.replaceAll(',', ',,')
  return pick(random, [
    written,
    written.toUpperCase().toLowerCase() === text.toLowerCase() ? written.toUpperCase() : written,
  ])
}

const edgeText = ({ kind }: NamedField, test: FilterTest, value: unknown, random: Random): string => {
  if (kind === 'number') return value === undefined ? '1.5' : pick(random, [String(value), `${Number(value) + 0.5}`])
  if (kind === 'date') {
    const day = value === undefined ? '2026-01-01' : String(value)
    return pick(random, [day, `${day}T12:30:00Z`, `${day} 23:59`])
  }
  const moment = value === undefined ? '2026-01-01T00:00:00Z' : String(value)
  const sameDay = moment.slice(0, 10)
  // An offset may not lead out of the years there are.
  if (sameDay < '0001-01-02' || sameDay > '9999-12-30') return pick(random, [moment, sameDay])
  return pick(random, [moment, sameDay, test === 'to' ? `${sameDay}T23:59:59.5Z` : `${sameDay}T00:00:00+05:30`, moment])
}

/** Parts of words that stand somewhere, in either case. */
const words = (fields: readonly NamedField[], rows: readonly Row[], random: Random): string => {
  const found = Array.from({ length: 1 + random(2) }, () => {
    const text = String(pick(random, rows)[pick(random, fields).name] ?? 'x')
    const word = [...pick(random, text.split(/\s+/u))]
    const start = random(Math.max(1, word.length - 3))
    const part = word.slice(start, start + 2 + random(5)).join('')
    return random(3) === 0 ? part.toUpperCase() : part
  })
  return found.join(' ').slice(0, 150).toWellFormed()
}
