import type { SearchMatch } from '@muster/model'
import type { Application, Candidate, Department, Employee, JobOpening } from '../generated/resources.ts'

/** The resources that a search can be restricted to. */
type SearchedPath = SearchResult['resource']

export interface SearchQuery {
  /** The text to find. It must not be blank. */
  readonly q: string
  /** Only records of these resources. */
  readonly resource?: SearchedPath | readonly SearchedPath[] | undefined
  /** 10 by default, 50 at most. */
  readonly limit?: number | undefined
}

export interface SearchPage {
  readonly data: SearchResult[]
  readonly meta: {
    readonly limit: number
    /** Whether further records match. */
    readonly more: boolean
  }
}

/** What tells namesakes apart. Personal fields are null if the client may not see them. */
export type SearchResult = EmployeeResult | CandidateResult | JobResult

interface Found<P extends string> {
  readonly resource: P
  readonly id: number
  /** How well the record matches, from best to worst: `exact`, `prefix`, `word`, `substring`. */
  readonly match: SearchMatch
}

type FoundPerson = Pick<Employee, 'id' | 'first_name' | 'last_name'>

export type EmployeeResult = Found<'employees'> &
  Pick<
    Employee,
    'code' | 'first_name' | 'last_name' | 'designation' | 'branch' | 'status' | 'date_of_joining' | 'termination_date'
  > & { readonly department: Department | null; readonly manager: FoundPerson | null }

export type CandidateResult = Found<'candidates'> &
  Pick<Candidate, 'first_name' | 'last_name' | 'current_title' | 'location' | 'source' | 'status'> & {
    /** The latest application. */
    readonly application:
      | (Pick<Application, 'id' | 'stage' | 'status' | 'applied_on' | 'stage_entered_on'> & {
          readonly job: Pick<JobOpening, 'id' | 'code' | 'title'> | null
        })
      | null
    /** The employee that the candidate became. */
    readonly employee: Pick<Employee, 'id' | 'code'> | null
  }

export type JobResult = Found<'jobs'> &
  Pick<JobOpening, 'code' | 'title' | 'location' | 'status' | 'opened_on'> & {
    readonly department: Department | null
    readonly hiring_manager: FoundPerson | null
  }
