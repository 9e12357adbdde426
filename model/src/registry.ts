/** In charge of the list of all resources, in the order the interface names them. */
import type { Resource } from './resource.ts'
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

const byPath = new Map(resources.map((resource) => [resource.path, resource]))

export const resourceAt = (path: string): Resource => {
  const resource = byPath.get(path)
  if (resource === undefined) throw new TypeError(`no resource is declared at ${path}`)
  return resource
}

for (const { path, all } of resources) {
  for (const { name, references } of all) {
    if (references !== undefined && !byPath.has(references.resource))
      throw new TypeError(`${path}.${name} refers to ${references.resource}, which is not declared`)
  }
}
