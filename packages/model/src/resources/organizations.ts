import { id, json, name, text, timestamp, word } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'

export const organizations = resource({
  path: 'organizations',
  table: 'organizations',
  schema: 'Organization',
  operationSingular: 'Organization',
  operationPlural: 'Organizations',
  title: 'organization',
  titles: 'organizations',
  area: 'Enterprise',
  about: 'Legal or operating units that own brands and teams.',
  naturalKey: ['slug'],
  unique: [['slug']],
  fields: {
    id: id(),
    name: name('Name of the organization.', { required: true, create: 'required' }),
    slug: word('Name in URLs; must be unique.', { required: true, create: 'required', filter: true }),
    default_locale: word('Default locale.', { required: true, create: 'optional', default: 'en' }),
    timezone: text('Time zone, as an IANA name.', { required: true, create: 'optional', default: 'UTC' }),
    settings_json: json('Settings: a JSON document as a string.', { create: 'optional' }),
    created: timestamp('When the record was created.', { required: true, now: true }),
  },
})
