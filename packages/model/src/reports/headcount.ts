import { addMonths, firstDay, lastDayUntil, laterMonth, monthOf, monthsBetween } from './dates.ts'
import type { ListParameters } from './links.ts'
import { groupFilter, listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

const maxMonths = 600

export const headcount = report({
  name: 'headcount',
  title: 'Headcount by month',
  kind: 'activity',
  definition:
    'For each month, the people who joined, those who left, and those employed at its end: `date_of_joining` is not after that day, and `termination_date` is null or after it. The month of `as_of` ends on `as_of`; later months have no row. With `by`, people are in the group of the department, employment type or office (`branch`) that they had at the end of the month; those who left, in that at the end of their termination date. Who was in another group at the end of the month before, or joined in another one, has moved: in every row, `at_end` of the month before plus `joined` minus `left` plus `moved_in` minus `moved_out` is `at_end`. This sum does not hold for people whose termination date is before their joining date, who were never employed.',
  excluded: 'employees without a joining date',
  history: ['employees'],
  tables: ['employees', 'history'],
  tablesOf: ({ by }) => (by === null ? ['employees'] : ['employees', 'history']),
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
    moved_in: column(
      'integer',
      'People who are in this group at the end of the month or in `left`, and were in another one at the end of the month before or in `joined`. Several moves of a month are one. Null without `by`.',
      { personal: true },
    ),
    moved_out: column(
      'integer',
      'People who were in this group at the end of the month before or in `joined`, and are in another one at the end of the month or in `left`. Null without `by`.',
      { personal: true },
    ),
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
    const month = String(row.month)
    const [first, end] = [firstDay(month), lastDayUntil(month, String(as_of))]
    const firstOfYear = firstDay(addMonths(month, -11))
    const joined = { date_of_joining_from: first, date_of_joining_to: end }
    if (by === null)
      return {
        joined: listUrl('employees', joined),
        left: leaversUrl(first, end),
        at_end: listUrl('employees', { employed_on: end }),
        turnover_12m: leaversUrl(firstOfYear, end),
      }
    const group = groupFilter(by, row.group ?? null)
    return group === undefined
      ? {}
      : {
          joined: listUrl('employees', joined, { values_on: end }, group),
          left: groupUrl('left', first, end, group),
          moved_in: groupUrl('moved_in', first, end, group),
          moved_out: groupUrl('moved_out', first, end, group),
          at_end: listUrl('employees', { employed_on: end, values_on: end }, group),
          turnover_12m: groupUrl('left', firstOfYear, end, group),
        }
  },
})

/** People who left in a period, as far as the report counts them. */
const leaversUrl = (first: string, end: string): string =>
  listUrl('employees', {
    termination_date_from: first,
    termination_date_to: end,
    date_of_joining_is_null: 'false',
  })

const groupUrl = (headcount: string, first: string, end: string, group: ListParameters): string =>
  listUrl('employees', { headcount, headcount_from: first, headcount_to: end }, group)
