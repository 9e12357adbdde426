/** Declares leave requests. */
import { date, id, number, reference, state, text } from '../field.ts'
import { resource } from '../resource.ts'
import { leaveStatuses, leaveTypes } from '../vocabularies.ts'

export const leave = resource({
  path: 'leave',
  table: 'leave_requests',
  schema: 'LeaveRequest',
  one: 'Leave',
  many: 'Leave',
  title: 'leave request',
  titles: 'leave requests',
  area: 'People',
  about: 'Requests for time off and what became of them.',
  fields: {
    id: id(),
    employee_id: reference('employees', 'Employee who asks for leave.', { create: 'optional' }),
    leave_type: text('Kind of leave.', { required: true, create: 'required', filter: true, values: leaveTypes }),
    from_date: date('First day away.', { create: 'optional' }),
    to_date: date('Last day away; not before the first.', { create: 'optional', notBefore: 'from_date' }),
    days: number('Working days away; halves allowed.', { create: 'optional' }),
    status: state('Where the request stands.', { create: 'optional', default: 'pending', values: leaveStatuses }),
    reason: text('Why, in the words of the person.', { create: 'optional', personal: true }),
    applied_on: date('Day the request was made; today when left out.', { create: 'optional', today: true }),
  },
})
