import { integer } from './texts.ts'

/**
 * The org chart: people who are active, on leave or suspended. The manager of somebody whose manager is not in the chart is
 * null, and so is that of the smallest id in a cycle. `below` has a pair for everybody and each person above.
 */
export const chartCtes = `
chart as (select id, manager_id from employees where lower(status) in ('active', 'on_leave', 'suspended')),
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
  left join (select manager_id, count(*) direct from chart group by 1) reports on reports.manager_id = tree.id
  left join (select upper_id, count(*) total from below group by 1) everybody on upper_id = tree.id
)`

const notes = `
  select 'people' as name, count(*) as value from chart
  union all select 'in_cycles', count(*) from cycles having count(*) > 0`

const figures = (shown: string) => `
select 'org.' || name as name, ${integer('value')} as text from (
  ${notes}
  union all select name || '.' || id, value from (${shown}) shown,
    lateral (values ('direct', direct), ('total', total)) as columns (name, value) where direct > 0
) counts`

const withoutManager = `
  union all select 'org.manager_left', ${integer('count(*)')}
  from employees join employees manager on manager.id = employees.manager_id
  where lower(employees.status) <> 'terminated' and lower(manager.status) = 'terminated' having count(*) > 0`

/** The tree opens with everybody at the top, and the reports of whoever leads most. */
export const orgSql = `
with recursive ${chartCtes}
${figures(`select * from members where manager_id is null or manager_id =
  (select id from members where manager_id is null order by total desc, direct desc, id limit 1)`)} ${withoutManager}`

/** The tree with the person $2: everybody at the top, the reports of everybody above the person, and those of the person. */
export const orgOfPersonSql = `
with recursive ${chartCtes}
${figures(`select * from members where manager_id is null or manager_id = $2
  or manager_id in (select upper_id from below where id = $2)`)} ${withoutManager}`

/**
 * The picture: the managers directly below the top. If several people who lead are at the top, these. People without a
 * manager and without reports are not drawn.
 */
export const orgPictureSql = `
with recursive ${chartCtes},
tops as (select * from members where manager_id is null and direct > 0)
${figures(`select * from members where case (select count(*) from tops)
  when 1 then manager_id = (select id from tops) else manager_id is null end`)}
union all select 'org.alone', ${integer('count(*)')} from members where manager_id is null and direct = 0
having count(*) > 0`
