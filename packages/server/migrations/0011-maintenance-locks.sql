-- expands
-- Maintenance does not wait for locks. A truncate of several tables deletes their deltas in the order of the statement, and
-- maintenance compacted them in another order, so that one of the two failed with a deadlock.

create or replace function public.muster_maintain() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '50ms' as $$
declare
  name text;
begin
  if not pg_try_advisory_xact_lock(7264013, 1) then
    return;
  end if;
  for name in select distinct table_name from public.muster_count_deltas loop
    perform public.muster_compact_counts(name);
  end loop;
  with ended as (
    delete from public.muster_table_versions v
    where session <> 0 and not exists (select from pg_stat_activity a where a.pid = v.session)
    returning table_name, rows, changes
  )
  insert into public.muster_table_versions as v
    select table_name, 0, sum(rows), sum(changes) from ended group by table_name
    on conflict (table_name, session) do update set rows = v.rows + excluded.rows, changes = v.changes + excluded.changes;
exception when lock_not_available then
  -- The next call does it. Row counts are exact without it.
  return;
end
$$;
