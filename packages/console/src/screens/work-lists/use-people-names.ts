import type { NamedPerson } from '../../format/person-name.ts'
import { personName } from '../../format/person-name.ts'
import { useList } from '../../service/queries.ts'

/** The API accepts at most this many ids in a filter. */
export const maxIds = 200

/** The names of people by id, of the first 200 ids. Undefined until they are loaded. */
export const usePeopleNames = (ids: readonly number[]): ReadonlyMap<number, NamedPerson> | undefined => {
  const known = [...new Set(ids)].slice(0, maxIds).toSorted((a, b) => a - b)
  const { data } = useList(
    'employees',
    { id: known, fields: ['id', 'first_name', 'last_name'], limit: maxIds },
    { enabled: known.length > 0 },
  )
  return data && new Map(data.data.map((person) => [person.id, person]))
}

/** The label of a person in a filter. */
export const nameOf = (people: ReadonlyMap<number, NamedPerson> | undefined, id: number): string => {
  if (people === undefined) return '…'
  const person = people.get(id)
  return (person && personName(person)) ?? `Employee ${id}`
}
