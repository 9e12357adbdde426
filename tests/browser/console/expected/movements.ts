import { integer, longMonth } from './texts.ts'

/**
 * The figures of Movements: the changes of the twelve months up to the last one that is over on the day $1, and of the month
 * of the day. Months before the first day of the history have no figure, unless changes of them are known.
 */
export const movementsSql = `
with
kinds (kind, field) as (values ('transfer', 'dept_id'), ('title', 'designation'), ('manager', 'manager_id'),
  ('office', 'branch'), ('contract', 'employment_type')),
whole as (
  select case when $1::date = (date_trunc('month', $1::date) + interval '1 month - 1 day')::date
    then date_trunc('month', $1::date)::date else (date_trunc('month', $1::date) - interval '1 month')::date end last_month
),
months as (
  select first::date, (first + interval '1 month - 1 day')::date as last, first > last_month as is_part,
    to_char(first, 'YYYY-MM') as month
  from whole, generate_series(last_month - interval '11 months', date_trunc('month', $1::date), interval '1 month') first
),
changes as (
  select kind, old, new, month from history join kinds using (field)
  join months on "on" between first and least(last, $1::date) where resource = 'employees'
),
by_month as (
  select kind, month, first, is_part, (select count(*) from changes where (changes.kind, changes.month) = (kinds.kind, months.month)) value
  from months cross join kinds
  where last >= (select day from muster_history_from where resource = 'employees')
    or exists (select from changes where (changes.kind, changes.month) = (kinds.kind, months.month))
),
transfers as (select old, new from changes where kind = 'transfer'),
-- The nine departments with the most moves have a row, or all of them if there are at most ten. So have people without one.
sizes as (
  select id, row_number() over (order by count(*) desc, id::bigint nulls last) as place, count(*) over () as places
  from (select old as id from transfers union all select new from transfers) ends group by id
),
named as (
  select id, case when id is null then 'null' when places <= 10 or place < 10 then id else 'other' end as key from sizes
),
cells as (
  select f.key as from_key, t.key as to_key from transfers
  join named f on f.id is not distinct from old join named t on t.id is not distinct from new
),
counts (name, value) as (
  select 'total', (select count(*) from changes)
  union all select kind, (select count(*) from changes where changes.kind = kinds.kind) from kinds
    where exists (select from changes)
  union all select 'from_to.' || coalesce(from_key, 'total') || '.' || coalesce(to_key, 'total'), count(*) from cells
    group by cube (from_key, to_key)
)
select 'movements.' || name as name, ${integer('value')} as text, null as label from counts
where name not like 'from_to%' or value > 0
union all select 'movements.' || kind || '.' || month, ${integer('value')},
  ${longMonth('first')} || ': ' || ${integer('value')} || case when is_part then ' so far' else '' end
from by_month where exists (select from changes)`
