import { Link } from '@tanstack/react-router'
import type { Removal } from '../../explorer/NoMatches.tsx'
import { NoMatches } from '../../explorer/NoMatches.tsx'
import type { SearchOf } from '../../frame/screens.ts'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { useList } from '../../service/queries.ts'
import type { FilterChip } from './filter-chips.ts'
import { noFilters } from './filter-chips.ts'
import type { FacetName } from './people-query.ts'
import { facetTitles } from './people-query.ts'
import type { People } from './use-people.ts'

interface NobodyMatchesProps {
  readonly people: People
  readonly chips: readonly FilterChip[]
  /** The number of people who match. It is not 0 if the page is past the end of the list. */
  readonly total: number
  readonly onChange: (search: Partial<SearchOf<'/people'>>) => void
}

/** Says which filters leave nobody, and how many people there would be without each of them. */
export const NobodyMatches = ({ people, chips, total, onChange }: NobodyMatchesProps) => {
  const { filters, facets } = people
  const withoutSearch = useList(
    'employees',
    { ...filters, q: undefined, limit: 1 },
    { enabled: filters.q !== undefined && total === 0 },
  )
  if (total > 0)
    return (
      <EmptyState title="The list ends before this page">
        <p>
          <Link className="link" to="/people" search={(old: SearchOf<'/people'>) => ({ ...old, offset: undefined })}>
            Go to the first page
          </Link>
        </p>
      </EmptyState>
    )
  const removals = filterRemovals(chips, (facet) => facets[facet]?.totalWithout, withoutSearch.data?.meta.total)
  const isEmpty = filters.q === undefined && removals.every(({ remaining }) => remaining === 0) && chips.length <= 1
  if (isEmpty)
    return (
      <EmptyState title="No employees yet">
        <p>
          The database has no employees. Import them with <code>muster import employees</code>, or fill it with an
          invented company: <code>muster seed</code>.
        </p>
      </EmptyState>
    )
  return (
    <NoMatches
      what="No people match"
      count={chips.length}
      removals={removals}
      onRemove={onChange}
      onClear={() => onChange(noFilters)}
    >
      The number beside each filter says how many people there are without it.
    </NoMatches>
  )
}

/** One button for each facet, whose values go together, and one for the search. */
const filterRemovals = (
  chips: readonly FilterChip[],
  totalWithout: (facet: FacetName) => number | undefined,
  totalWithoutSearch: number | undefined,
): Removal[] => {
  const removals = new Map<string, Removal>()
  for (const { facet, title, text, without } of chips) {
    const key = facet ?? 'q'
    const hasSeveral = removals.has(key)
    removals.set(key, {
      key,
      label: hasSeveral && facet !== undefined ? facetTitles[facet] : `${title} ${text}`,
      remaining: facet === undefined ? totalWithoutSearch : totalWithout(facet),
      without: facet === undefined ? without : { [facet]: undefined, ...(facet === 'status' ? { left: 'true' } : {}) },
    })
  }
  return [...removals.values()]
}
