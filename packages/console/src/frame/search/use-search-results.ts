import type { SearchPage } from '@muster/client'
import { useEffect, useState } from 'react'
import type { Result } from '../../service/queries.ts'
import { useSearch } from '../../service/queries.ts'

/** Shorter texts match too much. */
export const minimumLength = 2
const maximumLength = 200
const mostResults = 15
const debounceMs = 150

export interface SearchResults {
  /** What is searched for; undefined as long as the text is too short. */
  readonly query: string | undefined
  /** The results for an earlier text stay until those for the next one have arrived. */
  readonly request: Result<SearchPage>
}

/** Searches once the text has not changed for a moment. A request for an earlier text is aborted. */
export const useSearchResults = (text: string, isAllowed: boolean): SearchResults => {
  const wanted = text.trim().replace(/\s+/g, ' ').slice(0, maximumLength)
  const settled = useDebounced(wanted)
  const query = isAllowed && Math.min(settled.length, wanted.length) >= minimumLength ? settled : undefined
  const request = useSearch({ q: query ?? '', limit: mostResults }, { enabled: query !== undefined })
  return { query, request }
}

const useDebounced = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
