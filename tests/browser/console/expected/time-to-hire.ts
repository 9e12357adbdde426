import { decimal, integer, longMonth } from './texts.ts'

/** The hires up to $1, with the days from the application and from the opening of the job. Negative days do not count. */
export const hiresSql = `
  select stage_entered_on as hired_on, dept_id, lower(source) as source,
    case when stage_entered_on >= applied_on then stage_entered_on - applied_on end as hire,
    case when stage_entered_on >= opened_on then stage_entered_on - opened_on end as fill
  from applications
  join job_openings on job_openings.id = job_id join candidates on candidates.id = candidate_id
  where lower(stage) = 'hired' and lower(applications.status) not in ('rejected', 'withdrawn')
    and stage_entered_on <= $1`

const spread = (measure: string) => `count(${measure}) n, min(${measure}) min, max(${measure}) max,
  percentile_cont(0.5) within group (order by ${measure})::numeric median,
  percentile_cont(0.9) within group (order by ${measure})::numeric p90`

/** The figures of Time to hire: the month of the day of the screen, which is $1, and the twelve months before it. */
export const timeToHireSql = `
with
months as (
  select month::date, to_char(month, 'YYYY-MM') as name from generate_series(
    date_trunc('month', $1::date) - interval '12 months', date_trunc('month', $1::date), interval '1 month') month
),
hires as (select * from (${hiresSql}) hired where hired_on >= (select min(month) from months)),
company as (select 'hire' as measure, ${spread('hire')} from hires
  union all select 'fill', ${spread('fill')} from hires),
by_month as (
  select 'hire' as measure, month, name, ${spread('hire')} from months
    left join hires on date_trunc('month', hired_on) = month group by 2, 3
  union all select 'fill', month, name, ${spread('fill')} from months
    left join hires on date_trunc('month', hired_on) = month group by 2, 3
),
-- Only groups with a time to hire are shown.
by_group as (
  select 'source.' || coalesce(source, 'null') as name, ${spread('hire')} from hires group by 1 having count(hire) > 0
  union all select 'department.' || coalesce(dept_id::text, 'null'), ${spread('hire')} from hires
    group by 1 having count(hire) > 0
),
figures (name, text, label) as (
  select 'n', ${integer('n')}, null from company where measure = 'hire'
  union all select name, ${decimal('value')}, null from company,
    lateral (values ('median', median), ('p90', p90), ('days_min', min), ('days_max', max)) as columns (name, value)
    where measure = 'hire'
  union all select 'fill.' || name, ${decimal('value')}, null from company,
    lateral (values ('median', median), ('p90', p90)) as columns (name, value) where measure = 'fill'
  union all select name || '.n', ${integer('n')}, null from by_group
  union all select by_group.name || '.' || columns.name, ${decimal('value')}, null from by_group,
    lateral (values ('median', median), ('p90', p90)) as columns (name, value)
  union all select measure || '.month.' || name || '.n', ${integer('n')}, null from by_month
  union all select measure || '.month.' || name || '.median', ${decimal('median')}, ${longMonth('month')} || ': median '
      || ${decimal('median')} || ' days, 90 % within ' || ${decimal('p90')} || ', ' || min || ' to ' || max || ', '
      || ${integer('n')} || case n when 1 then ' hire' else ' hires' end
    from by_month where n > 0
  union all select measure || '.month.' || by_month.name || '.days_' || columns.name, ${decimal('value')}, null
    from by_month,
    lateral (values ('median', median), ('p90', p90), ('min', min), ('max', max)) as columns (name, value) where n > 0
)
select 'time.' || name as name, text, label from figures`
