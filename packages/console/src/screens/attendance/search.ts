import { keepParameters } from '../../search-parameters.ts'

export const attendanceSearch = keepParameters('from', 'to', 'day', 'departments')

export type AttendanceSearch = ReturnType<typeof attendanceSearch>
