/** The recorded changes of employees, in words. */
import type { EmployeeTypes } from '@muster/client'

export type TrackedField = EmployeeTypes['trackedField']

const titles: Readonly<Record<TrackedField, string>> = {
  designation: 'new title',
  dept_id: 'moved department',
  manager_id: 'new manager',
  branch: 'new office',
  employment_type: 'new contract',
}
export const fieldOrder = Object.keys(titles) as TrackedField[]

/** As in `New title, new manager`. */
export const changeTitle = (changes: readonly { readonly field: TrackedField }[]): string => {
  const text = changes.map(({ field }) => titles[field]).join(', ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface ChangedEntry {
  readonly field: string
  readonly old: string | null
  readonly new: string | null
}

/** The ids in the changes that refer to records of a resource. */
export const referredIds = (changes: readonly ChangedEntry[], field: TrackedField): number[] =>
  [...new Set(changes.flatMap((change) => (change.field === field ? [change.old, change.new] : [])))]
    .flatMap((id) => id ?? [])
    .map(Number)
