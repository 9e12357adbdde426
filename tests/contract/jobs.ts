import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'job_openings',
  singular: 'Job',
  plural: 'Jobs',
  fields: {
    id: { kind: 'id' },
    code: { kind: 'text', nullable: true, filter: true },
    title: { kind: 'text', nullable: false, filter: true },
    dept_id: { kind: 'reference', to: 'departments', relation: 'department', nullable: true },
    hiring_manager_id: { kind: 'reference', to: 'employees', relation: 'hiring_manager', nullable: true },
    headcount: { kind: 'integer', nullable: false },
    filled: { kind: 'integer', nullable: false },
    comp_min: { kind: 'number', nullable: true },
    comp_max: { kind: 'number', nullable: true },
    currency: { kind: 'text', nullable: true, filter: true },
    location: { kind: 'text', nullable: true, filter: true },
    remote_policy: { kind: 'text', nullable: true, filter: true },
    employment_type: { kind: 'text', nullable: true, filter: true },
    status: { kind: 'state' },
    description: { kind: 'text', nullable: true, sort: false },
    requirements: { kind: 'text', nullable: true, sort: false },
    stages_json: { kind: 'json', nullable: true },
    opened_on: { kind: 'date', nullable: true },
    target_date: { kind: 'date', nullable: true },
    created: { kind: 'timestamp', nullable: true },
  },
}
