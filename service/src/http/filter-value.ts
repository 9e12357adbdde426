/** In charge of reading the value of one filter, or of saying what is wrong with it. */
import type { Flaw, ListFilter, NamedField } from '@muster/model'
import { maxListedIds, readMoment } from '@muster/model'
import type { Filter } from '../operations/conditions.ts'
import { readInteger } from './integer-parameter.ts'
import type { Parameter } from './query-string.ts'

/** No filter and no flaw: the parameter asks for nothing. */
export type ReadFilter = { readonly filter?: Filter } | { readonly flaw: Flaw }

export const readFilter = ({ field, test }: ListFilter, { text, isUnicode }: Parameter): ReadFilter => {
  if (text.trim() === '') return {}
  if (!isUnicode) return flawed('string_unicode')
  switch (test) {
    case 'equals':
      return readValues(field, text)
    case 'is_null':
      return readNullness(field, text)
    default:
      return readEdge(field, test, text)
  }
}

const flawed = (type: Flaw['type'], ctx?: Flaw['ctx']): ReadFilter => ({
  flaw: ctx === undefined ? { type } : { type, ctx },
})

/** `a,b` is either of two values; a doubled comma is a comma inside one. Pieces that are empty ask for nothing. */
export const splitValues = (text: string): string[] =>
  (text.match(/(?:,,|[^,])+/g) ?? []).map((value) => value.replaceAll(',,', ','))

const readValues = (field: NamedField, text: string): ReadFilter => {
  if (field.kind === 'id') return readIds(field, splitValues(text))
  if (field.kind === 'text') return anyOf(field, splitValues(text))
  const read = readInteger(text)
  return 'value' in read ? anyOf(field, [read.value]) : read
}

const readIds = (field: NamedField, pieces: readonly string[]): ReadFilter => {
  if (pieces.length > maxListedIds) return flawed('too_long', { max_length: maxListedIds })
  const ids: bigint[] = []
  for (const piece of pieces) {
    const read = readInteger(piece)
    if ('flaw' in read) return read
    ids.push(read.value)
  }
  return anyOf(field, ids)
}

const anyOf = (field: NamedField, values: readonly (string | bigint)[]): ReadFilter =>
  values.length === 0 ? {} : { filter: { field, values: [...new Set(values)] } }

const readNullness = (field: NamedField, text: string): ReadFilter => {
  const word = text.trim().toLowerCase()
  return word === 'true' || word === 'false' ? { filter: { field, isNull: word === 'true' } } : flawed('bool_parsing')
}

const readEdge = (field: NamedField, edge: 'from' | 'to', text: string): ReadFilter => {
  if (field.kind === 'number') {
    const read = readNumber(text)
    return 'value' in read ? { filter: { field, edge, value: String(read.value) } } : read
  }
  const moment = readMoment(text)
  if (moment === undefined) return flawed(field.kind === 'date' ? 'date_parsing' : 'datetime_parsing')
  if (field.kind === 'date') return { filter: { field, edge, value: moment.day } }
  // A day as the upper end is meant whole, to the last moment that can be stored.
  const value = edge === 'to' && text === moment.day ? `${moment.day}T23:59:59.999999Z` : moment.instant
  return { filter: { field, edge, value } }
}

/** Digits after the integer part need a point: with an optional point, digits matched in two ways, in quadratic time. */
const numberShape = /^[+-]?(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const endless = /^[+-]?(?:inf(?:inity)?|nan)$/i

const readNumber = (text: string): { value: number } | { flaw: Flaw } => {
  const trimmed = text.trim()
  if (endless.test(trimmed)) return { flaw: { type: 'finite_number' } }
  if (!numberShape.test(trimmed)) return { flaw: { type: 'float_parsing' } }
  const value = Number(trimmed.replaceAll('_', ''))
  return Number.isFinite(value) ? { value } : { flaw: { type: 'finite_number' } }
}
