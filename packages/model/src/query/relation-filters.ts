import { resourceAt } from '../registry.ts'
import type { Relation, Resource } from '../schema/resource.ts'
import type { ListFilter } from './list-parameters.ts'

/** A filter on a field of a related record, such as `employee.dept_id`. */
export interface RelationFilter extends ListFilter {
  readonly relation: Relation
}

/** The relations of a resource are the same array in all its variants. */
const cache = new WeakMap<readonly Relation[], readonly RelationFilter[]>()

/** The filters of each related resource by value and range; not by its id, which the reference itself filters by. */
export const relationFilters = ({ relations }: Resource): readonly RelationFilter[] => {
  const known = cache.get(relations)
  if (known !== undefined) return known
  const filters = relations.flatMap((relation) =>
    resourceAt(relation.resource)
      .listFilters.filter(({ test, field }) => test !== 'is_null' && test !== 'not' && field.kind !== 'id')
      .map((filter) => ({ ...filter, relation, parameter: `${relation.name}.${filter.parameter}` })),
  )
  cache.set(relations, filters)
  return filters
}

/** The names of all fields, own and related, whether or not a list can be filtered by them. */
export const fieldNames = ({ allFields, relations }: Resource): readonly string[] => [
  ...allFields.map(({ name }) => name),
  ...relations.flatMap((relation) =>
    resourceAt(relation.resource).allFields.map(({ name }) => `${relation.name}.${name}`),
  ),
]
