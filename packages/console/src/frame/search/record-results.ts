import type { CandidateResult, EmployeeResult, JobResult, SearchResult } from '@muster/client'
import { employeeStatusLabel, valueLabel } from '../../format/labels.ts'
import { isMatching } from './matching-text.ts'

type Text = string | null | undefined

/** The page of the record. */
export const resultPath = ({ resource, id }: SearchResult): string => {
  if (resource === 'candidates') return `/data/candidates?id=${id}&_open=${id}`
  return resource === 'jobs' ? `/hiring/openings/${id}` : `/people/${id}`
}

/** What tells a result from others of the same name. */
export const resultDetails = (result: SearchResult): string => {
  switch (result.resource) {
    case 'employees':
      return employeeDetails(result)
    case 'jobs':
      return jobDetails(result)
    case 'candidates':
      return candidateDetails(result)
  }
}

const employeeDetails = ({ code, designation, branch, department, status }: EmployeeResult): string =>
  present(designation, department?.name, branch, status === 'active' ? null : employeeStatusLabel(status), code)

const jobDetails = ({ code, location, status }: JobResult): string => present(code, location, valueLabel(status))

const candidateDetails = ({ application, current_title, location, status }: CandidateResult): string =>
  application === null
    ? present(current_title, location, valueLabel(status))
    : present(application.job?.title, application.job?.code, valueLabel(stateOf(application)), location)

/** The stage of an application that is not decided. */
const stateOf = ({ stage, status }: NonNullable<CandidateResult['application']>): string =>
  status === 'active' ? stage : status

/** Some texts are searched but not shown here, such as the description of a job. */
export const withHiddenMatch = (name: string, details: string, terms: readonly string[]): string =>
  isMatching(`${name} ${details}`, terms) ? details : present(details, 'in another field')

const present = (...texts: readonly Text[]): string => texts.filter(Boolean).join(' · ')
