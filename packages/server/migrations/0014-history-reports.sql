-- expands
-- Reports and filters that read the history, and those that answer for a past day with its values (docs/reports.md).

-- The versions and values of a table, and movements, read the changes of one resource, often of a period: most changes are
-- of applications. The other indexes are for the filters of the list.
create index history_changes_idx on public.history (resource, "on");

-- muster_key for statements that compare millions of texts: PostgreSQL inlines it, and calls the slower function only for texts
-- that are long or not ASCII.
create function public.muster_inline_key(value text) returns text
language sql immutable parallel safe as $$
  select case
    when octet_length(value) = char_length(value) and octet_length(value) <= 200 then lower(value collate "C")
    else public.muster_key(value)
  end
$$;
comment on function public.muster_inline_key(text) is 'The same as muster_key, for many texts';

create or replace function public.muster_is_declined(status text) returns boolean
language sql immutable parallel safe as $$
  select public.muster_inline_key(status) collate "C" in ('rejected', 'withdrawn')
$$;

-- An application is in a stage while it has this stage and is neither rejected nor withdrawn. A stay is an uninterrupted
-- time in one stage: it ends on the day of the next stage (outcome "next"), or when the application is rejected or withdrawn.
--
-- The oldest known stay of an application began on the stage_entered_on that the record had before its first recorded change
-- to another stage, or has now. A day is null if the record had none, or if it is after the end of the stay. If the oldest
-- known status is rejected or withdrawn, the day of the end is unknown.
--
-- A stay is where a period of one stage and a period of a status that is neither rejected nor withdrawn overlap. Changes of
-- both by one statement have the same day and time, so nothing is between them.
--
-- The array is a condition, not a join: for 50,000 applications, the planner would hash all 9 million changes.
create function public.muster_stage_stays(application_ids bigint[])
returns table (application_id bigint, stage text, entered date, "left" date, outcome text)
language sql stable parallel safe as $$
  with chosen as materialized (
    select a.id, public.muster_inline_key(a.stage) as stage, public.muster_inline_key(a.status) as status, a.stage_entered_on
    from public.applications a where $1 is null or a.id = any ($1)
  ), changes as materialized (
    select h.record_id, h."on", h.at, h.id, h.field = 'stage' as is_stage,
      public.muster_inline_key(h.old) as old, public.muster_inline_key(h.new) as new, h.since
    from public.history h
    where h.resource = 'applications' and h.field in ('stage', 'status') and ($1 is null or h.record_id = any ($1))
  ), stages as (
    select e.*, lag(e."on") over in_order as from_on, lag(e.at) over in_order as from_at
    from (
      select c.record_id, c."on", c.at, c.id, c.old as stage, c.since from changes c where c.is_stage and c.old <> c.new
      union all select c.id, 'infinity', 'infinity', null, c.stage, c.stage_entered_on from chosen c
    ) e
    window in_order as (partition by e.record_id order by e."on", e.id)
  ), statuses as (
    select e.*, public.muster_is_declined(e.status) as is_declined,
      lag(e."on") over in_order as from_on, lag(e.at) over in_order as from_at
    from (
      select c.record_id, c."on", c.at, c.id, c.old as status, c.new as next_status
      from changes c where not c.is_stage and (public.muster_is_declined(c.old) or public.muster_is_declined(c.new))
      union all select c.id, 'infinity', 'infinity', null, c.status, null from chosen c
    ) e
    window in_order as (partition by e.record_id order by e."on", e.id)
  ), stays as (
    select g.record_id, g.stage,
      case when g.from_on is null and s.from_on is null then g.since else greatest(g.from_on, s.from_on) end as entered,
      case when not s.is_declined then nullif(least(g."on", s."on"), 'infinity') end as "left",
      case
        when s.is_declined then s.status
        when (s."on", s.at) <= (g."on", g.at) then s.next_status
        else 'next'
      end as outcome
    from stages g join statuses s on s.record_id = g.record_id
    where case
      when s.is_declined then s.from_on is null and g.from_on is null
      else (s.from_on is null or (g."on", g.at) > (s.from_on, s.from_at))
        and (g.from_on is null or (g.from_on, g.from_at) < (s."on", s.at))
    end
  )
  select s.record_id, s.stage, case when s.entered <= s."left" or s."left" is null then s.entered end, s."left", s.outcome
  from stays s
$$;
comment on function public.muster_stage_stays(bigint[]) is
  'One row per stay of these applications (null: all) in a stage; outcome is null while it goes on, otherwise next, rejected or withdrawn';

-- The stays that a filter or a report is about are all in these applications, so that only their history is read. A stay
-- that began in a period ended on a later day, or goes on. A stay in a stage is followed by a change from this stage, or it
-- is the present one.
create function public.muster_applications_with_stays(
  job_ids bigint[], dept_ids bigint[], sources text[], entered_from date, hired_from date, hired_to date, stage text
) returns bigint[]
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  source_keys constant text[] := array(select public.muster_key(s) from unnest($3) s);
  stage_key constant text := public.muster_key($7);
  ids bigint[];
begin
  if $1 is not null or $2 is not null or $3 is not null or $5 is not null or $6 is not null then
    select array_agg(a.id) into ids
    from public.applications a
    where ($1 is null or a.job_id = any ($1))
      and ($2 is null or a.job_id in (select j.id from public.job_openings j where j.dept_id = any ($2)))
      and ($3 is null or a.candidate_id in (
        select c.id from public.candidates c where public.muster_key(c.source) collate "C" = any (source_keys)))
      and (($5 is null and $6 is null) or public.muster_is_hire(a.stage, a.status))
      and ($5 is null or a.stage_entered_on >= $5) and ($6 is null or a.stage_entered_on <= $6);
  elsif $4 is not null then
    select array_agg(e.id) into ids
    from (
      select a.id from public.applications a where a.stage_entered_on >= $4
      union select h.record_id from public.history h where h.resource = 'applications' and h."on" >= $4
    ) e;
  elsif $7 is not null then
    select array_agg(e.id) into ids
    from (
      select a.id from public.applications a where public.muster_key(a.stage) collate "C" = stage_key
      union select h.record_id from public.history h
      where h.resource = 'applications' and h.field = 'stage' and public.muster_key(h.old) collate "C" = stage_key
    ) e;
  else
    return null;
  end if;
  return coalesce(ids, '{}');
end
$$;
comment on function public.muster_applications_with_stays(bigint[], bigint[], text[], date, date, date, text) is
  'The applications that meet these conditions, and at least those with a stay that meets them; null for all, if no condition is given';

-- Bounds that are null do not apply. waiting_on: stays that had begun and not ended at the end of this day.
create function public.muster_stayed(
  stage text, has_left boolean, entered_from date, entered_to date, left_from date, left_to date, outcome text, waiting_on date,
  job_ids bigint[]
) returns setof bigint
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  ids constant bigint[] := public.muster_applications_with_stays($9, null, null, $3, null, null, $1);
begin
  return query
    select s.application_id from public.muster_stage_stays(ids) s
    where ($1 is null or s.stage = public.muster_key($1)) and (not $2 or s.outcome is not null)
      and ($3 is null or s.entered >= $3) and ($4 is null or s.entered <= $4)
      and ($5 is null or s."left" >= $5) and ($6 is null or s."left" <= $6)
      and ($7 is null or s.outcome = $7)
      and ($8 is null or (s.entered <= $8 and (s.outcome is null or s."left" > $8)));
end
$$;
comment on function public.muster_stayed(text, boolean, date, date, date, date, text, date, bigint[]) is
  'The applications to these jobs (null: all) with a stay in this stage (null: in any) that meets the conditions';

-- Only recorded changes count: an application that was created in a later stage has not skipped the earlier ones.
create function public.muster_skipped(stage text, first_day date, last_day date) returns setof bigint
language sql stable as $$
  with lists as materialized (
    select l.list, public.muster_job_stages(l.list) as stages
    from (select distinct coalesce(j.stages_json, '') as list from public.job_openings j) l
  ), places as materialized (
    select l.list, p.stage, p.place > array_position(l.stages, public.muster_key($1)) as is_later
    from lists l cross join unnest(l.stages) with ordinality p (stage, place)
    where p.place <> array_position(l.stages, public.muster_key($1))
  ), moves as (
    select h.record_id, min(h."on") as "on"
    from public.history h
    join public.applications a on a.id = h.record_id
    join public.job_openings j on j.id = a.job_id
    join places before on before.list = coalesce(j.stages_json, '') and before.stage = public.muster_inline_key(h.old)
    join places after on after.list = before.list and after.stage = public.muster_inline_key(h.new)
    where h.resource = 'applications' and h.field = 'stage' and not before.is_later and after.is_later
    group by h.record_id
  )
  select m.record_id
  from moves m
  where ($2 is null or m."on" >= $2) and ($3 is null or m."on" <= $3) and not exists (
    select from public.history h
    where h.record_id = m.record_id and h.resource = 'applications' and h.field = 'stage'
      and public.muster_key($1) in (public.muster_inline_key(h.old), public.muster_inline_key(h.new))
  )
$$;
comment on function public.muster_skipped(text, date, date) is
  'The applications that moved from a stage before this one of their job to a later one and were never in it; the day is that of the first such move';

-- The algorithm of the org chart for any members and their managers (0007-report-people.sql explains it), so that it also
-- serves the chart of a past day.
create function public.muster_hierarchy_of(member_ids bigint[], manager_ids bigint[])
returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, is_cut boolean, place integer
)
language plpgsql stable as $$
declare
  ids bigint[];
  managers integer[];
  direct integer[];
  unfinished integer[];
  totals integer[];
  depths integer[];
  places integer[];
  next_places integer[];
  cuts boolean[];
  finished integer[];
  people integer;
  finished_people integer := 0;
  next_root integer := 1;
  person integer;
  manager integer;
begin
  select array_agg(ordered.id order by ordered.id), array_agg(ordered.manager order by ordered.id), count(*)
  into ids, managers, people
  from (
    select e.id, coalesce(m.person, 0) as manager
    from unnest(member_ids, manager_ids) e (id, manager_id)
    left join (
      select m.id, row_number() over (order by m.id)::integer as person from unnest(member_ids) m (id)
    ) m on m.id = e.manager_id
  ) ordered;

  direct := array_fill(0, array[people]);
  for i in 1..people loop
    manager := managers[i];
    if manager > 0 then
      direct[manager] := direct[manager] + 1;
    end if;
  end loop;

  unfinished := direct;
  totals := array_fill(0, array[people]);
  depths := totals;
  places := totals;
  next_places := totals;
  finished := totals;
  cuts := array_fill(false, array[people]);
  for round in 1..2 loop
    for i in 1..people loop
      person := i;
      if round = 2 and unfinished[i] > 0 then
        cuts[i] := true;
        person := managers[i];
        managers[i] := 0;
        unfinished[person] := unfinished[person] - 1;
      end if;
      while person > 0 and unfinished[person] = 0 loop
        unfinished[person] := -1;
        finished_people := finished_people + 1;
        finished[finished_people] := person;
        manager := managers[person];
        if manager > 0 then
          totals[manager] := totals[manager] + totals[person] + 1;
          unfinished[manager] := unfinished[manager] - 1;
        end if;
        person := manager;
      end loop;
    end loop;
  end loop;

  for i in reverse people..1 loop
    person := finished[i];
    manager := managers[person];
    if manager > 0 then
      depths[person] := depths[manager] + 1;
      places[person] := next_places[manager];
      next_places[manager] := places[person] + totals[person] + 1;
    else
      places[person] := next_root;
      next_root := next_root + totals[person] + 1;
    end if;
    next_places[person] := places[person] + 1;
  end loop;

  return query
    select p.id, case when p.manager > 0 then ids[p.manager] end, p.depth, p.direct, p.total, p.is_cut, p.place
    from unnest(ids, managers, depths, direct, totals, cuts, places) p (id, manager, depth, direct, total, is_cut, place);
end
$$;
comment on function public.muster_hierarchy_of(bigint[], bigint[]) is
  'The org chart of these members and their managers, with each cycle cut at its smallest id';

create or replace function public.muster_hierarchy(statuses text[])
returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, is_cut boolean, place integer
)
language plpgsql stable as $$
declare
  keys text[];
  spellings text[];
begin
  if statuses is not null then
    keys := array(select public.muster_key(s) from unnest(statuses) s);
    -- Materialized: otherwise muster_key would run once per employee instead of once per spelling.
    spellings := array(
      with used as materialized (select distinct e.status from public.employees e)
      select used.status from used where public.muster_key(used.status) = any (keys)
    );
  end if;
  return query
    select h.*
    from (
      select array_agg(e.id) as members, array_agg(e.manager_id) as managers
      from public.employees e where statuses is null or e.status = any (spellings)
    ) chart cross join lateral public.muster_hierarchy_of(chart.members, chart.managers) h;
end
$$;

create function public.muster_hierarchy_on(statuses text[], day date, employed_on date)
returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, is_cut boolean, place integer
)
language sql stable as $$
  select h.*
  from (
    select array_agg(e.id) as members, array_agg(v.manager_id) as managers
    from public.employees e join public.muster_values_on_employees($2) v on v.record_id = e.id
    where ($1 is null or public.muster_key(e.status) = any (array(select public.muster_key(s) from unnest($1) s)))
      and ($3 is null or public.muster_is_employed_on(e.date_of_joining, e.termination_date, $3))
  ) chart cross join lateral public.muster_hierarchy_of(chart.members, chart.managers) h
$$;
comment on function public.muster_hierarchy_on(text[], date, date) is
  'The org chart with the managers of a day, of the employees with these statuses (null: all) who were employed on a day (null: all)';

create function public.muster_under_on(id bigint, statuses text[], day date, employed_on date) returns setof bigint
language sql stable as $$
  with hierarchy as materialized (
    select * from public.muster_hierarchy_on($2, $3, $4)
  )
  select h.id
  from hierarchy root join hierarchy h on h.place between root.place + 1 and root.place + root.total_reports
  where root.id = $1
$$;
comment on function public.muster_under_on(bigint, text[], date, date) is
  'The employees below this one in the org chart of muster_hierarchy_on';

create function public.muster_report_time_in_stage(
  as_of date, job_ids bigint[], dept_ids bigint[], sources text[], entered_from date, entered_to date, hired_from date,
  hired_to date, "by" text
) returns table (
  stage text, "group" text, entered bigint, "left" bigint, still_there bigint, median_days numeric, p90_days numeric,
  longest_days integer, next bigint, rejected bigint, withdrawn bigint
)
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  ids constant bigint[] := public.muster_applications_with_stays($2, $3, $4, $5, $7, $8, null);
begin
  return query
    with stays as materialized (
      select s.application_id, s.stage, s.outcome, $1 - s.entered as days_until_now,
        case when s.outcome is not null and s."left" <= $1 then s."left" - s.entered end as days,
        s.outcome is null or s."left" > $1 as is_there,
        case $9
          when 'month' then to_char(s.entered, 'YYYY-MM')
          when 'job_id' then a.job_id::text
          when 'job.dept_id' then j.dept_id::text
          when 'candidate.source' then public.muster_key(c.source)
        end as "group"
      from public.muster_stage_stays(ids) s
      left join public.applications a on a.id = s.application_id
      left join public.job_openings j on j.id = a.job_id
      left join public.candidates c on c.id = a.candidate_id
      where s.entered <= least($1, $6) and ($5 is null or s.entered >= $5)
    )
    select s.stage, s."group", count(distinct s.application_id),
      count(distinct s.application_id) filter (where s.days is not null),
      count(distinct s.application_id) filter (where s.is_there),
      round(percentile_cont(0.5) within group (order by s.days)::numeric, 1),
      round(percentile_cont(0.9) within group (order by s.days)::numeric, 1),
      max(s.days_until_now) filter (where s.is_there and s.stage <> 'hired'),
      count(distinct s.application_id) filter (where s.days is not null and s.outcome = 'next'),
      count(distinct s.application_id) filter (where s.days is not null and s.outcome = 'rejected'),
      count(distinct s.application_id) filter (where s.days is not null and s.outcome = 'withdrawn')
    from stays s
    group by s.stage, s."group"
    order by case when $9 in ('job_id', 'job.dept_id') then s."group"::bigint end, s."group" collate "C",
      s.stage = 'sourced' desc, array_position(public.muster_suggested_stages(), s.stage), s.stage collate "C";
end
$$;
comment on function public.muster_report_time_in_stage(date, bigint[], bigint[], text[], date, date, date, date, text) is
  'The report time-in-stage: how long applications stayed in each stage, and where they went';

create function public.muster_excluded_time_in_stage(
  as_of date, job_ids bigint[], dept_ids bigint[], sources text[], entered_from date, entered_to date, hired_from date,
  hired_to date, "by" text
) returns bigint
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  ids constant bigint[] := public.muster_applications_with_stays($2, $3, $4, $5, $7, $8, null);
begin
  return (
    select count(distinct s.application_id)
    from public.muster_stage_stays(ids) s
    where case
      when s.entered is null then $5 is null and $6 is null
      else s.entered <= least($1, $6) and ($5 is null or s.entered >= $5) and s.outcome is not null and s."left" is null
    end
  );
end
$$;
comment on function public.muster_excluded_time_in_stage(date, bigint[], bigint[], text[], date, date, date, date, text) is
  'Applications with a stay that the report time-in-stage cannot measure';

create function public.muster_report_movements(as_of date, "from" date, "to" date, only_kind text, "by" text)
returns table (month date, kind text, from_group text, to_group text, changes bigint)
language sql stable parallel safe as $$
  with kinds (place, kind, field) as (
    values (1, 'transfer', 'dept_id'), (2, 'title', 'designation'), (3, 'manager', 'manager_id'), (4, 'office', 'branch'),
      (5, 'contract', 'employment_type')
  ), counted as (
    select date_trunc('month', h."on"::timestamp)::date as month, k.place, k.kind,
      case when $5 = 'dept_id' then h.old end as old, case when $5 = 'dept_id' then h.new end as new, count(*) as changes
    from public.history h join kinds k on k.field = h.field
    where h.resource = 'employees' and ($4 is null or k.kind = $4) and ($5 is null or k.field = $5)
      and h."on" >= $2 and h."on" < ($3 + interval '1 month') and h."on" <= $1
    group by 1, 2, 3, 4, 5
  )
  select c.month, c.kind, c.old, c.new, c.changes from counted c
  order by c.month, c.place, c.old::bigint, c.new::bigint
$$;
comment on function public.muster_report_movements(date, date, date, text, text) is
  'The report movements: recorded changes of employees by month and kind, or by departments';

-- The first decision counts. A request that its employee cancelled was not decided.
create function public.muster_leave_decisions() returns table (leave_id bigint, decided_on date)
language sql stable parallel safe as $$
  select distinct on (h.record_id) h.record_id, h."on"
  from public.history h
  where h.resource = 'leave' and h.field = 'status' and public.muster_inline_key(h.old) = 'pending'
    and public.muster_inline_key(h.new) collate "C" in ('approved', 'rejected')
  order by h.record_id, h."on", h.id
$$;
comment on function public.muster_leave_decisions() is
  'The day on which each leave request was first approved or rejected while it was pending, as far as it is recorded';

-- Requests that are open at the end of a month are a running sum of those that began and ended to be pending until then.
--
-- Without nested loops: the planner expects two decisions, and would compare each of 180,000 with all requests.
create function public.muster_report_decisions(
  as_of date, employee_managers bigint[], employee_departments bigint[], "from" date, "to" date, "by" text
) returns table ("group" text, decided bigint, median_days numeric, p90_days numeric, open bigint)
language sql stable set enable_nestloop = off as $$
  with period as materialized (
    select $4 as first_month, least($5, date_trunc('month', $1::timestamp)::date) as last_month,
      least(($5 + interval '1 month')::date - 1, $1) as last_day
  ), requests as materialized (
    select l.id, l.applied_on, e.dept_id
    from public.leave_requests l left join public.employees e on e.id = l.employee_id
    where ($2 is null or e.manager_id = any ($2)) and ($3 is null or e.dept_id = any ($3))
  ), pending as (
    select r.dept_id, greatest(r.applied_on, p.from_on) as first_day, nullif(p."on", 'infinity') as end_day
    from (
      select e.*, lag(e."on") over (partition by e.record_id order by e."on", e.id) as from_on
      from (
        select h.record_id, h."on", h.id, public.muster_inline_key(h.old) as status
        from public.history h where h.resource = 'leave' and h.field = 'status'
        union all
        select l.id, 'infinity', null, public.muster_inline_key(l.status) from public.leave_requests l
      ) e
    ) p join requests r on r.id = p.record_id
    where p.status = 'pending' and r.applied_on is not null
  ), events as (
    select r.dept_id, d.decided_on as day, 1 as decided,
      case when r.applied_on <= d.decided_on then d.decided_on - r.applied_on end as days, 0 as open
    from public.muster_leave_decisions() d join requests r on r.id = d.leave_id
    where d.decided_on >= (select period.first_month from period)
    union all
    select p.dept_id, change.day, 0, null, change.open
    from pending p cross join lateral (values (p.first_day, 1), (p.end_day, -1)) change (day, open)
    where p.end_day is null or p.end_day > p.first_day
  ), grouped as (
    select case when $6 = 'month' then greatest(date_trunc('month', e.day::timestamp)::date, period.first_month) end as month,
      case when $6 <> 'month' then e.dept_id end as dept_id, e.decided, e.days, e.open
    from period, events e
    where e.day <= period.last_day
    union all
    select m::date, null, 0, null, 0
    from period, generate_series(period.first_month::timestamp, period.last_month, interval '1 month') m
    where $6 = 'month'
  ), counted as (
    select g.month, g.dept_id, sum(g.decided) as decided,
      round(percentile_cont(0.5) within group (order by g.days)::numeric, 1) as median_days,
      round(percentile_cont(0.9) within group (order by g.days)::numeric, 1) as p90_days,
      sum(sum(g.open)) over (partition by g.dept_id order by g.month) as open
    from grouped g group by g.month, g.dept_id
  )
  select coalesce(to_char(c.month, 'YYYY-MM'), c.dept_id::text), c.decided, c.median_days, c.p90_days, c.open::bigint
  from counted c, period
  where case when $6 = 'month' then c.month <= period.last_month else c.decided > 0 or c.open > 0 end
  order by c.month, c.dept_id
$$;
comment on function public.muster_report_decisions(date, bigint[], bigint[], date, date, text) is
  'The report decisions: how long leave requests waited for their decision, and how many still wait';

create function public.muster_excluded_decisions(
  as_of date, employee_managers bigint[], employee_departments bigint[], "from" date, "to" date, "by" text
) returns bigint
language sql stable set enable_nestloop = off as $$
  select count(*)
  from public.muster_leave_decisions() d
  join public.leave_requests l on l.id = d.leave_id
  left join public.employees e on e.id = l.employee_id
  where ($2 is null or e.manager_id = any ($2)) and ($3 is null or e.dept_id = any ($3))
    and d.decided_on >= $4 and d.decided_on <= least(($5 + interval '1 month')::date - 1, $1)
    and (l.applied_on is null or l.applied_on > d.decided_on)
$$;
comment on function public.muster_excluded_decisions(date, bigint[], bigint[], date, date, text) is
  'Decisions of the report decisions whose requests have no date, or a later one';

-- Each value of a stage is the old value of a change, or the present one: the new values need not be read.
create function public.muster_reached_before(stage text, job_ids bigint[], is_later boolean) returns setof bigint
language plpgsql stable set plan_cache_mode = force_custom_plan as $$
declare
  wanted constant text[] := array(
    select distinct unnest(case when $3 then l.later else l.this_or_later end) from public.muster_later_stages($1, $2) l);
begin
  return query
    with stages as materialized (
      select l.list, unnest(case when $3 then l.later else l.this_or_later end) as stage
      from public.muster_later_stages($1, $2) l
    )
    select h.record_id
    from public.history h
    join public.applications a on a.id = h.record_id
    join public.job_openings j on j.id = a.job_id
    join stages s on s.list = coalesce(j.stages_json, '') and s.stage = public.muster_inline_key(h.old)
    where h.resource = 'applications' and h.field = 'stage' and ($2 is null or a.job_id = any ($2))
      and public.muster_key(h.old) collate "C" = any (wanted);
end
$$;
comment on function public.muster_reached_before(text, bigint[], boolean) is
  'The applications to these jobs (null: all) that were recorded in this or a later stage of their job, or only in a later one';

-- As before (0008-report-recruiting.sql), and with the stages that the history has. An application that went back, or to a stage
-- that its job does not list, has reached the furthest stage in which it was recorded.
create or replace function public.muster_report_funnel(
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
    ), present_places as materialized (
      -- One row per spelling, so that only earlier stages need a key.
      select spelled.list, spelled.stage as spelling, public.muster_key(spelled.stage) as stage, coalesce(places.place, 0) as place
      from (select distinct list, stage from spellings) spelled
      left join places on places.list = spelled.list and places.stage = public.muster_key(spelled.stage)
    ), moved as materialized (
      -- Each earlier stage of an application that is later on the list than the present one, or not on it.
      select distinct a.id, jobs.list, public.muster_inline_key(h.old) as stage, places.place, present_places.place as present_place,
        public.muster_is_declined(a.status) as is_declined
      from public.history h
      join public.applications a on a.id = h.record_id
      join jobs on jobs.id = a.job_id
      join present_places on present_places.list = jobs.list and present_places.spelling = a.stage
      left join places on places.list = jobs.list and places.stage = public.muster_inline_key(h.old)
      where h.resource = 'applications' and h.field = 'stage'
        and coalesce(places.place > present_places.place, public.muster_inline_key(h.old) <> present_places.stage)
        and ($2 is null or a.applied_on >= $2) and ($3 is null or a.applied_on <= $3)
        and ($7 is null or a.candidate_id in (
          select id from public.candidates where public.muster_key(source) collate "C" = any (source_keys)))
    ), back as (
      -- Applications that are now in an earlier stage than they were, or in one that is not on the list.
      select id, list, present_place, is_declined, max(place) as furthest_place
      from moved where place is not null group by 1, 2, 3, 4
    ), figures as (
      select stage, place, jobs, n, rejected, withdrawn,
        coalesce(sum(n) over (
          partition by list order by place desc rows between unbounded preceding and 1 preceding
        ), 0) as passed, 0 as reached_before, 0 as passed_before, 0 as passed_and_declined
      from places left join present using (list, stage)
      union all
      select stage, null, null, 0, 0, 0, 0, count(*) filter (where place > present_place),
        count(*) filter (where place < furthest_place), count(*) filter (where place = present_place and is_declined)
      from back join places using (list)
      where place between present_place and furthest_place
      group by stage
      union all
      select stage, null, null, 0, 0, 0, 0, count(*), 0, 0
      from moved where place is null group by stage
      union all
      -- A stage that is not on the list implies only itself.
      select stage, null, null, n, rejected, withdrawn, 0, 0, 0, 0
      from present
      where not exists (select from places where places.list = present.list and places.stage = present.stage)
    ), totals as (
      select stage, coalesce(sum(n), 0) as n, sum(passed) as still_passed, sum(passed) + sum(passed_before) as passed,
        sum(reached_before) as reached_before, coalesce(sum(rejected), 0) as rejected, coalesce(sum(withdrawn), 0) as withdrawn,
        sum(passed) + sum(passed_before) + coalesce(sum(rejected), 0) + coalesce(sum(withdrawn), 0) - sum(passed_and_declined) as decided,
        sum(place * jobs) / sum(jobs) as mean_place
      from figures
      group by stage
    )
    select stage, (n + still_passed + reached_before)::bigint, passed::bigint, rejected::bigint, withdrawn::bigint,
      (n - rejected - withdrawn)::bigint,
      case when decided >= $8 then round(passed / decided, 12) end
    from totals
    order by stage = 'sourced' desc, array_position(suggested_stages, stage), mean_place, stage collate "C";
end
$$;
