import { versionsOf } from './org.ts'
import { integer, longMonth, share, shortDay } from './texts.ts'

type Field = 'dept_id' | 'employment_type' | 'branch'

/**
 * The figures of Headcount: the 24 months up to the last month that is over on the day of the screen, which is $1, the
 * month before them, and the month of the day as far as it has come.
 */
export const headcountSql = (field: Field): string => `
with ${versionsOf(field)},
people as (
  select id, date_of_joining joined_on, termination_date left_on, lower(status) status from employees
),
whole as (
  select case when $1::date = (date_trunc('month', $1::date) + interval '1 month - 1 day')::date
    then date_trunc('month', $1::date)::date else (date_trunc('month', $1::date) - interval '1 month')::date end last_month
),
-- All months that are needed: the turnover of the first shown month needs the twelve before it.
month_ends as (
  select first::date, least((first + interval '1 month - 1 day')::date, $1::date) last, last_month
  from whole, generate_series(last_month - interval '36 months', date_trunc('month', $1::date), interval '1 month') first
),
-- Where somebody came from in a month, and where they were at its end or when they left.
person_months as (
  select first, joined_on between first and last is_joined, left_on between first and last and joined_on is not null is_left,
    joined_on < first and (left_on is null or left_on >= first) was_there,
    joined_on <= last and (left_on is null or left_on > last) is_there,
    lower(before.value) group_before, lower(after.value) group_after, lower(at_leaving.value) group_when_left
  from month_ends join people on joined_on <= last and (left_on is null or left_on >= first)
  join versions before on before.id = people.id and first - 1 >= before.since and first - 1 < before.until
  join versions after on after.id = people.id and last >= after.since and last < after.until
  left join versions at_leaving on at_leaving.id = people.id
    and left_on >= at_leaving.since and left_on < at_leaving.until
),
moves as (
  select *, case when was_there then group_before else group_after end as from_group,
    case when is_there then group_after else group_when_left end as to_group
  from person_months where (was_there or is_joined) and (is_there or is_left)
),
events as (
  select first, group_after as key, 'at_end' as what from person_months where is_there
  union all select first, group_after, 'joined' from person_months where is_joined
  union all select first, group_when_left, 'left' from person_months where is_left
  union all select first, to_group, 'moved_in' from moves where to_group is distinct from from_group
  union all select first, from_group, 'moved_out' from moves where to_group is distinct from from_group
),
-- The whole company, and each group. A group without a value is null, so that the company has a mark of its own.
groups as (select true as is_company, null as key union select distinct false, key from events),
months as (
  select is_company, groups.key, month_ends.first, last, last_month, to_char(month_ends.first, 'YYYY-MM') as month,
    count(*) filter (where what = 'at_end') at_end, count(*) filter (where what = 'joined') joined,
    count(*) filter (where what = 'left') "left", count(*) filter (where what = 'moved_in') moved_in,
    count(*) filter (where what = 'moved_out') moved_out
  from month_ends cross join groups left join events on events.first = month_ends.first
    and (is_company or events.key is not distinct from groups.key) group by 1, 2, 3, 4, 5
),
years as (
  select *, sum("left") over year left_12m, sum(joined) over year joined_12m,
    sum(moved_in) over year moved_in_12m, sum(moved_out) over year moved_out_12m, lag(at_end, 12) over by_month year_before,
    case when (select min(joined_on) from people) <= (first - interval '11 months')::date - 1
      and count(*) over thirteen = 13
      then sum("left") over year / nullif(avg(at_end) over thirteen, 0) end turnover
  from months
  window by_month as (partition by is_company, key order by first),
    year as (partition by is_company, key order by first rows 11 preceding),
    thirteen as (partition by is_company, key order by first rows 12 preceding)
),
shown as (
  select *, case when is_company then '' else '.' || coalesce(key, 'null') end as suffix from years
  where first >= last_month - interval '24 months'
),
-- Groups in which somebody was employed, joined or left in the period.
at_last_month as (
  select shown.* from shown where first = last_month and (is_company or exists (
    select from shown other where not other.is_company and other.key is not distinct from shown.key
      and other.at_end + other.joined + other."left" + other.moved_in + other.moved_out > 0))
),
months_of_company as (select *, case when first > last_month then ' so far' else '' end so_far from shown where is_company)
select 'headcount.at_end' || suffix as name, ${integer('at_end')} as text, null as label from at_last_month
union all select 'headcount.year_before' || suffix, ${integer('year_before')}, null from at_last_month
union all select 'headcount.joined_12m' || suffix, ${integer('joined_12m')}, case when is_company then null else '+' || ${integer('joined_12m')} end
  from at_last_month
union all select 'headcount.left_12m' || suffix, ${integer('left_12m')}, case when is_company then null else '\u2212' || ${integer('left_12m')} end
  from at_last_month
union all select 'headcount.moved_in_12m' || suffix, ${integer('moved_in_12m')}, null from at_last_month where not is_company
union all select 'headcount.moved_out_12m' || suffix, ${integer('moved_out_12m')}, null from at_last_month where not is_company
union all select 'headcount.moved_12m' || suffix, replace(case when moved_in_12m > moved_out_12m then '+' else '' end
  || ${integer('moved_in_12m - moved_out_12m')}, '-', '\u2212'), null from at_last_month where not is_company
-- The turnover of a small group is not shown.
union all select 'headcount.turnover' || suffix, ${share('turnover')}, null
  from at_last_month where turnover is not null and (is_company or at_end >= 20 or year_before >= 20)
union all select 'headcount.at_end.' || month, ${integer('at_end')}, ${shortDay('last')} || ': ' || ${integer('at_end')}
  from months_of_company
union all select 'headcount.joined.' || month, ${integer('joined')},
  ${longMonth('first')} || ': ' || ${integer('joined')} || ' joined' || so_far from months_of_company
union all select 'headcount.left.' || month, ${integer('"left"')},
  ${longMonth('first')} || ': ' || ${integer('"left"')} || ' left' || so_far from months_of_company
union all select 'headcount.turnover.' || month, ${share('turnover')}, ${longMonth('first')} || ': ' || ${share('turnover')}
  from months_of_company where turnover is not null
union all select 'headcount.without_termination_date', ${integer('count(*)')}, null
  from people where status = 'terminated' and left_on is null having count(*) > 0
union all select 'headcount.excluded', ${integer('count(*)')}, null from people where joined_on is null having count(*) > 0`
