import { integer } from './texts.ts'

/**
 * The groups of the calendar with the number of their people. Departments count everybody who may be away. Teams are the
 * direct reports of the managers in the two upper levels of the org chart.
 */
const groups = {
  dept_id: `
    select dept_id as id, count(*) people from staff where dept_id is not null group by 1`,
  manager_id: `
    select manager_id as id, count(*) people from staff
    where manager_id in (select id from tops union
      select id from staff where manager_id in (select id from tops))
    group by 1`,
}

/** The figures of Leave in the month of the day of the screen, which is $1. Of the groups the seven largest are shown. */
export const leaveSql = (by: keyof typeof groups): string => `
with
staff as (select * from employees where lower(status) in ('active', 'on_leave', 'suspended')),
tops as (select id from staff where manager_id is null or manager_id not in (select id from staff)),
days as (
  select day::date from generate_series(date_trunc('month', $1::date),
    date_trunc('month', $1::date) + interval '1 month - 1 day', interval '1 day') day
),
requests as (
  select lower(leave_requests.status) status, from_date, to_date, ${by} as key
  from leave_requests left join employees on employees.id = employee_id
),
shown as (select * from (${groups[by]}) counted order by people desc, id limit 7),
counts (name, value) as (
  select 'out.' || day, count(status) from days left join requests
    on status = 'approved' and day between from_date and to_date group by day
  union all select 'pending.' || day, count(status) from days left join requests
    on status = 'pending' and day between from_date and to_date group by day
  union all select 'people.${by}.' || id, people from shown
  union all select 'out.${by}.' || id || '.' || day, count(status) from shown cross join days left join requests
    on key = id and status = 'approved' and day between from_date and to_date group by id, people, day
    having people >= 20 or count(status) > 0
  -- The largest group is open.
  union all select 'requests', count(*) from requests
    where status in ('approved', 'pending') and key = (select id from shown order by people desc, id limit 1)
      and from_date <= (select max(day) from days) and to_date >= (select min(day) from days)
    having count(*) > 0
)
select 'leave.' || name as name, ${integer('value')} as text, null as label from counts`
