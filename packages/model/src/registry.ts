import { applications } from './resources/applications.ts'
import { attendance } from './resources/attendance.ts'
import { brands } from './resources/brands.ts'
import { candidates } from './resources/candidates.ts'
import { careerSites } from './resources/career-sites.ts'
import { departments } from './resources/departments.ts'
import { employees } from './resources/employees.ts'
import { jobDistributions } from './resources/job-distributions.ts'
import { jobs } from './resources/jobs.ts'
import { leave } from './resources/leave.ts'
import { organizationTeams } from './resources/organization-teams.ts'
import { organizations } from './resources/organizations.ts'
import type { Resource } from './schema/resource.ts'

/** All resources, in the order in which the OpenAPI document lists them. */
const declared = [
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
] as const

/** The type of any declared resource, including the types of its fields. */
export type DeclaredResource = (typeof declared)[number]
export const resources: readonly Resource[] = declared

const resourcesByPath = new Map(resources.map((resource) => [resource.path, resource]))

export const resourceAt = (path: string): Resource => {
  const resource = resourcesByPath.get(path)
  if (resource === undefined) throw new TypeError(`no resource is declared at ${path}`)
  return resource
}

for (const { path, allFields: all } of resources) {
  for (const { name, references } of all) {
    if (references !== undefined && !resourcesByPath.has(references.resource))
      throw new TypeError(`${path}.${name} refers to ${references.resource}, which is not declared`)
  }
}
