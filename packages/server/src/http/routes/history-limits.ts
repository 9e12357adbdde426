/** An entry of the history belongs to the resource that one of its fields names, so a caller may see a part of the list. */
import type { Resource } from '@muster/model'
import { history, trackedResources } from '@muster/model'
import type { Filter, ListFilters, ValueFilter } from '../../queries/filters.ts'
import type { Caller } from '../access/callers.ts'
import { forbidden } from '../access/callers.ts'

const resourceField = history.allFields.find(({ name }) => name === 'resource') as ValueFilter['field']

/** The resources whose history a confined caller may read; undefined if that is all, or if the list is another one. */
export const readableHistory = (caller: Caller, { table }: Resource): readonly string[] | undefined => {
  if (table !== history.table || caller.hasRightTo(history)) return undefined
  return trackedResources.filter((resource) => caller.hasRightTo(resource)).map(({ path }) => path)
}

/** The query, limited to the history of these resources. Throws `forbidden` if it names another, or if there are none. */
export const withinHistory = <T extends ListFilters>(query: T, readable: readonly string[]): T => {
  const named = query.filters.flatMap((filter) => (isByResource(filter) ? filter.values : [])).map(lowerCase)
  const others = trackedResources.map(({ path }) => path).filter((path) => !readable.includes(path))
  const missing = others.filter((path) => named.includes(path))
  if (missing.length > 0) throw forbidden({ read: missing })
  if (readable.length === 0) throw forbidden({ read: others })
  return { ...query, filters: [...query.filters, { field: resourceField, values: readable }] }
}

const isByResource = (filter: Filter): filter is ValueFilter =>
  'values' in filter && filter.field.name === resourceField.name

const lowerCase = (value: string | bigint): string => String(value).toLowerCase()
