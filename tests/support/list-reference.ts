/** Reference implementation of lists: filters, searches and sorts all rows in plain TypeScript. */
import { createHash } from 'node:crypto'
import type { FilterOperator, NamedField, Relation, Resource } from '@muster/model'
import type { Row, Rows, Value } from './reference.ts'
import { redactedValue } from './reference.ts'

/** All rows of a resource, as a client with full or redacted access sees them. */
export interface Visibility {
  readonly resource: Resource
  readonly isRedacted: boolean
  readonly rows: readonly Row[]
  /** A field of the row, or of the record that it refers to; null if it refers to none. */
  readonly valueIn: (field: NamedField, relation: Relation | undefined, row: Row) => Value
}

export interface ReferenceFilter {
  readonly field: NamedField
  readonly test: FilterOperator
  readonly text: string
  /** Undefined: the field is one of the record itself. */
  readonly relation?: Relation | undefined
}

/** Query parameters before percent-encoding. */
export interface ReferenceQuery {
  readonly q?: string
  readonly filters: readonly ReferenceFilter[]
  readonly sort?: string
  /** Names of the requested fields. Undefined means all fields. */
  readonly fields?: readonly string[]
  readonly expand?: readonly string[]
  readonly limit?: number
  readonly offset?: number
}

export const visibilityOf = (resource: Resource, rows: Rows, isRedacted: boolean): Visibility => {
  const stored = rows.of(resource.path)
  const byId = new Map(
    resource.relations.map((relation) => [
      relation.name,
      new Map(rows.of(relation.resource).map((row) => [row.id, row])),
    ]),
  )
  return {
    resource,
    isRedacted,
    rows: isRedacted ? stored.map((row) => redactRow(resource, row)) : stored,
    valueIn: ({ name }, relation, row) => {
      if (relation === undefined) return row[name] ?? null
      const id = row[relation.field.name]
      return byId.get(relation.name)?.get(id ?? null)?.[name] ?? null
    },
  }
}

const redactRow = ({ allFields: all }: Resource, row: Row): Row =>
  Object.fromEntries(
    all.map(({ name, personal, required }) => [name, personal ? redactedValue(!required) : (row[name] ?? null)]),
  )

/** Parameters that must be rejected because they use redacted fields, in the order in which errors are reported. */
export const rejectedParameters = ({ resource, isRedacted }: Visibility, query: ReferenceQuery): string[] => {
  if (!isRedacted) return []
  const filters = query.filters.filter(({ field, text }) => field.personal && text.trim() !== '').map(parameterName)
  const sortFields = (query.sort ?? '').split(',').map((part) => part.replace('-', ''))
  const isSorted = resource.allFields.some(({ name, personal }) => personal && sortFields.includes(name))
  return [...filters, ...(isSorted ? ['sort'] : [])]
}

export const parameterName = ({ field: { name }, test, relation }: ReferenceFilter): string =>
  (relation === undefined ? '' : `${relation.name}.`) + (test === 'equals' ? name : `${name}_${test}`)

/** All rows that match the query, in its sort order. Pages, exports and counts are compared with them. */
export const matchingRows = (visibility: Visibility, query: ReferenceQuery): Row[] => {
  const terms = (query.q ?? '')
    .split(/\s+/u)
    .filter((term) => term !== '')
    .map(foldForSearch)
  const fields = visibility.resource.allFields.filter(
    ({ kind, personal }) => kind === 'text' && !(visibility.isRedacted && personal),
  )
  const matchesSearch = (row: Row): boolean => {
    if (terms.length === 0) return true
    const text = foldForSearch(fields.map(({ name }) => row[name] ?? '').join('\n'))
    return terms.every((term) => text.includes(term))
  }
  const meets = (row: Row, filter: ReferenceFilter): boolean =>
    matchesFilter(filter, visibility.valueIn(filter.field, filter.relation, row))
  return visibility.rows
    .filter((row) => query.filters.every((filter) => meets(row, filter)) && matchesSearch(row))
    .toSorted(rowComparison(visibility.resource, query.sort))
}

const matchesFilter = ({ field, test, text }: ReferenceFilter, value: unknown): boolean => {
  if (text.trim() === '') return true
  if (test === 'is_null') return (value === null) === (text.toLowerCase() === 'true')
  if (value === null) return false
  if (test === 'equals') return equalsFilter(field, text, value)
  if (test === 'not') return splitList(text).length === 0 || !equalsFilter(field, text, value)
  const [actual, limit] = [comparableValue(field, value), rangeLimit(field, test, text)]
  return test === 'from' ? actual >= limit : actual <= limit
}

const equalsFilter = ({ kind }: NamedField, text: string, value: unknown): boolean => {
  if (kind !== 'text') return text.split(',').some((part) => Number(part) === value)
  const parts = splitList(text)
  return parts.length === 0 || parts.some((part) => filterKey(part) === filterKey(String(value)))
}

/** Splits a list of values at commas. Two commas in a row stand for a comma inside a value. */
const splitList = (text: string): string[] =>
  text
    .replaceAll(',,', '\u0001')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('\u0001', ','))

type Comparable = number | bigint | string

const comparableValue = ({ kind }: NamedField, value: unknown): Comparable => {
  if (kind === 'timestamp') return toMicroseconds(String(value))
  return value as Comparable
}

const rangeLimit = ({ kind }: NamedField, test: FilterOperator, text: string): Comparable => {
  if (kind === 'number') return Number(text)
  if (kind === 'date') return text.slice(0, 10)
  const isDay = text.length === 10
  return toMicroseconds(isDay ? `${text}T00:00:00Z` : text) + (isDay && test === 'to' ? 86_399_999_999n : 0n)
}

const microsecondsCache = new Map<string, bigint>()

/** Microseconds since 1970-01-01 UTC. */
const toMicroseconds = (text: string): bigint => {
  const cached = microsecondsCache.get(text)
  if (cached !== undefined) return cached
  const [, seconds = '', fraction = '', zone = ''] = /^(.{19})(?:\.(\d+))?(.*)$/.exec(text) ?? []
  const result = BigInt(Date.parse(`${seconds}${zone}`)) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6) || '0')
  microsecondsCache.set(text, result)
  return result
}

type RowComparison = (a: Row, b: Row) => number

const rowComparison = ({ allFields: all }: Resource, sort = ''): RowComparison => {
  const parts = sort.split(',').filter((part) => part !== '')
  const lastPart = parts.at(-1) ?? 'id'
  const sortKeys = [...parts, lastPart.startsWith('-') ? '-id' : 'id'].map((part) => {
    const field = all.find(({ name }) => name === part.replace('-', '')) as NamedField
    return { field, sign: part.startsWith('-') ? -1 : 1 }
  })
  return (a, b) => {
    for (const { field, sign } of sortKeys) {
      const order = compareValues(field, a[field.name], b[field.name])
      if (order !== 0) return order * sign
    }
    return 0
  }
}

/** null sorts after every other value. */
const compareValues = (field: NamedField, a: unknown, b: unknown): number => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (field.kind === 'text') return Buffer.compare(sortKey(String(a)), sortKey(String(b)))
  const [left, right] = [comparableValue(field, a), comparableValue(field, b)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

const sortKeyCache = new Map<string, Buffer>()

const sortKey = (text: string): Buffer => {
  const cached = sortKeyCache.get(text)
  if (cached !== undefined) return cached
  const key = Buffer.from(filterKey(text))
  sortKeyCache.set(text, key)
  return key
}

const filterKeyCache = new Map<string, string>()

/**
 * The form in which filters and sort orders compare a string: in lower case. Of a string over 200 characters, only the
 * first 200 and a digest of the whole are compared.
 */
export const filterKey = (text: string): string => {
  const cached = filterKeyCache.get(text)
  if (cached !== undefined) return cached
  const lowercase = text.toLowerCase()
  const characters = [...lowercase]
  const result =
    characters.length <= 200
      ? lowercase
      : characters.slice(0, 200).join('') + createHash('sha256').update(lowercase).digest('hex')
  filterKeyCache.set(text, result)
  return result
}

const combiningMarks = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g
const specialLetters = 'ςµϐϑϕϖϰϱϵſøłđðħıŋŧƀɓƈɖɗƒǥɠɨɉƙƚɲƞƥɍʈƭʉʋƴɏƶȥⱥⱦȼɇ'
const plainLetters = 'σμβθφπκρεsolddhintbbcddfggijkllnnprttuvyyzzatce'
const letterExpansions: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ĳ: 'ij', ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' },
  ...{ ŉ: 'ʼn', ẚ: 'aʾ' },
}
const foldCache = new Map<string, string>()

/** The form in which searches compare a string: lower case and without accents. */
const foldForSearch = (text: string): string => {
  const cached = foldCache.get(text)
  if (cached !== undefined) return cached
  const result = [...text.toLowerCase().normalize('NFD').replace(combiningMarks, '').normalize('NFC')]
    .map((letter) => {
      const index = specialLetters.indexOf(letter)
      return index < 0 ? (letterExpansions[letter] ?? letter) : (plainLetters[index] ?? letter)
    })
    .join('')
  foldCache.set(text, result)
  return result
}
