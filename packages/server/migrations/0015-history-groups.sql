-- expands
-- The org chart of a past day, and the report headcount by the groups that employees had at the time (docs/reports.md).

create function public.muster_org_chart(
  day date, root_id bigint, above_id bigint, max_depth integer, managers_only boolean, statuses text[]
) returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, designation text,
  dept_id bigint, department text, first_name text, last_name text
)
language sql stable as $$
  with hierarchy as materialized (
    select h.* from public.muster_hierarchy($6) h where $1 is null
    union all
    select h.* from public.muster_hierarchy_on($6, $1, $1) h where $1 is not null
  ), shown as (
    select h.*, h.depth as shown_depth from hierarchy h
    where $2 is null and $3 is null and h.depth <= $4
    union all
    select h.*, h.depth - root.depth
    from hierarchy root join hierarchy h on h.place between root.place and root.place + root.total_reports
    where root.id = $2 and h.depth - root.depth <= $4
    union all
    select h.*, h.depth
    from hierarchy person join hierarchy h on person.place between h.place and h.place + h.total_reports
    where person.id = $3 and $2 is null
  )
  select e.id, shown.manager_id, shown.shown_depth, shown.direct_reports, shown.total_reports,
    case when $1 is null then e.designation else v.designation end,
    case when $1 is null then e.dept_id else v.dept_id end, d.name, e.first_name, e.last_name
  from shown
  join public.employees e on e.id = shown.id
  left join (select * from public.muster_values_on_employees($1) where $1 is not null) v on v.record_id = e.id
  left join public.departments d on d.id = case when $1 is null then e.dept_id else v.dept_id end
  where $5 is not true or shown.direct_reports > 0
  order by shown.shown_depth, e.id
$$;
comment on function public.muster_org_chart(date, bigint, bigint, integer, boolean, text[]) is
  'The report org-chart: of a day, or the present one if the day is null';

create or replace function public.muster_report_org_chart(
  as_of date, root_id bigint, above_id bigint, max_depth integer, managers_only boolean, statuses text[]
) returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, designation text,
  dept_id bigint, department text, first_name text, last_name text
)
language sql stable as $$
  select * from public.muster_org_chart(null, $2, $3, $4, $5, $6)
$$;

create function public.muster_report_org_chart_past(
  as_of date, root_id bigint, above_id bigint, max_depth integer, managers_only boolean, statuses text[]
) returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, designation text,
  dept_id bigint, department text, first_name text, last_name text
)
language sql stable as $$
  select * from public.muster_org_chart($1, $2, $3, $4, $5, $6)
$$;
comment on function public.muster_report_org_chart_past(date, bigint, bigint, integer, boolean, text[]) is
  'The report org-chart of a day before today: the people who were employed on that day, and their managers of that day';

create function public.muster_excluded_org_chart_past(
  as_of date, root_id bigint, above_id bigint, max_depth integer, managers_only boolean, statuses text[]
) returns bigint
language sql stable as $$
  select count(*) from public.muster_hierarchy_on($6, $1, $1) h where h.is_cut
$$;
comment on function public.muster_excluded_org_chart_past(date, bigint, bigint, integer, boolean, text[]) is
  'Number of cycles in the report org-chart of a day before today';

-- People are in the group that the field "by" had at the end of each month; those who left, in that of their last day. Somebody
-- whose group before a month (at the end of the month before, or in "joined") differs from that after it (at the end, or in "left")
-- has moved. So headcounts are running sums of the other four figures. People who left before they joined count in none of these
-- sums.
--
-- The rows begin 12 months before the first month, because turnover looks back that far; people who joined earlier count in the
-- first of them. Groups are compared by muster_key only after the values have been counted, because it is slow.
drop function public.muster_report_headcount(date, date, date, text);
create function public.muster_report_headcount(as_of date, "from" date, "to" date, "by" text)
returns table (
  month date, "group" text, joined bigint, "left" bigint, moved_in bigint, moved_out bigint, at_end bigint, turnover_12m numeric
)
language sql stable as $$
  with period as materialized (
    select ($2 - interval '12 months')::date as first_month, least($3, date_trunc('month', $1::timestamp)::date) as last_month,
      least(($3 + interval '1 month')::date - 1, $1) as last_day,
      (select date_trunc('month', min(date_of_joining)::timestamp) from public.employees) as oldest_month
  ), months as materialized (
    select m::date as month from period, generate_series(first_month::timestamp, last_month, interval '1 month') m
    where last_month >= $2
  ), people as materialized (
    select e.*, e.is_reversed or e.left_month is null or e.left_month > period.first_month as is_shown
    from period, (
      select id, termination_date as left_on, coalesce(termination_date < date_of_joining, false) as is_reversed,
        date_of_joining <= last_day as has_joined,
        greatest(date_trunc('month', date_of_joining::timestamp)::date, first_month) as joined_month,
        case when termination_date <= last_day then date_trunc('month', termination_date::timestamp)::date end as left_month,
        case $4
          when 'dept_id' then dept_id::text
          when 'employment_type' then employment_type
          when 'branch' then branch
        end collate "C" as value
      from period, public.employees
      where date_of_joining is not null
    ) e
  ), changes as materialized (
    -- "old" was the value at the end of the days from "since" until the day before "on", and of the months from "since_month"
    -- until the one before "month". Only the first change of a day, or of a month, has any.
    select p.*, c."on", c.since, c.month, c.since_month, c.next_month, c.old, c.is_last,
      case when c.is_last then p.value else c.next_old end as new
    from (
      select h.id, h."on", h.month, h.old, lag(h."on") over past as since, lag(h.month) over past as since_month,
        lead(h.month) over past as next_month, lead(h.old) over past as next_old, lead(h.id) over past is null as is_last
      from (
        select c.record_id as id, c."on", c.id as place, c.old collate "C" as old,
          case when c."on" <= last_day then date_trunc('month', c."on"::timestamp)::date else 'infinity' end as month
        from period, public.history c
        where $4 is not null and c.resource = 'employees' and c.field = $4 and c."on" >= first_month
      ) h
      window past as (partition by h.id order by h."on", h.place)
    ) c join people p on p.id = c.id
  ), unchanged as materialized (
    select * from people p where not exists (select from changes c where c.id = p.id and c.is_last)
  ), entered as (
    select p.joined_month as month, p.value, p.is_reversed from unchanged p where p.has_joined and p.is_shown
    union all
    select c.joined_month, case when c.month > c.joined_month then c.old else c.value end, c.is_reversed
    from changes c
    where c.has_joined and c.is_shown
      and case when c.month > c.joined_month then c.since_month is null or c.since_month <= c.joined_month else c.is_last end
  ), leavers as (
    select p.left_month as month, p.value, p.value as value_before, p.is_reversed
    from unchanged p where p.left_month is not null and p.is_shown
    union all
    select l.left_month, max(case when l."on" > l.left_on then l.old else l.value end) filter (where l.has_last_day),
      max(case when l.month >= l.first_month_after then l.old else l.value end) filter (where l.has_month_before), l.is_reversed
    from (
      select c.*,
        case when c."on" > c.left_on then c.since is null or c.since <= c.left_on else c.is_last end as has_last_day,
        case when c.month >= d.first_month_after then c.since_month is null or c.since_month < d.first_month_after else c.is_last end
          as has_month_before,
        d.first_month_after
      from changes c cross join lateral (
        -- Who joined in the same month was in the group of its end.
        select case when c.joined_month = c.left_month then (c.left_month + interval '1 month')::date else c.left_month end
          as first_month_after
      ) d
      where c.left_month is not null and c.is_shown
    ) l
    group by l.id, l.left_month, l.is_reversed
  ), moved as (
    -- The changes of those who were employed before the month and at its end.
    select * from changes c
    where c.month <> 'infinity' and c.month > c.joined_month and (c.left_month is null or c.left_month > c.month)
  ), moves as (
    select c.month, c.old as value_before, c.new as value_after, count(*) as people
    from moved c
    where c.since_month is distinct from c.month and c.next_month is distinct from c.month
    group by 1, 2, 3
    union all
    -- Several changes in one month.
    select c.month, max(c.old) filter (where c.since_month is distinct from c.month),
      max(c.new) filter (where c.next_month is distinct from c.month), 1
    from moved c
    where c.since_month = c.month or c.next_month = c.month
    group by c.id, c.month
    union all
    select l.month, l.value_before, l.value, count(*) from leavers l where not l.is_reversed group by 1, 2, 3
  ), counted as (
    select e.month, e.value, count(*) as joined, 0 as "left", 0 as moved_in, 0 as moved_out,
      count(*) filter (where not e.is_reversed) as employed
    from entered e group by e.month, e.value
    union all
    select l.month, l.value, 0, count(*), 0, 0, -count(*) filter (where not l.is_reversed) from leavers l group by l.month, l.value
    union all
    select m.month, v.value, 0, 0, sum(m.people * v.direction), sum(m.people * (1 - v.direction)), sum(m.people * (2 * v.direction - 1))
    from moves m cross join lateral (values (m.value_before, 0), (m.value_after, 1)) v (value, direction)
    where m.value_before is distinct from m.value_after
      and public.muster_key(m.value_before) is distinct from public.muster_key(m.value_after)
    group by 1, 2
  ), groups as (
    select null as "group" where $4 is null
    union all
    -- More groups than fit into a response of 10,000 rows only need to make the report too long.
    (select public.muster_key(v.value)
     from (
       select p.value from unchanged p group by 1
       union all
       select c.value from changes c, period where c.is_last and c."on" <= last_day group by 1
       union all
       select c.old from changes c, period
       where c."on" >= $2 and c.since is distinct from c."on" and (c.since is null or c.since <= last_day) group by 1
     ) v
     where $4 is not null group by 1
     limit 10000 / (select greatest(count(*), 1) from months where month >= $2) + 1)
  ), by_month as (
    select f.month, f."group", sum(f.joined) as joined, sum(f."left") as "left", sum(f.moved_in) as moved_in,
      sum(f.moved_out) as moved_out, sum(sum(f.employed)) over (partition by f."group" order by f.month) as at_end
    from (
      select month, public.muster_key(value) as "group", joined, "left", moved_in, moved_out, employed from counted
      union all
      select months.month, groups."group", 0, 0, 0, 0, 0 from months, groups
    ) f
    group by f.month, f."group"
  ), with_year as (
    select by_month.*,
      sum(by_month."left") over (year rows between 11 preceding and current row) as left_in_year,
      sum(by_month.at_end) over (year rows between 12 preceding and current row) as month_ends
    from by_month
    window year as (partition by by_month."group" order by by_month.month)
  )
  select y.month, y."group", y.joined::bigint, y."left"::bigint,
    case when $4 is not null then y.moved_in::bigint end, case when $4 is not null then y.moved_out::bigint end, y.at_end::bigint,
    case when y.month - interval '12 months' >= period.oldest_month
      then round(y.left_in_year * 13 / nullif(y.month_ends, 0), 12)
    end
  from period, with_year y
  where y.month >= $2
  order by y.month, case when $4 = 'dept_id' then y."group"::bigint end, y."group" collate "C"
$$;
comment on function public.muster_report_headcount(date, date, date, text) is
  'The report headcount: people who joined, left and moved in each month, who were employed at its end, and turnover';

-- The filter "headcount" of employees, which selects the people behind the figures of a group. Bounds that are null do not apply.
create function public.muster_values_when_left(first_day date, last_day date)
returns table (record_id bigint, dept_id bigint, designation text, manager_id bigint, branch text, employment_type text)
language sql stable parallel safe as $$
  select e.id,
    case when c.dept_ids is null then e.dept_id else c.dept_ids[1]::bigint end,
    case when c.designations is null then e.designation else c.designations[1] end,
    case when c.manager_ids is null then e.manager_id else c.manager_ids[1]::bigint end,
    case when c.branches is null then e.branch else c.branches[1] end,
    case when c.employment_types is null then e.employment_type else c.employment_types[1] end
  from public.employees e
  cross join lateral (
    select array_agg(h.old order by h."on", h.id) filter (where h.field = 'dept_id') as dept_ids,
      array_agg(h.old order by h."on", h.id) filter (where h.field = 'designation') as designations,
      array_agg(h.old order by h."on", h.id) filter (where h.field = 'manager_id') as manager_ids,
      array_agg(h.old order by h."on", h.id) filter (where h.field = 'branch') as branches,
      array_agg(h.old order by h."on", h.id) filter (where h.field = 'employment_type') as employment_types
    from public.history h where h.resource = 'employees' and h.record_id = e.id and h."on" > e.termination_date
  ) c
  where e.date_of_joining is not null and e.termination_date is not null
    and ($1 is null or e.termination_date >= $1) and ($2 is null or e.termination_date <= $2)
$$;
comment on function public.muster_values_when_left(date, date) is
  'The values of the tracked fields of those who left in a period, at the end of their termination date';

create function public.muster_values_before(first_day date, last_day date)
returns table (record_id bigint, dept_id bigint, designation text, manager_id bigint, branch text, employment_type text)
language sql stable parallel safe as $$
  select v.*
  from public.muster_values_on_employees($1 - 1) v join public.employees e on e.id = v.record_id
  where public.muster_is_employed_on(e.date_of_joining, e.termination_date, $1 - 1)
  union all
  select v.*
  from public.muster_values_on_employees(coalesce($2, 'infinity')) v join public.employees e on e.id = v.record_id
  where ($1 is null or e.date_of_joining >= $1) and ($2 is null or e.date_of_joining <= $2)
    and (e.termination_date < e.date_of_joining) is not true
$$;
comment on function public.muster_values_before(date, date) is
  'The values of the tracked fields at the end of the day before a period, and of those who joined in it at its end';

create function public.muster_values_after(first_day date, last_day date)
returns table (record_id bigint, dept_id bigint, designation text, manager_id bigint, branch text, employment_type text)
language sql stable parallel safe as $$
  select v.*
  from public.muster_values_on_employees(coalesce($2, 'infinity')) v join public.employees e on e.id = v.record_id
  where public.muster_is_employed_on(e.date_of_joining, e.termination_date, coalesce($2, 'infinity'))
  union all
  select v.* from public.muster_values_when_left($1, $2) v
$$;
comment on function public.muster_values_after(date, date) is
  'The values of the tracked fields at the end of a period, and of those who left in it at the end of their termination date';
