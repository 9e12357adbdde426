// Names of related records and the fields that refer to them, written by hand from the API specification.
import type { Resource } from './field-table.ts'

export type Relation = { name: string; field: string; target: Resource }

const relation = (name: string, field: string, target: Resource): Relation => ({ name, field, target })

export const relationTable: Record<Resource, Relation[]> = {
  employees: [
    relation('department', 'dept_id', 'departments'),
    relation('manager', 'manager_id', 'employees'),
    relation('candidate', 'candidate_id', 'candidates'),
  ],
  departments: [],
  leave: [relation('employee', 'employee_id', 'employees')],
  attendance: [relation('employee', 'employee_id', 'employees')],
  jobs: [
    relation('department', 'dept_id', 'departments'),
    relation('hiring_manager', 'hiring_manager_id', 'employees'),
  ],
  candidates: [relation('referrer', 'referred_by', 'employees')],
  applications: [relation('candidate', 'candidate_id', 'candidates'), relation('job', 'job_id', 'jobs')],
  organizations: [],
  brands: [relation('organization', 'organization_id', 'organizations')],
  'career-sites': [],
  'organization-teams': [
    relation('organization', 'organization_id', 'organizations'),
    relation('parent', 'parent_id', 'organization-teams'),
    relation('department', 'department_id', 'departments'),
  ],
  'job-distributions': [
    relation('job', 'job_posting_id', 'jobs'),
    relation('career_site', 'career_site_id', 'career-sites'),
    relation('brand', 'brand_id', 'brands'),
  ],
}
