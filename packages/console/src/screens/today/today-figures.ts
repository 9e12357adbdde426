import type { ReportRows } from '@muster/client'
import { applicationStages, employedStatuses, employeeStatuses } from '@muster/model'
import { listPath } from '../../service/paths.ts'

type TodayRow = ReportRows['today']

export interface SingleFigure {
  /** Null if the service withholds the value. */
  readonly value: number | null
  readonly link: string | undefined
}

export interface FigureGroup {
  /** The shared value in lower case. Null for records without one. */
  readonly group: string | null
  readonly value: number
  readonly link: string | undefined
}

/** The figures of the screen, from the rows of the report `today`. */
export interface TodayFigures {
  /** The people of the company by status. */
  readonly people: readonly FigureGroup[]
  readonly peopleTotal: SingleFigure
  /** Those who have not joined yet. */
  readonly notJoined: SingleFigure
  /** Those with a status of their own, of whom nobody knows whether they are people of the company. */
  readonly otherStatus: SingleFigure
  readonly former: SingleFigure
  readonly joining: SingleFigure
  readonly leaving: SingleFigure
  readonly out: readonly FigureGroup[]
  readonly outTotal: SingleFigure
  readonly leavePending: SingleFigure
  readonly leaveOverdue: SingleFigure
  readonly openings: SingleFigure
  readonly places: SingleFigure
  readonly openingsPastTarget: SingleFigure
  readonly applications: readonly FigureGroup[]
  readonly applicationsTotal: SingleFigure
  readonly applicationsWaiting: SingleFigure
  readonly attendance: SingleFigure & { readonly day: string | null }
}

const leftStatus = 'terminated'
const joiningStatus = 'pending'

export const todayFigures = (rows: readonly TodayRow[], asOf: string): TodayFigures => {
  const single = (figure: string): SingleFigure => {
    const row = rows.find((candidate) => candidate.figure === figure)
    return { value: row?.value ?? null, link: row?.links.value }
  }
  const groups = (figure: string): FigureGroup[] =>
    rows
      .filter((row) => row.figure === figure)
      .map(({ group, value, links }) => ({ group, value: value ?? 0, link: links.value }))
  const statuses = groups('people')
  const withStatus = (known: readonly string[]) =>
    statuses.filter(({ group }) => group !== null && known.includes(group))
  const people = inOrder(withStatus(employedStatuses), employedStatuses)
  const ofStatus = (status: string): SingleFigure =>
    withStatus([status])[0] ?? { value: 0, link: listPath('employees', { status }) }
  // Where leave types are withheld, there is one row, even if nobody is out.
  const out = groups('out').filter(({ value }) => value > 0)
  const applications = inOrder(groups('applications_active'), applicationStages)
  return {
    people,
    peopleTotal: { value: sum(people), link: listPath('employees', { status: employedStatuses }) },
    notJoined: ofStatus(joiningStatus),
    otherStatus: {
      value: sum(statuses) - sum(withStatus(employeeStatuses)),
      link: listPath('employees', { status_not: employeeStatuses }),
    },
    former: ofStatus(leftStatus),
    joining: single('joining'),
    leaving: single('leaving'),
    out,
    outTotal: {
      value: sum(out),
      link: listPath('leave', { status: 'approved', from_date_to: asOf, to_date_from: asOf }),
    },
    leavePending: single('leave_pending'),
    leaveOverdue: single('leave_overdue'),
    openings: single('openings_open'),
    places: single('places_open'),
    openingsPastTarget: single('openings_past_target'),
    applications,
    applicationsTotal: { value: sum(applications), link: listPath('applications', { status: 'active' }) },
    applicationsWaiting: single('applications_waiting'),
    attendance: {
      ...single('attendance_last_day'),
      day: rows.find(({ figure }) => figure === 'attendance_last_day')?.day ?? null,
    },
  }
}

/** The groups of a figure are all in one response and have no record in common, so that their sum is a total. */
const sum = (groups: readonly FigureGroup[]): number => groups.reduce((total, { value }) => total + value, 0)

/** Groups with a place in `order` come first, in that order. The others keep theirs; records without a value are last. */
const inOrder = (groups: readonly FigureGroup[], order: readonly string[]): FigureGroup[] => {
  const rank = ({ group }: FigureGroup): number => {
    if (group === null) return order.length + 1
    const index = order.indexOf(group)
    return index === -1 ? order.length : index
  }
  return groups.toSorted((a, b) => rank(a) - rank(b))
}

/** Whether the service has no record that this screen could count. */
export const isNothingRecorded = (figures: TodayFigures): boolean =>
  [figures.peopleTotal, figures.notJoined, figures.otherStatus, figures.former].every(({ value }) => value === 0) &&
  figures.attendance.day === null &&
  figures.openings.value === 0 &&
  figures.applications.length === 0 &&
  figures.leavePending.value === 0
