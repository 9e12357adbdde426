import { keepParameters } from '../../search-parameters.ts'

export const openingsSearch = keepParameters('dept_id', 'location', 'past_target', 'sort', 'offset')
export const funnelSearch = keepParameters(
  'applied_from',
  'applied_to',
  'job.dept_id',
  'job.location',
  'candidate.source',
)
export const timeToHireSearch = keepParameters('hired_from', 'hired_to', 'departments')
export const sourcesSearch = keepParameters('applied_from', 'applied_to', 'job.dept_id')

export type OpeningsSearch = ReturnType<typeof openingsSearch>
export type FunnelSearch = ReturnType<typeof funnelSearch>
export type TimeToHireSearch = ReturnType<typeof timeToHireSearch>
export type SourcesSearch = ReturnType<typeof sourcesSearch>
