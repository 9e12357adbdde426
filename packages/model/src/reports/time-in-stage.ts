import { firstDay, lastDay } from './dates.ts'
import type { ListParameters } from './links.ts'
import { groupFilter, isSelectable, listUrl } from './links.ts'
import type { ReportArguments } from './report.ts'
import { column, parameter, periodOrder, report } from './report.ts'

export const timeInStage = report({
  name: 'time-in-stage',
  title: 'Time in stage',
  kind: 'cohort',
  definition:
    'For each stage, the applications that entered it on or before `as_of`, and how long they stayed. A stay is an uninterrupted time in a stage in which the application is neither rejected nor withdrawn; the days of a stay are those from its first day until the day on which it ended. The oldest known stay of an application began on the `stage_entered_on` that it had before its first recorded change to another stage, or has now. An application that entered a stage twice has two stays, and counts once.',
  excluded:
    'applications with a stay whose last day is unknown, or, without `entered_from` and `entered_to`, whose first day is unknown or later than the last',
  history: ['applications'],
  tables: ['applications', 'history', 'job_openings', 'candidates'],
  parameters: {
    job_id: parameter('ids', 'Only applications to these job openings.'),
    'job.dept_id': parameter('ids', 'Only applications to job openings of these departments.'),
    'candidate.source': parameter('texts', 'Only applications of candidates from these sources, ignoring case.'),
    entered_from: parameter('date', 'Only stays that began on this day or later.'),
    entered_to: parameter('date', 'Only stays that began on this day or earlier.'),
    hired_from: parameter('date', 'Only applications whose `stage` is `hired` since this day or later.'),
    hired_to: parameter('date', 'Only applications whose `stage` is `hired` since this day or earlier.'),
    by: parameter('choice', 'One row per stage and month in which it was entered, job opening, department or source.', {
      values: ['month', 'job_id', 'job.dept_id', 'candidate.source'],
    }),
  },
  columns: {
    stage: column(
      'text',
      'The stage, in lower case: `sourced`, then the suggested stages in their order, then others by name.',
    ),
    group: column(
      'text',
      'The month as `YYYY-MM`, the id of the job opening or department, or the source in lower case; null without `by`.',
    ),
    entered: column('integer', 'Applications that entered the stage.'),
    left: column('integer', 'Those of them that left it by the end of `as_of`.'),
    still_there: column('integer', 'Those of them that were in the stage at the end of `as_of`.'),
    median_days: column('number', 'Median of the days of the stays that ended, with 1 decimal.'),
    p90_days: column('number', '90th percentile of the days of the stays that ended, interpolated, with 1 decimal.'),
    longest_days: column(
      'integer',
      'Days until `as_of` of the longest stay that goes on. Null if none does, and for `hired`, where no application waits.',
    ),
    next: column('integer', 'Applications that left for another stage.'),
    rejected: column('integer', 'Applications that were rejected in the stage.'),
    withdrawn: column('integer', 'Applications that were withdrawn in the stage.'),
  },
  check: (given) => periodOrder(given, 'entered_from', 'entered_to') ?? periodOrder(given, 'hired_from', 'hired_to'),
  links: ({ stage = null, group = null }, given) => {
    const { as_of = null, by = null, hired_from = null, hired_to = null } = given
    const selected = by === null || by === 'month' ? {} : groupFilter(by, group)
    if (stage === null || !isSelectable(stage) || selected === undefined) return {}
    const filters = Object.fromEntries(
      ['job_id', 'job.dept_id', 'candidate.source'].map((name) => [name, given[name] ?? null]),
    )
    const hires: ListParameters =
      hired_from === null && hired_to === null
        ? {}
        : {
            stage: 'hired',
            status_not: 'rejected,withdrawn',
            stage_entered_on_from: hired_from,
            stage_entered_on_to: hired_to,
          }
    const list = (parameters: ListParameters) =>
      listUrl('applications', parameters, {
        ...enteredIn(given, by === 'month' ? group : null),
        ...filters,
        ...selected,
        ...hires,
      })
    const left = { left: stage, left_to: as_of }
    return {
      entered: list({ entered: stage }),
      left: list(left),
      still_there: list({ entered: stage, waiting_on: as_of }),
      median_days: list(left),
      p90_days: list(left),
      longest_days: list({ entered: stage, waiting_on: as_of }),
      next: list({ ...left, outcome: 'next' }),
      rejected: list({ ...left, outcome: 'rejected' }),
      withdrawn: list({ ...left, outcome: 'withdrawn' }),
    }
  },
})

/** The bounds of the first day of the stays: the period, the month if there is one, and `as_of`. */
const enteredIn = ({ as_of, entered_from, entered_to }: ReportArguments, month: string | null): ListParameters => {
  const first = [entered_from ?? [], month === null ? [] : firstDay(month)].flat()
  const last = [String(as_of), entered_to ?? [], month === null ? [] : lastDay(month)].flat()
  return { entered_from: first.toSorted().at(-1) ?? null, entered_to: last.toSorted()[0] ?? null }
}
