import { chartCtes } from './org.ts'
import { days, integer, valueLabel } from './texts.ts'

/** The days after an event, if they are known and not negative. */
const daysAfter = (from: string, to: string, event: string): string =>
  `case when ${to} >= ${from} then ${days(`(${to} - ${from})`)} || ' after ${event}' end`

/** The figures of the person $2. Attendance and leave are those of the twelve months up to the day $1 and later. */
export const personSql = `
with recursive ${chartCtes},
person as (select * from employees where id = $2),
period as (select ($1::date - interval '1 year')::date + 1 as first),
-- Of somebody who is not in the chart, the managers are the manager and everybody above that one.
above as (
  select upper_id from below where id = $2
  union select manager_id from person where manager_id in (select id from chart) and $2 not in (select id from chart)
  union select upper_id from below join person on below.id = manager_id where $2 not in (select id from chart)
),
records as (
  select lower(status) status, to_char(att_date, 'YYYY-MM') as month from attendance, period
  where employee_id = $2 and att_date between first and $1
),
statuses as (
  select status from unnest(array['present', 'work_from_home', 'on_leave', 'half_day', 'absent']) status
  union select status from records
),
leaves as (
  select lower(status) status, from_date from leave_requests, period where employee_id = $2 and to_date >= first
),
openings as (select * from job_openings where hiring_manager_id = $2 order by opened_on desc nulls first, id desc limit 20),
path as (
  select applications.*, lower(stage) = 'hired' and lower(status) not in ('rejected', 'withdrawn') as is_hire
  from applications where candidate_id = (select candidate_id from person) order by applied_on, id limit 50
),
counts (name, value) as (
  select 'above.' || members.id, total from members join above on upper_id = members.id
  union all select 'reports.direct', count(*) from chart where manager_id = $2 and id <> $2
  union all select 'reports.all', total from members where id = $2 and (total > 0 or direct = 0)
  union all select 'attendance.' || status, (select count(*) from records where records.status = statuses.status)
    from statuses
  union all select 'attendance.' || month || '.' || status,
    (select count(*) from records where records.status = statuses.status and records.month = months.month)
    from statuses, (select distinct month from records) months
  union all select 'leave.ahead', count(*) from leaves where status = 'approved' and from_date > $1
  union all select 'leave.waiting', count(*) from leaves where status = 'pending'
  union all select 'openings', count(*) from job_openings where hiring_manager_id = $2
  union all select 'openings.' || name || '.' || id, value from openings, lateral (values
    ('filled', filled), ('places', headcount),
    ('active', (select count(*) from applications where job_id = openings.id and lower(status) = 'active'))
  ) as columns (name, value)
),
steps (name, text) as (
  select 'candidate', 'Candidate ' || candidates.id || coalesce(' · source ' || ${valueLabel('source')}, '')
    from candidates where id = (select candidate_id from person)
  union all select 'application-' || id, case when lower(status) in ('rejected', 'withdrawn') then status || ' at '
    else 'now in ' end || ${valueLabel('stage')} from path where not is_hire
  union all select 'hired-' || id, ${daysAfter('applied_on', 'stage_entered_on', 'applying')} from path where is_hire
  union all select 'joined', nullif(concat_ws(' · ', code, ${daysAfter('hired_on', 'date_of_joining', 'being hired')}), '')
    from person left join (select stage_entered_on as hired_on from path where is_hire order by applied_on desc, id desc
      limit 1) hired on true
  union all select 'left', ${daysAfter('date_of_joining', 'termination_date', 'joining')} from person
    where termination_date is not null
)
select 'person.' || name as name, ${integer('value')} as text from counts
union all select 'person.path.' || name, text from steps where text is not null`
