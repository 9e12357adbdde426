import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'organizations',
  singular: 'Organization',
  plural: 'Organizations',
  fields: {
    id: { kind: 'id' },
    name: { kind: 'text', nullable: false, create: 'required', maxLength: 500, sample: 'Polar Works' },
    slug: { kind: 'text', nullable: false, filter: true, create: 'required', maxLength: 200, uniqueWithin: [] },
    default_locale: {
      kind: 'text',
      nullable: false,
      create: 'optional',
      maxLength: 200,
      default: 'en',
      sample: 'pt-BR',
    },
    timezone: {
      kind: 'text',
      nullable: false,
      sort: false,
      create: 'optional',
      maxLength: 20_000,
      default: 'UTC',
      sample: 'America/Sao_Paulo',
    },
    settings_json: { kind: 'json', nullable: true, create: 'optional', sample: '{ "b": [1, 2.50, "é"],  "a": null }' },
    created: { kind: 'timestamp', nullable: false },
  },
}
