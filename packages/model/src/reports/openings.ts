import { groupFilter, listUrl } from './links.ts'
import { column, parameter, report } from './report.ts'

export const openings = report({
  name: 'openings',
  title: 'Job openings',
  kind: 'snapshot',
  definition:
    'Job openings with one of the given statuses and their positions; an opening is past its target if `target_date` is before `as_of` and fewer positions are filled than planned.',
  tables: ['job_openings', 'applications'],
  parameters: {
    by: parameter('choice', 'One row per department or per job opening.', { values: ['dept_id', 'id'] }),
    status: parameter('texts', 'Only job openings with these statuses, ignoring case; `open` by default.', {
      default: 'open',
    }),
  },
  columns: {
    group: column('text', 'The id of the department or of the job opening.'),
    openings: column('integer', 'Job openings.'),
    places: column('integer', 'Positions, filled or not: the sum of `headcount`.'),
    filled: column('integer', 'Filled positions: the sum of `filled`.'),
    oldest_days: column('integer', 'Days since the earliest `opened_on` that is not after `as_of`.'),
    past_target: column('integer', 'Job openings past their target.'),
    title: column('text', 'Title of the job opening; null unless `by=id`.'),
    longest_stage: column(
      'text',
      'The stage in which an application has waited longest, not counting hired, rejected and withdrawn ones. Only with `by=id`; null if no application waits.',
    ),
    longest_stage_count: column(
      'integer',
      'Applications in that stage that are neither rejected nor withdrawn. Only with `by=id`; null if no application waits.',
    ),
    longest_wait_days: column(
      'integer',
      'Days since that application entered its stage. Only with `by=id`; null if no application waits.',
    ),
  },
  links: ({ group = null, longest_stage = null }, { as_of = null, by = null, status = null }) => {
    const selected = by === null ? {} : groupFilter(by, group)
    if (selected === undefined) return {}
    const jobs = listUrl('jobs', { status }, selected)
    const inStage = longest_stage === null ? undefined : groupFilter('stage', longest_stage)
    return {
      openings: jobs,
      places: jobs,
      filled: jobs,
      oldest_days: jobs,
      past_target: listUrl('jobs', { past_target: as_of, status }, selected),
      ...(inStage === undefined
        ? {}
        : {
            longest_stage_count: listUrl('applications', { job_id: group }, inStage, {
              status_not: 'rejected,withdrawn',
            }),
          }),
    }
  },
})
