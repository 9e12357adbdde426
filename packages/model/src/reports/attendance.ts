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
    'Attendance records of a period by status, per day, month or present department of the employee. The absence rate is `absent` divided by all records except `on_leave`, so leave of every kind, also sick leave, does not count; `half_day` counts as present.',
  tables: ['attendance', 'employees'],
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
      '`absent` divided by all records except `on_leave`; `half_day` counts as present. Null if all records are `on_leave`.',
    ),
  },
  check: (given) => periodOrder(given, 'from', 'to'),
  links: ({ group = null }, { from, to, by }) => {
    const selected = groupParameters(String(by), group, { from: String(from), to: String(to) })
    if (selected === undefined) return {}
    const list = (status: ListParameters) => listUrl('attendance', selected, status)
    return {
      recorded: list({}),
      ...Object.fromEntries(attendanceStatuses.map((status) => [status, list({ status })])),
      other: list({ status_not: attendanceStatuses.join(',') }),
      absence_rate: list({ status_not: 'on_leave' }),
    }
  },
})

interface Period {
  readonly from: string
  readonly to: string
}

/** The filters of one group. Undefined if no filter selects it. */
const groupParameters = (by: string, group: string | null, { from, to }: Period): ListParameters | undefined => {
  const between = (first: string, last: string) => ({ att_date_from: first, att_date_to: last })
  if (by === 'day') return between(String(group), String(group))
  if (by === 'month') {
    const [first, last] = [firstDay(String(group)), lastDay(String(group))]
    return between(first > from ? first : from, last < to ? last : to)
  }
  const filter = groupFilter(by, group)
  return filter === undefined ? undefined : { ...between(from, to), ...filter }
}
