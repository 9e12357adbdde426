import { healthFilter } from '../health-rules.ts'
import { id, json, name, reference, word } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'

export const organizationTeams = resource({
  path: 'organization-teams',
  table: 'organization_teams',
  schema: 'OrganizationTeam',
  operationSingular: 'OrganizationTeam',
  operationPlural: 'OrganizationTeams',
  title: 'organization team',
  titles: 'organization teams',
  area: 'Enterprise',
  about: 'Teams of an organization, as a tree.',
  naturalKey: ['organization_id', 'name'],
  computedFilters: [healthFilter('organization-teams')],
  fields: {
    id: id(),
    organization_id: reference('organizations', 'Organization of the team.', {
      required: true,
      create: 'required',
    }),
    parent_id: reference('organization-teams', 'Parent team in the same organization; null for a top-level team.', {
      create: 'optional',
      within: 'organization_id',
    }),
    name: name('Name of the team.', { required: true, create: 'required', filter: true }),
    country: word('Country, as an ISO 3166 code.', { create: 'optional', filter: true }),
    department_id: reference('departments', 'Department of the team.', { create: 'optional' }),
    settings_json: json('Settings: a JSON document as a string.', { create: 'optional' }),
  },
})
