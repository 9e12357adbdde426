/** Values that follow from the declaration of a field, for fields and resources that nothing else generates. */
import type { NamedField, Resource } from '@muster/model'
import type { Day } from '../calendar.ts'
import { formatDay, formatTimestamp, parseDay, workdayOnOrBefore } from '../calendar.ts'
import type { ColumnValue } from '../copy-text.ts'
import type { Plan } from '../plan.ts'
import { pick, randomBelow, randomFraction, randomUint32, streams } from '../random.ts'
import { textContent } from '../text-content.ts'
import type { PersonName } from '../vocabulary/names.ts'
import { cultures, personName } from '../vocabulary/names.ts'
import { phoneIn } from '../vocabulary/phones.ts'
import { generalNotes } from '../vocabulary/texts.ts'
import { foundingDay } from './growth.ts'

/** Values of one row by field. Values of existing tables are texts in the format of COPY. */
export type Values = Record<string, ColumnValue>

export interface RowSources {
  readonly plan: Plan
  readonly resource: Resource
  /** The fields that get a value. The other fields of the row are given. */
  readonly fields: readonly NamedField[]
  readonly rowCount: number
  /** Row counts of the resources that are loaded before this one, by path. */
  readonly rowCounts: ReadonlyMap<string, number>
}

/** Rows are spread over so many days before the current day of the demo data, or over the time of a younger company. */
const MAX_DAYS = 3 * 365
/** A date is at most so many days before its row was created, or after the date that it must not precede. */
const DAYS_APART = 14
const OPENING_SECOND = 8 * 3600
const OPEN_SECONDS = 9 * 3600
const MAX_INTEGER = 10
const MAX_HALVES = 40
/** Number of different names that a field without a unique constraint takes. */
const DIFFERENT_NAMES = 40
/** Share of rows with null in an optional field, as 1 in so many. */
const NULL_IN = 6
/** Each attempt fails with a chance of about one half, because a table has at most half of the possible keys. */
const MAX_ATTEMPTS = 1000
/** Timestamps are not among them, because most say when a record was created. */
const NULLABLE_KINDS = new Set(['reference', 'integer', 'number', 'text', 'color', 'url', 'date'])
const NUMBERED_KINDS = new Set(['id', 'url', 'json'])
/** Number of telephone numbers that are reserved for fiction in one country. */
const DIFFERENT_PHONES = 600

/** The error for a declaration whose rows only a generator can make. */
export const notDerivable = ({ table }: Resource, reason: string): TypeError =>
  new TypeError(`${reason}: write the table ${table} in packages/demo-data/src/company/company.ts`)

/** The fields whose combination of values must differ from row to row. */
const keysOf = ({ unique, naturalKey }: Resource): readonly (readonly string[])[] => [...unique, naturalKey]

const isFreeText = ({ kind, values, default: defaultValue }: NamedField): boolean =>
  kind === 'text' && values === undefined && defaultValue === undefined

const isPhone = (field: NamedField): boolean => isFreeText(field) && textContent(field) === 'phone'

/** Whether the value contains the number of the row, so that it is unique. */
function isNumbered(field: NamedField, resource: Resource): boolean {
  const keys = keysOf(resource).filter((key) => key.includes(field.name))
  if (field.kind === 'integer' || field.kind === 'number') return keys.some(({ length }) => length === 1)
  return keys.length > 0 && (NUMBERED_KINDS.has(field.kind) || (isFreeText(field) && !isPhone(field)))
}

/** The keys that can repeat by chance, because no numbered field is part of them. */
const randomKeys = (resource: Resource): readonly (readonly NamedField[])[] =>
  keysOf(resource)
    .map((key) => resource.storedFields.filter(({ name }) => key.includes(name)))
    .filter((key) => !key.some((field) => isNumbered(field, resource)))

/** Returns how many rows can have different keys, with so many different values that a repeated draw soon finds one. */
export function maxRows(resource: Resource, rowCounts: ReadonlyMap<string, number>): number {
  const limits = randomKeys(resource).map(
    (key) => key.reduce((product, field) => product * differentValues(field, rowCounts), 1) / 2,
  )
  return Math.max(1, Math.floor(Math.min(...limits, Number.POSITIVE_INFINITY)))
}

function differentValues(field: NamedField, rowCounts: ReadonlyMap<string, number>): number {
  switch (field.kind) {
    case 'reference':
      return rowCounts.get(field.references?.resource ?? '') ?? Number.POSITIVE_INFINITY
    case 'integer':
      return isFlag(field) ? 2 : MAX_INTEGER
    case 'number':
      return MAX_HALVES
    case 'date':
    case 'timestamp':
      return DAYS_APART
    case 'text':
      return isPhone(field) ? DIFFERENT_PHONES : (field.values?.length ?? 1)
    default:
      return Number.POSITIVE_INFINITY
  }
}

/** Returns a function that must be called once for each row, in order. It returns the values of a row by field. */
export function rowMaker(sources: RowSources): (row: number, given?: Values) => Values {
  const { resource, fields } = sources
  const makers = fields
    .toSorted((a, b) => datesBefore(a, resource) - datesBefore(b, resource))
    .map((field) => [field.name, valueMaker(field, sources)] as const)
  const keys = randomKeys(resource)
    .filter((key) => key.some(({ name }) => fields.some((field) => field.name === name)))
    .map((key) => ({ names: key.map(({ name }) => name), used: new Set<string>() }))
  return (row, given = {}) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const values = { ...given }
      for (const [name, make] of makers) values[name] = make(row, attempt, values)
      // As in a unique constraint, keys with null are never equal.
      const uses = keys
        .filter(({ names }) => names.every((name) => values[name] !== null))
        .map(({ names, used }) => ({ used, key: JSON.stringify(names.map((name) => values[name])) }))
      if (uses.some(({ used, key }) => used.has(key))) continue
      for (const { used, key } of uses) used.add(key)
      return values
    }
    throw notDerivable(resource, `${resource.path} has too few different keys for ${sources.rowCount} rows`)
  }
}

/** Returns the number of dates that must be known before this one. */
function datesBefore({ notBefore }: NamedField, resource: Resource): number {
  const earlier = resource.storedFields.find(({ name }) => name === notBefore)
  return earlier === undefined ? 0 : 1 + datesBefore(earlier, resource)
}

type ValueMaker = (row: number, attempt: number, values: Values) => ColumnValue

function valueMaker(field: NamedField, sources: RowSources): ValueMaker {
  const { resource, plan } = sources
  const stream = streams(plan.seed)(`${resource.path}.${field.name}`)
  const make = knownValueMaker(field, sources, stream)
  const isInKey = keysOf(resource).some((key) => key.includes(field.name))
  const isKnown = field.required || isInKey || field.today || field.values !== undefined
  const canBeNull = !isKnown && NULLABLE_KINDS.has(field.kind)
  return (row, attempt, values) => {
    const randomKey = randomUint32(randomUint32(stream, row), attempt)
    return canBeNull && randomKey % NULL_IN === 0 ? null : make(row, randomKey, values)
  }
}

type KnownValueMaker = (row: number, randomKey: number, values: Values) => ColumnValue

function knownValueMaker(field: NamedField, sources: RowSources, stream: number): KnownValueMaker {
  const { resource } = sources
  const { default: defaultValue, values } = field
  const isOwnNumber = isNumbered(field, resource)
  // The first number depends on the seed, so that companies with different seeds have no names in common.
  const firstNumber = 1000 + randomBelow(stream, 0, 9000)
  const numberOf = (row: number, randomKey: number) =>
    isOwnNumber ? firstNumber + row : 1 + randomBelow(randomKey, 1, DIFFERENT_NAMES)
  switch (field.kind) {
    case 'id':
      return (row) => row + 1
    case 'reference':
      return referenceMaker(field, sources)
    case 'integer':
    case 'number':
      if (isOwnNumber) return numberOf
      return (_row, randomKey) =>
        typeof defaultValue === 'number' && randomKey % 2 === 0 ? defaultValue : quantity(field, randomKey)
    case 'date':
      return dateMaker(field, sources)
    case 'timestamp':
      return timestampMaker(field, sources)
    case 'json':
      return (row, randomKey) =>
        JSON.stringify({ number: numberOf(row, randomKey), priority: 1 + randomBelow(randomKey, 2, 5) })
    case 'url':
      return (row, randomKey) => `https://assets.example.com/${resource.path}/${numberOf(row, randomKey)}`
    case 'color':
      return (_row, randomKey) =>
        typeof defaultValue === 'string' && randomKey % 2 === 0 ? defaultValue : color(randomKey)
    default:
      // The first rows have one value each, so that every suggested value occurs.
      if (values) return (row, randomKey) => values[row] ?? pick(values, randomFraction(randomKey, 1))
      if (defaultValue !== undefined) return () => defaultValue
      return (row, randomKey) =>
        textOf(field, {
          randomKey,
          number: numberOf(row, randomKey),
          numberedTitle: isOwnNumber ? resource.title : null,
        })
  }
}

/** Rows refer to rows that are loaded before them, of the same table to earlier ones. */
function referenceMaker(field: NamedField, { resource, rowCounts }: RowSources): KnownValueMaker {
  const { resource: path = '', within } = field.references ?? {}
  const isOwn = path === resource.path
  const rowCount = rowCounts.get(path)
  // Which records have the same value in the field `within` cannot be told from the declaration.
  if (within !== undefined || (rowCount === undefined && !isOwn)) {
    if (!field.required) return () => null
    throw notDerivable(resource, `${resource.path}.${field.name} cannot be chosen from the declaration`)
  }
  if (isOwn) return (row, randomKey) => (row === 0 ? (field.required ? 1 : null) : 1 + randomBelow(randomKey, 1, row))
  return (_row, randomKey) => 1 + randomBelow(randomKey, 1, rowCount as number)
}

const isFlag = ({ name }: NamedField): boolean => /^(is|has)_/.test(name)

function quantity(field: NamedField, randomKey: number): number {
  if (field.kind === 'number') return (1 + randomBelow(randomKey, 1, MAX_HALVES)) / 2
  return isFlag(field) ? randomBelow(randomKey, 1, 2) : 1 + randomBelow(randomKey, 1, MAX_INTEGER)
}

const color = (randomKey: number): string => `#${randomBelow(randomKey, 1, 0x1000000).toString(16).padStart(6, '0')}`

/** Returns a function that tells the day on which a row is created. Later rows are created later. */
function creationDays({ plan, resource, rowCount }: RowSources): (row: number) => Day {
  const stream = streams(plan.seed)(resource.path)
  const first = Math.max(foundingDay(plan) + 2 * DAYS_APART, plan.asOf - MAX_DAYS)
  return (row) => first + Math.floor(((row + randomFraction(stream, row)) / rowCount) * (plan.asOf - first + 1))
}

function dateMaker({ notBefore, today }: NamedField, sources: RowSources): KnownValueMaker {
  const { asOf } = sources.plan
  const createdOn = creationDays(sources)
  return (row, randomKey, values) => {
    const days = randomBelow(randomKey, 1, DAYS_APART)
    const earlier = notBefore === undefined ? null : (values[notBefore] ?? null)
    if (earlier !== null) {
      const first = parseDay(String(earlier))
      return formatDay(Math.max(first, workdayOnOrBefore(Math.min(asOf, first + days))))
    }
    return formatDay(today ? createdOn(row) : workdayOnOrBefore(createdOn(row) - days))
  }
}

/** The timestamps of a row are on the day of its creation, in the order of their declaration. */
function timestampMaker(field: NamedField, sources: RowSources): KnownValueMaker {
  const timestamps = sources.resource.storedFields.filter(({ kind }) => kind === 'timestamp')
  const position = timestamps.findIndex(({ name }) => name === field.name)
  const createdOn = creationDays(sources)
  return (row, randomKey) => {
    const share = (position + randomFraction(randomKey, 1)) / timestamps.length
    return formatTimestamp(createdOn(row), OPENING_SECOND + Math.floor(share * OPEN_SECONDS))
  }
}

interface TextSources {
  readonly randomKey: number
  readonly number: number
  /** The noun for one record if the number is unique, otherwise null. */
  readonly numberedTitle: string | null
}

function textOf(field: NamedField, { randomKey, number, numberedTitle }: TextSources): string {
  const words = numberedTitle ?? field.name.replaceAll('_', ' ')
  const word = `${words.replaceAll(' ', '-')}-${number}`
  const ending = numberedTitle === null ? '' : ` ${number}`
  switch (textContent(field)) {
    case 'email': {
      const { first, last } = personOf(randomKey)
      return `${first.ascii}.${last.ascii}.${number}@example.com`
    }
    case 'phone':
      return phoneIn('US', randomKey)
    case 'host':
      return `${word}.example`
    case 'word':
      return word
    case 'person': {
      const { first, last } = personOf(randomKey)
      return `${first.written} ${last.written}${ending}`
    }
    case 'title':
      return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${number}`
    default:
      return `${pick(generalNotes, randomFraction(randomKey, 3))}${ending}`
  }
}

const personOf = (randomKey: number): PersonName => personName(randomKey, randomBelow(randomKey, 2, cultures.length))
