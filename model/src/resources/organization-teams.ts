/** Declares organization teams. */
import { id, json, name, reference, word } from '../field.ts'
import { resource } from '../resource.ts'

export const organizationTeams = resource({
  path: 'organization-teams',
  table: 'organization_teams',
  schema: 'OrganizationTeam',
  one: 'OrganizationTeam',
  many: 'OrganizationTeams',
  title: 'organization team',
  titles: 'organization teams',
  area: 'Enterprise',
  about: 'The tree of teams inside an organization.',
  fields: {
    id: id(),
    organization_id: reference('organizations', 'Organization the team belongs to.', {
      required: true,
      create: 'required',
    }),
    parent_id: reference('organization-teams', 'Team above this one, in the same organization; null at the top.', {
      create: 'optional',
      within: 'organization_id',
    }),
    name: name('Name of the team.', { required: true, create: 'required' }),
    country: word('Country, as an ISO 3166 code.', { create: 'optional', filter: true }),
    department_id: reference('departments', 'Department the team works for.', { create: 'optional' }),
    settings_json: json('Settings: a JSON document carried as a string.', { create: 'optional' }),
  },
})
