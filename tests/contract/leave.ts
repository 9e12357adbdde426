import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'leave_requests',
  singular: 'Leave',
  plural: 'Leave',
  fields: {
    id: { kind: 'id' },
    employee_id: { kind: 'reference', to: 'employees', relation: 'employee', nullable: true, create: 'optional' },
    leave_type: {
      kind: 'text',
      nullable: false,
      personal: true,
      filter: true,
      create: 'required',
      maxLength: 20_000,
      sample: 'Sabbatical',
    },
    from_date: { kind: 'date', nullable: true, create: 'optional', sample: '2031-03-03' },
    to_date: { kind: 'date', nullable: true, create: 'optional', sample: '2031-03-05', notBefore: 'from_date' },
    days: { kind: 'number', nullable: true, create: 'optional', sample: 2.5 },
    status: { kind: 'state', create: 'optional', default: 'pending', sample: 'approved' },
    reason: {
      kind: 'text',
      nullable: true,
      personal: true,
      sort: false,
      create: 'optional',
      maxLength: 20_000,
      sample: 'Mountains — and a fjord',
    },
    applied_on: { kind: 'date', nullable: true, create: 'optional', sample: '2031-02-01', today: true },
  },
}
