/** Declares job distributions. */
import { id, reference, state, timestamp, word } from '../field.ts'
import { resource } from '../resource.ts'
import { distributionStatuses } from '../vocabularies.ts'

export const jobDistributions = resource({
  path: 'job-distributions',
  table: 'job_distributions',
  schema: 'JobDistribution',
  one: 'JobDistribution',
  many: 'JobDistributions',
  title: 'job distribution',
  titles: 'job distributions',
  area: 'Enterprise',
  about: 'One job opening on one career site in one locale.',
  unique: [['career_site_id', 'locale', 'slug']],
  fields: {
    id: id(),
    job_posting_id: reference('jobs', 'Job opening that is published.', {
      as: 'job',
      required: true,
      create: 'required',
    }),
    career_site_id: reference('career-sites', 'Career site it is published on.', {
      required: true,
      create: 'required',
    }),
    brand_id: reference('brands', 'Brand it is shown under.', { create: 'optional' }),
    locale: word('Locale of the publication.', { required: true, create: 'optional', default: 'en', filter: true }),
    slug: word('Name in addresses; occurs once per career site and locale.', {
      required: true,
      create: 'required',
      filter: true,
    }),
    status: state('Where the publication stands.', {
      create: 'optional',
      default: 'draft',
      values: distributionStatuses,
    }),
    published_at: timestamp('When it went public.', { create: 'optional' }),
  },
})
