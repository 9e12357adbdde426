import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'job_distributions',
  singular: 'JobDistribution',
  plural: 'JobDistributions',
  fields: {
    id: { kind: 'id' },
    job_posting_id: { kind: 'reference', to: 'jobs', relation: 'job', nullable: false, create: 'required' },
    career_site_id: {
      kind: 'reference',
      to: 'career-sites',
      relation: 'career_site',
      nullable: false,
      create: 'required',
    },
    brand_id: { kind: 'reference', to: 'brands', relation: 'brand', nullable: true, create: 'optional' },
    locale: {
      kind: 'text',
      nullable: false,
      filter: true,
      create: 'optional',
      maxLength: 200,
      default: 'en',
      sample: 'nb-NO',
    },
    slug: {
      kind: 'text',
      nullable: false,
      filter: true,
      create: 'required',
      maxLength: 200,
      uniqueWithin: ['career_site_id', 'locale'],
    },
    status: { kind: 'state', create: 'optional', default: 'draft', sample: 'published' },
    published_at: { kind: 'timestamp', nullable: true, create: 'optional', sample: '2031-05-06T07:08:09Z' },
  },
}
