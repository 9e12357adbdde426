import { MusterError } from '@muster/client'
import loadableStyles from '../../components/Loadable.module.css'
import { plural } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import styles from './SearchDialog.module.css'
import type { SearchResults } from './use-search-results.ts'
import { minimumLength } from './use-search-results.ts'

interface SearchStatusProps {
  readonly results: SearchResults
  readonly text: string
}

/** Says how far the search is: for eyes only what they do not see in the list, for screen readers the totals too. */
export const SearchStatus = ({ results: { query, employees, jobs, candidates }, text }: SearchStatusProps) => {
  const all = [employees, jobs, candidates]
  const failed = all.find(({ error }) => error !== null)
  const isLoading = query !== undefined && all.some(({ isFetching }) => isFetching)
  const totals = all.map(({ data }) => data?.meta.total ?? 0)
  const [people = 0, openings = 0, applicants = 0] = totals
  const isComplete = query !== undefined && !isLoading && failed === undefined
  return (
    <div className={styles.status}>
      {isLoading ? <div className={`${loadableStyles.progress} ${styles.progress}`} /> : undefined}
      {query !== undefined && failed?.error instanceof MusterError ? (
        <p className={styles.problem} role="alert">
          The search failed: {failed.error.message}{' '}
          <button type="button" className="link" onClick={() => void Promise.all(all.map(({ refetch }) => refetch()))}>
            Try again
          </button>
        </p>
      ) : undefined}
      {text.trim() !== '' && text.trim().length < minimumLength ? (
        <p className={styles.empty}>Type at least {minimumLength} characters to search people, jobs and candidates.</p>
      ) : undefined}
      {isComplete && people + openings + applicants === 0 ? (
        <p className={styles.empty}>No person, job opening or candidate contains “{query}”.</p>
      ) : undefined}
      <p className="visually-hidden" role="status">
        {isComplete
          ? `${formatInteger(people)} ${plural(people, 'person', 'people')}, ${formatInteger(openings)} ${plural(openings, 'job opening', 'job openings')}, ${formatInteger(applicants)} ${plural(applicants, 'candidate', 'candidates')}`
          : undefined}
      </p>
    </div>
  )
}
