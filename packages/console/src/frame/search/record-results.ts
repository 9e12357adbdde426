import type { CandidateResult, EmployeeResult, JobResult, SearchResult } from '@muster/client'
import { daysBetween } from '@muster/model'
import { formatDay, formatDayNear } from '../../format/dates.ts'
import { employeeStatusLabel, plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'
import { personName } from '../../format/person-name.ts'
import { isMatching } from './matching-text.ts'

type Text = string | null | undefined

/** What is said about a result, in the order in which it is read. */
export interface ResultFact {
  readonly text: string
  /** Whether it tells the result from others of the same name. */
  readonly isDifferent: boolean
}

export interface ShownResult {
  readonly result: SearchResult
  readonly name: string
  readonly facts: readonly ResultFact[]
  /** Stands at the end of the line: since when, and the number. */
  readonly ends: readonly string[]
}

const personKinds = { employees: 'Employee', candidates: 'Candidate' } as const

/** The page of the record. */
export const resultPath = ({ resource, id }: SearchResult): string => {
  if (resource === 'candidates') return `/hiring/candidates/${id}`
  return resource === 'jobs' ? `/hiring/openings/${id}` : `/people/${id}`
}

const resultName = (result: SearchResult): string =>
  result.resource === 'jobs' ? result.title : (personName(result) ?? `${personKinds[result.resource]} ${result.id}`)

/** The results of a resource. Facts that differ between results of the same name are marked. */
export const shownResults = (results: readonly SearchResult[], today: string): ShownResult[] => {
  const all = results.map((result) => ({ result, name: resultName(result), ...describe(result, today) }))
  const byName = Map.groupBy(all, ({ name }) => name)
  return all.map(({ result, name, facts, ends }) => {
    const namesakes = byName.get(name) ?? []
    const differs = (text: string) =>
      namesakes.length > 1 && !namesakes.every((namesake) => namesake.facts.includes(text))
    return {
      result,
      name,
      facts: facts.map((text) => ({ text, isDifferent: differs(text) })),
      ends,
    }
  })
}

/**
 * As in `3 people are called Ada Lovelace. What tells them apart is bold.` Undefined if all have names of their own. There
 * may be more namesakes if there are more results.
 */
export const namesakesText = (results: readonly ShownResult[], what: string, hasMore: boolean): string | undefined => {
  const texts = [...Map.groupBy(results, ({ name }) => name)]
    .filter(([, { length }]) => length > 1)
    .map(([name, { length }]) => `${formatInteger(length)}${hasMore ? ' or more' : ''} ${what} are called ${name}.`)
  return texts.length === 0 ? undefined : `${texts.join(' ')} What tells them apart is bold.`
}

interface Description {
  readonly facts: readonly string[]
  readonly ends: readonly string[]
}

const describe = (result: SearchResult, today: string): Description => {
  switch (result.resource) {
    case 'employees':
      return employeeDescription(result, today)
    case 'jobs':
      return jobDescription(result)
    case 'candidates':
      return candidateDescription(result, today)
  }
}

const employeeDescription = (employee: EmployeeResult, today: string): Description => {
  const { code, designation, branch, department, manager, status } = employee
  const { date_of_joining: joined, termination_date: left } = employee
  const managerName = manager === null ? undefined : personName(manager)
  const state =
    status === 'active'
      ? managerName && `manager ${managerName}`
      : status === 'terminated' && left !== null
        ? `left ${formatDay(left)}`
        : employeeStatusLabel(status)
  return {
    facts: present(department?.name, designation, branch, state),
    ends: present(joined === null ? undefined : periodText(joined, left, today), code),
  }
}

/** As in `since 2019`, `2021 – 2025` or `from 1 Dec`. */
const periodText = (from: string, to: string | null, today: string): string => {
  if (from > today) return `from ${formatDayNear(from, today)}`
  return to === null || to > today ? `since ${from.slice(0, 4)}` : `${from.slice(0, 4)} – ${to.slice(0, 4)}`
}

const jobDescription = ({ code, location, status, opened_on, department }: JobResult): Description => ({
  facts: present(department?.name, location, valueLabel(status)),
  ends: present(opened_on && `opened ${formatDay(opened_on)}`, code),
})

const candidateDescription = (candidate: CandidateResult, today: string): Description => {
  const { application, current_title: title, location, status, source, employee } = candidate
  const origin = source && valueLabel(source)
  if (application === null) return { facts: present(title, location, valueLabel(status)), ends: present(origin) }
  const applied = application.applied_on
  return {
    facts: present(
      present(application.job?.title, application.job?.code).join(', '),
      applicationState(application, today),
      employee === null ? undefined : `now employee ${employee.code ?? employee.id}`,
      location,
    ),
    ends: present(applied && `applied ${formatDayNear(applied, today)}`, origin),
  }
}

/** The stage of an application that is not decided, and for how long: `Interview for 4 days`. */
const applicationState = (
  { stage, status, stage_entered_on: since }: NonNullable<CandidateResult['application']>,
  today: string,
): string => {
  if (status !== 'active') return valueLabel(status)
  const days = since === null ? -1 : daysBetween(since, today)
  return days < 0 ? valueLabel(stage) : `${valueLabel(stage)} for ${formatInteger(days)} ${plural(days, 'day', 'days')}`
}

/** Some texts are searched but not shown, such as the description of a job. */
export const isHiddenMatch = ({ name, facts, ends }: ShownResult, terms: readonly string[]): boolean =>
  !isMatching([name, ...facts.map(({ text }) => text), ...ends].join(' '), terms)

const present = (...texts: readonly Text[]): string[] => texts.flatMap((text) => (text ? [text] : []))
