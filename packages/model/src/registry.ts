import { applications } from './resources/applications.ts'
import { attendance } from './resources/attendance.ts'
import { brands } from './resources/brands.ts'
import { candidates } from './resources/candidates.ts'
import { careerSites } from './resources/career-sites.ts'
import { departments } from './resources/departments.ts'
import { employees } from './resources/employees.ts'
import { declareHistory } from './resources/history.ts'
import { jobDistributions } from './resources/job-distributions.ts'
import { jobs } from './resources/jobs.ts'
import { leave } from './resources/leave.ts'
import { organizationTeams } from './resources/organization-teams.ts'
import { organizations } from './resources/organizations.ts'
import { DeclarationError } from './schema/declaration-error.ts'
import { personPath } from './schema/person.ts'
import type { Resource } from './schema/resource.ts'
import { trackedFields } from './schema/resource.ts'

/** The resources whose records imports and syncs store, in the order in which the OpenAPI document lists them. */
export const resources: readonly Resource[] = [
  employees,
  departments,
  leave,
  attendance,
  jobs,
  candidates,
  applications,
  organizations,
  brands,
  careerSites,
  organizationTeams,
  jobDistributions,
]

/** The resources that have a history. */
export const trackedResources = resources.filter((resource) => trackedFields(resource).length > 0)

/** The recorded changes of the tracked fields of all resources. */
export const history = declareHistory(trackedResources)

/** Everything that has a list: the resources, and their history. */
export const listedResources: readonly Resource[] = [...resources, history]

const resourcesByPath = new Map(listedResources.map((resource) => [resource.path, resource]))

export const resourceAt = (path: string): Resource => {
  const resource = resourcesByPath.get(path)
  if (resource === undefined) throw new TypeError(`no resource is declared at ${path}`)
  return resource
}

for (const resource of resources) {
  const { path, allFields: all } = resource
  for (const { name, references } of all) {
    if (references !== undefined && !resourcesByPath.has(references.resource))
      throw new DeclarationError(`${path}.${name} refers to ${references.resource}, which is not declared`)
  }
}
for (const resource of resources) personPath(resource, resourceAt)
