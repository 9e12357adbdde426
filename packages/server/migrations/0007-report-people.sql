-- The reports org-chart and headcount, and the function of the filter employees?under.
--
-- Reports are functions, one per report, whose first argument is the day of the report. They are declared in
-- packages/model/src/reports, with the same arguments and columns in the same order.

-- The cost grows linearly with the number of employees. Recursive queries over pairs of employees are quadratic on deep
-- chains.
--
-- Employees are numbered from 1 in the order of their ids. The first loop over them finishes each person whose reports are
-- all finished, beginning with those who have none. It leaves exactly the members of cycles. The second loop meets the
-- smallest id of each cycle first and makes it a root, after which the rest of the cycle can be finished. In reverse order,
-- each person comes after the manager, so depths and places are computed from those of the manager. In a list sorted by
-- place, each person is followed by everyone below.
create function public.muster_hierarchy(statuses text[])
returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, is_cut boolean, place integer
)
language plpgsql stable as $$
declare
  keys text[];
  spellings text[];
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
  if statuses is not null then
    keys := array(select public.muster_key(s) from unnest(statuses) s);
    -- Materialized: otherwise muster_key would run once per employee instead of once per spelling.
    spellings := array(
      with used as materialized (select distinct e.status from public.employees e)
      select used.status from used where public.muster_key(used.status) = any (keys)
    );
  end if;
  select array_agg(ordered.id order by ordered.id), array_agg(ordered.manager order by ordered.id), count(*)
  into ids, managers, people
  from (
    select e.id, coalesce(m.person, 0) as manager
    from public.employees e
    left join (
      select m.id, row_number() over (order by m.id)::integer as person
      from public.employees m
      where statuses is null or m.status = any (spellings)
    ) m on m.id = e.manager_id
    where statuses is null or e.status = any (spellings)
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
comment on function public.muster_hierarchy(text[]) is
  'The org chart of the employees with these statuses (null: all), with each cycle cut at its smallest id';

-- The nested subqueries with "offset 0" force one index lookup per person. With another join, each level of a deep chain could
-- read the whole table.
create function public.muster_under(id bigint, statuses text[]) returns setof bigint
language sql stable as $$
  with recursive chain as (
    select e.id, e.manager_id from public.employees e
    where e.id = $1
      and ($2 is null or public.muster_key(e.status) = any (array(select public.muster_key(s) from unnest($2) s)))
    union
    select e.id, e.manager_id
    from chain cross join lateral (select m.id, m.manager_id, m.status from public.employees m where m.id = chain.manager_id offset 0) e
    where $2 is null or public.muster_key(e.status) = any (array(select public.muster_key(s) from unnest($2) s))
  ), cut as materialized (
    -- If the chain of managers returns to the employee, it is a cycle, and its smallest id is above everyone else in it.
    select min(chain.id) as id from chain having bool_or(chain.manager_id = $1)
  ), below as (
    select chain.id from chain where chain.id = $1
    union all
    select e.id
    from below cross join lateral (select r.id, r.status from public.employees r where r.manager_id = below.id offset 0) e
    where ($2 is null or public.muster_key(e.status) = any (array(select public.muster_key(s) from unnest($2) s)))
      and e.id is distinct from (select cut.id from cut)
  )
  select below.id from below where below.id <> $1
$$;
comment on function public.muster_under(bigint, text[]) is
  'The employees below this one in the org chart of the employees with these statuses (null: all)';

create function public.muster_report_org_chart(
  as_of date, root_id bigint, above_id bigint, max_depth integer, managers_only boolean, statuses text[]
) returns table (
  id bigint, manager_id bigint, depth integer, direct_reports integer, total_reports integer, designation text,
  dept_id bigint, department text, first_name text, last_name text
)
language sql stable as $$
  with hierarchy as materialized (
    select * from public.muster_hierarchy($6)
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
  select e.id, shown.manager_id, shown.shown_depth, shown.direct_reports, shown.total_reports, e.designation,
    e.dept_id, d.name, e.first_name, e.last_name
  from shown join public.employees e on e.id = shown.id left join public.departments d on d.id = e.dept_id
  where $5 is not true or shown.direct_reports > 0
  order by shown.shown_depth, e.id
$$;
comment on function public.muster_report_org_chart(date, bigint, bigint, integer, boolean, text[]) is
  'The report org-chart: people, their place in the hierarchy, and the number of people below them';

create function public.muster_excluded_org_chart(
  as_of date, root_id bigint, above_id bigint, max_depth integer, managers_only boolean, statuses text[]
) returns bigint
language sql stable as $$
  select count(*) from public.muster_hierarchy($6) h where h.is_cut
$$;
comment on function public.muster_excluded_org_chart(date, bigint, bigint, integer, boolean, text[]) is
  'Number of cycles in the report org-chart';

-- Each person is counted from the day of joining until the termination date, so headcounts are running sums of these two
-- changes. The rows begin 12 months before the first month, because turnover looks back that far; what happened earlier is
-- counted in the first of them.
create function public.muster_report_headcount(as_of date, "from" date, "to" date, "by" text)
returns table (month date, "group" text, joined bigint, "left" bigint, at_end bigint, turnover_12m numeric)
language sql stable as $$
  with period as materialized (
    select ($2 - interval '12 months')::date as first_month, least($3, date_trunc('month', $1::timestamp)::date) as last_month,
      (select date_trunc('month', min(date_of_joining)::timestamp) from public.employees) as oldest_month
  ), months as materialized (
    select m::date as month from period, generate_series(first_month::timestamp, last_month, interval '1 month') m
    where last_month >= $2
  ), people as materialized (
    select date_of_joining as joined_on, termination_date as left_on,
      case $4
        when 'dept_id' then dept_id::text
        when 'employment_type' then public.muster_key(employment_type)
        when 'branch' then public.muster_key(branch)
      end as "group"
    from public.employees
    where date_of_joining is not null
  ), groups as (
    select null as "group" where $4 is null
    union all
    -- More groups than fit into a response of 10,000 rows only need to make the report too long.
    (select distinct "group" from people where $4 is not null
     limit 10000 / (select greatest(count(*), 1) from months where month >= $2) + 1)
  ), changes as (
    select greatest(date_trunc('month', day::timestamp)::date, period.first_month) as month, people."group",
      change.joined, change."left", change.employed
    from period, people cross join lateral (values
      (joined_on, 1, 0, 1),
      (left_on, 0, 1, 0),
      (case when left_on is not null then greatest(joined_on, left_on) end, 0, 0, -1)
    ) change (day, joined, "left", employed)
    where day <= $1 and day < period.last_month + interval '1 month'
    union all
    select months.month, groups."group", 0, 0, 0 from months, groups
  ), by_month as (
    select changes.month, changes."group", sum(changes.joined) as joined, sum(changes."left") as "left",
      sum(sum(changes.employed)) over (partition by changes."group" order by changes.month) as at_end
    from changes
    group by changes.month, changes."group"
  ), with_year as (
    select by_month.*,
      sum(by_month."left") over (year rows between 11 preceding and current row) as left_in_year,
      sum(by_month.at_end) over (year rows between 12 preceding and current row) as month_ends
    from by_month
    window year as (partition by by_month."group" order by by_month.month)
  )
  select y.month, y."group", y.joined, y."left", y.at_end::bigint,
    case when y.month - interval '12 months' >= period.oldest_month
      then round(y.left_in_year * 13 / nullif(y.month_ends, 0), 12)
    end
  from period, with_year y
  where y.month >= $2
  order by y.month, case when $4 = 'dept_id' then y."group"::bigint end, y."group" collate "C"
$$;
comment on function public.muster_report_headcount(date, date, date, text) is
  'The report headcount: people who joined and left in each month, who were employed at its end, and turnover';

create function public.muster_excluded_headcount(as_of date, "from" date, "to" date, "by" text) returns bigint
language sql stable as $$
  select count(*) from public.employees where date_of_joining is null
$$;
comment on function public.muster_excluded_headcount(date, date, date, text) is
  'Number of employees without a joining date, whom the report headcount leaves out';
