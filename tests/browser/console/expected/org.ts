import { demoDay } from '../../support/muster.ts'
import { integer } from './texts.ts'

/** The values of a field of employees, and the days from `since` until before `until` at whose end they held. */
export const versionsOf = (field: string): string => `
versions as (
  select record_id as id, old as value, lag("on", 1, '-infinity') over in_order as since, "on" as until
  from history where resource = 'employees' and field = '${field}'
  window in_order as (partition by record_id order by "on", history.id)
  union all
  select employees.id, ${field}::text, coalesce(changed, '-infinity'), 'infinity' from employees
  left join (select record_id, max("on") as changed from history where resource = 'employees' and field = '${field}'
    group by 1) last on record_id = employees.id
)`

/** The people of the present chart, and their managers. */
const presentChart = `
select id, manager_id from employees where lower(status) in ('active', 'on_leave', 'suspended')`

/** The same for the chart of the day $1, if that is before the day that is today for the page. */
const chartOfDay = `
select employees.id, case when is_past then value::bigint else manager_id end as manager_id
from employees join versions on versions.id = employees.id and $1::date >= since and $1::date < until,
  (select $1::date < '${demoDay}' as is_past) day
where case when is_past then date_of_joining <= $1 and (termination_date is null or termination_date > $1)
  else lower(status) in ('active', 'on_leave', 'suspended') end`

/**
 * The org chart: people who are active, on leave or suspended. The manager of somebody whose manager is not in the chart is
 * null, and so is that of the smallest id in a cycle. `below` has a pair for everybody and each person above.
 */
const chartWith = (chart: string): string => `
chart as (${chart}),
chain as (
  select chart.id, manager.id as upper_id from chart join chart manager on manager.id = chart.manager_id
  union
  select chain.id, manager.id from chain join chart on chart.id = chain.upper_id
    join chart manager on manager.id = chart.manager_id
),
cycles as (select id, min(upper_id) as smallest from chain group by id having bool_or(id = upper_id)),
tree as (
  select chart.id, manager.id as manager_id from chart
  left join chart manager on manager.id = chart.manager_id and chart.id not in (select smallest from cycles)
),
below as (
  select id, manager_id as upper_id from tree where manager_id is not null
  union all
  select below.id, tree.manager_id from below join tree on tree.id = below.upper_id where tree.manager_id is not null
),
members as (
  select tree.id, tree.manager_id, coalesce(direct, 0) direct, coalesce(total, 0) total from tree
  left join (select manager_id, count(*) direct from chart where id <> manager_id group by 1) reports on reports.manager_id = tree.id
  left join (select upper_id, count(*) total from below group by 1) everybody on upper_id = tree.id
)`

/** The present org chart, which other screens show too. */
export const chartCtes = chartWith(presentChart)
const dayCtes = `${versionsOf('manager_id')}, ${chartWith(chartOfDay)}`

const isPresent = `$1::date >= '${demoDay}'`

/** Who is in a cycle is known of the present. */
const notes = `
  select 'people' as name, count(*) as value from chart
  union all select 'in_cycles', count(*) from cycles having count(*) > 0 and ${isPresent}`

const figures = (shown: string) => `
select 'org.' || name as name, ${integer('value')} as text from (
  ${notes}
  union all select name || '.' || id, value from (${shown}) shown,
    lateral (values ('direct', direct), ('total', total)) as columns (name, value) where value > 0
) counts`

const withoutManager = `
  union all select 'org.manager_left', ${integer('count(*)')}
  from employees join employees manager on manager.id = employees.manager_id
  where lower(employees.status) <> 'terminated' and lower(manager.status) = 'terminated' having count(*) > 0 and ${isPresent}`

/** The tree opens with everybody at the top, and the reports of whoever leads most. */
export const orgSql = `
with recursive ${dayCtes}
${figures(`select * from members where manager_id is null or manager_id =
  (select id from members where manager_id is null order by total desc, direct desc, id limit 1)`)} ${withoutManager}`

/** The tree with the person $2: everybody at the top, the reports of everybody above the person, and those of the person. */
export const orgOfPersonSql = `
with recursive ${dayCtes}
${figures(`select * from members where manager_id is null or manager_id = $2
  or manager_id in (select upper_id from below where id = $2)`)} ${withoutManager}`

/**
 * The managers, those with most direct reports first, of whom the first page has 25. The columns are for each number of direct
 * reports up to the largest; managers with 20 or more share the last one.
 */
export const managersSql = `
with recursive ${dayCtes},
depths as (select tree.id, count(upper_id) as depth from tree left join below on below.id = tree.id group by 1),
managers as (
  select members.id, direct, total, coalesce(max(reports.depth) - own.depth, 0) as levels
  from members join depths own on own.id = members.id
  left join below on below.upper_id = members.id left join depths reports on reports.id = below.id
  where direct > 0 group by members.id, direct, total, own.depth
),
shown as (select * from managers order by direct desc, total desc, id limit 25)
select 'org.in_cycles' as name, ${integer('count(*)')} as text from cycles having count(*) > 0 and ${isPresent}
union all select 'managers.total', ${integer('count(*)')} from managers
union all select 'managers.median', ${integer('percentile_disc(0.5) within group (order by direct)')} from managers
union all select 'managers.with.' || n || case when n = 20 then '-' else '' end,
    ${integer('(select count(*) from managers where least(direct, 20) = n)')}
  from generate_series(1, (select max(least(direct, 20)) from managers)) n
union all select 'managers.' || name || '.' || id, ${integer('value')} from shown,
  lateral (values ('direct', direct), ('all', total), ('levels', levels)) as columns (name, value)`
