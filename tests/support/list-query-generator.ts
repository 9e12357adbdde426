/**
 * Generates random list queries. The queries take values from existing rows, so that most of them match at least one
 * row.
 */
import type { FilterOperator, Grouping, ListFilter, NamedField, Relation, Resource } from '@muster/model'
import { groupingsOf, isIdList, maxGroupings, relationFilters } from '@muster/model'
import type { ReferenceFilter, ReferenceQuery, Visibility } from './list-reference.ts'
import { parameterName } from './list-reference.ts'
import type { Random } from './random.ts'
import { pick, pickSome } from './random.ts'
import type { Row } from './reference.ts'

export const generateListQuery = (visibility: Visibility, random: Random): ReferenceQuery => {
  const { resource, rows, valueIn } = visibility
  const generated = (filter: ListFilter & { readonly relation?: Relation }): ReferenceFilter => ({
    field: filter.field,
    test: filter.test,
    relation: filter.relation,
    text: filterValue(filter, (row) => valueIn(filter.field, filter.relation, row), rows, random),
  })
  // A list has dozens of filters but only one or two that exclude values, so these are chosen separately.
  const [exclusions, otherFilters] = [true, false].map((isExclusion) =>
    resource.listFilters.filter(({ test }) => (test === 'not') === isExclusion),
  ) as [ListFilter[], ListFilter[]]
  const filters = [
    ...pickSome(random, exclusions, pick(random, [0, 0, 0, 1])),
    ...pickSome(random, otherFilters, pick(random, [0, 0, 1, 1, 1, 2, 2, 3])),
    ...pickSome(random, relationFilters(resource), pick(random, [0, 0, 0, 1, 1, 2])),
  ].map(generated)
  return {
    filters,
    ...(random(4) === 0 ? { q: searchTerms(resource.searchableFields, rows, random) } : {}),
    ...(random(5) < 3 ? { sort: sortValue(resource.sortableFields, random) } : {}),
    ...(random(3) === 0 ? { fields: pickNames(resource.allFields, 1 + random(5), random) } : {}),
    ...(random(3) === 0 ? { expand: pickNames(resource.relations, 1 + random(3), random) } : {}),
    ...(random(3) === 0 ? {} : { limit: pick(random, [1, 2, 3, 10, 50, 199, 200]) }),
    ...(random(2) === 0 ? {} : { offset: pick(random, [0, 1, 2, random(20), random(rows.length + 3)]) }),
  }
}

/** Random groupings, including fields with personal data, which a redacted read must reject. */
export const generateGroupings = (resource: Resource, random: Random): Grouping[] =>
  pickSome(random, groupingsOf(resource), 1 + random(maxGroupings))

/** `limit` and `offset` of a count: none, one or both. */
export const generateGroupWindow = (random: Random): Pick<ReferenceQuery, 'limit' | 'offset'> => ({
  ...(random(3) === 0 ? { limit: pick(random, [1, 2, 5, 100, 1_000]) } : {}),
  ...(random(3) === 0 ? { offset: pick(random, [0, 1, 3, random(60), random(1_200)]) } : {}),
})

/** The percent-encoded query string. Undefined parameters are left out. */
export const queryString = ({ q, filters, sort, fields, expand, limit, offset }: ReferenceQuery): string => {
  const pairs: [string, unknown][] = [
    ['q', q],
    ['sort', sort],
    ['fields', fields],
    ['expand', expand],
    ['limit', limit],
    ['offset', offset],
    ...filters.map((filter): [string, string] => [parameterName(filter), filter.text]),
  ]
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join('&')
}

const pickNames = (items: readonly { readonly name: string }[], count: number, random: Random): string[] =>
  pickSome(random, items, count).map(({ name }) => name)

const sortValue = (fields: readonly NamedField[], random: Random): string =>
  pickSome(random, fields, 1 + random(3))
    .map(({ name }) => `${random(2) === 0 ? '-' : ''}${name}`)
    .join(',')

const filterValue = (
  { field, test }: ListFilter,
  read: (row: Row) => unknown,
  rows: readonly Row[],
  random: Random,
): string => {
  if (random(40) === 0) return test === 'not' ? ',' : ' '
  if (test === 'is_null') return pick(random, ['true', 'false', 'True'])
  const isList = ['equals', 'not'].includes(test) && (field.kind === 'text' || isIdList(field))
  const count = isList ? 1 + random(4) : 1
  const values = Array.from({ length: count }, () => read(pick(random, rows))).filter((value) => value !== null)
  if (test === 'equals' || test === 'not')
    return values.length === 0 ? '0' : values.map((value) => equalityValue(field, value, random)).join(',')
  return rangeValue(field, test, values[0], random)
}

const equalityValue = ({ kind }: NamedField, value: unknown, random: Random): string => {
  const text = String(value)
  if (kind !== 'text') return text
  // A comma inside a value is written as two commas, because a single comma separates values.
  const escaped = text.replaceAll(',', ',,')
  return pick(random, [
    escaped,
    escaped.toUpperCase().toLowerCase() === text.toLowerCase() ? escaped.toUpperCase() : escaped,
  ])
}

const rangeValue = ({ kind }: NamedField, test: FilterOperator, value: unknown, random: Random): string => {
  if (kind === 'number') return value === undefined ? '1.5' : pick(random, [String(value), `${Number(value) + 0.5}`])
  if (kind === 'date') {
    const day = value === undefined ? '2026-01-01' : String(value)
    return pick(random, [day, `${day}T12:30:00Z`, `${day} 23:59`])
  }
  const timestamp = value === undefined ? '2026-01-01T00:00:00Z' : String(value)
  const sameDay = timestamp.slice(0, 10)
  // With a UTC offset, the first or last valid day could leave the years 0001 to 9999, and the service would reject it.
  if (sameDay < '0001-01-02' || sameDay > '9999-12-30') return pick(random, [timestamp, sameDay])
  return pick(random, [
    timestamp,
    sameDay,
    test === 'to' ? `${sameDay}T23:59:59.5Z` : `${sameDay}T00:00:00+05:30`,
    timestamp,
  ])
}

/** One or two search terms: parts of words that occur in the rows, some of them in upper case. */
const searchTerms = (fields: readonly NamedField[], rows: readonly Row[], random: Random): string => {
  const terms = Array.from({ length: 1 + random(2) }, () => {
    const text = String(pick(random, rows)[pick(random, fields).name] ?? 'x')
    const word = [...pick(random, text.split(/\s+/u))]
    const start = random(Math.max(1, word.length - 3))
    const wordPart = word.slice(start, start + 2 + random(5)).join('')
    return random(3) === 0 ? wordPart.toUpperCase() : wordPart
  })
  return terms.join(' ').slice(0, 150).toWellFormed()
}
