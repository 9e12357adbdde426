import { MusterError } from '@muster/client'
import loadableStyles from '../../components/Loadable.module.css'
import { plural } from '../../format/labels.ts'
import styles from './SearchDialog.module.css'
import type { SearchResults } from './use-search-results.ts'
import { minimumLength } from './use-search-results.ts'

interface SearchStatusProps {
  readonly results: SearchResults
  readonly text: string
}

/** Says how far the search is: for eyes only what they do not see in the list, for screen readers the results too. */
export const SearchStatus = ({ results: { query, request }, text }: SearchStatusProps) => {
  const { data, error, isFetching, refetch } = request
  const isLoading = query !== undefined && isFetching
  const isComplete = query !== undefined && !isFetching && error === null
  const count = data?.data.length ?? 0
  return (
    <div className={styles.status}>
      {isLoading ? <div className={`${loadableStyles.progress} ${styles.progress}`} /> : undefined}
      {query !== undefined && error instanceof MusterError ? (
        <p className={styles.problem} role="alert">
          The search failed: {error.message}{' '}
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        </p>
      ) : undefined}
      {text.trim() !== '' && text.trim().length < minimumLength ? (
        <p className={styles.empty}>Type at least {minimumLength} characters to search people, jobs and candidates.</p>
      ) : undefined}
      {isComplete && count === 0 ? (
        <p className={styles.empty}>No person, job opening or candidate contains “{query}”.</p>
      ) : undefined}
      <p className="visually-hidden" role="status">
        {isComplete ? `${count}${data?.meta.more ? ' or more' : ''} ${plural(count, 'result', 'results')}` : undefined}
      </p>
    </div>
  )
}
