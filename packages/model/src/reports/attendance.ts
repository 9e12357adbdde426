import { attendanceStatuses } from '../schema/suggested-values.ts'
import { addDays, firstDay, lastDay } from './dates.ts'
import type { ListParameters } from './links.ts'
import { groupFilter, listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

export const attendanceReport = report({
  name: 'attendance',
  title: 'Attendance by day, month or department',
  kind: 'activity',
  definition:
    'Attendance records of a period by status, per day, month or present department of the employee. `absence_rate` is the share of those expected who were absent without leave: `absent` divided by all records except `on_leave`; `half_day` counts as present. `sickness_rate` is the share of all records that are sick leave: `sick` counts the records with the status `on_leave` of employees who have an approved leave request of the type `sick` that includes the day. Days without a record, such as weekends, do not count.',
  tables: ['attendance', 'employees', 'leave_requests'],
  parameters: {
    from: parameter('date', 'First day, not after the last; by default the period has 30 days.', {
      default: ({ as_of, to }) => addDays(to ?? String(as_of), -29),
    }),
    to: parameter('date', 'Last day; `as_of` by default, or the first day if that is later.', {
      default: ({ as_of, from }) => (String(from) > String(as_of) ? String(from) : String(as_of)),
    }),
    by: parameter('choice', 'One row per day, month or present department of the employee.', {
      values: ['day', 'month', 'employee.dept_id'],
      default: 'day',
    }),
  },
  columns: {
    group: column(
      'text',
      'The day (`YYYY-MM-DD`), the month (`YYYY-MM`) or the id of the department; null for records without a department. Groups without records have no row.',
    ),
    recorded: column('integer', 'Attendance records.'),
    present: column('integer', 'Records with the status `present`.'),
    absent: column('integer', 'Records with the status `absent`.'),
    half_day: column('integer', 'Records with the status `half_day`.'),
    on_leave: column('integer', 'Records with the status `on_leave`.'),
    work_from_home: column('integer', 'Records with the status `work_from_home`.'),
    other: column('integer', 'Records with any other status.'),
    absence_rate: column(
      'number',
      'Absent without leave: `absent` divided by all records except `on_leave`; `half_day` counts as present. Null if all records are `on_leave`.',
    ),
    sick: column(
      'integer',
      'Records with the status `on_leave` of employees who have an approved leave request of the type `sick` that includes the day. Links to these requests.',
      { personal: true },
    ),
    sickness_rate: column('number', '`sick` divided by all records. Links to the same requests.', { personal: true }),
  },
  check: (given) => periodOrder(given, 'from', 'to'),
  links: ({ group = null }, { from, to, by }) => {
    const selected = selectionOf(String(by), group, { from: String(from), to: String(to) })
    if (selected === undefined) return {}
    const { filter, period } = selected
    const list = (status: ListParameters) =>
      listUrl('attendance', { att_date_from: period.from, att_date_to: period.to }, filter, status)
    const sick = listUrl(
      'leave',
      { status: 'approved', leave_type: 'sick', from_date_to: period.to, to_date_from: period.from },
      filter,
    )
    return {
      recorded: list({}),
      ...Object.fromEntries(attendanceStatuses.map((status) => [status, list({ status })])),
      other: list({ status_not: attendanceStatuses.join(',') }),
      absence_rate: list({ status_not: 'on_leave' }),
      sick,
      sickness_rate: sick,
    }
  },
})

interface Period {
  readonly from: string
  readonly to: string
}

interface Selection {
  readonly period: Period
  readonly filter: ListParameters
}

/** The period and the filter of one group. Undefined if no filter selects it. */
const selectionOf = (by: string, group: string | null, { from, to }: Period): Selection | undefined => {
  if (by === 'day') return { period: { from: String(group), to: String(group) }, filter: {} }
  if (by === 'month') {
    const [first, last] = [firstDay(String(group)), lastDay(String(group))]
    return { period: { from: first > from ? first : from, to: last < to ? last : to }, filter: {} }
  }
  const filter = groupFilter(by, group)
  return filter === undefined ? undefined : { period: { from, to }, filter }
}
