/** The options of a facet, from the groups of a count. */
import { employeeStatusLabel, placeLabel, valueLabel } from '../../format/labels.ts'
import type { FacetOption } from '../../kit/Facet.tsx'
import type { FacetName } from './people-query.ts'

interface CountedGroup {
  readonly [name: string]: string | number | null
  readonly count: number
}

export interface FacetOptions {
  readonly options: FacetOption[]
  /** People without a value, or with one that no filter can select. */
  readonly others: number
  /** Whether all of `others` have null, so that the filter `<field>_is_null` selects them. */
  readonly othersAreNull: boolean
}

/** Longer texts are counted under their beginning and a digest, which is no value of the filter. */
const longestValue = 200

/** Counts fold texts to lower case. `spellings` has the original spelling of the texts that are already known. */
export const facetOptions = (
  name: FacetName,
  groups: readonly CountedGroup[],
  selected: readonly string[],
  spellings: ReadonlyMap<string, string>,
): FacetOptions => {
  const options: FacetOption[] = []
  const others: CountedGroup[] = []
  for (const group of groups) {
    const value = group[name] ?? null
    if (value === null || String(value).trim() === '' || String(value).length > longestValue) others.push(group)
    else
      options.push({
        value: String(value),
        label: optionLabel(name, String(value), group, spellings),
        count: group.count,
      })
  }
  const isCounted = (value: string) => options.some((option) => option.value === value.toLowerCase())
  const missing = selected.filter((value) => !isCounted(value))
  return {
    options: [
      ...options.toSorted((a, b) => b.count - a.count),
      ...missing.map((value) => ({ value, label: optionLabel(name, value, undefined, spellings), count: 0 })),
    ],
    others: others.reduce((sum, { count }) => sum + count, 0),
    othersAreNull: others.every((group) => group[name] === null),
  }
}

const optionLabel = (
  name: FacetName,
  value: string,
  group: CountedGroup | undefined,
  spellings: ReadonlyMap<string, string>,
): string => {
  switch (name) {
    case 'status':
      return employeeStatusLabel(value)
    case 'employment_type':
      return valueLabel(value)
    case 'branch':
      return spellings.get(value.toLowerCase()) ?? placeLabel(value)
    case 'dept_id': {
      const departmentName = group?.['department.name'] ?? null
      return (
        spellings.get(value) ?? (departmentName === null ? `Department ${value}` : placeLabel(String(departmentName)))
      )
    }
  }
}
