import { stayCtes } from './stays.ts'
import { integer, weekday } from './texts.ts'

/** The number of a filter for all records, and for the five values with most of them. */
const pick = (list: string, parameter: string, value: string): string => `
  select '${list}.${parameter}.all' as name, count(*) as value from listed
  union all (select '${list}.${parameter}.' || ${value}, count(*) from listed where ${value} is not null
    group by ${value} order by count(*) desc, ${value} limit 5)`

/** The figures of a list of leave requests. $1 is the day of the screen. The first ten rows of each group are shown. */
const leaveSql = (list: string, condition: string, group: string): string => `
with
listed as (
  select leave_requests.id, applied_on, employees.dept_id, employees.manager_id, ${group} as "group"
  from leave_requests left join employees on employees.id = employee_id
  where lower(leave_requests.status) = 'pending' and ${condition}
),
ranked as (select *, row_number() over (partition by "group" order by applied_on, id) as place from listed),
figures (name, value) as (
  select '${list}.lede', count(*) from listed
  union all ${pick(list, 'employee.dept_id', 'dept_id')}
  union all ${pick(list, 'employee.manager_id', 'manager_id')}
  union all select '${list}.group.' || "group", count(*) from listed group by "group"
  union all select '${list}.' || id || '.wait_days', $1::date - applied_on from ranked
    where place <= 10 and applied_on is not null
  union all select '${list}.approvers_away', count(distinct manager_id) from listed
    join leave_requests away on away.employee_id = manager_id and lower(away.status) = 'approved'
      and $1 between away.from_date and away.to_date
    having count(*) > 0
)
select name, ${integer('value')} as text from figures`

export const approvalsSql = leaveSql(
  'approvals',
  'from_date <= $1',
  `case when to_date is null then 'open-ended' when to_date < $1 then 'over' when from_date < $1 then 'away' else 'began' end`,
)

export const leaveSoonSql = leaveSql(
  'leave_soon',
  'from_date > $1 and from_date <= $1::date + 7',
  `case when from_date = $1::date + 1 then 'tomorrow' else 'later' end`,
)

/** The groups compare the days of an application with the median of its stage, which has one decimal. */
export const waitingSql = `
with ${stayCtes},
medians as (
  select stage, round((percentile_cont(0.5) within group (order by ended - began) filter (where ended <= $1::date))::numeric, 1) as median
  from stays where began <= $1::date group by stage
),
listed as (
  select applications.id, lower(applications.stage) collate "C" as stage, stage_entered_on,
    $1::date - stage_entered_on as days, dept_id, hiring_manager_id, lower(job_openings.status) collate "C" as job_status,
    case when $1::date - stage_entered_on >= 3 * median then 3 when $1::date - stage_entered_on >= 2 * median then 2 else 0 end as "group"
  from applications join job_openings on job_openings.id = job_id
  left join medians on medians.stage = lower(applications.stage)
  where lower(applications.status) = 'active' and $1::date - stage_entered_on > 14
),
ranked as (select *, row_number() over (partition by "group" order by stage_entered_on, id) as place from listed),
figures (name, value) as (
  select 'waiting.lede', count(*) from listed
  union all select 'waiting.active', count(*) from applications where lower(status) = 'active'
  union all ${pick('waiting', 'stage', 'stage')}
  union all ${pick('waiting', 'job.hiring_manager_id', 'hiring_manager_id')}
  union all ${pick('waiting', 'job.dept_id', 'dept_id')}
  union all ${pick('waiting', 'job.status', 'job_status')}
  union all select 'waiting.group.' || "group", count(*) from listed group by "group"
  union all select 'waiting.' || id || '.wait_days', days from ranked where place <= 10
)
select name, ${integer('value')} as text from figures`

/** The 25 openings with the earliest target dates are on the page. */
export const pastTargetSql = `
with
listed as (
  select *, lower(location) collate "C" as place from job_openings
  where lower(status) = 'open' and target_date < $1 and filled < headcount
),
waits as (
  select job_id, $1::date - min(stage_entered_on) as days from applications
  where lower(status) not in ('rejected', 'withdrawn') and lower(stage) <> 'hired' and stage_entered_on <= $1
  group by job_id
),
page as (select * from listed order by target_date, id limit 25),
figures (name, value) as (
  select 'past_target.lede', count(*) from listed
  union all select 'past_target.group.all', count(*) from listed
  union all ${pick('past_target', 'dept_id', 'dept_id')}
  union all ${pick('past_target', 'hiring_manager_id', 'hiring_manager_id')}
  union all ${pick('past_target', 'location', 'place')}
  union all select 'past_target.' || id || '.' || name, value from page left join waits on job_id = page.id,
    lateral (values ('places', headcount - filled), ('days_past', $1::date - target_date), ('wait_days', days),
      ('active', (select count(*) from applications a where a.job_id = page.id and lower(a.status) = 'active'))) v (name, value)
    where value is not null
)
select name, ${integer('value')} as text from figures`

/** The dates of people from `first` to `last`, without those that are personal if `isWithheld`. */
export const datesSql = (first = '$1::date', last = '$1::date + 30', isWithheld = false): string => `
with
days as (select generate_series(${first}, ${last}, interval '1 day')::date as day),
all_dates (kind, label, place, day, dept_id) as (
  select 'joining', 'Joining', 1, date_of_joining, dept_id from employees
  union all select 'probation', 'Probation ends', 2, probation_end, dept_id from employees where not ${isWithheld}
  union all select 'leaving', 'Leaving', 3, termination_date, dept_id from employees where not ${isWithheld}
  -- Adding years to 29 February gives the 28th in other years.
  union all select 'anniversary', 'Anniversary', 4, days.day, dept_id from employees join days
    on days.day = (date_of_joining + make_interval(years => (date_part('year', days.day) - date_part('year', date_of_joining))::int))::date
    where date_of_joining < days.day and lower(status) is distinct from 'terminated'
),
listed as (select * from all_dates where day between ${first} and ${last}),
figures (name, text, label) as (
  select name, ${integer('value')}, null from (
    ${pick('dates', 'dept_id', 'dept_id')}
    union all select 'dates.kind.all', count(*) from listed
    union all select 'dates.kind.' || kinds.kind, count(listed.kind) from
      (values ('joining', false), ('probation', true), ('leaving', true), ('anniversary', false)) kinds (kind, is_personal)
      left join listed using (kind) where not (is_personal and ${isWithheld}) group by kinds.kind
    union all select 'dates.group.' || date_trunc('week', day)::date, count(*) from listed group by 1
  ) counts (name, value)
  union all select 'dates.day.' || day, null, ${weekday('day')} || ': ' || string_agg(label || ' ' || ${integer('count')}, ', ' order by place)
    from (select day, label, place, count(*) as count from listed group by 1, 2, 3) by_kind group by day
)
select name, coalesce(text, label) as text, label from figures`
