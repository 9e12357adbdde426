/** Declares applications. */
import { date, id, number, reference, state, text, timestamp } from '../field.ts'
import { resource } from '../resource.ts'
import { applicationStages, applicationStatuses } from '../vocabularies.ts'

export const applications = resource({
  path: 'applications',
  table: 'applications',
  schema: 'Application',
  one: 'Application',
  many: 'Applications',
  title: 'application',
  titles: 'applications',
  area: 'Recruiting',
  about: 'One candidate in the pipeline of one job opening.',
  fields: {
    id: id(),
    candidate_id: reference('candidates', 'Candidate who applies.', { required: true, create: 'required' }),
    job_id: reference('jobs', 'Job opening applied for.', { required: true, create: 'required' }),
    stage: state('Stage of the pipeline.', { create: 'optional', default: 'applied', values: applicationStages }),
    status: state('Outcome so far.', { create: 'optional', default: 'active', values: applicationStatuses }),
    applied_on: date('Day of the application; today when left out.', { create: 'optional', today: true }),
    stage_entered_on: date('Day the stage was entered; today when left out.', { create: 'optional', today: true }),
    rating: number('Rating by the interviewers.', { create: 'optional', personal: true }),
    rejection_reason: text('Why the candidate was turned down.', { create: 'optional', personal: true }),
    created: timestamp('When the record was made.'),
  },
})
