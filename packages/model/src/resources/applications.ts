import { healthFilters } from '../health-rules.ts'
import { date, id, number, reference, state, text, timestamp } from '../schema/field.ts'
import { resource } from '../schema/resource.ts'
import { applicationStages, applicationStatuses } from '../schema/suggested-values.ts'

export const applications = resource({
  path: 'applications',
  table: 'applications',
  schema: 'Application',
  operationSingular: 'Application',
  operationPlural: 'Applications',
  title: 'application',
  titles: 'applications',
  area: 'Recruiting',
  about: 'Applications of candidates to job openings.',
  computedFilters: healthFilters('applications'),
  fields: {
    id: id(),
    candidate_id: reference('candidates', 'Candidate who applied.', { required: true, create: 'required' }),
    job_id: reference('jobs', 'Job opening applied for.', { required: true, create: 'required' }),
    stage: state('Current stage in the hiring pipeline.', {
      create: 'optional',
      default: 'applied',
      values: applicationStages,
    }),
    status: state('Status of the application.', { create: 'optional', default: 'active', values: applicationStatuses }),
    applied_on: date('Date of the application; today if omitted.', { create: 'optional', today: true }),
    stage_entered_on: date('Date on which the current stage was entered; today if omitted.', {
      create: 'optional',
      today: true,
    }),
    rating: number('Rating by the interviewers.', { create: 'optional', personal: true }),
    rejection_reason: text('Reason for rejecting the candidate.', { create: 'optional', personal: true }),
    created: timestamp('When the record was created.'),
  },
})
