import type { Field, NamedField } from '../schema/field.ts'
import { maxLengths } from '../schema/field.ts'

/** How a filter compares a field with a value. The bounds `from` and `to` are inclusive. */
export type FilterOperator = 'equals' | 'not' | 'from' | 'to' | 'is_null'

export interface ListFilter {
  /**
   * Name of the query parameter: the name of the field, followed by the comparison if it is not `equals`, as in
   * `created_from`.
   */
  readonly parameter: string
  readonly test: FilterOperator
  readonly field: NamedField
}

export const listFilters = (stored: readonly NamedField[]): ListFilter[] =>
  stored.flatMap((field) =>
    filterTestsOf(field).map((test) => ({
      parameter: test === 'equals' ? field.name : `${field.name}_${test}`,
      test,
      field,
    })),
  )

const filterTestsOf = (field: Field): FilterOperator[] => [
  ...(field.filter || field.kind === 'id' ? (['equals'] as const) : []),
  ...(field.state ? (['not'] as const) : []),
  ...(['date', 'timestamp', 'number'].includes(field.kind) ? (['from', 'to'] as const) : []),
  ...(field.required || field.kind === 'id' ? [] : (['is_null'] as const)),
]

/** Whether an equality filter takes several ids: the id and every reference, but not `alumni` or `is_active`. */
export const isIdList = ({ kind }: Field): boolean => kind === 'id' || kind === 'reference'

/**
 * Whether lists can be sorted by the field. Sorting by long strings, URLs, colours or JSON documents would not be
 * useful.
 */
export const isSortable = (field: Field): boolean => {
  switch (field.kind) {
    case 'color':
    case 'url':
    case 'json':
    case 'withheld':
      return false
    case 'text':
      return field.filter || (field.maxLength ?? Infinity) <= maxLengths.name
    default:
      return true
  }
}
