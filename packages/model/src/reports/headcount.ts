import { addMonths, firstDay, lastDayUntil, monthOf, monthsBetween } from './dates.ts'
import type { ListParameters } from './links.ts'
import { groupFilter, listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

const maxMonths = 600

export const headcount = report({
  name: 'headcount',
  title: 'Headcount by month',
  kind: 'activity',
  definition:
    'For each month, the people who joined, those who left, and those employed at its end: `date_of_joining` is not after that day, and `termination_date` is null or after it. The month of `as_of` ends on `as_of`; later months have no row. Groups use the present department, employment type or office (`branch`).',
  excluded: 'employees without a joining date',
  tables: ['employees'],
  parameters: {
    from: parameter('month', 'First month; 11 months before that of `as_of` by default.', {
      default: ({ as_of, to }) => addMonths(to ?? monthOf(String(as_of)), -11),
    }),
    to: parameter(
      'month',
      `Last month. The period has at most ${maxMonths} months; it ends with the month of \`as_of\` by default.`,
      {
        default: ({ as_of, from }) => laterMonth(String(from), monthOf(String(as_of))),
      },
    ),
    by: parameter('choice', 'One row per month and group; without it, one row per month.', {
      values: ['dept_id', 'employment_type', 'branch'],
    }),
  },
  columns: {
    month: column('month', 'The month.'),
    group: column('text', 'The value of the field in `by`, in lower case; null if it is not set, or without `by`.'),
    joined: column('integer', 'People whose joining date is in the month.'),
    left: column('integer', 'People whose termination date is in the month.', { personal: true }),
    at_end: column('integer', 'People employed at the end of the month.', { personal: true }),
    turnover_12m: column(
      'number',
      "People who left in the 12 months up to the end of this one, divided by the mean of `at_end` over the 13 month ends. Null if the mean is 0, or if the company's first joining date is after the first of these months. Links to the people who left.",
      { personal: true },
    ),
  },
  check: (given) => {
    const { from, to } = given
    const order = periodOrder(given, 'from', 'to')
    if (order !== undefined) return order
    const months = monthsBetween(String(from), String(to))
    return months < maxMonths ? undefined : { parameter: 'to', type: 'too_many_months', ctx: { max_months: maxMonths } }
  },
  links: (row, { as_of, by = null }) => {
    const group = by === null ? {} : groupFilter(by, row.group ?? null)
    if (group === undefined) return {}
    const month = String(row.month)
    const end = lastDayUntil(month, String(as_of))
    return {
      joined: listUrl('employees', { date_of_joining_from: firstDay(month), date_of_joining_to: end }, group),
      left: leaversUrl(month, end, group),
      at_end: listUrl('employees', { employed_on: end }, group),
      turnover_12m: leaversUrl(addMonths(month, -11), end, group),
    }
  },
})

const laterMonth = (a: string, b: string): string => (a > b ? a : b)

/** People who left from the first day of a month to a day, as far as the report counts them. */
const leaversUrl = (month: string, end: string, group: ListParameters): string =>
  listUrl(
    'employees',
    { termination_date_from: firstDay(month), termination_date_to: end, date_of_joining_is_null: 'false' },
    group,
  )
