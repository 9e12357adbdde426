import { healthFilter } from '../health-rules.ts'
import { id, reference, state, timestamp, word } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { distributionStatuses } from '../schema/suggested-values.ts'

export const jobDistributions = resource({
  path: 'job-distributions',
  table: 'job_distributions',
  schema: 'JobDistribution',
  operationSingular: 'JobDistribution',
  operationPlural: 'JobDistributions',
  title: 'job distribution',
  titles: 'job distributions',
  area: 'Enterprise',
  about: 'Publications of job openings, each on one career site in one locale.',
  naturalKey: ['career_site_id', 'locale', 'slug'],
  unique: [['career_site_id', 'locale', 'slug']],
  computedFilters: [healthFilter('job-distributions')],
  fields: {
    id: id(),
    job_posting_id: reference('jobs', 'Published job opening.', {
      as: 'job',
      required: true,
      create: 'required',
    }),
    career_site_id: reference('career-sites', 'Career site of the publication.', {
      required: true,
      create: 'required',
    }),
    brand_id: reference('brands', 'Brand of the publication.', { create: 'optional' }),
    locale: word('Locale of the publication.', { required: true, create: 'optional', default: 'en', filter: true }),
    slug: word('Name in URLs; must be unique per career site and locale.', {
      required: true,
      create: 'required',
      filter: true,
    }),
    status: state('Status of the publication.', {
      create: 'optional',
      default: 'draft',
      values: distributionStatuses,
      history: true,
    }),
    published_at: timestamp('When it was published.', { create: 'optional' }),
  },
})
