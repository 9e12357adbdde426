import { keepParameters } from '../../search-parameters.ts'

export const peopleSearch = keepParameters(
  'q',
  'dept_id',
  'status',
  'employment_type',
  'branch',
  'left',
  'sort',
  'offset',
  'view',
  'open',
)

export type PeopleSearch = ReturnType<typeof peopleSearch>
