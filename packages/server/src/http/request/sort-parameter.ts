import type { NamedField, Resource, Violation } from '@muster/model'
import type { SortKey } from '../../queries/sort.ts'
import { completeOrder } from '../../queries/sort.ts'
import { splitValues } from './filter-value.ts'
import type { Parameter } from './query-string.ts'

/** Reports only the first violation: the others may follow from it. */
export const readSort = (
  resource: Resource,
  { text, isUnicode }: Parameter,
): { readonly sort: readonly SortKey[] } | { readonly violation: Violation } => {
  if (text.trim() === '') return { sort: [] }
  if (!isUnicode) return { violation: { type: 'string_unicode' } }
  const keys: SortKey[] = []
  for (const piece of splitValues(text)) {
    const name = piece.replace(/^-/, '')
    const field = resource.sortableFields.find((sortable) => sortable.name === name)
    if (field === undefined) return { violation: { type: 'literal_error', ctx: { expected: sortableNames(resource) } } }
    if (field.personal && resource.redacted) return { violation: { type: 'field_redacted' } }
    if (keys.some((key) => key.field === field)) return { violation: { type: 'duplicate_item' } }
    keys.push({ field, descending: piece !== name })
  }
  return { sort: completeOrder(keys, idFieldOf(resource)) }
}

const sortableNames = ({ sortableFields: sortable }: Resource): string => sortable.map(({ name }) => name).join(', ')

/** The first field of every resource is its id. */
const idFieldOf = ({ allFields: all }: Resource): NamedField => all[0] as NamedField
