import { Link } from '@tanstack/react-router'
import type { Removal } from '../../explorer/NoMatches.tsx'
import { NoMatches } from '../../explorer/NoMatches.tsx'
import type { SearchOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { useList } from '../../service/queries.ts'
import type { CandidateChip, CandidateFilters, FacetName } from './candidate-query.ts'
import { facetTitles, noFilters } from './candidate-query.ts'

interface NoCandidatesProps {
  readonly filters: CandidateFilters
  readonly facets: Readonly<Partial<Record<FacetName, { readonly totalWithout: number }>>>
  readonly chips: readonly CandidateChip[]
  /** The number of candidates who match. It is not 0 if the page is past the end of the list. */
  readonly total: number
  readonly onChange: (search: SearchOf<'/hiring/candidates'>) => void
}

/** Says which filters leave nobody, and how many candidates there would be without each of them. */
export const NoCandidates = ({ filters, facets, chips, total, onChange }: NoCandidatesProps) => {
  const withoutSearch = useList(
    'candidates',
    { ...filters, q: undefined, limit: 1 },
    { enabled: filters.q !== undefined && total === 0 },
  )
  if (total > 0)
    return (
      <EmptyState title="The list ends before this page">
        <p>
          <Link
            className="link"
            to="/hiring/candidates"
            search={(old: SearchOf<'/hiring/candidates'>) => ({ ...old, offset: undefined })}
          >
            Go to the first page
          </Link>
        </p>
      </EmptyState>
    )
  if (chips.length === 0)
    return (
      <EmptyState title="No candidates yet">
        <p>
          The database has no candidates. Import them with <code>muster import candidates</code>.
        </p>
      </EmptyState>
    )
  // One button for each facet, whose values go together, and one for the search.
  const removals = [...Map.groupBy(chips, ({ facet }) => facet)].map(
    ([facet, ofFacet]): Removal => ({
      key: facet ?? 'q',
      label:
        facet !== undefined && ofFacet.length > 1
          ? facetTitles[facet]
          : ofFacet.map(({ title, text }) => `${title} ${text}`).join(),
      remaining: facet === undefined ? withoutSearch.data?.meta.total : facets[facet]?.totalWithout,
      without: { [facet ?? 'q']: undefined },
    }),
  )
  return (
    <NoMatches
      what="No candidates match"
      count={chips.length}
      removals={removals}
      onRemove={onChange}
      onClear={() => onChange(noFilters)}
    >
      The number beside each filter says how many candidates there are without it.
    </NoMatches>
  )
}
