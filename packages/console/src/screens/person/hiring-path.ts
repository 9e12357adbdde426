/** The way of a person from candidate to employee, as far as it is recorded. */
import { daysBetween, isDeclined, isHire } from '@muster/model'
import { plural, valueLabel } from '../../format/labels.ts'
import { formatInteger } from '../../format/numbers.ts'

export interface PathStep {
  readonly key: string
  readonly day: string | null
  readonly title: string
  readonly detail: string
  /** The record that says so. */
  readonly resource: 'candidates' | 'applications' | 'employees'
  readonly id: number
  /** Whether the date exists but is not shown to this reader. */
  readonly isDayWithheld?: boolean
}

interface PathEmployee {
  readonly id: number
  readonly code: string | null
  readonly status: string | null
  readonly date_of_joining: string | null
  readonly termination_date: string | null
}
interface PathCandidate {
  readonly id: number
  readonly source: string | null
  readonly created: string | null
}
export interface PathApplication {
  readonly id: number
  readonly stage: string | null
  readonly status: string | null
  readonly applied_on: string | null
  readonly stage_entered_on: string | null
  readonly job: { readonly code: string | null; readonly title: string } | null
}

export const hiringPath = (
  employee: PathEmployee,
  candidate: PathCandidate | null,
  applications: readonly PathApplication[],
  asOf: string,
  isWithheld: boolean,
): PathStep[] => {
  const steps: PathStep[] = []
  if (candidate !== null)
    steps.push({
      key: 'candidate',
      day: candidate.created?.slice(0, 10) ?? null,
      title: 'Became a candidate',
      detail: [
        `Candidate ${candidate.id}`,
        ...(candidate.source === null ? [] : [`source ${valueLabel(candidate.source)}`]),
      ].join(' · '),
      resource: 'candidates',
      id: candidate.id,
    })
  let hiredOn: string | null = null
  for (const application of applications) {
    steps.push(applicationStep(application))
    if (!isHire(application)) continue
    hiredOn = application.stage_entered_on
    steps.push({
      key: `hired-${application.id}`,
      day: hiredOn,
      title: 'Hired',
      detail: daysAfter(application.applied_on, hiredOn, 'applying'),
      resource: 'applications',
      id: application.id,
    })
  }
  const record = { resource: 'employees', id: employee.id } as const
  const isJoining = employee.date_of_joining !== null && employee.date_of_joining > asOf
  steps.push({
    key: 'joined',
    day: employee.date_of_joining,
    title: isJoining ? 'Joins' : 'Joined',
    detail: [employee.code, daysAfter(hiredOn, employee.date_of_joining, 'being hired')].filter(Boolean).join(' · '),
    ...record,
  })
  if (employee.termination_date !== null || employee.status?.toLowerCase() === 'terminated')
    steps.push({
      key: 'left',
      day: employee.termination_date,
      title: employee.termination_date !== null && employee.termination_date > asOf ? 'Leaves' : 'Left',
      detail: daysAfter(employee.date_of_joining, employee.termination_date, 'joining'),
      ...record,
      isDayWithheld: isWithheld,
    })
  return steps
}

const applicationStep = (application: PathApplication): PathStep => {
  const { id, job, status, stage, applied_on } = application
  const stageLabel = stage === null ? 'an unknown stage' : valueLabel(stage)
  return {
    key: `application-${id}`,
    day: applied_on,
    title: job === null ? 'Application' : `Application to ${[job.code, job.title].filter(Boolean).join(' ')}`,
    detail: isHire(application) ? '' : isDeclined(status) ? `${status} at ${stageLabel}` : `now in ${stageLabel}`,
    resource: 'applications',
    id,
  }
}

const daysAfter = (from: string | null, to: string | null, event: string): string => {
  const days = from === null || to === null ? -1 : daysBetween(from, to)
  return days < 0 ? '' : `${formatInteger(days)} ${plural(days, 'day', 'days')} after ${event}`
}
