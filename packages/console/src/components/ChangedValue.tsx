import type { ReactNode } from 'react'
import { valueLabel } from '../format/labels.ts'
import type { NamedPerson } from '../format/person-name.ts'
import { useList } from '../service/queries.ts'
import type { TrackedField } from './employee-changes.ts'
import { combineResults } from './Loadable.tsx'
import { PersonName } from './PersonName.tsx'

export interface ChangedNames {
  readonly departments: ReadonlyMap<number, string>
  readonly people: ReadonlyMap<number, NamedPerson>
}

/** The present names of the departments and people in changes. */
export const useChangedNames = (departmentIds: readonly number[], peopleIds: readonly number[]) => {
  const departments = useList(
    'departments',
    { id: departmentIds.slice(0, 200), fields: ['id', 'name'], limit: 200 },
    { enabled: departmentIds.length > 0 },
  )
  const people = useList(
    'employees',
    { id: peopleIds.slice(0, 200), fields: ['id', 'first_name', 'last_name'], limit: 200 },
    { enabled: peopleIds.length > 0 },
  )
  const needed = [...(departmentIds.length > 0 ? [departments] : []), ...(peopleIds.length > 0 ? [people] : [])]
  const names: ChangedNames = {
    departments: new Map(departments.data?.data.map(({ id, name }) => [id, name])),
    people: new Map(people.data?.data.map((person) => [person.id, person])),
  }
  return combineResults(needed.every(({ data }) => data !== undefined) ? names : undefined, needed)
}

const missing: Readonly<Record<TrackedField, string>> = {
  designation: 'no title',
  dept_id: 'no department',
  manager_id: 'no manager',
  branch: 'no office',
  employment_type: 'no contract',
}

interface ChangedValueProps {
  readonly field: TrackedField
  readonly value: string | null
  readonly names: ChangedNames
}

/** What a department or manager is called is as it is now. Those that were deleted have a number. */
export const ChangedValue = ({ field, value, names }: ChangedValueProps): ReactNode => {
  if (value === null || value.trim() === '') return missing[field]
  switch (field) {
    case 'dept_id':
      return <bdi>{names.departments.get(Number(value)) ?? `Department ${value}`}</bdi>
    case 'manager_id': {
      const manager = names.people.get(Number(value))
      return manager === undefined ? `Employee ${value}` : <PersonName person={manager} isPlain />
    }
    case 'employment_type':
      return <bdi>{valueLabel(value)}</bdi>
    default:
      return <bdi>{value}</bdi>
  }
}
