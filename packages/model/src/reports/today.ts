import { daysAhead, waitingDays } from '../rules.ts'
import { addDays } from './dates.ts'
import { groupFilter, listUrl } from './links.ts'
import type { ReportRow } from './report.ts'
import { column, report } from './report.ts'

interface Figure {
  readonly about: string
  /** The field that the figure is grouped by. */
  readonly by?: string
  readonly link: (asOf: string, row: ReportRow) => string | undefined
}

/** A link to the records of one group, which have `by` in common. */
const groupLink = (path: string, by: string, group: string | null | undefined, filters = {}): string | undefined => {
  const filter = groupFilter(by, group ?? null)
  return filter === undefined ? undefined : listUrl(path, filters, filter)
}

/** In the order of the rows. */
const figures: Readonly<Record<string, Figure>> = {
  people: {
    about: 'employees by status',
    by: 'status',
    link: (_, { group }) => groupLink('employees', 'status', group),
  },
  joining: {
    about: `employees who join in the ${daysAhead} days after \`as_of\``,
    link: (asOf) =>
      listUrl('employees', { date_of_joining_from: addDays(asOf, 1), date_of_joining_to: addDays(asOf, daysAhead) }),
  },
  leaving: {
    about: `employees whose termination date is \`as_of\` or one of the ${daysAhead} days after it`,
    link: (asOf) =>
      listUrl('employees', { termination_date_from: asOf, termination_date_to: addDays(asOf, daysAhead) }),
  },
  out: {
    about: 'approved leave requests that include `as_of`, by leave type',
    by: 'leave_type',
    // Leave requests always have a type. The group is null only if all types are counted in one row.
    link: (asOf, { group }) => {
      const filters = { status: 'approved', from_date_to: asOf, to_date_from: asOf }
      return group === null ? listUrl('leave', filters) : groupLink('leave', 'leave_type', group, filters)
    },
  },
  leave_pending: {
    about: 'pending leave requests',
    link: () => listUrl('leave', { status: 'pending' }),
  },
  leave_overdue: {
    about: 'pending leave requests whose first day is not after `as_of`',
    link: (asOf) => listUrl('leave', { status: 'pending', from_date_to: asOf }),
  },
  openings_open: {
    about: 'open job openings',
    link: () => listUrl('jobs', { status: 'open' }),
  },
  places_open: {
    about: 'unfilled positions of open job openings, with a link to these openings',
    link: () => listUrl('jobs', { status: 'open' }),
  },
  openings_past_target: {
    about: 'open job openings with unfilled positions and a target date before `as_of`',
    link: (asOf) => listUrl('jobs', { status: 'open', past_target: asOf }),
  },
  applications_active: {
    about: 'active applications by stage',
    by: 'stage',
    link: (_, { group }) => groupLink('applications', 'stage', group, { status: 'active' }),
  },
  applications_waiting: {
    about: `active applications that entered their stage more than ${waitingDays} days before \`as_of\``,
    link: (asOf) => listUrl('applications', { status: 'active', stage_entered_on_to: addDays(asOf, -waitingDays - 1) }),
  },
  attendance_last_day: {
    about: 'attendance records of the last day up to `as_of` that has any, which is in `day`',
    link: (_, { day = null }) =>
      day === null ? undefined : listUrl('attendance', { att_date_from: day, att_date_to: day }),
  },
}

const figureList = Object.entries(figures)
  .map(([name, { about }]) => `\`${name}\`: ${about}`)
  .join('; ')

const groupList = Object.entries(figures)
  .flatMap(([name, { by }]) => (by === undefined ? [] : [`\`${by}\` of \`${name}\``]))
  .join(', ')

export const today = report({
  name: 'today',
  title: 'What needs attention',
  kind: 'snapshot',
  definition:
    'Key figures of a day, one per row: people, joiners and leavers, leave, job openings, applications and the last recorded attendance.',
  redactedRows: '`out` is one row for all leave types, whose `group` is null',
  tables: ['employees', 'leave_requests', 'job_openings', 'applications', 'attendance'],
  parameters: {},
  constants: [daysAhead, waitingDays],
  columns: {
    figure: column('text', `What is counted. ${figureList}.`),
    group: column(
      'text',
      `The value that the counted records share, in lower case: ${groupList}. Null for other figures.`,
    ),
    value: column('integer', 'The number.', { personalWhere: { column: 'figure', values: ['leaving'] } }),
    day: column('date', 'Only for `attendance_last_day`: the day; null if there are no records.'),
  },
  links: (row, { as_of }) => ({ value: figures[String(row.figure)]?.link(String(as_of), row) }),
})
