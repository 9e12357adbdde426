import { color, domain, id, integer, name, text, timestamp, url, word } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'

export const careerSites = resource({
  path: 'career-sites',
  table: 'career_sites',
  schema: 'CareerSite',
  operationSingular: 'CareerSite',
  operationPlural: 'CareerSites',
  title: 'career site',
  titles: 'career sites',
  area: 'Enterprise',
  about: 'Public sites on which job openings are published.',
  naturalKey: ['slug'],
  unique: [['slug']],
  fields: {
    id: id(),
    name: name('Name of the site.', { required: true, create: 'required' }),
    slug: word('Name in URLs; must be unique.', { required: true, create: 'required', filter: true }),
    headline: text('Headline of the site.', { create: 'optional' }),
    introduction: text('Text under the headline.', { create: 'optional' }),
    brand_color: color('Main colour.', { required: true, create: 'optional', default: '#1f2937' }),
    accent_color: color('Accent colour.', { required: true, create: 'optional', default: '#2563eb' }),
    logo_url: url('URL of the logo.', { create: 'optional' }),
    privacy_policy_url: url('URL of the privacy policy.', { create: 'optional' }),
    custom_domain: domain('Domain of the site; cannot be set by a create.'),
    is_active: integer('1 if the site is active, otherwise 0.', {
      required: true,
      create: 'optional',
      default: 1,
      filter: true,
    }),
    created: timestamp('When the record was created.', { required: true, now: true }),
    updated: timestamp('When the record was last updated.', { required: true, now: true }),
  },
})
