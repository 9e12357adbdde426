import type { ReportName, ResourcePath } from '@muster/client'
import type { QueryKey } from '@tanstack/react-query'

/** Besides the history. A test compares them with the declarations, whose import would be a large script. */
export const reportResources: Readonly<Record<ReportName, readonly ResourcePath[]>> = {
  today: ['employees', 'leave', 'jobs', 'applications', 'attendance'],
  orgChart: ['employees', 'departments'],
  headcount: ['employees'],
  movements: ['employees'],
  leaveDays: ['leave', 'employees'],
  decisions: ['leave', 'employees'],
  attendance: ['attendance', 'employees', 'leave'],
  openings: ['jobs', 'applications'],
  funnel: ['applications', 'jobs', 'candidates'],
  timeInStage: ['applications', 'jobs', 'candidates'],
  timeToHire: ['applications', 'jobs', 'candidates'],
  dataHealth: [
    'employees',
    'organization-teams',
    'leave',
    'attendance',
    'jobs',
    'candidates',
    'applications',
    'job-distributions',
  ],
}

const careerResources: readonly ResourcePath[] = ['jobs', 'job-distributions', 'career-sites', 'brands', 'departments']

/** Whose records a request reads: all of some resources, or one record. */
interface Dependency {
  readonly resources: readonly string[]
  readonly id?: number
}

/** From the key of a query, see `queries.ts`. */
export const dependencyOf = ([subject, kind, id]: QueryKey): Dependency => {
  if (subject === 'report') return { resources: reportResources[kind as ReportName] }
  if (subject === 'career sites' || subject === 'hidden postings') return { resources: careerResources }
  const resources = [String(subject)]
  return kind === 'get' || kind === 'history' ? { resources, id: Number(id) } : { resources }
}
