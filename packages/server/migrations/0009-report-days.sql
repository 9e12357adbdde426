-- The reports leave-days, attendance and today. "parallel safe", because otherwise the planner starts no workers for a query
-- that calls the function, even if the function is inlined.

-- Leave requests per day. Each request adds 1 on its first day and subtracts 1 after its last, so that the cost does not grow
-- with the length of the requests.
create function public.muster_report_leave_days(
  as_of date, "from" date, "to" date, employee_ids bigint[], leave_types text[], dept_ids bigint[], manager_ids bigint[],
  branches text[]
) returns table (day date, "out" bigint, pending bigint)
language sql stable as $$
  with requests as (
    select greatest(from_date, $2) as first_day, least(to_date, $3) as last_day,
      public.muster_key(status) = 'pending' as is_pending, count(*) as requests
    from public.leave_requests
    where public.muster_key(status) collate "C" in ('approved', 'pending') and from_date <= $3 and to_date >= $2
      and ($4 is null or employee_id = any ($4))
      and ($5 is null or public.muster_key(leave_type) collate "C" = any (array(select public.muster_key(t) from unnest($5) t)))
      and (($6 is null and $7 is null and $8 is null) or employee_id in (
        select id from public.employees
        where ($6 is null or dept_id = any ($6)) and ($7 is null or manager_id = any ($7))
          and ($8 is null or public.muster_key(branch) collate "C" = any (array(select public.muster_key(b) from unnest($8) b)))))
    group by 1, 2, 3
  ), steps as (
    select first_day as step, is_pending, requests from requests
    union all
    select last_day + 1, is_pending, -requests from requests
  )
  select days::date,
    coalesce(sum(sum(requests) filter (where not is_pending)) over by_day, 0)::bigint,
    coalesce(sum(sum(requests) filter (where is_pending)) over by_day, 0)::bigint
  from generate_series($2::timestamp, $3, interval '1 day') days left join steps on step = days
  group by days
  window by_day as (order by days)
  order by days
$$;
comment on function public.muster_report_leave_days(date, date, date, bigint[], text[], bigint[], bigint[], text[]) is
  'The report leave-days: approved and pending leave requests per day';

-- Grouped by the stored status first: muster_key for each of ten million rows would take five seconds. Departments are
-- looked up once per employee, not once per record, which takes three quarters of the time.
create function public.muster_report_attendance(as_of date, "from" date, "to" date, "by" text)
returns table (
  "group" text, recorded bigint, present bigint, absent bigint, half_day bigint, on_leave bigint, work_from_home bigint,
  other bigint, absence_rate numeric
)
language sql stable parallel safe as $$
  with stored as (
    select to_char(days.att_date::timestamp, case $4 when 'month' then 'YYYY-MM' else 'YYYY-MM-DD' end) as "group",
      null::bigint as dept_id, days.status, sum(days.records) as records
    from (
      select att_date, status, count(*) as records from public.attendance
      where $4 <> 'employee.dept_id' and att_date between $2 and $3 group by att_date, status
    ) days
    group by 1, days.status
    union all
    select e.dept_id::text, e.dept_id, people.status, sum(people.records)
    from (
      select employee_id, status, count(*) as records from public.attendance
      where $4 = 'employee.dept_id' and att_date between $2 and $3 group by employee_id, status
    ) people
    left join public.employees e on e.id = people.employee_id
    group by e.dept_id, people.status
  ), keyed as (
    select "group", dept_id, public.muster_key(status) as status, sum(records) as records from stored group by 1, 2, 3
  ), counted as (
    select "group", dept_id, sum(records)::bigint as recorded,
      coalesce(sum(records) filter (where status = 'present'), 0)::bigint as present,
      coalesce(sum(records) filter (where status = 'absent'), 0)::bigint as absent,
      coalesce(sum(records) filter (where status = 'half_day'), 0)::bigint as half_day,
      coalesce(sum(records) filter (where status = 'on_leave'), 0)::bigint as on_leave,
      coalesce(sum(records) filter (where status = 'work_from_home'), 0)::bigint as work_from_home
    from keyed group by 1, 2
  )
  select "group", recorded, present, absent, half_day, on_leave, work_from_home,
    recorded - present - absent - half_day - on_leave - work_from_home,
    round(absent::numeric / nullif(recorded - on_leave, 0), 12)
  from counted
  order by dept_id nulls last, "group" collate "C"
$$;
comment on function public.muster_report_attendance(date, date, date, text) is
  'The report attendance: attendance records by status, per day, month or department';

create function public.muster_report_today(as_of date, days_ahead integer, waiting_days integer)
returns table (figure text, "group" text, value numeric, day date)
language sql stable parallel safe as $$
  with figures as (
    select 1 as position, 'people' as figure, public.muster_key(status) as "group", sum(records)::bigint as value, null::date as day
    from (select status, count(*) as records from public.employees group by status) stored
    group by public.muster_key(status)
    union all
    select 2, 'joining', null, count(*), null from public.employees where date_of_joining between $1 + 1 and $1 + $2
    union all
    select 3, 'leaving', null, count(*), null from public.employees where termination_date between $1 and $1 + $2
    union all
    select 4, 'out', public.muster_key(leave_type), sum(records)::bigint, null
    from (
      select leave_type, count(*) as records from public.leave_requests
      where public.muster_key(status) collate "C" = 'approved' and from_date <= $1 and to_date >= $1
      group by leave_type
    ) stored
    group by public.muster_key(leave_type)
    union all
    select 5, 'leave_pending', null, count(*), null from public.leave_requests
    where public.muster_key(status) collate "C" = 'pending'
    union all
    select 6, 'leave_overdue', null, count(*), null from public.leave_requests
    where public.muster_key(status) collate "C" = 'pending' and from_date <= $1
    union all
    select 7, 'openings_open', null, count(*), null from public.job_openings
    where public.muster_key(status) collate "C" = 'open'
    union all
    select 8, 'places_open', null, coalesce(sum(greatest(headcount::numeric - filled, 0)), 0), null from public.job_openings
    where public.muster_key(status) collate "C" = 'open'
    union all
    select 9, 'openings_past_target', null, count(*), null from public.job_openings
    where public.muster_key(status) collate "C" = 'open' and public.muster_is_past_target(target_date, filled, headcount, $1)
    union all
    select 10, 'applications_active', public.muster_key(stage), sum(records)::bigint, null
    from (
      select stage, count(*) as records from public.applications
      where public.muster_key(status) collate "C" = 'active' group by stage
    ) stored
    group by public.muster_key(stage)
    union all
    select 11, 'applications_waiting', null, count(*), null from public.applications
    where public.muster_key(status) collate "C" = 'active' and stage_entered_on < $1 - $3
    union all
    select 12, 'attendance_last_day', null, count(*), max(att_date) from public.attendance
    where att_date = (select max(att_date) from public.attendance where att_date <= $1)
  )
  select figure, "group", value, day from figures order by position, value desc, "group" collate "C"
$$;
comment on function public.muster_report_today(date, integer, integer) is
  'The report today: what needs attention on a day, one figure per row';

-- The report today without leave types: all approved leave of the day in one row, even if there is none.
create function public.muster_report_today_redacted(as_of date, days_ahead integer, waiting_days integer)
returns table (figure text, "group" text, value numeric, day date)
language sql stable parallel safe as $$
  with figures as (
    select * from public.muster_report_today($1, $2, $3) with ordinality as today (figure, "group", value, day, position)
  ), redacted as (
    select * from figures where figure <> 'out'
    union all
    -- Between "leaving" and "leave_pending", which always have a row.
    select 'out', null, coalesce(sum(value), 0), null, (select position + 0.5 from figures where figure = 'leaving')
    from figures where figure = 'out'
  )
  select figure, "group", value, day from redacted order by position
$$;
comment on function public.muster_report_today_redacted(date, integer, integer) is
  'The report today for clients that may not see leave types';
