// Says, written by hand from the interface description, which related records can be asked for, and by which field each is found.
import type { Resource } from './field-table.ts'

export type Relation = { name: string; field: string; target: Resource }

const line = (name: string, field: string, target: Resource): Relation => ({ name, field, target })

export const relationTable: Record<Resource, Relation[]> = {
  employees: [
    line('department', 'dept_id', 'departments'),
    line('manager', 'manager_id', 'employees'),
    line('candidate', 'candidate_id', 'candidates'),
  ],
  departments: [],
  leave: [line('employee', 'employee_id', 'employees')],
  attendance: [line('employee', 'employee_id', 'employees')],
  jobs: [line('department', 'dept_id', 'departments'), line('hiring_manager', 'hiring_manager_id', 'employees')],
  candidates: [line('referrer', 'referred_by', 'employees')],
  applications: [line('candidate', 'candidate_id', 'candidates'), line('job', 'job_id', 'jobs')],
  organizations: [],
  brands: [line('organization', 'organization_id', 'organizations')],
  'career-sites': [],
  'organization-teams': [
    line('organization', 'organization_id', 'organizations'),
    line('parent', 'parent_id', 'organization-teams'),
    line('department', 'department_id', 'departments'),
  ],
  'job-distributions': [
    line('job', 'job_posting_id', 'jobs'),
    line('career_site', 'career_site_id', 'career-sites'),
    line('brand', 'brand_id', 'brands'),
  ],
}
