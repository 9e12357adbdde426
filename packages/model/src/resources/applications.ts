import { healthFilter } from '../health-rules.ts'
import { declinedStatuses } from '../rules.ts'
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
  naturalKey: ['candidate_id', 'job_id'],
  personOf: 'candidate_id',
  startDay: 'applied_on',
  computedFilters: [
    {
      parameter: 'reached',
      kind: 'text',
      about: 'Only applications that are or were in this stage or in a later one of their job, ignoring case.',
      personal: false,
      tables: ['job_openings', 'history'],
    },
    {
      parameter: 'passed',
      kind: 'text',
      about: 'Only applications that are or were in a later stage of their job than this one, ignoring case.',
      personal: false,
      tables: ['job_openings', 'history'],
    },
    {
      parameter: 'decided',
      kind: 'text',
      about:
        'Only applications that reached a later stage of their job than this one, or were rejected or withdrawn in this one, ignoring case.',
      personal: false,
      tables: ['job_openings', 'history'],
    },
    {
      parameter: 'measured',
      kind: 'choice',
      values: ['time_to_hire', 'time_to_fill'],
      about:
        'Only hires with a time to hire (`stage_entered_on` not before `applied_on`), or with a time to fill (`stage_entered_on` not before `opened_on` of the job). Hires are in the stage `hired` and neither rejected nor withdrawn.',
      personal: false,
      tables: ['job_openings'],
    },
    {
      parameter: 'entered',
      kind: 'text',
      about:
        'Only applications with a stay in this stage, ignoring case. A stay is an uninterrupted time in a stage in which the application is neither rejected nor withdrawn. `entered_from`, `entered_to`, `left_from`, `left_to`, `outcome` and `waiting_on` must be true of the same stay.',
      personal: false,
      tables: ['history'],
    },
    {
      parameter: 'left',
      kind: 'text',
      about: 'The same, but only stays that have ended.',
      personal: false,
      tables: ['history'],
    },
    {
      parameter: 'skipped',
      kind: 'text',
      about:
        'Only applications that moved from a stage before this one of their job to a later one, and were never in this one, ignoring case. `entered_from` and `entered_to` are bounds of the day of the first such move.',
      personal: false,
      tables: ['history', 'job_openings'],
    },
    ...(
      [
        ['entered_from', 'Only stays that began on this day or later.'],
        ['entered_to', 'Only stays that began on this day or earlier.'],
        ['left_from', 'Only stays that ended on this day or later.'],
        ['left_to', 'Only stays that ended on this day or earlier.'],
        ['waiting_on', 'Only stays that had begun and not ended at the end of this day.'],
      ] as const
    ).map(([parameter, about]) => ({
      parameter,
      kind: 'date' as const,
      about: `${about} Without \`entered\`, \`left\` and \`skipped\`, stays in any stage.`,
      personal: false,
      tables: ['history'],
    })),
    {
      parameter: 'outcome',
      kind: 'choice',
      values: ['next', ...declinedStatuses],
      about:
        'Only stays that ended in this way: in another stage, or because the application was rejected or withdrawn. Without `entered` and `left`, stays in any stage.',
      personal: false,
      tables: ['history'],
    },
    healthFilter('applications'),
  ],
  fields: {
    id: id(),
    candidate_id: reference('candidates', 'Candidate who applied.', { required: true, create: 'required' }),
    job_id: reference('jobs', 'Job opening applied for.', { required: true, create: 'required' }),
    stage: state('Current stage in the hiring pipeline.', {
      create: 'optional',
      default: 'applied',
      values: applicationStages,
      history: { day: 'stage_entered_on' },
    }),
    status: state('Status of the application.', {
      create: 'optional',
      default: 'active',
      values: applicationStatuses,
      history: true,
    }),
    applied_on: date('Date of the application; today if omitted.', { create: 'optional', today: true }),
    stage_entered_on: date('Date on which the current stage was entered; today if omitted.', {
      create: 'optional',
      today: true,
    }),
    rating: number('Rating by the interviewers.', { create: 'optional', personal: true }),
    rejection_reason: text('Reason for rejecting the candidate.', { create: 'optional', personal: true }),
    created: timestamp('When the record was created.', { now: true }),
  },
})
