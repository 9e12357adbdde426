/** The requests of the list of candidates, derived from its search parameters. */
import type { ListOrder, SortField } from '../../explorer/sort-order.ts'
import { readOrder } from '../../explorer/sort-order.ts'
import { valueLabel } from '../../format/labels.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { joinValues, splitValues } from '../../search-parameters.ts'

export const pageSize = 25

type Search = SearchOf<'/hiring/candidates'>

/** Facets in the order in which they are shown. */
export const facetNames = ['status', 'source', 'consent'] as const
export type FacetName = (typeof facetNames)[number]

export const facetTitles: Readonly<Record<FacetName, string>> = {
  status: 'Status',
  source: 'Source',
  consent: 'Consent',
}

/** `consent` is no field: it says whether there is a `consent_at`. */
const consents = ['given', 'none'] as const
const consentLabels: Readonly<Record<string, string>> = { given: 'Given', none: 'None recorded' }

/** How a value of a facet is written. */
export const facetLabel = (name: FacetName, value: string): string =>
  name === 'consent' ? (consentLabels[value] ?? value) : valueLabel(value)

export interface CandidateFilters {
  readonly q?: string | undefined
  readonly status?: string[] | undefined
  readonly source?: string[] | undefined
  readonly consent_at_is_null?: boolean | undefined
}

export const selectedValues = (search: Search, name: FacetName): string[] =>
  splitValues(search[name]).filter((value) =>
    name === 'consent' ? consents.some((consent) => consent === value) : value.trim() !== '',
  )

export const candidateFilters = (search: Search): CandidateFilters => {
  const texts = (name: 'status' | 'source') => {
    const values = selectedValues(search, name)
    return values.length === 0 ? undefined : values
  }
  const q = search.q?.trim().slice(0, 200)
  const [consent, ...others] = selectedValues(search, 'consent')
  return {
    q: q === '' ? undefined : q,
    status: texts('status'),
    source: texts('source'),
    // Both values together are no filter.
    consent_at_is_null: consent === undefined || others.length > 0 ? undefined : consent === 'none',
  }
}

/** The filters of the count behind a facet, which ignores the facet's own filter. */
export const filtersWithout = (filters: CandidateFilters, name: FacetName): CandidateFilters => ({
  ...filters,
  [name === 'consent' ? 'consent_at_is_null' : name]: undefined,
})

/** No filter at all. */
export const noFilters: Search = { q: undefined, status: undefined, source: undefined, consent: undefined }

export interface CandidateChip {
  readonly key: string
  /** Undefined for the search. */
  readonly facet: FacetName | undefined
  readonly title: string
  readonly text: string
  /** The search parameters without this filter. */
  readonly without: Search
}

export const candidateChips = (search: Search): CandidateChip[] => {
  const q = search.q?.trim() ?? ''
  return [
    ...(q === '' ? [] : [{ key: 'q', facet: undefined, title: 'Search', text: q, without: { q: undefined } }]),
    ...facetNames.flatMap((facet) => {
      const selected = selectedValues(search, facet)
      return selected.map((value) => ({
        key: `${facet}=${value}`,
        facet,
        title: facetTitles[facet],
        text: facetLabel(facet, value),
        without: { [facet]: joinValues(selected.filter((other) => other !== value)) },
      }))
    }),
  ]
}

/** The fields by which the list can be sorted, with their labels. Names are personal. */
export const sortFields = [
  { field: 'last_name', label: 'Name', isPersonal: true },
  { field: 'status', label: 'Status', isPersonal: false },
  { field: 'source', label: 'Source', isPersonal: false },
  { field: 'created', label: 'Added', isPersonal: false, isDate: true },
] as const satisfies readonly SortField<string>[]

export type CandidateOrder = ListOrder<(typeof sortFields)[number]['field']>

/** The newest first, unless the URL says otherwise. */
export const sortOrder = (sort: string | undefined, isWithheld: boolean): CandidateOrder =>
  readOrder<CandidateOrder['field']>(sortFields, sort, isWithheld, { field: 'created', isDescending: true })
