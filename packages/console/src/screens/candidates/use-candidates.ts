/** The requests of the list of candidates: its page, three counts, and then the applications of those on the page. */
import type { Candidate, JobOpening, Page } from '@muster/client'
import { useMemo } from 'react'
import type { FacetOptions } from '../../explorer/facet-options.ts'
import { facetOptions } from '../../explorer/facet-options.ts'
import { sortKeys } from '../../explorer/sort-order.ts'
import type { ListState, ListUrl } from '../../explorer/use-list-state.ts'
import { useListState } from '../../explorer/use-list-state.ts'
import type { SearchOf } from '../../frame/screens.ts'
import { parseOffset } from '../../search-parameters.ts'
import type { Result } from '../../service/queries.ts'
import { useCounts, useList } from '../../service/queries.ts'
import { useIsWithheld } from '../../service/use-is-withheld.ts'
import type { CandidateFilters, CandidateOrder, FacetName } from './candidate-query.ts'
import { candidateFilters, facetLabel, filtersWithout, pageSize, selectedValues, sortOrder } from './candidate-query.ts'
import { ongoingFirst } from './tracks.ts'

interface CountedFacet {
  readonly options: FacetOptions
  /** How many candidates there are without the filter of this facet. */
  readonly totalWithout: number
}

interface LatestApplication {
  readonly candidate_id: number
  readonly stage: string
  readonly status: string
  readonly job: JobOpening | null
}

/** The applications of the candidates on the page. Undefined until they are loaded. */
export interface PageApplications {
  readonly counts: ReadonlyMap<number, number> | undefined
  /** The newest application that goes on, or the newest of all. */
  readonly latest: ReadonlyMap<number, LatestApplication> | undefined
}

const url = { from: '/hiring/candidates', ofList: ['offset'] } as const satisfies ListUrl

interface Candidates extends ListState {
  readonly isWithheld: boolean
  readonly filters: CandidateFilters
  readonly sort: CandidateOrder
  readonly offset: number
  readonly list: Result<Page<Candidate>>
  readonly facets: Readonly<Partial<Record<FacetName, CountedFacet>>>
  readonly applications: PageApplications
}

export const useCandidates = (): Candidates => {
  const state = useListState(url)
  const search: SearchOf<'/hiring/candidates'> = state.search
  const isWithheld = useIsWithheld() === true
  const filters = candidateFilters(search)
  const sort = useMemo(() => sortOrder(search.sort, isWithheld), [search.sort, isWithheld])
  const offset = parseOffset(search.offset)
  const list = useList('candidates', {
    ...filters,
    sort: sortKeys(sort),
    limit: pageSize,
    offset: offset === 0 ? undefined : offset,
  })
  const status = useCounts('candidates', { ...filtersWithout(filters, 'status'), by: 'status', limit: 1_000 })
  const source = useCounts('candidates', { ...filtersWithout(filters, 'source'), by: 'source', limit: 1_000 })
  const consent = useCounts('candidates', {
    ...filtersWithout(filters, 'consent'),
    by: 'year(consent_at)',
    limit: 1_000,
  })
  const optionsOf = (name: FacetName, groups: Parameters<typeof facetOptions>[1]) =>
    facetOptions(name, groups, selectedValues(search, name), (value) => facetLabel(name, value))
  return {
    ...state,
    isWithheld,
    filters,
    sort,
    offset,
    list,
    facets: {
      ...(status.data && {
        status: { options: optionsOf('status', status.data.data), totalWithout: status.data.meta.total },
      }),
      ...(source.data && {
        source: { options: optionsOf('source', source.data.data), totalWithout: source.data.meta.total },
      }),
      ...(consent.data && {
        consent: {
          options: optionsOf('consent', consentGroups(consent.data.data, consent.data.meta.total)),
          totalWithout: consent.data.meta.total,
        },
      }),
    },
    applications: usePageApplications(list.data?.data ?? []),
  }
}

interface ConsentYear {
  readonly 'year(consent_at)': string | null
  readonly count: number
}

const consentGroups = (years: readonly ConsentYear[], total: number) => {
  const none = years.find((group) => group['year(consent_at)'] === null)?.count ?? 0
  return [
    { consent: 'given', count: total - none },
    { consent: 'none', count: none },
  ].filter(({ count }) => count > 0)
}

const usePageApplications = (page: readonly Candidate[]): PageApplications => {
  const ids = page.map(({ id }) => id)
  const enabled = ids.length > 0
  const counts = useCounts('applications', { by: 'candidate_id', candidate_id: ids }, { enabled })
  const newest = useList(
    'applications',
    {
      candidate_id: ids,
      fields: ['id', 'candidate_id', 'stage', 'status'],
      expand: ['job'],
      sort: ['-applied_on', '-id'],
      limit: 200,
    },
    { enabled },
  )
  return useMemo(
    () => ({
      counts:
        counts.data === undefined || counts.isPlaceholderData
          ? undefined
          : new Map(counts.data.data.map(({ candidate_id: id, count }) => [id, count])),
      latest:
        newest.data === undefined || newest.isPlaceholderData
          ? undefined
          : new Map(
              ongoingFirst(newest.data.data)
                .toReversed()
                .map((application) => [application.candidate_id, application]),
            ),
    }),
    [counts, newest],
  )
}
