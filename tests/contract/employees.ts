import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'employees',
  singular: 'Employee',
  plural: 'Employees',
  fields: {
    id: { kind: 'id' },
    code: { kind: 'text', nullable: true, filter: true },
    first_name: { kind: 'text', nullable: true, personal: true },
    last_name: { kind: 'text', nullable: true, personal: true },
    email: { kind: 'text', nullable: true, personal: true, filter: true },
    dept_id: { kind: 'reference', to: 'departments', relation: 'department', nullable: true },
    designation: { kind: 'text', nullable: true, filter: true },
    manager_id: { kind: 'reference', to: 'employees', relation: 'manager', nullable: true },
    branch: { kind: 'text', nullable: true, filter: true },
    status: { kind: 'state' },
    date_of_joining: { kind: 'date', nullable: true },
    gender: { kind: 'text', nullable: true, personal: true, sort: false },
    base_salary: { kind: 'number', nullable: true, personal: true },
    candidate_id: { kind: 'reference', to: 'candidates', relation: 'candidate', nullable: true },
    employment_type: { kind: 'text', nullable: true, filter: true },
    probation_end: { kind: 'date', nullable: true, personal: true },
    termination_date: { kind: 'date', nullable: true, personal: true },
    alumni: { kind: 'integer', nullable: false, filter: true },
    password_hash: { kind: 'always null' },
  },
}
