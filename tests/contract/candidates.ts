import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'candidates',
  singular: 'Candidate',
  plural: 'Candidates',
  fields: {
    id: { kind: 'id' },
    first_name: { kind: 'text', nullable: true, personal: true },
    last_name: { kind: 'text', nullable: true, personal: true },
    email: { kind: 'text', nullable: true, personal: true, filter: true },
    phone: { kind: 'text', nullable: true, personal: true, sort: false },
    location: { kind: 'text', nullable: true, personal: true },
    headline: { kind: 'text', nullable: true, sort: false },
    current_title: { kind: 'text', nullable: true },
    current_employer: { kind: 'text', nullable: true, personal: true },
    years_experience: { kind: 'number', nullable: true },
    linkedin_url: { kind: 'url', nullable: true, personal: true },
    source: { kind: 'text', nullable: true, filter: true },
    referred_by: { kind: 'reference', to: 'employees', relation: 'referrer', nullable: true },
    consent_at: { kind: 'timestamp', nullable: true },
    status: { kind: 'state' },
    notes: { kind: 'text', nullable: true, personal: true, sort: false },
    created: { kind: 'timestamp', nullable: true },
  },
}
