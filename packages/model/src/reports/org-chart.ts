import { listUrl } from './links.ts'
import { column, parameter, report } from './report.ts'

export const orgChart = report({
  name: 'org-chart',
  title: 'Org chart',
  kind: 'snapshot',
  definition:
    'Employees with one of the given statuses and their present managers. `as_of` has no effect. An employee without a manager in the chart is at the top. If managers form a cycle, the employee with the smallest id in it is at the top.',
  excluded: 'cycles of managers, each of which is cut above its smallest id',
  tables: ['employees', 'departments'],
  parameters: {
    root: parameter('id', 'Only this employee, at depth 0, and everyone below.'),
    above: parameter(
      'id',
      'Only this employee and the managers above, whatever the `depth`. Not together with `root`.',
    ),
    depth: parameter('integer', 'Number of levels below the top to return.', { minimum: 0, maximum: 32, default: '2' }),
    managers_only: parameter('boolean', '`true`: only employees with direct reports.'),
    status: parameter(
      'texts',
      'Only employees with one of these statuses, ignoring case; `active,on_leave,suspended` by default.',
      { default: 'active,on_leave,suspended' },
    ),
  },
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
    department: column('text', 'Name of the department.'),
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
})
