import { useList } from './queries.ts'

/** The names of the departments by id, as text. Undefined until they are loaded. */
export const useDepartmentNames = (enabled = true): ReadonlyMap<string, string> | undefined => {
  const { data } = useList('departments', { fields: ['id', 'name'], sort: 'name', limit: 200 }, { enabled })
  return data === undefined ? undefined : new Map(data.data.map(({ id, name }) => [String(id), name]))
}
