import type { Resource } from '@muster/model'
import type { Statement } from '../../postgres/sql/statement.ts'
import { joinedRecords, Parameters, versionedSelect } from '../../postgres/sql/statement.ts'
import type { ValueFilter } from '../filters.ts'
import { possibleValues, rowCount, rowCountOfAny } from '../filters.ts'
import { pageInOrder } from '../sort.ts'
import type { ListQuery } from './query.ts'

/**
 * The statement is not prepared, so that the planner knows the filter's values and can choose between the index for the
 * order and the index for the filter.
 */
export const sortedScanStatement = (resource: Resource, query: ListQuery, filter?: ValueFilter): Statement => {
  const parameters = new Parameters()
  const page = pageInOrder(resource, query, parameters)
  const total =
    filter === undefined
      ? rowCount(resource, undefined)
      : rowCountOfAny(resource, filter, `${parameters.add(possibleValues(filter))}::text[]`)
  return {
    pool: 'list',
    summary: `list in order ${resource.path}`,
    ...versionedSelect(resource, `${total}, ${joinedRecords(page)}`),
    values: parameters.values,
  }
}
