import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'recruitment_brands',
  singular: 'Brand',
  plural: 'Brands',
  fields: {
    id: { kind: 'id' },
    organization_id: {
      kind: 'reference',
      to: 'organizations',
      relation: 'organization',
      nullable: false,
      create: 'required',
    },
    name: { kind: 'text', nullable: false, create: 'required', maxLength: 500, sample: 'Polar Careers' },
    slug: {
      kind: 'text',
      nullable: false,
      filter: true,
      create: 'required',
      maxLength: 200,
      uniqueWithin: ['organization_id'],
    },
    logo_url: { kind: 'url', nullable: true, create: 'optional', sample: 'https://polar.example/logo.svg' },
    favicon_url: { kind: 'url', nullable: true, create: 'optional', sample: 'https://polar.example/favicon.ico' },
    primary_color: { kind: 'color', nullable: true, create: 'optional', sample: '#0f172a' },
    accent_color: { kind: 'color', nullable: true, create: 'optional', sample: 'teal' },
    custom_domain: {
      kind: 'text',
      nullable: true,
      sort: false,
      create: 'optional',
      maxLength: 2048,
      sample: 'jobs.polar.example',
    },
    settings_json: { kind: 'json', nullable: true, create: 'optional', sample: '[true]' },
    created: { kind: 'timestamp', nullable: false },
    updated: { kind: 'timestamp', nullable: false },
  },
}
