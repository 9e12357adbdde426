import type { ComputedFilter, ListFilter, NamedField, Violation } from '@muster/model'
import { isIdList, maxListedIds, parseDateTime } from '@muster/model'
import type { ComputedCondition } from '../../queries/computed-filters.ts'
import type { FieldFilter } from '../../queries/filters.ts'
import type { Parameter } from './query-string.ts'
import { readInteger } from './query-string.ts'

/** The result contains neither a filter nor a violation if the parameter is blank. */
export type FilterResult = { readonly filter?: FieldFilter } | { readonly violation: Violation }

export const readFilter = ({ field, test }: ListFilter, { text, isUnicode }: Parameter): FilterResult => {
  if (text.trim() === '') return {}
  if (!isUnicode) return violationResult('string_unicode')
  switch (test) {
    case 'equals':
      return readValues(field, text)
    case 'not':
      return readExclusion(field, text)
    case 'is_null':
      return readIsNull(field, text)
    default:
      return readBound(field, test, text)
  }
}

const readExclusion = (field: NamedField, text: string): FilterResult => {
  const values = splitValues(text)
  return values.length === 0 ? {} : { filter: { field, excludedValues: [...new Set(values)] } }
}

/** As `readFilter`, for a filter whose condition is a query. */
export const readComputedFilter = (
  computed: ComputedFilter,
  { text, isUnicode }: Parameter,
): { readonly filter?: ComputedCondition } | { readonly violation: Violation } => {
  if (text.trim() === '') return {}
  if (!isUnicode) return { violation: { type: 'string_unicode' } }
  switch (computed.kind) {
    case 'date': {
      const day = parseDateTime(text)?.day
      return day === undefined ? { violation: { type: 'date_parsing' } } : { filter: { computed, value: day } }
    }
    case 'month-day':
      // A leap year has every day.
      return /^\d\d-\d\d$/.test(text) && parseDateTime(`2000-${text}`) !== undefined
        ? { filter: { computed, value: text } }
        : { violation: { type: 'month_day_parsing' } }
    case 'id': {
      const integer = readInteger(text)
      return 'value' in integer ? { filter: { computed, value: String(integer.value) } } : integer
    }
    case 'choice':
      return computed.values?.includes(text)
        ? { filter: { computed, value: text } }
        : { violation: { type: 'literal_error', ctx: { expected: computed.values?.join(', ') ?? '' } } }
    case 'text':
      return { filter: { computed, value: text } }
  }
}

const violationResult = (type: Violation['type'], ctx?: Violation['ctx']): FilterResult => ({
  violation: ctx === undefined ? { type } : { type, ctx },
})

/**
 * `a,b` matches records with the value `a` or `b`. A doubled comma stands for a comma in a value. Empty values are
 * ignored.
 */
export const splitValues = (text: string): string[] =>
  (text.match(/(?:,,|[^,])+/g) ?? []).map((value) => value.replaceAll(',,', ','))

const readValues = (field: NamedField, text: string): FilterResult => {
  if (isIdList(field)) return readIds(field, splitValues(text))
  if (field.kind === 'text') return anyOf(field, splitValues(text))
  const integer = readInteger(text)
  return 'value' in integer ? anyOf(field, [integer.value]) : integer
}

const readIds = (field: NamedField, values: readonly string[]): FilterResult => {
  const list = readIdList(values)
  return 'ids' in list ? anyOf(field, list.ids) : list
}

/** Stops at the first text that is not an integer. */
export const readIdList = (
  texts: readonly string[],
): { readonly ids: readonly bigint[] } | { readonly violation: Violation } => {
  if (texts.length > maxListedIds) return { violation: { type: 'too_long', ctx: { max_length: maxListedIds } } }
  const ids: bigint[] = []
  for (const text of texts) {
    const integer = readInteger(text)
    if ('violation' in integer) return integer
    ids.push(integer.value)
  }
  return { ids }
}

const anyOf = (field: NamedField, values: readonly (string | bigint)[]): FilterResult =>
  values.length === 0 ? {} : { filter: { field, values: [...new Set(values)] } }

const readIsNull = (field: NamedField, text: string): FilterResult => {
  const word = text.trim().toLowerCase()
  return word === 'true' || word === 'false'
    ? { filter: { field, isNull: word === 'true' } }
    : violationResult('bool_parsing')
}

const readBound = (field: NamedField, edge: 'from' | 'to', text: string): FilterResult => {
  if (field.kind === 'number') {
    const number = readNumber(text)
    return 'value' in number ? { filter: { field, edge, value: String(number.value) } } : number
  }
  const dateTime = parseDateTime(text)
  if (dateTime === undefined) return violationResult(field.kind === 'date' ? 'date_parsing' : 'datetime_parsing')
  if (field.kind === 'date') return { filter: { field, edge, value: dateTime.day } }
  // An upper bound without a time includes the whole day, to the last microsecond.
  const value = edge === 'to' && text === dateTime.day ? `${dateTime.day}T23:59:59.999999Z` : dateTime.instant
  return { filter: { field, edge, value } }
}

/**
 * Digits after the integer part require a decimal point: if it were optional, digits could match in two ways, and
 * matching would take quadratic time. The lookahead makes the integer part atomic: without it, 15,000 digits and a
 * letter took 300 µs.
 */
const numberPattern = /^[+-]?(?:(?=(\d+(?:_\d+)*))\1(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const nonFinitePattern = /^[+-]?(?:inf(?:inity)?|nan)$/i

const readNumber = (text: string): { value: number } | { violation: Violation } => {
  const trimmed = text.trim()
  if (nonFinitePattern.test(trimmed)) return { violation: { type: 'finite_number' } }
  if (!numberPattern.test(trimmed)) return { violation: { type: 'float_parsing' } }
  const value = Number(trimmed.replaceAll('_', ''))
  return Number.isFinite(value) ? { value } : { violation: { type: 'finite_number' } }
}
