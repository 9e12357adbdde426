/** The requests of the People screen: the page of the list, four counts, and what is asked for after the first picture. */

import type { Department, Employee, EmployeeGroupKey, Grouping, Page } from '@muster/client'
import { useMemo } from 'react'
import type { FacetOptions } from '../../explorer/facet-options.ts'
import { sortKeys } from '../../explorer/sort-order.ts'
import type { ListState, ListUrl } from '../../explorer/use-list-state.ts'
import { useListState } from '../../explorer/use-list-state.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { parseOffset } from '../../search-parameters.ts'
import type { Result } from '../../service/queries.ts'
import { useCounts, useList, useServiceInfo } from '../../service/queries.ts'
import { useAsOf } from '../../service/use-as-of.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import { outUntilByPerson } from '../person/person-state.ts'
import { peopleFacetOptions } from './facets.ts'
import type { FacetName, PeopleFilters, PeopleOrder } from './people-query.ts'
import { facetGroupings, filtersWithout, pageSize, peopleFilters, selectedValues, sortOrder } from './people-query.ts'

export type Person = Employee & {
  readonly department: Department | null
  readonly manager: Employee | null
}

interface CountedFacet {
  readonly options: FacetOptions
  /** How many people there are without the filter of this facet. */
  readonly totalWithout: number
}

const url = { from: '/people', open: 'open', ofList: ['offset', 'open'] } as const satisfies ListUrl

export interface People extends ListState {
  readonly asOf: string
  readonly isWithheld: boolean
  readonly filters: PeopleFilters
  readonly sort: PeopleOrder
  readonly offset: number
  readonly list: Result<Page<Person>>
  readonly facets: Readonly<Partial<Record<FacetName, CountedFacet>>>
  readonly outUntil: ReadonlyMap<number, string>
}

export const usePeople = (): People => {
  const state = useListState(url)
  const search: SearchOf<'/people'> = state.search
  const asOf = useAsOf()
  const isWithheld = useIsWithheld()
  const info = useServiceInfo()
  // The default order depends on whether names are withheld. If that cannot be found out, the list says why.
  const enabled = info.data !== undefined || info.isError
  const filters = peopleFilters(search)
  const sort = useMemo(() => sortOrder(search.sort, isWithheld === true), [search.sort, isWithheld])
  const offset = parseOffset(search.offset)
  const list = useList(
    'employees',
    {
      ...filters,
      sort: sortKeys(sort),
      limit: pageSize,
      offset: offset === 0 ? undefined : offset,
      expand: ['department', 'manager'],
    },
    { enabled },
  )
  const page = list.data?.data ?? []
  const counts = {
    dept_id: useFacet(facetGroupings.dept_id, filtersWithout(filters, 'dept_id')),
    status: useFacet(facetGroupings.status, filtersWithout(filters, 'status')),
    employment_type: useFacet(facetGroupings.employment_type, filtersWithout(filters, 'employment_type')),
    branch: useFacet(facetGroupings.branch, filtersWithout(filters, 'branch')),
  }
  const spellings = useSpellings(page, counts.branch.data?.data ?? [], list.data !== undefined)
  const countedFacet = (name: FacetName): CountedFacet | undefined => {
    const { data } = counts[name]
    return data === undefined
      ? undefined
      : {
          options: peopleFacetOptions(name, data.data, selectedValues(search, name), spellings[name] ?? new Map()),
          totalWithout: data.meta.total,
        }
  }
  const leave = useList(
    'leave',
    {
      employee_id: page.map(({ id }) => id),
      status: 'approved',
      from_date_to: asOf,
      to_date_from: asOf,
      limit: 200,
    },
    { enabled: page.length > 0 },
  )
  const outUntil = useMemo(() => outUntilByPerson(leave.data?.data ?? []), [leave.data])
  return {
    ...state,
    asOf,
    isWithheld: isWithheld === true,
    filters,
    sort,
    offset,
    list,
    facets: {
      dept_id: countedFacet('dept_id'),
      status: countedFacet('status'),
      employment_type: countedFacet('employment_type'),
      branch: countedFacet('branch'),
    },
    outUntil,
  }
}

/** At most 1,000 groups: a company with more offices than that sees the first ones in alphabetical order. */
const useFacet = <G extends EmployeeGroupKey>(by: Grouping<G>['by'], filters: PeopleFilters) =>
  useCounts('employees', { ...filters, by, limit: 1_000 })

/**
 * Counts fold texts to lower case, so the spelling of names is read from records: those of the page, and one more request
 * for offices that are not on it and for all departments.
 */
const useSpellings = (
  page: readonly Person[],
  offices: readonly { readonly branch: string | null }[],
  enabled: boolean,
): Partial<Record<FacetName, Map<string, string>>> => {
  const departments = useList('departments', { limit: 200 }, { enabled })
  const keys = offices.flatMap(({ branch }) => (branch !== null && branch.trim() !== '' ? [branch] : []))
  const samples = useList(
    'employees',
    { branch: keys.slice(0, 100), fields: ['branch'], limit: 200 },
    { enabled: enabled && keys.length > 0 },
  )
  const departmentNames = [...page.map(({ department }) => department), ...(departments.data?.data ?? [])]
  return {
    dept_id: new Map(departmentNames.flatMap((found) => (found === null ? [] : [[String(found.id), found.name]]))),
    branch: new Map(
      [...(samples.data?.data ?? []), ...page].flatMap(({ branch }) =>
        branch === null ? [] : [[branch.toLowerCase(), branch]],
      ),
    ),
  }
}
