/** The requests of the People screen, derived from its search parameters. */

import type { ListOrder, SortField } from '../../explorer/sort-order.ts'
import { readOrder } from '../../explorer/sort-order.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { splitValues } from '../../search-parameters.ts'

export const pageSize = 25

/** Facets in the order in which they are shown. */
export const facetNames = ['dept_id', 'status', 'employment_type', 'branch'] as const
export type FacetName = (typeof facetNames)[number]

export const facetTitles: Readonly<Record<FacetName, string>> = {
  dept_id: 'Department',
  status: 'Status',
  employment_type: 'Employment',
  branch: 'Office',
}

/** What a count is grouped by. The name of a department is counted with its id, so that no other request is needed. */
export const facetGroupings = {
  dept_id: ['dept_id', 'department.name'],
  status: ['status'],
  employment_type: ['employment_type'],
  branch: ['branch'],
} as const satisfies Record<FacetName, readonly string[]>

export interface PeopleFilters {
  readonly q?: string | undefined
  readonly dept_id?: number[] | undefined
  readonly status?: string[] | undefined
  readonly status_not?: string | undefined
  readonly employment_type?: string[] | undefined
  readonly branch?: string[] | undefined
}

const leftStatus = 'terminated'
/** The API accepts at most this many ids in a filter. */
const maxIds = 200

export const selectedValues = (search: SearchOf<'/people'>, name: FacetName): string[] =>
  name === 'dept_id'
    ? splitValues(search.dept_id)
        .filter((id) => /^\d{1,15}$/.test(id))
        .slice(0, maxIds)
    : splitValues(search[name]).filter((value) => value.trim() !== '')

/** People who left are hidden, unless the reader asks for them or chooses statuses. */
export const hidesLeft = (search: SearchOf<'/people'>): boolean =>
  search.left !== 'true' && selectedValues(search, 'status').length === 0

export const peopleFilters = (search: SearchOf<'/people'>): PeopleFilters => {
  const texts = (name: FacetName) => {
    const values = selectedValues(search, name)
    return values.length === 0 ? undefined : values
  }
  const q = search.q?.trim().slice(0, 200)
  return {
    q: q === '' ? undefined : q,
    dept_id: texts('dept_id')?.map(Number),
    status: texts('status'),
    status_not: hidesLeft(search) ? leftStatus : undefined,
    employment_type: texts('employment_type'),
    branch: texts('branch'),
  }
}

/** The filters of the count behind a facet, which ignores the facet's own filter. */
export const filtersWithout = (filters: PeopleFilters, name: FacetName): PeopleFilters => {
  const { [name]: _, ...others } = filters
  return name === 'status' ? { ...others, status_not: undefined } : others
}

/** The fields by which the list can be sorted, with their labels. Names are personal. */
export const sortFields = [
  { field: 'last_name', label: 'Name', isPersonal: true },
  { field: 'designation', label: 'Title', isPersonal: false },
  { field: 'branch', label: 'Office', isPersonal: false },
  { field: 'date_of_joining', label: 'Joined', isPersonal: false, isDate: true },
  { field: 'status', label: 'Status', isPersonal: false },
] as const satisfies readonly SortField<string>[]

export type PeopleOrder = ListOrder<(typeof sortFields)[number]['field']>

/** By name unless the URL says otherwise, or by title if names are withheld. */
export const sortOrder = (sort: string | undefined, isWithheld: boolean): PeopleOrder =>
  readOrder<PeopleOrder['field']>(sortFields, sort, isWithheld, {
    field: isWithheld ? 'designation' : 'last_name',
    isDescending: false,
  })
