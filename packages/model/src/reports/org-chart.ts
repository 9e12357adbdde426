import { employedStatuses } from '../rules.ts'
import { listUrl } from './links.ts'
import { column, parameter, report } from './report.ts'

const status = employedStatuses.join(',')
const statusAbout = `Only employees who have one of these statuses at present, ignoring case. \`${status}\` by default; all, if \`as_of\` is before today.`

const parameters = {
  root: parameter('id', 'Only this employee, at depth 0, and everyone below.'),
  above: parameter('id', 'Only this employee and the managers above, whatever the `depth`. Not together with `root`.'),
  depth: parameter('integer', 'Number of levels below the top to return.', { minimum: 0, maximum: 32, default: '2' }),
  managers_only: parameter('boolean', '`true`: only employees with direct reports.'),
  status: parameter('texts', statusAbout, { default: status }),
}

export const orgChart = report({
  name: 'org-chart',
  title: 'Org chart',
  kind: 'snapshot',
  definition:
    'Employees with one of the given statuses and their present managers. If `as_of` is before today: the people who were employed at the end of that day (`date_of_joining` is not after it, and `termination_date` is null or after it), with the managers, titles and departments that they had then. An employee without a manager in the chart is at the top. If managers form a cycle, the employee with the smallest id in it is at the top.',
  excluded: 'cycles of managers, each of which is cut above its smallest id',
  tables: ['employees', 'departments'],
  parameters,
  columns: {
    id: column('integer', 'Id of the employee.'),
    manager_id: column('integer', 'Manager in the chart; null at the top of a tree.'),
    depth: column('integer', 'Number of levels below the top of the tree, or below `root`.'),
    direct_reports: column(
      'integer',
      'Employees in the chart who have this manager, including one whose link was cut to break a cycle.',
    ),
    total_reports: column('integer', 'Employees below, at any depth.'),
    designation: column('text', 'Job title.'),
    dept_id: column('integer', 'Id of the department.'),
    department: column('text', 'Present name of the department.'),
    first_name: column('text', 'Given name.', { personal: true }),
    last_name: column('text', 'Family name.', { personal: true }),
  },
  check: ({ root, above }) =>
    root === null || above === null
      ? undefined
      : { parameter: 'above', type: 'parameter_conflict', ctx: { other: 'root' } },
  links: ({ id = null }, { status = null }) => ({
    direct_reports: listUrl('employees', { manager_id: id, status }),
    total_reports: listUrl('employees', { under: id, status }),
  }),
  past: {
    history: ['employees'],
    tables: ['employees', 'departments', 'history'],
    parameters: { ...parameters, status: parameter('texts', statusAbout) },
    links: ({ id = null }, { as_of = null, status = null }) => {
      const members = { status, employed_on: as_of, values_on: as_of }
      return {
        direct_reports: listUrl('employees', { manager_id: id }, members),
        total_reports: listUrl('employees', { under: id }, members),
      }
    },
  },
})
