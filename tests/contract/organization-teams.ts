import type { ResourceContract } from './contract.ts'

export const contract: ResourceContract = {
  table: 'organization_teams',
  singular: 'OrganizationTeam',
  plural: 'OrganizationTeams',
  fields: {
    id: { kind: 'id' },
    organization_id: {
      kind: 'reference',
      to: 'organizations',
      relation: 'organization',
      nullable: false,
      create: 'required',
    },
    parent_id: {
      kind: 'reference',
      to: 'organization-teams',
      relation: 'parent',
      nullable: true,
      create: 'optional',
      within: 'organization_id',
    },
    name: { kind: 'text', nullable: false, filter: true, create: 'required', maxLength: 500, sample: 'Ice Breakers' },
    country: { kind: 'text', nullable: true, filter: true, create: 'optional', maxLength: 200, sample: 'NO' },
    department_id: { kind: 'reference', to: 'departments', relation: 'department', nullable: true, create: 'optional' },
    settings_json: { kind: 'json', nullable: true, create: 'optional', sample: '"plain"' },
  },
}
