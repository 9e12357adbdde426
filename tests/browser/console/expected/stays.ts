import { decimal } from './texts.ts'

/**
 * The stays of all applications in their stages, by the definition of the report `time-in-stage` in docs/reports.md: `began`
 * and `ended` are null if the day is not known, `outcome` is null while the stay goes on. All changes of a transaction are
 * one step.
 */
export const stayCtes = `
stage_events as (
  select record_id as id, field, lower(old) old, lower(new) as new, "on" as day, since, at, history.id as seq,
    count(*) filter (where field = 'stage') over in_order as stage_n,
    count(*) filter (where field = 'status') over in_order as status_n
  from history where resource = 'applications' and field in ('stage', 'status')
  window in_order as (partition by record_id order by "on", history.id)
),
-- The values of each field by number: 0 is the oldest known one.
field_values as (
  select a.id, 'stage' as field, 0 as n, coalesce(old, lower(stage)) as value from applications a
  left join stage_events e on e.id = a.id and field = 'stage' and stage_n = 1
  union all select a.id, 'status', 0, coalesce(old, lower(status)) from applications a
  left join stage_events e on e.id = a.id and field = 'status' and status_n = 1
  union all select id, field, case field when 'stage' then stage_n else status_n end, new from stage_events
),
steps as (
  select id, null::date as day, 0 as last_seq, 0 as first_seq, 0 as stage_n, 0 as status_n from applications
  union all select id, day, max(seq), min(seq), max(stage_n), max(status_n) from stage_events group by id, day, at
),
stage_states as (
  select steps.*, stage.value as stage, status.value as status, status.value in ('rejected', 'withdrawn') as is_declined,
    row_number() over (partition by steps.id order by steps.day nulls first, last_seq) as n
  from steps
  join field_values stage on stage.id = steps.id and stage.field = 'stage' and stage.n = stage_n
  join field_values status on status.id = steps.id and status.field = 'status' and status.n = status_n
),
turns as (
  select * from (
    select *, lag(case when not is_declined then stage end) over (partition by id order by n) as stage_before from stage_states
  ) compared where n = 1 or (case when not is_declined then stage end) is distinct from stage_before
),
followed as (
  select *, lead(day) over in_order as next_day, lead(first_seq) over in_order as next_seq,
    lead(is_declined) over in_order as is_next_declined, lead(status) over in_order as next_status
  from turns window in_order as (partition by id order by n)
),
-- The date that an application had when its oldest known stay ended.
oldest_dates as (
  select distinct on (followed.id) followed.id, since from followed join stage_events e on e.id = followed.id
    and field = 'stage' and (is_declined or e.day > next_day or e.day = next_day and seq >= next_seq)
  where n = 1 order by followed.id, e.day, seq
),
begun as (
  select followed.id, followed.stage, followed.status, is_declined, next_day, is_next_declined, next_status,
    case when n > 1 then day when oldest_dates.id is null then stage_entered_on else since end as first_day
  from followed join applications on applications.id = followed.id
  left join oldest_dates on oldest_dates.id = followed.id
  where n = 1 or not is_declined
),
stays as (
  select id, begun.stage, case when is_declined or next_day is null or first_day <= next_day then first_day end as began,
    case when not is_declined then next_day end as ended,
    case when is_declined then status when is_next_declined then next_status when next_day is not null then 'next' end as outcome
  from begun
)`

/** Whether a stay has ended, or goes on, at the end of the day $1. */
export const hasEnded = 'ended <= $1::date'
export const goesOn = '(outcome is null or ended > $1::date)'

const percentileDays = (part: number): string =>
  `round((percentile_cont(${part}) within group (order by ended - began) filter (where ${hasEnded}))::numeric, 1)`

/** The median of the days of stays that ended until `$1`. */
export const medianDays = `${decimal(percentileDays(0.5))} || ' d'`
export const p90Days = `${decimal(percentileDays(0.9))} || ' d'`
