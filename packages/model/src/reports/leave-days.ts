import { addDays, daysBetween } from './dates.ts'
import { listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

const maxDays = 366

export const leaveDays = report({
  name: 'leave-days',
  title: 'Leave by day',
  kind: 'snapshot',
  definition:
    'For each day, leave requests: `out` counts approved requests that include the day, `pending` undecided ones. Requests are counted, not people.',
  tables: ['leave_requests', 'employees'],
  parameters: {
    from: parameter('date', 'First day; `as_of` by default, or 30 days that end with `to`.', {
      default: ({ as_of, to }) => (to == null ? String(as_of) : addDays(to, -29)),
    }),
    to: parameter('date', `Last day. The period has at most ${maxDays} days, and 30 by default.`, {
      default: ({ from }) => addDays(String(from), 29),
    }),
    employee_id: parameter('ids', 'Only requests of these employees.'),
    leave_type: parameter('texts', 'Only requests of these types, ignoring case.', { personal: true }),
    'employee.dept_id': parameter('ids', 'Only requests of employees of these departments.'),
    'employee.manager_id': parameter('ids', 'Only requests of employees with these managers.'),
    'employee.branch': parameter('texts', 'Only requests of employees in these offices, ignoring case.'),
  },
  columns: {
    day: column('date', 'The day.'),
    out: column('integer', 'Approved requests on that day.'),
    pending: column('integer', 'Pending requests on that day.'),
  },
  check: (given) => {
    const { from, to } = given
    const order = periodOrder(given, 'from', 'to')
    if (order !== undefined) return order
    const days = daysBetween(String(from), String(to))
    return days < maxDays ? undefined : { parameter: 'to', type: 'period_too_long', ctx: { max_days: maxDays } }
  },
  links: ({ day = null }, { as_of: _, from: __, to: ___, ...filters }) => {
    const onDay = (status: string) => listUrl('leave', { status, from_date_to: day, to_date_from: day }, filters)
    return { out: onDay('approved'), pending: onDay('pending') }
  },
})
