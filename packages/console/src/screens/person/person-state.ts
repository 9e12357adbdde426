/** What is special about a person on a day: out, joining, left. */
import { formatDayNear } from '../../format/dates.ts'
import { employeeStatusLabel } from '../../format/labels.ts'

interface PersonState {
  readonly kind: 'plain' | 'outline' | 'warning'
  readonly text: string
}

interface StateFields {
  readonly status: string | null
  readonly date_of_joining: string | null
  /** Null also if the date is withheld. */
  readonly termination_date: string | null
}

/** Undefined for somebody who is active and not on leave: nothing has to be said. */
export const personState = (
  { status, date_of_joining, termination_date }: StateFields,
  outUntil: string | undefined,
  asOf: string,
): PersonState | undefined => {
  switch (status?.toLowerCase()) {
    case 'terminated':
      return {
        kind: 'plain',
        text: termination_date === null ? 'left' : `left ${formatDayNear(termination_date, asOf)}`,
      }
    case 'pending':
      return {
        kind: 'plain',
        text: date_of_joining === null ? 'joining' : `joins ${formatDayNear(date_of_joining, asOf)}`,
      }
  }
  if (outUntil !== undefined) return { kind: 'outline', text: `out until ${formatDayNear(outUntil, asOf)}` }
  switch (status?.toLowerCase()) {
    case undefined:
    case 'active':
      return
    case 'on_leave':
      return { kind: 'outline', text: 'on leave' }
    case 'suspended':
      return { kind: 'warning', text: 'suspended' }
    default:
      return { kind: 'plain', text: employeeStatusLabel(status ?? '') }
  }
}

interface LeavePeriod {
  readonly employee_id: number | null
  readonly to_date: string | null
}

/** The last day of the leave that each person is on. If periods overlap, the latest end counts. */
export const outUntilByPerson = (leave: readonly LeavePeriod[]): Map<number, string> => {
  const ends = new Map<number, string>()
  for (const { employee_id, to_date } of leave) {
    if (employee_id === null || to_date === null) continue
    const known = ends.get(employee_id)
    if (known === undefined || known < to_date) ends.set(employee_id, to_date)
  }
  return ends
}
