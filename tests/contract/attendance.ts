import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'attendance',
  singular: 'Attendance',
  plural: 'Attendance',
  fields: {
    id: { kind: 'id' },
    employee_id: { kind: 'reference', to: 'employees', relation: 'employee', nullable: true },
    att_date: { kind: 'date', nullable: false },
    status: { kind: 'state' },
    hours: { kind: 'number', nullable: true },
  },
}
