import { integer, rate, weekday } from './texts.ts'

/** The figures of Attendance: the thirteen weeks up to the day of the screen, which is $1. */
export const attendanceSql = `
with
records as (
  select att_date, lower(attendance.status) status, dept_id,
    exists (select from leave_requests where leave_requests.employee_id = attendance.employee_id
      and att_date between from_date and to_date and lower(leave_requests.status) = 'approved' and lower(leave_type) = 'sick') is_within_sick_leave
  from attendance left join employees on employees.id = employee_id
  where att_date between date_trunc('week', $1::date)::date - 84 and $1::date
),
-- Rates of fewer than 20 records are not shown.
days as (
  select *, case when recorded - on_leave >= 20 then absent::numeric / (recorded - on_leave) end absence_rate
  from (
    select att_date, count(*) recorded,
      count(*) filter (where status = 'on_leave') on_leave,
      count(*) filter (where status = 'absent') absent,
      count(*) filter (where status = 'on_leave' and is_within_sick_leave) sick
    from records group by 1
  ) counted
),
highest as (select * from days where absence_rate is not null order by absence_rate desc, att_date desc limit 1),
departments as (
  select coalesce(dept_id::text, 'null') department, to_char(att_date, 'YYYY-MM') as month,
    count(*) filter (where status is distinct from 'on_leave') expected, count(*) filter (where status = 'absent') absent
  from records group by 1, 2
),
statuses (status) as (values ('present'), ('absent'), ('half_day'), ('on_leave'), ('work_from_home')),
counts (name, value) as (
  select 'table.' || att_date || '.' || name, value from days,
    lateral (values ('recorded', recorded), ('on_leave', on_leave), ('absent', absent)) as columns (name, value)
  union all select att_date || '.recorded', recorded from highest
  union all select h.att_date || '.' || s.status, count(r.status) from highest h cross join statuses s
    left join records r on r.att_date = h.att_date and r.status = s.status group by h.att_date, s.status
  union all select h.att_date || '.other', count(*) from highest h join records r on r.att_date = h.att_date
    where r.status is null or r.status not in (select status from statuses) group by h.att_date
)
select 'attendance.' || name as name, ${integer('value')} as text, null as label from counts
union all
select 'attendance.absence_rate', ${rate('sum(absent) / sum(recorded - on_leave)')}, null
from days having sum(recorded - on_leave) >= 20
union all
select 'attendance.sickness_rate', ${rate('sum(sick) / sum(recorded)')}, null
from days having sum(recorded) >= 20
union all
select 'attendance.table.' || att_date || '.sickness_rate', ${rate('sick::numeric / recorded')}, null
from days where recorded >= 20
union all
select 'attendance.' || att_date || '.sickness_rate', ${rate('sick::numeric / recorded')}, null
from highest
union all
select 'attendance.table.' || att_date || '.rate', ${rate('absence_rate')}, null from days where absence_rate is not null
union all
select 'attendance.day.' || att_date, to_char(absence_rate * 100, 'FM990.00'),
  ${weekday('att_date')} || ': ' || ${rate('absence_rate')} || ', ' || ${integer('recorded')} || ' recorded'
from days where absence_rate is not null
union all
select 'attendance.' || att_date || '.absence_rate', ${rate('absence_rate')}, null from highest
union all
select 'attendance.department.' || department || '.' || month, to_char(absent * 100.0 / expected, 'FM990.00'), null
from departments where expected >= 20`
