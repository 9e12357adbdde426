import type { Muster } from '../../support/muster.ts'
import { readJobStages } from './stages.ts'
import { medianDays, stayCtes } from './stays.ts'
import type { ExpectedFigure } from './texts.ts'
import { days, decimal, integer, valueLabel } from './texts.ts'
import { hiresSql } from './time-to-hire.ts'

/**
 * The figures of Openings on the day $1. Of the openings, the 25 with the longest waits are on the page. An application
 * waits in its stage unless it is hired, rejected or withdrawn. If $2 is not 0, only openings of this department are
 * counted, and only those past their target are listed.
 */
export const openingsSql = `
with
openings as (
  select *, target_date < $1 and filled < headcount as is_past from job_openings
  where lower(status) = 'open' and ($2 = 0 or dept_id = $2)
),
listed as (select * from openings where $2 = 0 or is_past),
all_applications as (
  select job_id, lower(stage) stage, lower(applications.status) status, stage_entered_on
  from applications join openings on openings.id = job_id
),
stages as (
  select job_id, stage, count(*) waiting, min(stage_entered_on) since from all_applications
  where status not in ('rejected', 'withdrawn') and stage <> 'hired' group by 1, 2
),
waits as (
  select distinct on (job_id) job_id, waiting, $1::date - since wait_days from stages
  where since <= $1 order by job_id, since, stage collate "C"
),
page as (
  select listed.*, waiting, wait_days from listed left join waits on job_id = listed.id
  order by wait_days desc nulls last, listed.id limit 25
),
counts (name, value) as (
  select 'openings', count(*) from openings
  union all select 'listed', count(*) from listed
  union all select 'places', coalesce(sum(headcount), 0) from openings
  union all select 'filled', coalesce(sum(filled), 0) from openings
  union all select 'past_target', count(*) from openings where is_past
  union all select 'active', count(*) from all_applications where status = 'active'
  union all select 'active_in_all', count(*) from applications left join job_openings on job_openings.id = job_id
    where lower(applications.status) = 'active' and ($2 = 0 or dept_id = $2)
  union all select 'waiting', count(*) from all_applications
    where status = 'active' and $1::date - stage_entered_on > 14
  union all select 'openings.' || id || '.' || name, value from page,
    lateral (values ('filled', filled), ('places', headcount), ('waiting', waiting), ('wait_days', wait_days),
      ('days_past_target', case when is_past then $1::date - target_date end),
      ('active', (select count(*) from all_applications where job_id = page.id and status = 'active'))
    ) as columns (name, value) where value is not null
),
bars as (
  select job_id, stage, count(*) as value from all_applications
  where status = 'active' and job_id in (select id from page) group by 1, 2
)
select 'hiring.' || name as name, ${integer('value')} as text, null as label from counts
union all select 'hiring.openings.' || id || '.open_days', ${integer('$1::date - opened_on')} || ' d', null
  from page where opened_on <= $1
union all select 'hiring.openings.' || job_id || '.stage.' || stage, ${integer('value')},
  ${integer('value')} || ' ' || ${valueLabel('stage')} from bars`

/**
 * The figures of the opening $2 on the day $1. Its stages are $3. The board has the first 20 applications of a stage, and the
 * newest 20 hires are named.
 */
const openingSql = `
with
job as (select * from job_openings where id = $2),
all_applications as (
  select id, lower(stage) stage, lower(status) status, applied_on, stage_entered_on from applications where job_id = $2
),
active as (
  select *, row_number() over (partition by stage order by stage_entered_on nulls last, id) as place
  from all_applications where status = 'active'
),
hires as (select * from all_applications where stage = 'hired' and status not in ('rejected', 'withdrawn')),
columns as (
  select stage from unnest($3::text[]) stage where stage <> 'hired' union select stage from active
),
counts (name, value) as (
  select 'applications', count(*) from all_applications
  union all select ended, (select count(*) from all_applications where status = ended)
    from unnest(array['active', 'hired', 'rejected', 'withdrawn']) ended
  union all select 'stage.' || stage, (select count(*) from active where active.stage = columns.stage) from columns
  union all select 'filled', filled from job
  union all select 'places', headcount from job
  union all select 'postings', count(*) from job_distributions where job_posting_id = $2
  union all select 'hires', count(*) from hires
  union all select 'open_days', $1::date - opened_on from job where lower(status) = 'open' and opened_on <= $1
),
target as (select target_date - $1::date as days from job where target_date is not null)
select 'opening.' || $2 || '.' || name as name, ${integer('value')} as text from counts
union all select 'opening.' || $2 || '.target_days',
  case when days < 0 then ${days('abs(days)')} || ' ago' else 'in ' || ${days('days')} end from target
union all select 'opening.application.' || id || '.days_here', ${integer('$1::date - stage_entered_on')} || ' d here'
  from active where place <= 20 and stage_entered_on <= $1
union all select 'opening.' || $2 || '.places_left', ${integer('headcount - filled')} || case headcount - filled
  when 1 then ' place to fill' else ' places to fill' end from job where headcount > filled
union all select 'opening.hire.' || id || '.days', ${days('stage_entered_on - applied_on')} || ' after applying' from (
  select * from hires order by stage_entered_on desc nulls first, id desc limit 20) newest where stage_entered_on >= applied_on
union all select 'opening.median_to_fill', ${decimal('(percentile_cont(0.5) within group (order by fill))::numeric')} || ' d'
  from (${hiresSql}) hired where exists (select from job where lower(status) = 'open' and opened_on <= $1)
  having count(fill) > 0`

/** The median days of the stays in each stage of the board, in this opening and in all. */
const mediansSql = `
with ${stayCtes},
columns as (
  select stage from unnest($3::text[]) stage where stage <> 'hired'
  union select lower(stage) from applications where job_id = $2 and lower(status) = 'active'
),
known as (
  select stays.*, job_id from stays join columns using (stage) join applications on applications.id = stays.id
  where began <= $1::date
)
select 'opening.' || $2 || '.median.' || stage as name, ${medianDays} as text from known where job_id = $2 group by stage
union all select 'opening.' || $2 || '.company_median.' || stage, ${medianDays} from known group by stage`

export const expectedOpening = async ({ sql }: Muster, day: string, id: number): Promise<ExpectedFigure[]> => {
  const jobs = await readJobStages(sql)
  const stages = jobs.find((job) => job.id === id)?.stages
  const medians = await sql<ExpectedFigure>(mediansSql, [day, id, stages])
  return [
    ...(await sql<ExpectedFigure>(openingSql, [day, id, stages])),
    ...medians.filter(({ text }: { text: string | null }) => text !== null),
  ]
}
