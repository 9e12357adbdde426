-- The rules of data health. Each function returns the ids of the records that break the rule of its name; the rules are
-- declared in packages/model/src/health-rules.ts.
-- Functions that the planner can inline are "parallel safe": otherwise a query that calls one gets no workers. The two rules
-- that parse stages_json are not, because an exception handler is not allowed while workers run.

-- The ids on a cycle. parents[i] is the position of the parent of ids[i], or 0. Each position is visited once.
create function public.muster_cycle_members(ids bigint[], parents integer[]) returns setof bigint
language plpgsql immutable parallel safe as $$
declare
  -- The number of the walk that visited a position; 0 if none has.
  visited_by integer[] := array_fill(0, array[coalesce(cardinality(ids), 0)]);
  current integer;
  first integer;
begin
  for walk in 1 .. coalesce(cardinality(ids), 0) loop
    current := walk;
    while current > 0 and visited_by[current] = 0 loop
      visited_by[current] := walk;
      current := parents[current];
    end loop;
    if current > 0 and visited_by[current] = walk then
      first := current;
      loop
        return next ids[current];
        current := parents[current];
        exit when current = first;
      end loop;
    end if;
  end loop;
end
$$;
comment on function public.muster_cycle_members(bigint[], integer[]) is 'The ids that are on a cycle of parents';

-- Employees.

create function public.muster_health_manager_cycle() returns setof bigint
language sql stable parallel safe as $$
  with numbered as (
    select id, manager_id, row_number() over (order by id)::integer as position from public.employees
  )
  select public.muster_cycle_members(
    array_agg(e.id order by e.position), array_agg(coalesce(m.position, 0) order by e.position))
  from numbered e left join numbered m on m.id = e.manager_id
$$;
comment on function public.muster_health_manager_cycle() is
  'Employees whose chain of managers leads back to themselves';

create function public.muster_health_manager_left() returns setof bigint
language sql stable parallel safe as $$
  select e.id from public.employees e join public.employees m on m.id = e.manager_id
  where public.muster_key(m.status) collate "C" = 'terminated' and public.muster_key(e.status) collate "C" <> 'terminated'
$$;
comment on function public.muster_health_manager_left() is
  'Employees who are not terminated, but whose manager is';

create function public.muster_health_terminated_without_date() returns setof bigint
language sql stable parallel safe as $$
  select id from public.employees where public.muster_key(status) collate "C" = 'terminated' and termination_date is null
$$;
comment on function public.muster_health_terminated_without_date() is
  'Terminated employees without a termination date';

create function public.muster_health_left_before_joining() returns setof bigint
language sql stable parallel safe as $$
  select id from public.employees where termination_date < date_of_joining
$$;
comment on function public.muster_health_left_before_joining() is
  'Employees whose termination date is before their date of joining';

create function public.muster_health_duplicate_employee_code() returns setof bigint
language sql stable parallel safe as $$
  select id from (
    select id, count(*) over (partition by public.muster_key(code)) as holders from public.employees where btrim(code) <> ''
  ) codes
  where holders > 1
$$;
comment on function public.muster_health_duplicate_employee_code() is
  'Employees with the personnel number of another employee';

-- Leave requests.

create function public.muster_health_leave_without_employee() returns setof bigint
language sql stable parallel safe as $$
  select id from public.leave_requests where employee_id is null
$$;
comment on function public.muster_health_leave_without_employee() is
  'Leave requests that name no employee';

create function public.muster_health_overlapping_leave() returns setof bigint
language sql stable parallel safe as $$
  select id from (
    select id, from_date, to_date, lead(from_date) over by_start as next_start,
      max(to_date) over (by_start rows between unbounded preceding and 1 preceding) as latest_end
    from public.leave_requests
    where public.muster_key(status) collate "C" = 'approved' and employee_id is not null and from_date is not null
      and to_date is not null
    window by_start as (partition by employee_id order by from_date, id)
  ) approved
  where latest_end >= from_date or next_start <= to_date
$$;
comment on function public.muster_health_overlapping_leave() is
  'Approved leave requests that overlap another approved request of the same employee';

create function public.muster_health_leave_before_joining() returns setof bigint
language sql stable parallel safe as $$
  select l.id from public.leave_requests l join public.employees e on e.id = l.employee_id
  where l.from_date < e.date_of_joining and public.muster_key(l.status) collate "C" = 'approved'
$$;
comment on function public.muster_health_leave_before_joining() is
  'Approved leave requests that begin before the employee joined';

create function public.muster_health_leave_after_leaving() returns setof bigint
language sql stable parallel safe as $$
  select l.id from public.leave_requests l join public.employees e on e.id = l.employee_id
  where l.to_date > e.termination_date and public.muster_key(l.status) collate "C" = 'approved'
$$;
comment on function public.muster_health_leave_after_leaving() is
  'Approved leave requests that end after the termination date of the employee';

-- Attendance. The planner expects millions of rows from these queries. With the default cost of passing a row from a worker, it
-- would read ten million records without workers.

create function public.muster_health_attendance_without_employee() returns setof bigint
language sql stable parallel safe as $$
  select id from public.attendance where employee_id is null
$$;
comment on function public.muster_health_attendance_without_employee() is
  'Attendance records that name no employee';

create function public.muster_health_attendance_before_joining() returns setof bigint
language plpgsql stable set parallel_tuple_cost = 0.01 as $$
begin
  return query
    select a.id from public.attendance a join public.employees e on e.id = a.employee_id
    where a.att_date < e.date_of_joining;
end
$$;
comment on function public.muster_health_attendance_before_joining() is
  'Attendance records of a day before the employee joined';

create function public.muster_health_attendance_after_leaving() returns setof bigint
language plpgsql stable set parallel_tuple_cost = 0.01 as $$
begin
  return query
    select a.id from public.attendance a join public.employees e on e.id = a.employee_id
    where a.att_date > e.termination_date;
end
$$;
comment on function public.muster_health_attendance_after_leaving() is
  'Attendance records of a day after the termination date of the employee';

-- Grouping ten million records by employee and day takes 20 s. So the records of an employee are grouped by 32 days first, with
-- one bit per day: a day that occurs twice sets its bit once.
create function public.muster_health_duplicate_attendance() returns setof bigint
language plpgsql stable set parallel_tuple_cost = 0.01 as $$
begin
  return query
    with suspects as (
      select distinct periods.employee_id from (
        select days.employee_id from (
          select employee_id, att_date - date '2000-01-01' as day from public.attendance where employee_id is not null
        ) days
        group by days.employee_id, days.day >> 6
        having count(*) > bit_count(bit_or(1::bigint << (days.day & 63))::bit(64))
      ) periods
    )
    select records.id from (
      select a.id, count(*) over (partition by a.employee_id, a.att_date) as same_day
      from public.attendance a join suspects s on s.employee_id = a.employee_id
    ) records
    where records.same_day > 1;
end
$$;
comment on function public.muster_health_duplicate_attendance() is
  'Attendance records of an employee and day that have another record';

-- Job openings.

create function public.muster_health_filled_over_headcount() returns setof bigint
language sql stable parallel safe as $$
  select id from public.job_openings where filled > headcount
$$;
comment on function public.muster_health_filled_over_headcount() is
  'Job openings with more positions filled than there are';

create function public.muster_health_hired_without_filled_place() returns setof bigint
language sql stable parallel safe as $$
  select j.id
  from public.job_openings j
  join (
    select job_id, count(*) as hired from public.applications
    where public.muster_key(status) collate "C" = 'hired' group by job_id
  ) a on a.job_id = j.id
  where a.hired > j.filled
$$;
comment on function public.muster_health_hired_without_filled_place() is
  'Job openings with more hired applications than positions filled';

create function public.muster_health_reversed_pay_range() returns setof bigint
language sql stable parallel safe as $$
  select id from public.job_openings where comp_min > comp_max
$$;
comment on function public.muster_health_reversed_pay_range() is
  'Job openings whose lower end of the pay range is above the upper end';

create function public.muster_health_unparseable_stages() returns setof bigint
language sql stable as $$
  with texts as materialized (
    select distinct stages_json from public.job_openings where stages_json is not null
  )
  select j.id from public.job_openings j join texts using (stages_json)
  where public.muster_listed_stages(texts.stages_json) is null
$$;
comment on function public.muster_health_unparseable_stages() is
  'Job openings whose stages_json is not a list of stages';

-- Candidates and applications.

-- The same comparison as that of muster_key, which would take twice as long for two million addresses. Repeated addresses are
-- few, so their candidates are read by the index.
create function public.muster_health_duplicate_candidate_email() returns setof bigint
language plpgsql stable set parallel_tuple_cost = 0.01 as $$
begin
  return query
    with repeated as materialized (
      select case when octet_length(email) = char_length(email) then lower(email collate "C") collate "C"
        else lower(email collate "und-x-icu") collate "C" end as email
      from public.candidates where btrim(email) <> '' group by 1 having count(*) > 1
    )
    select holders.id from repeated
    cross join lateral (
      select c.id from public.candidates c where public.muster_key(c.email) collate "C" = public.muster_key(repeated.email) offset 0
    ) holders;
end
$$;
comment on function public.muster_health_duplicate_candidate_email() is
  'Candidates with the e-mail address of another candidate';

create function public.muster_health_active_application_on_closed_job() returns setof bigint
language sql stable parallel safe as $$
  select a.id from public.applications a join public.job_openings j on j.id = a.job_id
  where public.muster_key(a.status) collate "C" = 'active' and public.muster_key(j.status) collate "C" in ('closed', 'archived')
$$;
comment on function public.muster_health_active_application_on_closed_job() is
  'Active applications to a job opening that is closed or archived';

-- "materialized", so that each text is parsed once and muster_key called once per stage of an opening.
create function public.muster_health_application_stage_not_in_job() returns setof bigint
language sql stable as $$
  with texts as materialized (
    select distinct coalesce(stages_json, '') as stages_json from public.job_openings
  ), parsed as materialized (
    select stages_json, public.muster_job_stages(stages_json) as stages
    from texts
  ), used as materialized (
    select job_id, stage, public.muster_key(stage) as key from public.applications group by job_id, stage
  ), unknown as materialized (
    select used.job_id, used.stage
    from used
    join public.job_openings j on j.id = used.job_id
    join parsed on parsed.stages_json = coalesce(j.stages_json, '')
    where used.key <> 'sourced' and used.key <> all (parsed.stages)
  )
  select a.id from public.applications a join unknown using (job_id, stage)
$$;
comment on function public.muster_health_application_stage_not_in_job() is
  'Applications whose stage is neither a stage of the job opening nor "sourced"';

create function public.muster_health_hired_in_other_stage() returns setof bigint
language sql stable parallel safe as $$
  select id from public.applications
  where public.muster_key(status) collate "C" = 'hired' and public.muster_key(stage) collate "C" <> 'hired'
$$;
comment on function public.muster_health_hired_in_other_stage() is
  'Applications with the status "hired", but another stage';

create function public.muster_health_stage_before_application() returns setof bigint
language sql stable parallel safe as $$
  select id from public.applications where stage_entered_on < applied_on
$$;
comment on function public.muster_health_stage_before_application() is
  'Applications that entered their stage before the date of the application';

create function public.muster_health_duplicate_application() returns setof bigint
language sql stable parallel safe as $$
  select id from (
    select id, count(*) over (partition by candidate_id, job_id) as applications from public.applications
    where public.muster_key(status) collate "C" = 'active'
  ) active
  where applications > 1
$$;
comment on function public.muster_health_duplicate_application() is
  'Active applications of a candidate to a job opening for which the candidate has another active application';

-- Enterprise.

create function public.muster_health_team_cycle() returns setof bigint
language sql stable parallel safe as $$
  with numbered as (
    select id, parent_id, row_number() over (order by id)::integer as position from public.organization_teams
  )
  select public.muster_cycle_members(
    array_agg(t.id order by t.position), array_agg(coalesce(p.position, 0) order by t.position))
  from numbered t left join numbered p on p.id = t.parent_id
$$;
comment on function public.muster_health_team_cycle() is
  'Teams whose chain of parent teams leads back to themselves';

create function public.muster_health_published_distribution_of_closed_job() returns setof bigint
language sql stable parallel safe as $$
  select d.id from public.job_distributions d join public.job_openings j on j.id = d.job_posting_id
  where public.muster_key(d.status) collate "C" = 'published' and public.muster_key(j.status) collate "C" in ('closed', 'archived')
$$;
comment on function public.muster_health_published_distribution_of_closed_job() is
  'Published distributions of a job opening that is closed or archived';

-- All rules in the order in which they are listed, and the table of the records that each one checks.
create function public.muster_data_health_rules() returns table (rule text, table_name text)
language sql immutable parallel safe as $$
  values
    ('manager_cycle', 'employees'),
    ('manager_left', 'employees'),
    ('terminated_without_date', 'employees'),
    ('left_before_joining', 'employees'),
    ('duplicate_employee_code', 'employees'),
    ('leave_without_employee', 'leave_requests'),
    ('overlapping_leave', 'leave_requests'),
    ('leave_before_joining', 'leave_requests'),
    ('leave_after_leaving', 'leave_requests'),
    ('attendance_without_employee', 'attendance'),
    ('attendance_before_joining', 'attendance'),
    ('attendance_after_leaving', 'attendance'),
    ('duplicate_attendance', 'attendance'),
    ('filled_over_headcount', 'job_openings'),
    ('hired_without_filled_place', 'job_openings'),
    ('reversed_pay_range', 'job_openings'),
    ('unparseable_stages', 'job_openings'),
    ('duplicate_candidate_email', 'candidates'),
    ('active_application_on_closed_job', 'applications'),
    ('application_stage_not_in_job', 'applications'),
    ('hired_in_other_stage', 'applications'),
    ('stage_before_application', 'applications'),
    ('duplicate_application', 'applications'),
    ('team_cycle', 'organization_teams'),
    ('published_distribution_of_closed_job', 'job_distributions')
$$;
comment on function public.muster_data_health_rules() is 'The rules of data health, and the table that each one checks';

-- The query of a rule is planned by itself (execute), so that it can use workers.
create function public.muster_report_data_health(as_of date, rule_name text)
returns table (rule text, checked bigint, broken bigint)
language plpgsql stable as $$
begin
  if $2 is not null and not exists (select from public.muster_data_health_rules() r where r.rule = $2) then
    raise exception 'There is no rule %', $2 using errcode = 'invalid_parameter_value';
  end if;
  if $2 is null then
    return query
      select r.rule, null::bigint, null::bigint
      from public.muster_data_health_rules() with ordinality r (rule, table_name, position)
      order by r.position;
  else
    return query execute format(
      'select r.rule, coalesce((select sum(v.rows) from public.muster_table_versions v where v.table_name = r.table_name), 0)::bigint,
         (select count(*) from public.%I())
       from public.muster_data_health_rules() r where r.rule = $1',
      'muster_health_' || $2) using $2;
  end if;
end
$$;
comment on function public.muster_report_data_health(date, text) is
  'The report data-health: how many records break a rule, or the list of all rules';
