/** Declares employees. */
import { date, id, integer, name, number, reference, state, text, withheld } from '../field.ts'
import { resource } from '../resource.ts'
import { employeeStatuses, employmentTypes } from '../vocabularies.ts'

export const employees = resource({
  path: 'employees',
  table: 'employees',
  schema: 'Employee',
  one: 'Employee',
  many: 'Employees',
  title: 'employee',
  titles: 'employees',
  area: 'People',
  about: 'The people who work, or have worked, for the company.',
  fields: {
    id: id(),
    code: name('Personnel number.', { filter: true }),
    first_name: name('Given name.', { personal: true }),
    last_name: name('Family name.', { personal: true }),
    email: text('Work e-mail address.', { filter: true, personal: true }),
    dept_id: reference('departments', 'Department the person works in.', { as: 'department' }),
    designation: name('Job title.'),
    manager_id: reference('employees', 'Employee this person reports to; null at the top.'),
    branch: name('Office or site.'),
    status: state('Where the person stands in the employment cycle.', { values: employeeStatuses }),
    date_of_joining: date('First day of employment.'),
    gender: text('Gender as given by the person.', { personal: true }),
    base_salary: number('Yearly base salary, in the currency of the branch.', { personal: true }),
    candidate_id: reference('candidates', 'Candidate this person was hired as.'),
    employment_type: text('Kind of contract.', { filter: true, values: employmentTypes }),
    probation_end: date('Last day of probation.', { personal: true }),
    termination_date: date('Last day of employment, once known.', { personal: true }),
    alumni: integer('1 for a former employee, else 0.', { required: true, filter: true }),
    password_hash: withheld('Part of the published shape and always null: no password is stored.'),
  },
})
