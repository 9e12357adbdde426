/** Declares career sites. */
import { color, domain, id, integer, name, text, timestamp, url, word } from '../field.ts'
import { resource } from '../resource.ts'

export const careerSites = resource({
  path: 'career-sites',
  table: 'career_sites',
  schema: 'CareerSite',
  one: 'CareerSite',
  many: 'CareerSites',
  title: 'career site',
  titles: 'career sites',
  area: 'Enterprise',
  about: 'Public sites that job openings are published on.',
  unique: [['slug']],
  fields: {
    id: id(),
    name: name('Name of the site.', { required: true, create: 'required' }),
    slug: word('Name in addresses; occurs once.', { required: true, create: 'required', filter: true }),
    headline: text('First line of the site.', { create: 'optional' }),
    introduction: text('Text under the headline.', { create: 'optional' }),
    brand_color: color('Main colour.', { required: true, create: 'optional', default: '#1f2937' }),
    accent_color: color('Second colour.', { required: true, create: 'optional', default: '#2563eb' }),
    logo_url: url('Address of the logo.', { create: 'optional' }),
    privacy_policy_url: url('Address of the privacy policy.', { create: 'optional' }),
    custom_domain: domain('Domain the site is served under; not set by a create.'),
    is_active: integer('1 while the site is shown, else 0.', {
      required: true,
      create: 'optional',
      default: 1,
      filter: true,
    }),
    created: timestamp('When the record was made.', { required: true }),
    updated: timestamp('When the record was last changed.', { required: true }),
  },
})
