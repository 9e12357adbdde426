import { minRateSample } from '../rules.ts'
import { filterValue, isSelectable, listUrl } from './links.ts'
import { column, parameter, periodOrder, report } from './report.ts'

export const funnel = report({
  name: 'funnel',
  title: 'Recruiting funnel',
  kind: 'cohort',
  definition:
    'For each stage, the applications that reached it: those that are in it, or were in it as far as that is recorded. An application in a stage counts as having reached all earlier stages of its job (`stages_json`; if that lists no stage, the suggested stages), whether it was in them or not. An application in `sourced`, or in a stage that its job does not list, counts only for that stage.',
  excluded: 'applications without `applied_on`, if `applied_from` or `applied_to` is given',
  history: ['applications'],
  tables: ['applications', 'job_openings', 'candidates', 'history'],
  parameters: {
    applied_from: parameter('date', 'Only applications from this day on.'),
    applied_to: parameter('date', 'Only applications until this day.'),
    job_id: parameter('ids', 'Only applications to these job openings.'),
    'job.dept_id': parameter('ids', 'Only applications to job openings of these departments.'),
    'job.location': parameter('texts', 'Only applications to job openings at these locations, ignoring case.'),
    'candidate.source': parameter('texts', 'Only applications of candidates from these sources, ignoring case.'),
  },
  constants: [minRateSample],
  columns: {
    stage: column(
      'text',
      "The stage, in lower case: `sourced`, then the suggested stages in their order, then others by their average position in the jobs' lists of stages.",
    ),
    reached: column('integer', 'Applications that are or were in this stage or a later one of their job.'),
    passed: column('integer', 'Applications that are or were in a later stage of their job.'),
    rejected: column('integer', 'Applications rejected in this stage.'),
    withdrawn: column('integer', 'Applications withdrawn in this stage.'),
    active: column(
      'integer',
      'Applications in this stage that are neither rejected nor withdrawn; in the last stage, the hires.',
    ),
    pass_rate: column(
      'number',
      `Share of \`passed\` in the applications that passed the stage or were rejected or withdrawn in it; null if these are fewer than ${minRateSample}.`,
    ),
  },
  check: (given) => periodOrder(given, 'applied_from', 'applied_to'),
  links: ({ stage = null }, { as_of: _, applied_from = null, applied_to = null, ...filters }) => {
    if (stage === null || !isSelectable(stage)) return {}
    const list = (parameters: Readonly<Record<string, string>>) =>
      listUrl('applications', parameters, { applied_on_from: applied_from, applied_on_to: applied_to }, filters)
    return {
      reached: list({ reached: stage }),
      passed: list({ passed: stage }),
      rejected: list({ stage: filterValue(stage), status: 'rejected' }),
      withdrawn: list({ stage: filterValue(stage), status: 'withdrawn' }),
      active: list({ stage: filterValue(stage), status_not: 'rejected,withdrawn' }),
      pass_rate: list({ decided: stage }),
    }
  },
})
