import { addMonths, firstDay, lastDayUntil, laterMonth, monthOf, monthsBetween } from './dates.ts'
import type { ListParameters } from './links.ts'
import { groupFilter, listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

const maxMonths = 600

export const decisions = report({
  name: 'decisions',
  title: 'Decisions on leave requests',
  kind: 'activity',
  definition:
    'For each month or present department of the employee, the leave requests that were decided: the first recorded change of their status from `pending` to `approved` or `rejected`. The days of a decision are those from `applied_on` until then. `open` are the requests that were pending at the end of the month, or of the period. The month of `as_of` ends on `as_of`; later months have no row.',
  excluded: 'decided requests without `applied_on`, or with one after the decision, which have no days',
  history: ['leave'],
  tables: ['leave_requests', 'history', 'employees'],
  parameters: {
    'employee.manager_id': parameter('ids', 'Only requests of employees who have one of these managers.'),
    'employee.dept_id': parameter('ids', 'Only requests of employees of these departments.'),
    from: parameter('month', 'First month; 11 months before that of `as_of` by default.', {
      default: ({ as_of, to }) => addMonths(to ?? monthOf(String(as_of)), -11),
    }),
    to: parameter(
      'month',
      `Last month. The period has at most ${maxMonths} months; it ends with the month of \`as_of\` by default.`,
      { default: ({ as_of, from }) => laterMonth(String(from), monthOf(String(as_of))) },
    ),
    by: parameter('choice', 'One row per month or department. A department without figures has no row.', {
      values: ['month', 'employee.dept_id'],
      default: 'month',
    }),
  },
  columns: {
    group: column(
      'text',
      'The month as `YYYY-MM`, or the id of the department; null for requests of employees without one.',
    ),
    decided: column('integer', 'Requests that were decided.'),
    median_days: column('number', 'Median of the days until the decision, with 1 decimal.'),
    p90_days: column('number', '90th percentile of the days until the decision, interpolated, with 1 decimal.'),
    open: column('integer', 'Requests with `applied_on` that were pending at the end.'),
  },
  check: (given) => {
    const order = periodOrder(given, 'from', 'to')
    if (order !== undefined) return order
    const months = monthsBetween(String(given.from), String(given.to))
    return months < maxMonths ? undefined : { parameter: 'to', type: 'too_many_months', ctx: { max_months: maxMonths } }
  },
  links: ({ group = null }, given) => {
    const { as_of, from, to, by } = given
    const isMonth = by === 'month'
    const selected = isMonth ? {} : groupFilter(String(by), group)
    if (selected === undefined) return {}
    const [first, last] = isMonth ? [String(group), String(group)] : [String(from), String(to)]
    const end = lastDayUntil(last, String(as_of))
    const employees: ListParameters = {
      'employee.manager_id': given['employee.manager_id'] ?? null,
      'employee.dept_id': given['employee.dept_id'] ?? null,
      ...selected,
    }
    const decided = listUrl('leave', { decided_from: firstDay(first), decided_to: end }, employees)
    return {
      decided,
      median_days: decided,
      p90_days: decided,
      open: listUrl('leave', { values_on: end, status: 'pending', applied_on_to: end }, employees),
    }
  },
})
