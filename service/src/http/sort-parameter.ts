/** In charge of reading the order a list is asked for, or of saying what is wrong with it. */
import type { Flaw, NamedField, Resource } from '@muster/model'
import type { SortKey } from '../operations/order.ts'
import { completeOrder } from '../operations/order.ts'
import { splitValues } from './filter-value.ts'
import type { Parameter } from './query-string.ts'

/** Only the first fault is told: one name put right may put others right. */
export const readSort = (
  resource: Resource,
  { text, isUnicode }: Parameter,
): { readonly sort: readonly SortKey[] } | { readonly flaw: Flaw } => {
  if (text.trim() === '') return { sort: [] }
  if (!isUnicode) return { flaw: { type: 'string_unicode' } }
  const keys: SortKey[] = []
  for (const piece of splitValues(text)) {
    const name = piece.replace(/^-/, '')
    const field = resource.sortable.find((each) => each.name === name)
    if (field === undefined) return { flaw: { type: 'literal_error', ctx: { expected: expected(resource) } } }
    if (field.personal && resource.redacted) return { flaw: { type: 'field_redacted' } }
    if (keys.some((key) => key.field === field)) return { flaw: { type: 'duplicate_item' } }
    keys.push({ field, descending: piece !== name })
  }
  return { sort: completeOrder(keys, idOf(resource)) }
}

const expected = ({ sortable }: Resource): string => sortable.map(({ name }) => name).join(', ')

/** Every record starts with its id. */
const idOf = ({ all }: Resource): NamedField => all[0] as NamedField
