/** In charge of what a list can be narrowed and sorted by, as it follows from the kinds of the fields. */
import type { Field } from './field.ts'
import { lengths } from './field.ts'
import type { NamedField } from './resource.ts'

/** How a filter looks at its field: equal to a value, not below or not above one, or null. */
export type FilterTest = 'equals' | 'from' | 'to' | 'is_null'

export interface ListFilter {
  /** What the parameter is called: the field's own name, or `created_from`, `created_to`, `created_is_null`. */
  readonly parameter: string
  readonly test: FilterTest
  readonly field: NamedField
}

export const listFilters = (stored: readonly NamedField[]): ListFilter[] =>
  stored.flatMap((field) =>
    testsOf(field).map((test) => ({
      parameter: test === 'equals' ? field.name : `${field.name}_${test}`,
      test,
      field,
    })),
  )

const testsOf = (field: Field): FilterTest[] => [
  ...(field.filter || field.kind === 'id' ? (['equals'] as const) : []),
  ...(['date', 'timestamp', 'number'].includes(field.kind) ? (['from', 'to'] as const) : []),
  ...(field.required || field.kind === 'id' ? [] : (['is_null'] as const)),
]

/** Long texts have no useful order, and neither have addresses, colours and documents. */
export const isSortable = (field: Field): boolean => {
  switch (field.kind) {
    case 'color':
    case 'url':
    case 'json':
    case 'withheld':
      return false
    case 'text':
      return field.filter || (field.maxLength ?? Infinity) <= lengths.name
    default:
      return true
  }
}
