/** Declares job openings. */
import { date, id, integer, json, name, number, reference, state, text, timestamp } from '../field.ts'
import { resource } from '../resource.ts'
import { employmentTypes, jobStatuses, remotePolicies } from '../vocabularies.ts'

export const jobs = resource({
  path: 'jobs',
  table: 'job_openings',
  schema: 'JobOpening',
  one: 'Job',
  many: 'Jobs',
  title: 'job opening',
  titles: 'job openings',
  area: 'Recruiting',
  about: 'Positions to be filled, with how many there are and how many have been filled.',
  fields: {
    id: id(),
    code: name('Requisition number.', { filter: true }),
    title: name('Title of the position.', { required: true }),
    dept_id: reference('departments', 'Department that hires.', { as: 'department' }),
    hiring_manager_id: reference('employees', 'Employee who decides.'),
    headcount: integer('Positions to fill.', { required: true }),
    filled: integer('Positions filled so far.', { required: true }),
    comp_min: number('Lower end of the yearly pay range.'),
    comp_max: number('Upper end of the yearly pay range.'),
    currency: text('Currency of the pay range, as an ISO 4217 code.', { filter: true }),
    location: name('Where the work is done.'),
    remote_policy: text('How much of it may be done elsewhere.', { values: remotePolicies }),
    employment_type: text('Kind of contract.', { filter: true, values: employmentTypes }),
    status: state('Hiring state.', { values: jobStatuses }),
    description: text('What the work is.'),
    requirements: text('What the work asks for.'),
    stages_json: json('The pipeline of this opening: a JSON document carried as a string.'),
    opened_on: date('Day the opening was published.'),
    target_date: date('Day it should be filled by.'),
    created: timestamp('When the record was made.'),
  },
})
