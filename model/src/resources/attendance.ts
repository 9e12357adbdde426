/** Declares attendance. */
import { date, id, number, reference, state } from '../field.ts'
import { resource } from '../resource.ts'
import { attendanceStatuses } from '../vocabularies.ts'

export const attendance = resource({
  path: 'attendance',
  table: 'attendance',
  schema: 'Attendance',
  one: 'Attendance',
  many: 'Attendance',
  title: 'attendance record',
  titles: 'attendance records',
  area: 'People',
  about: 'One record per employee and working day.',
  fields: {
    id: id(),
    employee_id: reference('employees', 'Employee the day belongs to.'),
    att_date: date('The day.', { required: true }),
    status: state('How the day was spent.', { values: attendanceStatuses }),
    hours: number('Hours worked.'),
  },
})
