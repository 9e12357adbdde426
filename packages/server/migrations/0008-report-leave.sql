-- expands
-- Reports are functions, one per report, whose first argument is the day of the report. They are declared in
-- packages/model/src/reports, with the same arguments and columns in the same order.

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
      and ($5 is null or public.muster_key(leave_type) = any (array(select public.muster_key(t) from unnest($5) t)))
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
