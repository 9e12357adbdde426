import { healthFilter } from '../health-rules.ts'
import { date, id, number, reference, state, text } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { leaveStatuses, leaveTypes } from '../schema/suggested-values.ts'

export const leave = resource({
  path: 'leave',
  table: 'leave_requests',
  schema: 'LeaveRequest',
  operationSingular: 'Leave',
  operationPlural: 'Leave',
  title: 'leave request',
  titles: 'leave requests',
  area: 'People',
  about: 'Requests for leave and their outcome.',
  naturalKey: ['employee_id', 'from_date', 'leave_type'],
  personOf: 'employee_id',
  startDay: 'applied_on',
  computedFilters: [
    {
      parameter: 'decided_from',
      kind: 'date',
      about:
        'Only requests that were decided on this day or later: the first recorded change of their status from `pending` to `approved` or `rejected`.',
      personal: false,
      tables: ['history'],
    },
    {
      parameter: 'decided_to',
      kind: 'date',
      about: 'Only requests that were decided on this day or earlier.',
      personal: false,
      tables: ['history'],
    },
    {
      parameter: 'values_on',
      kind: 'date',
      about:
        'Filters by `status` use the status at the end of this day. By itself it filters nothing. The records show their present status.',
      personal: false,
      tables: ['history'],
    },
    healthFilter('leave'),
  ],
  fields: {
    id: id(),
    employee_id: reference('employees', 'Employee who requests the leave.', { create: 'optional' }),
    leave_type: text('Type of leave.', {
      required: true,
      create: 'required',
      filter: true,
      personal: true,
      values: leaveTypes,
    }),
    from_date: date('First day of the leave.', { create: 'optional' }),
    to_date: date('Last day of the leave; not before the first day.', { create: 'optional', notBefore: 'from_date' }),
    days: number('Number of working days; half days are allowed.', { create: 'optional' }),
    status: state('Status of the request.', {
      create: 'optional',
      default: 'pending',
      values: leaveStatuses,
      history: true,
    }),
    reason: text('Reason given by the employee.', { create: 'optional', personal: true }),
    applied_on: date('Date of the request; today if omitted.', { create: 'optional', today: true }),
  },
})
