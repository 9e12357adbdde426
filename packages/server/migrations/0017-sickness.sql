-- expands
-- The report attendance with the days of sick leave (docs/reports.md).

-- Grouped by the stored status first: muster_key for each of ten million rows would take five seconds. Departments are
-- looked up once per employee, not once per record, which takes three quarters of the time.
drop function public.muster_report_attendance(date, date, date, text);
create function public.muster_report_attendance(as_of date, "from" date, "to" date, "by" text)
returns table (
  "group" text, recorded bigint, present bigint, absent bigint, half_day bigint, on_leave bigint, work_from_home bigint,
  other bigint, absence_rate numeric, sick bigint, sickness_rate numeric
)
language sql stable parallel safe as $$
  with stored as (
    select to_char(days.att_date::timestamp, case $4 when 'month' then 'YYYY-MM' else 'YYYY-MM-DD' end) as "group",
      null::bigint as dept_id, days.status, sum(days.records) as records, 0 as sick
    from (
      select att_date, status, count(*) as records from public.attendance
      where $4 <> 'employee.dept_id' and att_date between $2 and $3 group by att_date, status
    ) days
    group by 1, days.status
    union all
    select e.dept_id::text, e.dept_id, people.status, sum(people.records), 0
    from (
      select employee_id, status, count(*) as records from public.attendance
      where $4 = 'employee.dept_id' and att_date between $2 and $3 group by employee_id, status
    ) people
    left join public.employees e on e.id = people.employee_id
    group by e.dept_id, people.status
    union all
    select case $4
        when 'employee.dept_id' then e.dept_id::text
        else to_char(a.att_date::timestamp, case $4 when 'month' then 'YYYY-MM' else 'YYYY-MM-DD' end)
      end, case when $4 = 'employee.dept_id' then e.dept_id end, null, 0, count(*)
    from public.attendance a left join public.employees e on e.id = a.employee_id
    where a.att_date between $2 and $3 and public.muster_key(a.status) collate "C" = 'on_leave'
      and exists (
        select from public.leave_requests l
        where l.employee_id = a.employee_id and a.att_date between l.from_date and l.to_date
          and l.from_date <= $3 and l.to_date >= $2
          and public.muster_key(l.status) collate "C" = 'approved' and public.muster_key(l.leave_type) collate "C" = 'sick'
      )
    group by 1, 2
  ), keyed as (
    select "group", dept_id, public.muster_key(status) as status, sum(records) as records, sum(sick) as sick
    from stored group by 1, 2, 3
  ), counted as (
    select "group", dept_id, sum(records)::bigint as recorded,
      coalesce(sum(records) filter (where status = 'present'), 0)::bigint as present,
      coalesce(sum(records) filter (where status = 'absent'), 0)::bigint as absent,
      coalesce(sum(records) filter (where status = 'half_day'), 0)::bigint as half_day,
      coalesce(sum(records) filter (where status = 'on_leave'), 0)::bigint as on_leave,
      coalesce(sum(records) filter (where status = 'work_from_home'), 0)::bigint as work_from_home,
      sum(sick)::bigint as sick
    from keyed group by 1, 2
  )
  select "group", recorded, present, absent, half_day, on_leave, work_from_home,
    recorded - present - absent - half_day - on_leave - work_from_home,
    round(absent::numeric / nullif(recorded - on_leave, 0), 12), sick, round(sick::numeric / recorded, 12)
  from counted
  order by dept_id nulls last, "group" collate "C"
$$;
comment on function public.muster_report_attendance(date, date, date, text) is
  'The report attendance: attendance records by status, and those of people on sick leave, per day, month or department';
