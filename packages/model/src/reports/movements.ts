import { addMonths, firstDay, lastDayUntil, laterMonth, monthOf } from './dates.ts'
import { filterValue, listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

/** The field of employees that a change of each kind changes. */
const fields: Readonly<Record<string, string>> = {
  transfer: 'dept_id',
  title: 'designation',
  manager: 'manager_id',
  office: 'branch',
  contract: 'employment_type',
}

const kindList = Object.entries(fields)
  .map(([kind, field]) => `\`${kind}\` (\`${field}\`)`)
  .join(', ')

export const movements = report({
  name: 'movements',
  title: 'Movements of employees by month',
  kind: 'activity',
  definition: `For each month, the recorded changes of employees by kind: ${kindList}. Changes are counted, not people: two changes of one field on one day are two. Changes after \`as_of\`, and months without changes, are left out.`,
  history: ['employees'],
  tables: ['history'],
  parameters: {
    from: parameter('month', 'First month; 11 months before that of `as_of` by default.', {
      default: ({ as_of, to }) => addMonths(to ?? monthOf(String(as_of)), -11),
    }),
    to: parameter('month', 'Last month; that of `as_of` by default, or the first month if that is later.', {
      default: ({ as_of, from }) => laterMonth(String(from), monthOf(String(as_of))),
    }),
    kind: parameter('choice', 'Only changes of this kind.', { values: Object.keys(fields) }),
    by: parameter('choice', 'One row per month and pair of departments; only transfers.', { values: ['dept_id'] }),
  },
  columns: {
    month: column('month', 'The month.'),
    kind: column('text', `What changed: ${kindList}.`),
    from_group: column('text', 'The id of the department before the change; null if there was none, or without `by`.'),
    to_group: column('text', 'The id of the department after the change; null if there is none, or without `by`.'),
    changes: column('integer', 'Recorded changes.'),
  },
  check: (given) =>
    periodOrder(given, 'from', 'to') ??
    (given.by !== null && given.kind !== null && fields[String(given.kind)] !== given.by
      ? { parameter: 'kind', type: 'parameter_conflict', ctx: { other: 'by' } }
      : undefined),
  links: ({ month, kind, from_group = null, to_group = null }, { as_of, by = null }) => ({
    changes: listUrl('history', {
      resource: 'employees',
      field: fields[String(kind)] ?? null,
      on_from: firstDay(String(month)),
      on_to: lastDayUntil(String(month), String(as_of)),
      ...(by === null ? {} : { ...departmentFilter('old', from_group), ...departmentFilter('new', to_group) }),
    }),
  }),
})

const departmentFilter = (field: string, group: string | null) =>
  group === null ? { [`${field}_is_null`]: 'true' } : { [field]: filterValue(group) }
