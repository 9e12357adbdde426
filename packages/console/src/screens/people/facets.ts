import type { CountedGroup, FacetOptions } from '../../explorer/facet-options.ts'
import { facetOptions } from '../../explorer/facet-options.ts'
import { employeeStatusLabel, placeLabel, valueLabel } from '../../format/labels.ts'
import type { FacetName } from './people-query.ts'

/** Counts fold texts to lower case. `spellings` has the original spelling of the texts that are already known. */
export const peopleFacetOptions = (
  name: FacetName,
  groups: readonly CountedGroup[],
  selected: readonly string[],
  spellings: ReadonlyMap<string, string>,
): FacetOptions => facetOptions(name, groups, selected, (value, group) => labelOf(name, value, group, spellings))

const labelOf = (
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
