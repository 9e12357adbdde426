/** Declares recruitment brands. */
import { color, domain, id, json, name, reference, timestamp, url, word } from '../field.ts'
import { resource } from '../resource.ts'

export const brands = resource({
  path: 'brands',
  table: 'recruitment_brands',
  schema: 'RecruitmentBrand',
  one: 'Brand',
  many: 'Brands',
  title: 'recruitment brand',
  titles: 'recruitment brands',
  area: 'Enterprise',
  about: 'The faces an organization shows to candidates.',
  unique: [['organization_id', 'slug']],
  fields: {
    id: id(),
    organization_id: reference('organizations', 'Organization the brand belongs to.', {
      required: true,
      create: 'required',
    }),
    name: name('Name of the brand.', { required: true, create: 'required' }),
    slug: word('Name in addresses; occurs once in the organization.', {
      required: true,
      create: 'required',
      filter: true,
    }),
    logo_url: url('Address of the logo.', { create: 'optional' }),
    favicon_url: url('Address of the small icon.', { create: 'optional' }),
    primary_color: color('Main colour.', { create: 'optional' }),
    accent_color: color('Second colour.', { create: 'optional' }),
    custom_domain: domain('Domain the brand is served under.', { create: 'optional' }),
    settings_json: json('Settings: a JSON document carried as a string.', { create: 'optional' }),
    created: timestamp('When the record was made.', { required: true }),
    updated: timestamp('When the record was last changed.', { required: true }),
  },
})
