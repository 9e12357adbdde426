-- expands
-- The leave type is a personal field, because it can reveal sickness or a death in the family. Searches without a token no longer
-- find it. PostgreSQL 15 and 16 cannot change the expression of a generated column, so the column is made again, which writes the
-- table again.
alter table public.leave_requests
  drop column search_text_public,
  add column search_text_public text not null generated always as (public.muster_fold(status)) stored;
alter table public.leave_requests alter column search_text_public set statistics 10;
create index leave_requests_search_text_public_idx on public.leave_requests using gin (search_text_public gin_trgm_ops);

-- The report today without leave types: all approved leave of the day in one row, even if there is none.
create function public.muster_report_today_redacted(as_of date)
returns table (figure text, "group" text, value numeric, day date)
language sql stable parallel safe as $$
  with figures as (
    select * from public.muster_report_today($1) with ordinality as today (figure, "group", value, day, position)
  ), redacted as (
    select * from figures where figure <> 'out'
    union all
    -- Between "leaving" and "leave_pending", which always have a row.
    select 'out', null, coalesce(sum(value), 0), null, (select position + 0.5 from figures where figure = 'leaving')
    from figures where figure = 'out'
  )
  select figure, "group", value, day from redacted order by position
$$;
comment on function public.muster_report_today_redacted(date) is
  'The report today for clients that may not see leave types';
