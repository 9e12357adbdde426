-- One SQL function per business rule (packages/model/src/rules.ts has the rules that the console shares), and the reports, health
-- rules and stages of jobs in terms of them. Thresholds are arguments of the reports. PostgreSQL inlines functions of one
-- expression, so conditions can still use indexes.

create function public.muster_is_employed_on(date_of_joining date, termination_date date, day date) returns boolean
language sql immutable parallel safe as $$
  select date_of_joining <= day and (termination_date is null or termination_date > day)
$$;
comment on function public.muster_is_employed_on(date, date, date) is
  'Whether somebody who joined and left on these days was employed on a day';

create function public.muster_is_past_target(target_date date, filled bigint, headcount bigint, day date) returns boolean
language sql immutable parallel safe as $$
  select target_date < day and filled < headcount
$$;
comment on function public.muster_is_past_target(date, bigint, bigint, date) is
  'Whether a job opening had unfilled positions after its target date';

create function public.muster_is_declined(status text) returns boolean
language sql immutable parallel safe as $$
  select public.muster_key(status) collate "C" in ('rejected', 'withdrawn')
$$;
comment on function public.muster_is_declined(text) is
  'Whether an application was rejected or withdrawn';

-- The stage counts, because the status may still be active.
create function public.muster_is_hire(stage text, status text) returns boolean
language sql immutable parallel safe as $$
  select public.muster_key(stage) collate "C" = 'hired' and not public.muster_is_declined(status)
$$;
comment on function public.muster_is_hire(text, text) is
  'Whether an application with this stage and status is a hire';

-- Without "sourced", which is an alternative to "applied" rather than a step before it.
create function public.muster_suggested_stages() returns text[]
language sql immutable parallel safe as $$
  select array['applied', 'shortlisted', 'assessment', 'phone_screen', 'interview', 'offer', 'hired']
$$;
comment on function public.muster_suggested_stages() is
  'The stages of a job opening that lists none';

-- Not parallel safe: the exception block starts a subtransaction, which PostgreSQL rejects in a parallel query.
create function public.muster_listed_stages(stages_json text) returns text[]
language plpgsql immutable as $$
declare
  document jsonb;
begin
  if coalesce(btrim(stages_json, E' \t\n\r'), '') = '' then
    return '{}';
  end if;
  begin
    document := stages_json::jsonb;
  exception when data_exception or program_limit_exceeded then
    return null;
  end;
  if jsonb_typeof(document) = 'null' then
    return '{}';
  elsif jsonb_typeof(document) <> 'array' or exists (
    select from jsonb_array_elements(document) e
    where jsonb_typeof(e) <> 'string' and jsonb_typeof(e -> 'name') is distinct from 'string'
  ) then
    return null;
  end if;
  return array(
    select key
    from (
      select public.muster_key(coalesce(e ->> 'name', e #>> '{}')) as key, place
      from jsonb_array_elements(document) with ordinality as listed (e, place)
    ) keys
    where key <> 'sourced'
    group by key
    order by min(place)
  );
end
$$;
comment on function public.muster_listed_stages(text) is
  'The stages in stages_json as keys in order, without "sourced"; null if it is not a list of stages';

create or replace function public.muster_job_stages(stages_json text) returns text[]
language sql immutable as $$
  select coalesce(nullif(public.muster_listed_stages($1), '{}'), public.muster_suggested_stages())
$$;
comment on function public.muster_job_stages(text) is
  'The stages of a job opening in order, as keys; the suggested stages if it lists none';

create or replace function public.muster_health_unparseable_stages() returns setof bigint
language sql stable as $$
  with texts as materialized (
    select distinct stages_json from public.job_openings where stages_json is not null
  )
  select j.id from public.job_openings j join texts using (stages_json)
  where public.muster_listed_stages(texts.stages_json) is null
$$;

drop function public.muster_health_stages(text);

-- Applications are counted per list of stages, because most jobs share a list with others. The lists are parsed by a
-- statement of their own, because a statement that calls muster_job_stages gets no workers.
drop function public.muster_report_funnel(date, date, date, bigint[], bigint[], text[], text[]);
create function public.muster_report_funnel(
  as_of date, applied_from date, applied_to date, job_ids bigint[], dept_ids bigint[], locations text[], sources text[],
  min_rate_sample integer
) returns table (
  stage text, reached bigint, passed bigint, rejected bigint, withdrawn bigint, active bigint, pass_rate numeric
)
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  suggested_stages constant text[] := public.muster_suggested_stages();
  location_keys constant text[] := array(select public.muster_key(l) from unnest($6) l);
  source_keys constant text[] := array(select public.muster_key(s) from unnest($7) s);
  -- The stages of each stages_json.
  stages_of jsonb;
begin
  select coalesce(jsonb_object_agg(list, to_jsonb(public.muster_job_stages(list))), '{}') into stages_of
  from (select distinct coalesce(stages_json, '') as list from public.job_openings) lists;
  return query
    with jobs as materialized (
      select id, coalesce(stages_json, '') as list
      from public.job_openings
      where ($4 is null or id = any ($4)) and ($5 is null or dept_id = any ($5))
        and ($6 is null or public.muster_key(location) collate "C" = any (location_keys))
    ), places as materialized (
      select list, listed.stage, place, jobs
      from (select list, count(*) as jobs from jobs group by list) lists,
        jsonb_array_elements_text(stages_of -> list) with ordinality as listed (stage, place)
    ), by_job as (
      select job_id, stage, status, count(*) as n
      from public.applications
      where ($2 is null or applied_on >= $2) and ($3 is null or applied_on <= $3)
        and ($4 is null or job_id = any ($4))
        and (($5 is null and $6 is null) or job_id in (select id from jobs))
        and ($7 is null or candidate_id in (
          select id from public.candidates where public.muster_key(source) collate "C" = any (source_keys)))
      group by 1, 2, 3
    ), spellings as (
      select list, stage, status, sum(n) as n from by_job join jobs on jobs.id = job_id group by 1, 2, 3
    ), present as materialized (
      select list, stage, sum(n) as n,
        coalesce(sum(n) filter (where status = 'rejected'), 0) as rejected,
        coalesce(sum(n) filter (where status = 'withdrawn'), 0) as withdrawn
      from (select list, public.muster_key(stage) as stage, public.muster_key(status) as status, n from spellings) keys
      group by 1, 2
    ), figures as (
      select stage, place, jobs, n, rejected, withdrawn,
        coalesce(sum(n) over (
          partition by list order by place desc rows between unbounded preceding and 1 preceding
        ), 0) as passed
      from places left join present using (list, stage)
      union all
      -- A stage that is not on the list implies only itself.
      select stage, null, null, n, rejected, withdrawn, 0
      from present
      where not exists (select from places where places.list = present.list and places.stage = present.stage)
    ), totals as (
      select stage, coalesce(sum(n), 0) as n, sum(passed) as passed, coalesce(sum(rejected), 0) as rejected,
        coalesce(sum(withdrawn), 0) as withdrawn, sum(place * jobs) / sum(jobs) as mean_place
      from figures
      group by stage
    )
    select stage, (n + passed)::bigint, passed::bigint, rejected::bigint, withdrawn::bigint,
      (n - rejected - withdrawn)::bigint,
      case when passed + rejected + withdrawn >= $8 then round(passed / (passed + rejected + withdrawn), 12) end
    from totals
    order by stage = 'sourced' desc, array_position(suggested_stages, stage), mean_place, stage collate "C";
end
$$;
comment on function public.muster_report_funnel(date, date, date, bigint[], bigint[], text[], text[], integer) is
  'The report funnel: how many applications reached and passed each stage';

create or replace function public.muster_report_time_to_hire(as_of date, hired_from date, hired_to date, "by" text)
returns table (
  "group" text, n bigint, median_days numeric, p90_days numeric, min_days integer, max_days integer, fill_n bigint,
  fill_median_days numeric, fill_p90_days numeric, fill_min_days integer, fill_max_days integer
)
language sql stable as $$
  with hires as (
    select
      case $4
        when 'month' then to_char(stage_entered_on, 'YYYY-MM')
        when 'job.dept_id' then job.dept_id::text
        when 'candidate.source' then public.muster_key(candidate.source)
      end as hire_group,
      case when stage_entered_on >= applied_on then stage_entered_on - applied_on end as hire_days,
      case when stage_entered_on >= opened_on then stage_entered_on - opened_on end as fill_days
    from public.applications application
    join public.job_openings job on job.id = application.job_id
    left join public.candidates candidate
      on $4 = 'candidate.source' and candidate.id = application.candidate_id
    where public.muster_is_hire(application.stage, application.status)
      and stage_entered_on <= least($1, $3) and ($2 is null or stage_entered_on >= $2)
  )
  select hire_group,
    count(hire_days), round(percentile_cont(0.5) within group (order by hire_days)::numeric, 1),
    round(percentile_cont(0.9) within group (order by hire_days)::numeric, 1), min(hire_days), max(hire_days),
    count(fill_days), round(percentile_cont(0.5) within group (order by fill_days)::numeric, 1),
    round(percentile_cont(0.9) within group (order by fill_days)::numeric, 1), min(fill_days), max(fill_days)
  -- Without a grouping there is always one row.
  from (values (true)) always (is_here)
  left join hires on hire_days is not null or fill_days is not null
  group by hire_group
  having $4 is null or count(hire_days) + count(fill_days) > 0
  order by case when $4 = 'job.dept_id' then hire_group::bigint end, hire_group collate "C"
$$;

create or replace function public.muster_excluded_time_to_hire(as_of date, hired_from date, hired_to date, "by" text) returns bigint
language sql stable as $$
  select count(*)
  from public.applications
  where public.muster_is_hire(stage, status)
    and case
      when stage_entered_on is null then $2 is null and $3 is null
      else stage_entered_on <= least($1, $3) and ($2 is null or stage_entered_on >= $2)
        and (applied_on is null or applied_on > stage_entered_on)
    end
$$;

-- Applications that are neither rejected nor withdrawn are few, so they are read by the index, one status after another.
create or replace function public.muster_report_openings(as_of date, "by" text, statuses text[])
returns table (
  "group" text, openings bigint, places numeric, filled numeric, oldest_days integer, past_target bigint, title text,
  longest_stage text, longest_stage_count bigint, longest_wait_days integer
)
language sql stable as $$
  with recursive application_statuses as (
    (select public.muster_key(status) as status from public.applications order by 1, id limit 1)
    union all
    select (
      select public.muster_key(status) from public.applications
      where public.muster_key(status) > previous.status order by 1, id limit 1
    ) from application_statuses previous where previous.status is not null
  ), jobs as materialized (
    select id, headcount, filled, opened_on, target_date,
      case $2 when 'dept_id' then dept_id when 'id' then id end as group_id,
      case when $2 = 'id' then title end as title
    from public.job_openings
    where $3 is null or public.muster_key(status) collate "C" = any (array(select public.muster_key(s) from unnest($3) s))
  ), waiting as (
    select distinct on (job_id) job_id, stage, n, entered_on
    from (
      select job_id, public.muster_key(stage) as stage, sum(n) as n, min(entered_on) as entered_on
      from (
        select job_id, stage, count(*) as n, min(stage_entered_on) as entered_on
        from application_statuses
        cross join lateral (
          select job_id, stage, stage_entered_on from public.applications
          where public.muster_key(status) = application_statuses.status offset 0
        ) waiting_applications
        join jobs on jobs.id = job_id
        where $2 = 'id' and not public.muster_is_declined(application_statuses.status)
        group by 1, 2
      ) spellings
      where public.muster_key(stage) <> 'hired'
      group by 1, 2
    ) stages
    where entered_on <= $1
    order by job_id, entered_on, stage collate "C"
  )
  select group_id::text, openings, places, job_figures.filled, $1 - oldest, past_target, title, stage, n::bigint,
    $1 - entered_on
  from (
    select group_id, min(title) as title, count(id) as openings, coalesce(sum(headcount), 0) as places,
      coalesce(sum(filled), 0) as filled, min(opened_on) filter (where opened_on <= $1) as oldest,
      count(*) filter (where public.muster_is_past_target(target_date, filled, headcount, $1)) as past_target
    -- Without a grouping there is always one row.
    from (values (true)) always (is_here) left join jobs on true
    group by group_id
    having $2 is null or count(id) > 0
  ) job_figures
  left join waiting on $2 = 'id' and job_id = group_id
  order by job_figures.group_id
$$;

drop function public.muster_report_today_redacted(date);
drop function public.muster_report_today(date);
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
