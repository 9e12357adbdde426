/** Declares organizations. */
import { id, json, name, text, timestamp, word } from '../field.ts'
import { resource } from '../resource.ts'

export const organizations = resource({
  path: 'organizations',
  table: 'organizations',
  schema: 'Organization',
  one: 'Organization',
  many: 'Organizations',
  title: 'organization',
  titles: 'organizations',
  area: 'Enterprise',
  about: 'Legal or operating units that own brands and teams.',
  unique: [['slug']],
  fields: {
    id: id(),
    name: name('Name of the organization.', { required: true, create: 'required' }),
    slug: word('Name in addresses; occurs once.', { required: true, create: 'required', filter: true }),
    default_locale: word('Locale used where none is said.', { required: true, create: 'optional', default: 'en' }),
    timezone: text('Time zone, as an IANA name.', { required: true, create: 'optional', default: 'UTC' }),
    settings_json: json('Settings: a JSON document carried as a string.', { create: 'optional' }),
    created: timestamp('When the record was made.', { required: true }),
  },
})
