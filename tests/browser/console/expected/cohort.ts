/** The figures of Funnel and Sources: the applications of the twelve full months before the day of the screen. */
import type { Muster } from '../../support/muster.ts'
import { readJobStages } from './stages.ts'
import { goesOn, hasEnded, medianDays, p90Days, stayCtes } from './stays.ts'
import type { ExpectedFigure } from './texts.ts'
import { decimal, integer, oneDecimal, rate, shortMonth, wholeShare } from './texts.ts'
import { hiresSql } from './time-to-hire.ts'

/**
 * $1 is the day, $2 the stages of all job openings. Applications to openings of the department $3 are counted, if it is not
 * null. An application in a stage that its job opening does not list, such as
 * `sourced`, reached only that stage. Rates of fewer than 20 applications are not shown.
 */
const cohortCtes = `
jobs as (select id as job_id from job_openings where $3::bigint is null or dept_id = $3),
cohort as (
  select applications.id, job_id, lower(stage) stage, lower(applications.status) status, lower(source) source, applied_on
  from applications join jobs using (job_id) join candidates on candidates.id = candidate_id
  where applied_on >= date_trunc('month', $1::date) - interval '12 months' and applied_on < date_trunc('month', $1::date)
),
listed as (
  select id as job_id, stage, place from jsonb_to_recordset($2::jsonb) as lists (id bigint, stages text[]),
    unnest(stages) with ordinality as stages (stage, place) where id in (select job_id from jobs)
),
-- All stages in which an application is or was, as far as it is recorded.
visited as (
  select id, job_id, source, stage from cohort
  union select cohort.id, job_id, source, lower(value) from cohort join history on record_id = cohort.id
    and resource = 'applications' and field = 'stage', lateral (values (old), (new)) as stages (value) where value is not null
),
placed as (select visited.*, place from visited left join listed using (job_id, stage)),
furthest as (select id, job_id, source, max(place) place from placed group by 1, 2, 3),
reached as (
  select furthest.id, source, listed.stage, listed.place < furthest.place as is_passed
  from furthest join listed on listed.job_id = furthest.job_id and listed.place <= furthest.place
  union all select id, source, stage, false from placed where place is null
),
outcomes as (
  select grouping(source) = 1 as is_company, source, count(*) applications,
    count(*) filter (where status in ('hired', 'rejected', 'withdrawn')) ended,
    count(*) filter (where status not in ('hired', 'rejected', 'withdrawn')) active,
    count(*) filter (where status = 'hired') hired
  from cohort group by grouping sets ((), source)
),
company as (select * from outcomes where is_company),
sources as (select *, coalesce(source, 'null') as key from outcomes where not is_company),
company_figures (name, text) as (
  select name, ${integer('value')} from company, lateral (values
    ('applications', applications), ('ended', ended), ('active', active), ('hired', hired)) as columns (name, value)
  union all select 'hired_share', ${rate('hired::numeric / ended')} from company where ended >= 20
),
source_figures (name, text) as (
  select key || '.' || name, ${integer('value')} from sources,
    lateral (values ('applications', applications), ('hired', hired)) as columns (name, value)
  union all select key || '.hired_per_1000', ${oneDecimal('hired * 1000.0 / ended')} from sources where ended >= 20
  union all select key || '.applications_share', ${wholeShare('sources.applications::numeric / company.applications')}
    from sources, company where company.applications >= 20
  union all select key || '.hired_share', ${wholeShare('sources.hired::numeric / company.hired')}
    from sources, company where company.hired >= 20
)`

const funnelSql = `
with ${cohortCtes},
stages as (
  select stage,
    (select count(*) from reached where reached.stage = every.stage) reached,
    (select count(*) from reached where reached.stage = every.stage and is_passed) passed,
    (select count(*) from cohort where cohort.stage = every.stage and status = 'rejected') rejected,
    (select count(*) from cohort where cohort.stage = every.stage and status = 'withdrawn') withdrawn,
    (select count(*) from cohort where cohort.stage = every.stage and status not in ('rejected', 'withdrawn')) active,
    (select count(*) from (
      select id from reached where reached.stage = every.stage and is_passed
      union select id from cohort where cohort.stage = every.stage and status in ('rejected', 'withdrawn')
    ) either) decided
  from (select stage from listed union select stage from visited) every
)
select 'funnel.' || name as name, text from company_figures
union all select 'funnel.source.' || name, text from source_figures
union all select 'funnel.' || stage || '.reached', ${integer('reached')} from stages
-- Of the first and the last stage, only those who reached it are shown.
union all select 'funnel.' || stage || '.' || name, ${integer('value')} from stages,
  lateral (values ('passed', passed), ('rejected', rejected), ('withdrawn', withdrawn), ('active', active)
  ) as columns (name, value) where stage not in ('sourced', 'hired')
union all select 'funnel.' || stage || '.pass_rate', ${rate('passed::numeric / decided')}
  from stages where stage not in ('sourced', 'hired') and decided >= 20`

/** Stays that began in the twelve months of the cohort. Nobody waits in the last stage. */
const stageTimesSql = `
with ${stayCtes},
chosen as (
  select stays.* from stays join applications using (id) join job_openings on job_openings.id = job_id
  where ($3::bigint is null or dept_id = $3) and $2::jsonb is not null and began <= $1::date
    and began >= date_trunc('month', $1::date) - interval '12 months' and began < date_trunc('month', $1::date)
),
stage_counts as (
  select stage, count(distinct id) entered,
    count(distinct id) filter (where ${goesOn}) still_there,
    count(distinct id) filter (where ${hasEnded} and outcome = 'next') as next,
    count(distinct id) filter (where ${hasEnded} and outcome = 'rejected') rejected,
    count(distinct id) filter (where ${hasEnded} and outcome = 'withdrawn') withdrawn,
    ${medianDays} median, ${p90Days} p90, max($1::date - began) filter (where ${goesOn}) longest
  from chosen where stage <> 'hired' group by 1
)
select 'funnel.time.' || stage || '.' || name as name, text from stage_counts, lateral (values
  ('entered', ${integer('entered')}), ('next', ${integer('next')}), ('rejected', ${integer('rejected')}),
  ('withdrawn', ${integer('withdrawn')}), ('still_there', ${integer('still_there')}),
  ('median', median), ('p90', p90), ('wait_days', ${integer('longest')} || ' d')
) as columns (name, text) where text is not null`

const sourcesSql = `
with ${cohortCtes},
-- The times to hire are shown for all departments together only.
hires as (
  select * from (${hiresSql}) hired where hire is not null and $3::bigint is null
    and hired_on >= date_trunc('month', $1::date) - interval '12 months' and hired_on < date_trunc('month', $1::date)
),
months as (
  select month, to_char(month, 'YYYY-MM') as name from (select min(applied_on) first, max(applied_on) last from cohort) ends,
    generate_series(date_trunc('month', first), date_trunc('month', last), interval '1 month') month
),
by_month as (
  select key, month, name, name = max(name) over () as is_newest,
    (select count(*) from cohort where coalesce(cohort.source, 'null') = key
      and date_trunc('month', applied_on) = month) as value
  from (select * from sources order by applications desc, source limit 12) largest cross join months
)
select 'sources.' || name as name, text, null as label from (
  select * from company_figures union all select * from source_figures
  union all select key || '.interviewed', ${integer(`(select count(*) from reached
    where stage = 'interview' and coalesce(reached.source, 'null') = key)`)} from sources
  union all select key || '.time.n', ${integer('count(*)')} from sources join hires
    on coalesce(hires.source, 'null') = key group by key
  union all select key || '.time.median', ${decimal('percentile_cont(0.5) within group (order by hire)::numeric')}
    from sources join hires on coalesce(hires.source, 'null') = key group by key
  union all select key || '.newest', ${integer('value')} from by_month where is_newest
) figures
union all select 'sources.' || key || '.month.' || name, ${integer('value')}, ${shortMonth('month')} || ': '
  || ${integer('value')} || case value when 1 then ' application' else ' applications' end from by_month`

const withStages =
  (query: string) =>
  async ({ sql }: Muster, day: string, departmentId: number): Promise<ExpectedFigure[]> =>
    sql<ExpectedFigure>(query, [day, JSON.stringify(await readJobStages(sql)), departmentId || null])

export const expectedFunnel = async (...args: Parameters<ReturnType<typeof withStages>>): Promise<ExpectedFigure[]> =>
  (await Promise.all([withStages(funnelSql)(...args), withStages(stageTimesSql)(...args)])).flat()
export const expectedSources = withStages(sourcesSql)
