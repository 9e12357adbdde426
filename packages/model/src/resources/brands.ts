import { color, domain, id, json, name, reference, timestamp, url, word } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'

export const brands = resource({
  path: 'brands',
  table: 'recruitment_brands',
  schema: 'RecruitmentBrand',
  operationSingular: 'Brand',
  operationPlural: 'Brands',
  title: 'recruitment brand',
  titles: 'recruitment brands',
  area: 'Enterprise',
  about: 'Brands under which an organization recruits.',
  naturalKey: ['organization_id', 'slug'],
  unique: [['organization_id', 'slug']],
  fields: {
    id: id(),
    organization_id: reference('organizations', 'Organization of the brand.', {
      required: true,
      create: 'required',
    }),
    name: name('Name of the brand.', { required: true, create: 'required' }),
    slug: word('Name in URLs; must be unique in the organization.', {
      required: true,
      create: 'required',
      filter: true,
    }),
    logo_url: url('URL of the logo.', { create: 'optional' }),
    favicon_url: url('URL of the favicon.', { create: 'optional' }),
    primary_color: color('Main colour.', { create: 'optional' }),
    accent_color: color('Accent colour.', { create: 'optional' }),
    custom_domain: domain('Domain of the brand.', { create: 'optional' }),
    settings_json: json('Settings: a JSON document as a string.', { create: 'optional' }),
    created: timestamp('When the record was created.', { required: true, now: true }),
    updated: timestamp('When the record was last updated.', { required: true, now: true }),
  },
})
