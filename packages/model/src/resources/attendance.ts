import { healthFilter } from '../health-rules.ts'
import { date, id, number, reference, state } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { attendanceStatuses } from '../schema/suggested-values.ts'

export const attendance = resource({
  path: 'attendance',
  table: 'attendance',
  schema: 'Attendance',
  operationSingular: 'Attendance',
  operationPlural: 'Attendance',
  title: 'attendance record',
  titles: 'attendance records',
  area: 'People',
  about: 'One record per employee and working day.',
  naturalKey: ['employee_id', 'att_date'],
  computedFilters: [healthFilter('attendance')],
  fields: {
    id: id(),
    employee_id: reference('employees', 'Employee to whom this record belongs.'),
    att_date: date('Date of the working day.', { required: true }),
    status: state('Attendance status of the day.', { values: attendanceStatuses }),
    hours: number('Hours worked.'),
  },
})
