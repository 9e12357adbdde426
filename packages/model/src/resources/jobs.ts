import { healthFilter } from '../health-rules.ts'
import { date, id, integer, json, name, number, reference, state, text, timestamp } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { employmentTypes, jobStatuses, remotePolicies } from '../schema/suggested-values.ts'

export const jobs = resource({
  path: 'jobs',
  table: 'job_openings',
  schema: 'JobOpening',
  operationSingular: 'Job',
  operationPlural: 'Jobs',
  title: 'job opening',
  titles: 'job openings',
  area: 'Recruiting',
  about: 'Job openings, with the number of positions and how many are filled.',
  naturalKey: ['code'],
  startDay: 'opened_on',
  computedFilters: [
    {
      parameter: 'past_target',
      kind: 'date',
      about: 'Only job openings with unfilled positions whose `target_date` is before this day.',
      personal: false,
      tables: [],
    },
    healthFilter('jobs'),
  ],
  search: {
    name: ['title'],
    codes: ['code'],
    ended: { status: ['closed', 'archived'] },
    fields: ['code', 'title', 'location', 'status', 'opened_on'],
    related: [
      {
        name: 'department',
        about: 'Hiring department.',
        resource: 'departments',
        by: 'dept_id',
        fields: ['id', 'name'],
      },
      {
        name: 'hiring_manager',
        about: 'Hiring manager.',
        resource: 'employees',
        by: 'hiring_manager_id',
        fields: ['id', 'first_name', 'last_name'],
      },
    ],
  },
  fields: {
    id: id(),
    code: name('Requisition number.', { filter: true }),
    title: name('Title of the position.', { required: true, filter: true }),
    dept_id: reference('departments', 'Hiring department.', { as: 'department' }),
    hiring_manager_id: reference('employees', 'Hiring manager.'),
    headcount: integer('Number of positions to fill.', { required: true }),
    filled: integer('Number of positions filled so far.', { required: true }),
    comp_min: number('Lower end of the yearly pay range.'),
    comp_max: number('Upper end of the yearly pay range.'),
    currency: text('Currency of the pay range, as an ISO 4217 code.', { filter: true }),
    location: name('Place of work.', { filter: true }),
    remote_policy: text('Remote work policy.', { filter: true, values: remotePolicies }),
    employment_type: text('Type of employment contract.', { filter: true, values: employmentTypes }),
    status: state('Status of the opening.', { values: jobStatuses, history: true }),
    description: text('Description of the job.'),
    requirements: text('Requirements of the job.'),
    stages_json: json('Stages of the hiring pipeline: a JSON document as a string.'),
    opened_on: date('Date on which the opening was published.'),
    target_date: date('Date by which the opening should be filled.'),
    created: timestamp('When the record was created.', { now: true }),
  },
})
