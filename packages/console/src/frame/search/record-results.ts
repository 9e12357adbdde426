import type { NamedPerson } from '../../components/PersonName.tsx'
import { employeeStatusLabel, valueLabel } from '../../format/labels.ts'
import { isMatching } from './matching-text.ts'

type Text = string | null

export interface FoundEmployee extends NamedPerson {
  readonly code: Text
  readonly email: Text
  readonly designation: Text
  readonly branch: Text
  readonly status: Text
}
export const employeeFields = [
  'id',
  'first_name',
  'last_name',
  'code',
  'email',
  'designation',
  'branch',
  'status',
] as const

export interface FoundJob {
  readonly id: number
  readonly title: string
  readonly code: Text
  readonly location: Text
  readonly status: Text
}
export const jobFields = ['id', 'title', 'code', 'location', 'status'] as const

export interface FoundCandidate extends NamedPerson {
  readonly email: Text
  readonly current_title: Text
  readonly status: Text
}
export const candidateFields = ['id', 'first_name', 'last_name', 'email', 'current_title', 'status'] as const

/** What distinguishes a result from others with the same name. E-mail and number are shown only if they are the match. */
export const employeeDetails = (person: FoundEmployee, terms: readonly string[]): string => {
  const { code, email, designation, branch, status } = person
  const details = present(
    designation,
    branch,
    status === 'active' || status === null ? null : employeeStatusLabel(status),
  )
  return present(details, ...missingMatches(`${personNameText(person)} ${details}`, [code, email], terms))
}

export const jobDetails = ({ code, location, status }: FoundJob) =>
  present(code, location, status === null ? null : valueLabel(status))

export const candidateDetails = (person: FoundCandidate, terms: readonly string[]): string => {
  const { email, current_title, status } = person
  const details = present(current_title, status === null ? null : valueLabel(status))
  return present(details, ...missingMatches(`${personNameText(person)} ${details}`, [email], terms))
}

/** Some texts are searched but not shown here, such as the description of a job. */
export const withHiddenMatch = (name: string, details: string, terms: readonly string[]): string =>
  isMatching(`${name} ${details}`, terms) ? details : present(details, 'in another field')

/** Those of the texts that contain a term which is not in the text that is shown anyway. */
const missingMatches = (shown: string, texts: readonly Text[], terms: readonly string[]): Text[] => {
  const missing = terms.filter((term) => !isMatching(shown, [term]))
  return texts.filter((text) => text !== null && isMatching(text, missing))
}

const personNameText = ({ first_name, last_name }: NamedPerson): string => `${first_name ?? ''} ${last_name ?? ''}`

const present = (...texts: readonly Text[]): string => texts.filter((text) => text !== null && text !== '').join(' · ')
