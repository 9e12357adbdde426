import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'applications',
  singular: 'Application',
  plural: 'Applications',
  fields: {
    id: { kind: 'id' },
    candidate_id: { kind: 'reference', to: 'candidates', relation: 'candidate', nullable: false, create: 'required' },
    job_id: { kind: 'reference', to: 'jobs', relation: 'job', nullable: false, create: 'required' },
    stage: { kind: 'state', create: 'optional', default: 'applied', sample: 'interview' },
    status: { kind: 'state', create: 'optional', default: 'active', sample: 'rejected' },
    applied_on: { kind: 'date', nullable: true, create: 'optional', sample: '2030-11-30', today: true },
    stage_entered_on: { kind: 'date', nullable: true, create: 'optional', sample: '2030-12-24', today: true },
    rating: { kind: 'number', nullable: true, personal: true, create: 'optional', sample: 4.5 },
    rejection_reason: {
      kind: 'text',
      nullable: true,
      personal: true,
      sort: false,
      create: 'optional',
      maxLength: 20_000,
      sample: 'Chose another path',
    },
    created: { kind: 'timestamp', nullable: true },
  },
}
