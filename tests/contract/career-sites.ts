import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'career_sites',
  singular: 'CareerSite',
  plural: 'CareerSites',
  fields: {
    id: { kind: 'id' },
    name: { kind: 'text', nullable: false, create: 'required', maxLength: 500, sample: 'Polar Jobs' },
    slug: { kind: 'text', nullable: false, filter: true, create: 'required', maxLength: 200, uniqueWithin: [] },
    headline: {
      kind: 'text',
      nullable: true,
      sort: false,
      create: 'optional',
      maxLength: 20_000,
      sample: 'Work where it is cold',
    },
    introduction: {
      kind: 'text',
      nullable: true,
      sort: false,
      create: 'optional',
      maxLength: 20_000,
      sample: 'We keep warm together.',
    },
    brand_color: { kind: 'color', nullable: false, create: 'optional', default: '#1f2937', sample: '#111111' },
    accent_color: { kind: 'color', nullable: false, create: 'optional', default: '#2563eb', sample: '#eeeeee' },
    logo_url: { kind: 'url', nullable: true, create: 'optional', sample: 'https://polar.example/logo.png' },
    privacy_policy_url: { kind: 'url', nullable: true, create: 'optional', sample: 'https://polar.example/privacy' },
    custom_domain: { kind: 'text', nullable: true, sort: false },
    is_active: { kind: 'integer', nullable: false, filter: true, create: 'optional', default: 1, sample: 0 },
    created: { kind: 'timestamp', nullable: false },
    updated: { kind: 'timestamp', nullable: false },
  },
}
