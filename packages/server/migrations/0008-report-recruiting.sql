-- The reports funnel, time-to-hire and openings, and the functions of the filters to which they link.

-- An application has passed a stage if it is in a later one of its job's list, and has reached it if it is in it or a later
-- one. Materialized so that each list is parsed once.
create function public.muster_later_stages(stage text, job_ids bigint[])
returns table (list text, later text[], this_or_later text[])
language sql stable as $$
  with lists as materialized (
    select list, public.muster_job_stages(list) as stages
    from (
      select distinct coalesce(stages_json, '') as list from public.job_openings where $2 is null or id = any ($2)
    ) distinct_lists
  ), stages_after as materialized (
    select list, sliced.later, public.muster_key($1) || sliced.later as this_or_later
    from lists, lateral (select stages[array_position(stages, public.muster_key($1)) + 1 :] as later) sliced
  )
  select list, later, this_or_later from stages_after
$$;
comment on function public.muster_later_stages(text, bigint[]) is
  'Per stages_json of these jobs, or of all jobs if no ids are given, the stages after the given one';

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

create function public.muster_excluded_funnel(
  as_of date, applied_from date, applied_to date, job_ids bigint[], dept_ids bigint[], locations text[], sources text[]
) returns bigint
language sql stable as $$
  select count(*)
  from public.applications
  where ($2 is not null or $3 is not null) and applied_on is null
    and ($4 is null or job_id = any ($4))
    and (($5 is null and $6 is null) or job_id in (
      select id from public.job_openings
      where ($5 is null or dept_id = any ($5))
        and ($6 is null or public.muster_key(location) collate "C" = any (array(select public.muster_key(l) from unnest($6) l)))))
    and ($7 is null or candidate_id in (
      select id from public.candidates
      where public.muster_key(source) collate "C" = any (array(select public.muster_key(s) from unnest($7) s))))
$$;
comment on function public.muster_excluded_funnel(date, date, date, bigint[], bigint[], text[], text[]) is
  'Applications without a date that the report funnel leaves out because a period is given';

create function public.muster_report_time_to_hire(as_of date, hired_from date, hired_to date, "by" text)
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
comment on function public.muster_report_time_to_hire(date, date, date, text) is
  'The report time-to-hire: days from application to hire and from opening to hire';

create function public.muster_excluded_time_to_hire(as_of date, hired_from date, hired_to date, "by" text) returns bigint
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
comment on function public.muster_excluded_time_to_hire(date, date, date, text) is
  'Hires of the period that have no time to hire';

-- Applications that are neither rejected nor withdrawn are few, so they are read by the index, one status after another.
create function public.muster_report_openings(as_of date, "by" text, statuses text[])
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
comment on function public.muster_report_openings(date, text, text[]) is
  'The report openings: job openings, their places, and where applications wait longest';
