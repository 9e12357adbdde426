/** The requests of the People screen: the page of the list, four counts, and what is asked for after the first picture. */
import type { Page, Resources } from '@muster/client'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useAsOf } from '../../service/as-of.ts'
import type { Result } from '../../service/queries.ts'
import { useCounts, useList, useServiceInfo } from '../../service/queries.ts'
import { useIsWithheld } from '../../service/visibility.ts'
import { outUntilByPerson } from '../person/person-state.ts'
import type { FacetOptions } from './facets.ts'
import { facetOptions } from './facets.ts'
import type { FacetName, PeopleFilters, SortOrder } from './people-query.ts'
import {
  facetGroupings,
  filtersWithout,
  pageOffset,
  pageSize,
  peopleFilters,
  selectedValues,
  sortOrder,
  sortParameter,
} from './people-query.ts'
import type { PeopleSearch } from './search.ts'

export type Person = Resources['employees']['record'] & {
  readonly department: Resources['departments']['record'] | null
  readonly manager: Resources['employees']['record'] | null
}

interface CountedFacet {
  readonly options: FacetOptions
  /** How many people there are without the filter of this facet. */
  readonly totalWithout: number
}

export interface People {
  readonly search: PeopleSearch
  readonly asOf: string
  readonly isWithheld: boolean
  readonly filters: PeopleFilters
  readonly sort: SortOrder
  readonly offset: number
  readonly list: Result<Page<Person>>
  readonly facets: Readonly<Partial<Record<FacetName, CountedFacet>>>
  readonly outUntil: ReadonlyMap<number, string>
}

export const usePeople = (): People => {
  const search = useSearch({ from: '/people' })
  const asOf = useAsOf()
  const isWithheld = useIsWithheld()
  const info = useServiceInfo()
  // The default order depends on whether names are withheld. If that cannot be found out, the list says why.
  const enabled = info.data !== undefined || info.isError
  const filters = peopleFilters(search)
  const sort = useMemo(() => sortOrder(search.sort, isWithheld === true), [search.sort, isWithheld])
  const offset = pageOffset(search)
  const list = useList<'employees', Person>(
    'employees',
    {
      ...filters,
      sort: sortParameter(sort) as 'last_name'[],
      limit: pageSize,
      offset: offset === 0 ? undefined : offset,
      expand: ['department', 'manager'] as never,
    },
    { enabled },
  )
  const page = list.data?.data ?? []
  const counts = {
    dept_id: useFacet('dept_id', filters),
    status: useFacet('status', filters),
    employment_type: useFacet('employment_type', filters),
    branch: useFacet('branch', filters),
  }
  const spellings = useSpellings(page, counts.branch.data?.data ?? [], list.data !== undefined)
  const countedFacet = (name: FacetName): CountedFacet | undefined => {
    const { data } = counts[name]
    return data === undefined
      ? undefined
      : {
          options: facetOptions(name, data.data, selectedValues(search, name), spellings[name] ?? new Map()),
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
    search,
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
const useFacet = (name: FacetName, filters: PeopleFilters) =>
  useCounts('employees', { ...filtersWithout(filters, name), by: facetGroupings[name], limit: 1_000 } as never)

/**
 * Counts fold texts to lower case, so the spelling of names is read from records: those of the page, and one more request
 * for offices that are not on it and for all departments.
 */
const useSpellings = (
  page: readonly Person[],
  offices: readonly { readonly [name: string]: string | number | null }[],
  enabled: boolean,
): Partial<Record<FacetName, Map<string, string>>> => {
  const departments = useList('departments', { limit: 200 }, { enabled })
  const keys = offices.flatMap(({ branch }) => (typeof branch === 'string' && branch.trim() !== '' ? [branch] : []))
  const samples = useList(
    'employees',
    { branch: keys.slice(0, 100), fields: ['branch'] as never, limit: 200 },
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
