/** The active filters, each of which can be removed. */

import { employeeStatusLabel } from '../../format/labels.ts'
import type { SearchOf } from '../../frame/screens.ts'
import type { FacetOption } from '../../kit/Facet.tsx'
import { joinValues } from '../../search-parameters.ts'
import type { FacetName } from './people-query.ts'
import { facetNames, facetTitles, hidesLeft, selectedValues } from './people-query.ts'

export interface FilterChip {
  readonly key: string
  readonly title: string
  readonly text: string
  /** The facet whose filter the chip belongs to. Undefined for the search. */
  readonly facet: FacetName | undefined
  /** The search parameters without this filter. */
  readonly without: Partial<SearchOf<'/people'>>
}

export const filterChips = (
  search: SearchOf<'/people'>,
  optionsOf: (name: FacetName) => readonly FacetOption[],
): FilterChip[] => {
  const chips: FilterChip[] = []
  if (search.q !== undefined && search.q.trim() !== '')
    chips.push({ key: 'q', title: 'Search', text: search.q.trim(), facet: undefined, without: { q: undefined } })
  for (const facet of facetNames) {
    const selected = selectedValues(search, facet)
    for (const value of selected) {
      const option = optionsOf(facet).find((found) => found.value.toLowerCase() === value.toLowerCase())
      chips.push({
        key: `${facet}=${value}`,
        title: facetTitles[facet],
        text: option?.label ?? value,
        facet,
        without: { [facet]: joinValues(selected.filter((other) => other !== value)) },
      })
    }
    if (facet === 'status' && hidesLeft(search))
      chips.push({
        key: 'left',
        title: facetTitles.status,
        text: `not ${employeeStatusLabel('terminated')}`,
        facet,
        without: { left: 'true' },
      })
  }
  return chips
}

/** No filter at all: people who left are shown too. */
export const noFilters: Partial<SearchOf<'/people'>> = {
  q: undefined,
  dept_id: undefined,
  status: undefined,
  employment_type: undefined,
  branch: undefined,
  left: 'true',
}
