import { firstDay, lastDayUntil } from './dates.ts'
import type { ListParameters } from './links.ts'
import { groupFilter, listUrl } from './links.ts'
import type { ReportArguments } from './report.ts'
import { column, parameter, periodOrder, report } from './report.ts'

export const timeToHire = report({
  name: 'time-to-hire',
  title: 'Time to hire',
  kind: 'activity',
  definition:
    'Hires are applications in the stage `hired` that are neither rejected nor withdrawn and entered it on or before `as_of`: time to hire is the number of days from `applied_on` to `stage_entered_on`, time to fill from `opened_on` of the job to `stage_entered_on`; negative times are left out.',
  excluded:
    'hires without a time to hire because a date is missing or `applied_on` is later; hires without `stage_entered_on` are counted only without `hired_from` and `hired_to`',
  tables: ['applications', 'job_openings', 'candidates'],
  parameters: {
    hired_from: parameter('date', 'Only hires from this day on.'),
    hired_to: parameter('date', 'Only hires until this day.'),
    by: parameter('choice', 'One row per month, department of the job or source of the candidate.', {
      values: ['month', 'job.dept_id', 'candidate.source'],
    }),
  },
  columns: {
    group: column('text', 'The month as `YYYY-MM`, the id of the department, or the source in lower case.'),
    n: column('integer', 'Hires with a time to hire.'),
    median_days: column('number', 'Median of the time to hire, with 1 decimal.'),
    p90_days: column('number', '90th percentile of the time to hire, interpolated, with 1 decimal.'),
    min_days: column('integer', 'Shortest time to hire.'),
    max_days: column('integer', 'Longest time to hire.'),
    fill_n: column('integer', 'Hires with a time to fill.'),
    fill_median_days: column('number', 'Median of the time to fill, with 1 decimal.'),
    fill_p90_days: column('number', '90th percentile of the time to fill, interpolated, with 1 decimal.'),
    fill_min_days: column('integer', 'Shortest time to fill.'),
    fill_max_days: column('integer', 'Longest time to fill.'),
  },
  check: (given) => periodOrder(given, 'hired_from', 'hired_to'),
  links: ({ group = null }, given) => {
    const { by = null } = given
    const selected = by === null || by === 'month' ? {} : groupFilter(by, group)
    if (selected === undefined) return {}
    const period = hiredIn(given, by === 'month' ? group : null)
    const hires = listUrl('applications', { measured: 'time_to_hire' }, period, selected)
    const fills = listUrl('applications', { measured: 'time_to_fill' }, period, selected)
    return {
      n: hires,
      median_days: hires,
      p90_days: hires,
      min_days: hires,
      max_days: hires,
      fill_n: fills,
      fill_median_days: fills,
      fill_p90_days: fills,
      fill_min_days: fills,
      fill_max_days: fills,
    }
  },
})

/** The filter by the days that are in the period, in the month if there is one, and not after `as_of`. */
const hiredIn = ({ as_of, hired_from, hired_to }: ReportArguments, month: string | null): ListParameters => {
  const asOf = String(as_of)
  const first = [hired_from ?? [], month === null ? [] : firstDay(month)].flat()
  const last = [hired_to ?? [], month === null ? asOf : lastDayUntil(month, asOf)].flat()
  return { stage_entered_on_from: first.toSorted().at(-1) ?? null, stage_entered_on_to: last.toSorted()[0] ?? null }
}
