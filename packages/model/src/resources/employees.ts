import { healthFilter } from '../health-rules.ts'
import { alwaysNull, date, id, integer, name, number, reference, state, text } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { employeeStatuses, employmentTypes } from '../schema/suggested-values.ts'

export const employees = resource({
  path: 'employees',
  table: 'employees',
  schema: 'Employee',
  operationSingular: 'Employee',
  operationPlural: 'Employees',
  title: 'employee',
  titles: 'employees',
  area: 'People',
  about: 'Current and former employees of the company.',
  naturalKey: ['code'],
  personOf: 'candidate_id',
  startDay: 'date_of_joining',
  computedFilters: [
    {
      parameter: 'under',
      kind: 'id',
      about:
        'Only employees below this one in the org chart, at any depth. With `status`, the chart consists only of employees with that status.',
      personal: false,
      tables: [],
    },
    {
      parameter: 'employed_on',
      kind: 'date',
      about: 'Only employees who were employed at the end of this day: joined by then, and not terminated by then.',
      personal: true,
      tables: [],
    },
    {
      parameter: 'values_on',
      kind: 'date',
      about:
        'Filters by `dept_id`, `manager_id`, `designation`, `branch` and `employment_type` use the values at the end of this day, and so does `under`: with `employed_on`, its org chart consists of those who were employed on that day. By itself it filters nothing. The records show their present values.',
      personal: false,
      tables: ['history'],
    },
    {
      parameter: 'headcount',
      kind: 'choice',
      values: ['left', 'moved_in', 'moved_out'],
      about:
        'Only employees whom the report `headcount` counts in this column, in the period from `headcount_from` to `headcount_to` and in the group that the filters by the fields of `values_on` select.',
      personal: true,
      tables: ['history'],
    },
    ...(['headcount_from', 'headcount_to'] as const).map((parameter) => ({
      parameter,
      kind: 'date' as const,
      about: `The ${parameter === 'headcount_from' ? 'first' : 'last'} day of \`headcount\`. By itself it filters nothing.`,
      personal: false,
      tables: [],
    })),
    {
      parameter: 'anniversary_from',
      kind: 'month-day',
      about:
        'Only employees whose day of joining is this day of the year or later. With an `anniversary_to` before it, the days of the turn of the year.',
      personal: false,
      tables: [],
    },
    {
      parameter: 'anniversary_to',
      kind: 'month-day',
      about:
        'Only employees whose day of joining is this day of the year or earlier. `02-28` includes those who joined on 29 February.',
      personal: false,
      tables: [],
    },
    healthFilter('employees'),
  ],
  search: {
    name: ['first_name', 'last_name'],
    codes: ['code', 'email'],
    ended: { status: ['terminated'], alumni: [1] },
    fields: [
      'code',
      'first_name',
      'last_name',
      'designation',
      'branch',
      'status',
      'date_of_joining',
      'termination_date',
    ],
    related: [
      {
        name: 'department',
        about: 'Department of the employee.',
        resource: 'departments',
        by: 'dept_id',
        fields: ['id', 'name'],
      },
      {
        name: 'manager',
        about: 'Manager of the employee.',
        resource: 'employees',
        by: 'manager_id',
        fields: ['id', 'first_name', 'last_name'],
      },
    ],
  },
  fields: {
    id: id(),
    code: name('Personnel number.', { filter: true }),
    first_name: name('Given name.', { personal: true }),
    last_name: name('Family name.', { personal: true }),
    email: text('Work e-mail address.', { filter: true, personal: true }),
    dept_id: reference('departments', 'Department of the employee.', { as: 'department', history: true }),
    designation: name('Job title.', { filter: true, history: true }),
    manager_id: reference('employees', 'Manager of the employee; null for the top manager.', { history: true }),
    branch: name('Office or site.', { filter: true, history: true }),
    status: state('Employment status.', { values: employeeStatuses }),
    date_of_joining: date('First day of employment.'),
    gender: text('Gender as stated by the employee.', { personal: true }),
    base_salary: number('Yearly base salary, in the currency of the branch.', { personal: true }),
    candidate_id: reference('candidates', 'Candidate record from which the employee was hired.'),
    employment_type: text('Type of employment contract.', { filter: true, values: employmentTypes, history: true }),
    probation_end: date('Last day of probation.', { personal: true }),
    termination_date: date('Last day of employment, once known.', { personal: true }),
    alumni: integer('1 for a former employee, otherwise 0.', { required: true, filter: true, importDefault: 0 }),
    password_hash: alwaysNull('Part of the contract and always null: no password is stored.'),
  },
})
