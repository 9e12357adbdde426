import type { DeclaredResource, GroupKey } from './types/declared.ts'
import type { CreateBody } from './types/results.ts'

type IsEmpty<T> = [T] extends [never] ? true : false

/**
 * Whether each resource has the methods `count` and `create`; all resources have the others. The types follow from the
 * declarations of the resources, so the compiler checks the values.
 */
export const resources: {
  readonly [R in DeclaredResource as R['path']]: {
    readonly count: IsEmpty<GroupKey<R>> extends true ? false : true
    readonly create: IsEmpty<keyof CreateBody<R>> extends true ? false : true
  }
} = {
  employees: { count: true, create: false },
  departments: { count: true, create: false },
  leave: { count: true, create: true },
  attendance: { count: true, create: false },
  jobs: { count: true, create: false },
  candidates: { count: true, create: false },
  applications: { count: true, create: true },
  organizations: { count: true, create: true },
  brands: { count: true, create: true },
  'career-sites': { count: true, create: true },
  'organization-teams': { count: true, create: true },
  'job-distributions': { count: true, create: true },
}
