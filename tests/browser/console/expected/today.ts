import { medianDays, stayCtes } from './stays.ts'
import { decimal, integer, rate, weekday } from './texts.ts'

/** The figures of Today. $1 is the day of the screen. */
export const todaySql = `
with
leaves as (select lower(status) status, lower(leave_type) kind, from_date, to_date from leave_requests),
openings as (
  select coalesce(headcount, 0) headcount, coalesce(filled, 0) filled, target_date
  from job_openings where lower(status) = 'open'
),
active as (select lower(stage) stage, stage_entered_on from applications where lower(status) = 'active'),
hires as (
  select stage_entered_on hired_on, stage_entered_on - applied_on days from applications
  where lower(stage) = 'hired' and coalesce(lower(status), '') not in ('rejected', 'withdrawn')
    and stage_entered_on >= applied_on and stage_entered_on <= $1::date
),
months as (select date_trunc('month', $1::date)::date this_month),
last as (select max(att_date) last_day from attendance where att_date <= $1::date),
-- Thirteen weeks, of which the last contains the day; if they are empty, those of the last recorded day.
monday as (
  select case when last_day < date_trunc('week', $1::date)::date - 84 then last_day else $1::date end until, last_day
  from last
),
days as (
  select att_date, count(*) recorded,
    count(*) filter (where lower(status) = 'on_leave') on_leave,
    count(*) filter (where lower(status) = 'absent') absent,
    count(*) filter (where lower(status) = 'present') present,
    count(*) filter (where lower(status) = 'half_day') half_day,
    count(*) filter (where lower(status) = 'work_from_home') work_from_home,
    count(*) filter (where lower(status) = 'on_leave' and exists (select from leave_requests where leave_requests.employee_id = attendance.employee_id
      and att_date between from_date and to_date and lower(leave_requests.status) = 'approved' and lower(leave_type) = 'sick')) sick
  from attendance, monday
  where att_date between date_trunc('week', until)::date - 84 and until
  group by 1
),
rates as (select *, absent::numeric / nullif(recorded - on_leave, 0) absence_rate from days),
last_day as (select rates.* from rates join last on att_date = last_day),
counts (name, value) as (
  select 'people.' || coalesce(lower(status), 'null'), count(*) from employees
    where lower(status) in ('active', 'on_leave', 'suspended') group by 1
  union all select 'people_total', count(*) from employees where lower(status) in ('active', 'on_leave', 'suspended')
  union all select 'not_joined', count(*) from employees where lower(status) = 'pending'
  union all select 'other_status', count(*) from employees
    where lower(status) not in ('active', 'on_leave', 'suspended', 'pending', 'terminated') having count(*) > 0
  union all select 'former', count(*) from employees where lower(status) = 'terminated'
  union all select 'joining', count(*) from employees where date_of_joining > $1 and date_of_joining <= $1::date + 30
  union all select 'leaving', count(*) from employees where termination_date between $1 and $1::date + 30
  union all select 'out.' || coalesce(kind, 'null'), count(*) from leaves
    where status = 'approved' and $1 between from_date and to_date group by 1
  union all select 'out_total', count(*) from leaves where status = 'approved' and $1 between from_date and to_date
  union all select name, count(*) from leaves, unnest(array['leave_pending', 'leave_pending.out']) name
    where status = 'pending' group by 1
  union all select 'leave_overdue', count(*) from leaves where status = 'pending' and from_date <= $1
  union all select 'leave_soon', count(*) from leaves
    where status = 'pending' and from_date > $1 and from_date <= $1::date + 7
  union all select name, (select count(*) from openings)
    from unnest(array['openings_open', 'openings_open.hiring']) name
  union all select 'places_open', coalesce(sum(headcount - filled) filter (where filled < headcount), 0) from openings
  union all select name, (select count(*) from openings where target_date < $1 and filled < headcount)
    from unnest(array['openings_past_target', 'openings_past_target.hiring']) name
  union all select 'applications.' || coalesce(stage, 'null'), count(*) from active group by 1
  union all select name, (select count(*) from active)
    from unnest(array['applications_total', 'applications_total.head']) name
  union all select 'applications_waiting', count(*) from active where $1::date - stage_entered_on > 14
  union all select 'hired', count(*) from hires, months
    where hired_on >= this_month - interval '1 month' and hired_on < this_month
  union all select 'attendance_last_day', count(*) from attendance, last
    where att_date = last_day and $1::date - last_day > 7 having count(*) > 0
  union all select 'attendance.' || name, value from last_day,
    lateral (values ('recorded', recorded), ('on_leave', on_leave), ('absent', absent), ('present', present),
      ('half_day', half_day), ('work_from_home', work_from_home),
      ('other', recorded - on_leave - absent - present - half_day - work_from_home)) as statuses (name, value)
    where name <> 'other' or value > 0
  union all select name || '.' || att_date, value from rates,
    lateral (values ('recorded', recorded), ('on_leave', on_leave), ('absent', absent)) as columns (name, value)
)
select 'today.' || name as name, ${integer('value')} as text, null as label from counts
union all
select 'today.median_days', ${decimal('percentile_cont(0.5) within group (order by days)::numeric')}, null
from hires, months where hired_on >= this_month - interval '12 months' and hired_on < this_month
having count(*) > 0
union all
select 'today.absence_rate', ${rate('absence_rate')}, null from last_day where absence_rate is not null
union all
select 'today.sickness_rate', ${rate('sick::numeric / recorded')}, null from last_day
union all
select 'today.absence_rate.' || att_date, ${rate('absence_rate')},
  ${weekday('att_date')} || ': ' || ${rate('absence_rate')} || ', ' || ${integer('absent')} || ' absent'
from rates where absence_rate is not null`

/** The median days in the stage in which an active application has waited longest, if it has waited more than 14 days. */
export const stageMedianSql = `
with ${stayCtes},
longest as (
  select lower(stage) stage from applications where lower(status) = 'active' and $1::date - stage_entered_on > 14
  order by stage_entered_on, id limit 1
)
select 'today.stage_median' as name, replace(${medianDays}, ' d', '') as text
from stays join longest using (stage) where began <= $1::date having count(*) filter (where ended <= $1::date) > 0`

/**
 * The figures of "Changed today" since the day $1, which has none if there are more than 5,000 changes. Each record counts once, by its
 * last change; updates after its creation do not matter. Changes of the history are not in the feed that the screen reads.
 */
export const changedTodaySql = `
with changes as (
  select xid, seq, table_name, kind, id from muster_changes, unnest(ids) ranges, generate_series(lower(ranges), upper(ranges) - 1) id
  where at >= $1::date::timestamp at time zone 'UTC' and table_name <> 'history'
),
last_kinds as (
  select distinct on (table_name, id) table_name, id, kind,
    (array_agg(kind) over (partition by table_name, id order by xid desc, seq desc rows between unbounded preceding and unbounded following)) kinds
  from changes order by table_name, id, xid desc, seq desc
),
counted as (
  select table_name, count(*) as value,
    case when kind = 'updated' and (select k from unnest(kinds) with ordinality u (k, n) where k <> 'updated' order by n limit 1) = 'created'
      then 'created' else kind end as kind
  from last_kinds group by 1, 3
),
paths (table_name, path) as (values ('leave_requests', 'leave'), ('job_openings', 'jobs'), ('recruitment_brands', 'brands'))
select 'today.changed.' || coalesce(path, replace(table_name, '_', '-')) || '.' || kind as name, ${integer('value')} as text
from counted left join paths using (table_name)
where (select count(*) from changes) <= 5000`
