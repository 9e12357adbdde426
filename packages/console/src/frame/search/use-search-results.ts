import type { Page } from '@muster/client'
import { useEffect, useState } from 'react'
import type { Result } from '../../service/queries.ts'
import { useList } from '../../service/queries.ts'
import type { FoundCandidate, FoundEmployee, FoundJob } from './record-results.ts'
import { candidateFields, employeeFields, jobFields } from './record-results.ts'

/** Shorter texts match too much, and the indexes of the service do not help. */
export const minimumLength = 3
const maximumLength = 200
const groupSize = 5
const debounceMs = 150

/** The results for one text. A group whose request failed is undefined. */
interface ShownResults {
  readonly query: string
  readonly employees: Page<FoundEmployee> | undefined
  readonly jobs: Page<FoundJob> | undefined
  readonly candidates: Page<FoundCandidate> | undefined
}

export interface SearchResults {
  /** What is searched for; undefined as long as the text is too short. */
  readonly query: string | undefined
  /**
   * All groups appear at once, and stay until those for the next text are complete. If the fastest group came first, it
   * would get the focus, and Enter would open something else than the first result.
   */
  readonly shown: ShownResults | undefined
  readonly employees: Result<Page<FoundEmployee>>
  readonly jobs: Result<Page<FoundJob>>
  readonly candidates: Result<Page<FoundCandidate>>
}

/** Searches once the text has not changed for a moment. Requests for an earlier text are aborted. */
export const useSearchResults = (text: string, isAllowed: boolean): SearchResults => {
  const wanted = text.trim().replace(/\s+/g, ' ').slice(0, maximumLength)
  const settled = useDebounced(wanted)
  const q = isAllowed && Math.min(settled.length, wanted.length) >= minimumLength ? settled : undefined
  const options = { enabled: q !== undefined }
  // By status, so that active people and open jobs come before those who left and jobs that are closed.
  const employees = useList('employees', { q, sort: 'status', limit: groupSize, fields: employeeFields }, options)
  const jobs = useList('jobs', { q, sort: '-status', limit: groupSize, fields: jobFields }, options)
  const candidates = useList('candidates', { q, sort: 'status', limit: groupSize, fields: candidateFields }, options)
  const [shown, setShown] = useState<ShownResults>()
  if (q !== undefined && [employees, jobs, candidates].every(isSettled)) {
    const next = { query: q, employees: employees.data, jobs: jobs.data, candidates: candidates.data }
    if (shown === undefined || !isSame(shown, next)) setShown(next)
  }
  return { query: q, shown: q === undefined ? undefined : shown, employees, jobs, candidates }
}

const isSettled = ({ data, error, isPlaceholderData }: Result<unknown>): boolean =>
  error !== null || (data !== undefined && !isPlaceholderData)

const isSame = (a: ShownResults, b: ShownResults): boolean =>
  a.query === b.query && a.employees === b.employees && a.jobs === b.jobs && a.candidates === b.candidates

const useDebounced = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), debounceMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
